"""Where others reach a server: what a teacher writes on the board."""

import socket
from ipaddress import ip_address

from rookery.server.addresses import ServerAddress, own_addresses, reached_at

FOUND = {socket.AF_INET: ("192.168.1.5", "10.0.0.2"), socket.AF_INET6: ("fd00::5",)}


def place(
    host: str, *, dialect: str = "any", tls: bool = False, tour: bool = False
) -> ServerAddress:
    """A port at this address."""
    return ServerAddress(host, 7350, dialect, tls, tour)


def test_a_server_on_loopback_is_reached_by_nobody_else() -> None:
    assert reached_at([place("127.0.0.1"), place("::1")], FOUND.__getitem__) == ()


def test_a_server_on_every_address_is_reached_at_each_of_the_machine_s_own() -> None:
    found = reached_at([place("0.0.0.0"), place("::")], FOUND.__getitem__)
    assert found == ("http://192.168.1.5:7350", "http://10.0.0.2:7350", "http://[fd00::5]:7350")


def test_a_server_on_one_address_is_reached_there_and_under_tls_by_https() -> None:
    assert reached_at([place("192.168.7.7", tls=True)]) == ("https://192.168.7.7:7350",)


def test_ports_of_one_dialect_or_one_tour_are_no_place_for_the_page() -> None:
    places = [place("0.0.0.0", dialect="othello"), place("0.0.0.0", tour=True)]
    assert reached_at(places, FOUND.__getitem__) == ()


def test_the_machine_s_own_addresses_are_none_that_only_it_knows() -> None:
    for family in FOUND:
        for found in own_addresses(family):
            assert not ip_address(found).is_loopback
