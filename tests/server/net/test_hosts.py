"""Hosts in one form: "IPv4-mapped and loopback forms are one"."""

import pytest

from rookery.server.net.connection import host_of


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        (("127.0.0.1", 5000), "127.0.0.1"),
        (("127.8.9.1", 5000), "127.0.0.1"),
        (("::1", 5000, 0, 0), "127.0.0.1"),
        (("::ffff:127.0.0.1", 5000, 0, 0), "127.0.0.1"),
        (("::ffff:192.0.2.7", 5000, 0, 0), "192.0.2.7"),
        (("192.0.2.7", 5000), "192.0.2.7"),
        (("2001:db8::1", 5000, 0, 0), "2001:db8::1"),
        (("fe80::1%eth0", 5000, 0, 2), "fe80::1"),
        (None, "local"),
        ("", "local"),
    ],
)
def test_the_same_host_has_one_name(peer: object, host: str) -> None:
    assert host_of(peer) == host
