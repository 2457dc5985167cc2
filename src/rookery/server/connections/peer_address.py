"""Where a connection comes from, in one form: IPv4-mapped and loopback addresses are one."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from rookery.core.network import LOOPBACK

_KNOWN: Final = 10_000  # hosts worked out and kept, and one text for all connections of each


def host_of(peer: object) -> str:
    """The host of a socket's peer name; "local" for what has no address (a pipe, a test)."""
    return _host(str(peer[0])) if isinstance(peer, tuple) and peer else "local"


@lru_cache(maxsize=_KNOWN)
def _host(text: str) -> str:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return LOOPBACK if address.is_loopback else str(address)
