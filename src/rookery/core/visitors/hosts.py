"""Hosts, and the homes they are counted by: the one place that knows both.

A host is an address in one form. A home is what one owner may choose its addresses from: an
IPv4 address, or the first 64 bits of an IPv6 one. Every bound counts by home. Who may come
back without a token is judged by host, which is narrower: a home of IPv6 can be many people.
"""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

LOOPBACK: Final = "127.0.0.1"
# Where players of the server itself are from; no address looks like this.
API: Final = "api"
HOUSE: Final = "house"
ARENA: Final = "arena"
OWN: Final = frozenset({API, HOUSE, ARENA})

_IPV6_HOME: Final = 64  # bits that are one household's or one machine's; the rest it may choose
_KNOWN: Final = 10_000  # homes worked out and kept: about a megabyte


def home_of(host: str) -> str:
    """The home that a host is counted by: its address, or of IPv6 the whole /64."""
    return host if ":" not in host else _network(host)


@lru_cache(maxsize=_KNOWN)
def _network(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:
        return host
    assert isinstance(address, IPv6Address), "only these have colons"
    first = IPv6Address(int(address) >> (128 - _IPV6_HOME) << (128 - _IPV6_HOME))
    return f"{first}/{_IPV6_HOME}"
