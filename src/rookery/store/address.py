"""Where a log in PostgreSQL is: an address, as `--data` takes it beside a folder.

It is PostgreSQL's own kind of address, with one word more: `?hall=NAME`, for several halls
may share a database. It may have a password in it, so whatever is printed, logged or raised
is the address as `str` gives it, which has none.
"""

import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec import Struct

from rookery.core.errors import Mistake

SCHEMES: Final = ("postgresql://", "postgres://")
MAIN: Final = "main"  # the hall that is meant where none is named

_HALL: Final = re.compile(r"[A-Za-z0-9_-]{1,63}")
_PORTS: Final = re.compile(r"(?:[^:\[\]]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?")  # of one host


class BadAddress(Mistake):
    """An address that cannot be read."""


class LogAddress(Struct, frozen=True):
    """A hall in a database. Only code that connects looks at `secret`."""

    secret: str  # what PostgreSQL is told, password and all
    shown: str  # without
    hall: str = MAIN

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"

    def scrubbed(self, text: object) -> str:
        """Another program's words about this address, without its password."""
        words = str(text)
        for password in self._passwords():
            words = words.replace(password, "***")
        return words

    def _passwords(self) -> Iterator[str]:
        parts = urlsplit(self.secret)
        written = parts.netloc.rpartition("@")[0].partition(":")[2]
        queried = [value for name, value in parse_qsl(parts.query) if "password" in name]
        yield from (one for one in (written, unquote(written), *queried) if one)


def is_address(text: str) -> bool:
    """Whether this is the address of a database, and no folder."""
    return text.startswith(SCHEMES)


def read_address(text: str) -> LogAddress:
    """The address in this text. Raises BadAddress, which repeats nothing of it."""
    if not is_address(text):
        raise BadAddress("An address of a database begins with postgresql://.")
    parts = urlsplit(text)
    user, _, hosts = parts.netloc.rpartition("@")
    # A / ? or # in a password ends the host early; then all that follows would be shown.
    lost = "@" in parts.path or "@" in parts.fragment or "@" in parts.query
    if lost or not all(_PORTS.fullmatch(host) for host in hosts.split(",")):
        raise BadAddress(
            "The address of the database cannot be read; it is written "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and in a password / is %2F, @ is %40, "
            "# is %23, ? is %3F and : is %3A."
        )
    query = [word for word in parts.query.split("&") if word]
    halls = [word for word in query if word.startswith("hall=")]
    hall = unquote(halls[-1].removeprefix("hall=")) if halls else MAIN
    if not _HALL.fullmatch(hall):
        raise BadAddress("A hall has a name of up to 63 letters, digits, - and _.")
    rest = [word for word in query if word not in halls]
    name = user.partition(":")[0]
    said = [] if hall == MAIN else [f"hall={hall}"]
    return LogAddress(
        _join(parts.scheme, parts.netloc, parts.path, rest),
        _join(parts.scheme, f"{name}@{hosts}" if name else hosts, parts.path, said),
        hall,
    )


def _join(scheme: str, hosts: str, path: str, query: list[str]) -> str:
    return f"{scheme}://{hosts}{path}{'?' if query else ''}{'&'.join(query)}"


Round = Callable[[], float | None]  # works once; returns seconds until the next time, None: no more


def this_process() -> str:
    """How others call this process when they wait for it: `machine:number`."""
    return f"{socket.gethostname()}:{os.getpid()}"


def in_a_thread(wait: float, work: Round) -> Callable[[], None]:
    """Do this work again and again in a thread, first after `wait` seconds; return an `end`."""
    over = threading.Event()

    def run() -> None:
        rest: float | None = wait
        while rest is not None and not over.wait(rest):
            rest = work()

    def end() -> None:
        over.set()
        thread.join()

    thread = threading.Thread(target=run, name="lease", daemon=True)
    thread.start()
    return end


class Reach(Struct, frozen=True):
    """How a process reaches its database: what dials, which clock, and which threads.

    All that a store takes from its machine comes in here; so it can be run on one that is made up,
    where nothing is done in threads.
    """

    dial: Callable[..., Any] | None = None  # Any: psycopg's connections; None: psycopg's own
    clock: Callable[[], float] = time.monotonic
    beside: Callable[[float, Round], Callable[[], None]] = in_a_thread
    name: Callable[[], str] = this_process  # of this process


HERE: Final = Reach()
