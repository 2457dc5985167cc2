"""A home: what counts as one host where bounds are kept."""

import pytest

from rookery.core.network import home_of


@pytest.mark.parametrize(
    ("host", "home"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:ffff:ffff:ffff", "2001:db8::/64"),
        ("2001:db8:0:1::", "2001:db8:0:1::/64"),
        ("no:address", "no:address"),
    ],
)
def test_an_address_is_a_home_and_of_ipv6_the_first_64_bits(host: str, home: str) -> None:
    assert home_of(host) == home
