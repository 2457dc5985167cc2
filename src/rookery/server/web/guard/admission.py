"""By which names the server may be called over HTTP, and what is not said to it in the clear.

A page of elsewhere can give its own name the address of this server (DNS rebinding): to the
browser both are one site then, and that page could read and do here what the browser's user
can. But the browser says by which name it calls, and the name is the other page's. So only
names that are known to be ours are answered. An address in numbers is nobody's name.

Where the server has a certificate, a token is taken under TLS alone.
"""

import socket
from collections.abc import Sequence
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final

from msgspec import Struct

from rookery.server.web.api.problems import Trouble

LOOPBACK_NAMES: Final = frozenset({"localhost", "ip6-localhost", "localhost.localdomain"})
ANY_NAME: Final = "*"  # among the public names: a proxy in front of us checks names
SAID_IN_THE_CLEAR: Final = (
    "This server has a certificate and takes no token in the clear: use https. "
    "A token that was sent so may have been read on its way."
)


class Admission(Struct, frozen=True):
    """What we ask of every request, whatever it wants."""

    names: frozenset[str] = frozenset({ANY_NAME})  # by which clients may call us, in lower case
    tls: bool = False  # whether the server has a certificate

    def check_name(self, hosts: Sequence[str]) -> None:
        """Check that the names a request calls us by are ours. Raises Trouble."""
        for host in hosts:
            name = name_in(host)
            if not name or ANY_NAME in self.names or name in self.names or is_address(name):
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


def name_in(host: str) -> str:
    """The name in what stands behind `Host:`, without its port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].removesuffix(".")


def is_address(name: str) -> bool:
    """Whether this is an address in numbers."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
