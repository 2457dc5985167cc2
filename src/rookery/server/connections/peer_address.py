"""Where a connection comes from, in one form: IPv4-mapped and loopback addresses are one."""

from ipaddress import IPv6Address, ip_address

from rookery.core.visitors.hosts import LOOPBACK


def host_of(peer: object) -> str:
    """The host of a socket's peer name; what is no address (a pipe, a test) is itself."""
    text = str(peer[0]) if isinstance(peer, tuple) and peer else "local"
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return LOOPBACK if address.is_loopback else str(address)
