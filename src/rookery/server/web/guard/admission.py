"""By which names the server may be called over HTTP, and what is not said to it in the clear.

A page of elsewhere can give its own name the address of this server (DNS rebinding): to the
browser both are one site then, and that page could read and do here what the browser's user
can. But the browser says by which name it calls, and the name is the other page's. So only
names that are known to be ours are answered. An address in numbers is nobody's name. What stands
behind `Host:` is a name or an address and perhaps a port, and nothing else: it is a part of
redirects, and those must lead to this server.

Where the server has a certificate, a token is taken under TLS alone.
"""

import re
import socket
from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final

from msgspec import Struct

from rookery.server.web.api.problems import Trouble

LOOPBACK_NAMES: Final = frozenset({"localhost", "ip6-localhost", "localhost.localdomain"})
ANY_NAME: Final = "*"  # among the public names: a proxy in front of us checks names
# Labels of up to 63 characters (RFC 1035); `_` is in no host's name, and in many a container's.
_HOST: Final = re.compile(
    r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*)\.?)"
    r"(?P<port>:[0-9]{1,5})?"
)
HOST_MAX: Final = 253 + len(".:65535")  # characters: a name's, a last dot and a port
PORT_MAX: Final = 65535
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")  # a browser takes what ends so for an address
NO_HOST: Final = (
    "That is no host: behind Host stands a name or an address, an IPv6 one in brackets, then "
    "perhaps a port, and nothing else."
)
SAID_IN_THE_CLEAR: Final = (
    "This server has a certificate and takes no token in the clear: use https. "
    "A token that was sent so may have been read on its way."
)


class Admission(Struct, frozen=True):
    """What we ask of every request, whatever it wants."""

    names: frozenset[str] = frozenset({ANY_NAME})  # by which clients may call us, in lower case
    tls: bool = False  # whether the server has a certificate

    def check_name(self, hosts: Sequence[str], *, any_name: bool = False) -> None:
        """Check that a request calls us by a name, and by one of ours. Raises Trouble."""
        for host in hosts:
            name, ours = read_name(host), self.names
            if name is None:
                raise Trouble(HTTPStatus.BAD_REQUEST, "bad_host", NO_HOST)
            if any_name or ANY_NAME in ours or name in ours or is_address(name):
                continue
            sentence = (
                f"This server does not know that it is called {name[:100]}. If it is, start it "
                f"with --public-host {name[:100]}; its address in numbers always works."
            )
            raise Trouble(HTTPStatus.FORBIDDEN, "bad_host", sentence)

    def check_secret(self, *, sealed: bool) -> None:
        """Check that secrets may be said over such a connection. Raises Trouble."""
        if self.tls and not sealed:
            raise Trouble(HTTPStatus.FORBIDDEN, "no_tls", SAID_IN_THE_CLEAR)


def admission_of(host: str, public: Sequence[str], *, tls: bool) -> Admission:
    """The rules for a server that listens on `host` and has these names beside its own."""
    own = socket.gethostname()
    names = {host, *public, own, f"{own}.local", *LOOPBACK_NAMES}
    return Admission(frozenset(name.lower().rstrip(".") for name in names if name), tls)


def read_name(said: str) -> str | None:
    """Read the name or address behind `Host:`, in lower case, without brackets and a last dot.

    None where that is not just a host and perhaps a port.
    """
    read = _HOST.fullmatch(said.lower()) if len(said) <= HOST_MAX else None
    if read is None:
        return None
    name, port = read["v6"] or read["name"], read["port"] or ""
    in_numbers = read["v6"] is not None or _NUMBER.fullmatch(name.rpartition(".")[2])
    if (in_numbers and not is_address(name)) or (port and not 0 < int(port[1:]) <= PORT_MAX):
        return None
    return name if (":" in name) == (read["v6"] is not None) else None


def is_address(name: str) -> bool:
    """Whether this is an address in numbers."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
