"""Where sessions come from: hosts, the homes they are counted by, what each may take, and ports.

A host is an address in one form. A home is what one owner may choose its addresses from: an
IPv4 address, or the first 64 bits of an IPv6 one. Every bound counts by home. Who may come
back without a token is judged by host, which is narrower: a home of IPv6 can be many people.
"""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, TableId, TourId
from rookery.core.policy import Return

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


# -- Buckets: each home has so many of something at hand, and they come back with time.
#
# The caller says what time it is. This machine's own home has a rate of its own.


HOSTS_MAX: Final = 10_000  # homes remembered, about a megabyte


class Rate(Struct, frozen=True):
    """So many at once, and then one each `every`."""

    burst: int
    every: Micros


class Buckets:
    """How many each home has at hand."""

    def __init__(self, rate: Rate, loopback: Rate, hosts: int = HOSTS_MAX) -> None:
        self._rate = rate
        self._loopback = loopback
        self._hosts = hosts
        self._full: dict[str, Micros] = {}  # when a home has everything at hand again

    def take(self, host: str, now: Micros) -> Micros:
        """Take one for this host's home; 0, or how long to wait until there is one to take."""
        wait = self.wait(host, now)
        if not wait:
            self.spend(host, now)
        return wait

    def wait(self, host: str, now: Micros) -> Micros:
        """How long, in microseconds, until this home has one to take; 0 if it has."""
        rate = self.rate(host)
        full = max(now, self._full.get(home_of(host), now))
        return max(0, full + rate.every - now - rate.burst * rate.every)

    def owed(self, host: str, now: Micros) -> Micros:
        """How long until this home has everything at hand again: the more, the more it took."""
        return max(0, self._full.get(home_of(host), now) - now)

    def spend(self, host: str, now: Micros, count: int = 1) -> None:
        """Take so many from this home, whether they are there or not; the missing ones are owed."""
        home = home_of(host)
        full = max(now, self._full.get(home, now)) + count * self.rate(host).every
        if home not in self._full and len(self._full) >= self._hosts:
            self._forget(now)
        self._full[home] = full

    def give(self, host: str, count: int) -> None:
        """Give so many back to this home."""
        home = home_of(host)
        if home in self._full:
            self._full[home] -= count * self.rate(host).every

    def rate(self, host: str) -> Rate:
        """The rate that this host is allowed."""
        return self._loopback if host == LOOPBACK else self._rate

    def __len__(self) -> int:
        return len(self._full)

    def _forget(self, now: Micros) -> None:
        """Forget homes that have everything at hand; if all are busy, forget all of them."""
        self._full = {home: full for home, full in self._full.items() if full > now}
        if len(self._full) >= self._hosts:
            self._full = {}


# -- By which port a session came, and how, as far as the hall must know; and what it is there.
#
# What a session is in the hall is not in the log. The edge that keeps the connection is told, so
# that it can attach the session to the next hall when this one goes.


class Doorway(Struct, frozen=True):
    """What holds for every session that came by this port."""

    tour: str = ""  # the code of the tour they are bound for
    by: Return = Return.HOST  # how they come back
    private: bool = True  # whether nobody on the way need hear what is said


TOLD_MAX: Final = 256  # tables of which it is known how far a session has been told: the last ones
SHOWN: Final = -1  # how far, where a session knows of a table and was told of no event there
GAME, TOUR = "game", "tour"  # what one may wait for
FRONT: Final = Doorway()  # where nothing is special


class Attachment(Struct, frozen=True, array_like=True):
    """All that a session is in the hall, besides its host and its dialect."""

    players: tuple[PlayerId, ...] = ()
    tables: tuple[TableId, ...] = ()  # that it watches
    lobbies: tuple[str, ...] = ()  # by the game's name
    tours: tuple[TourId, ...] = ()  # that it watches
    rooms: tuple[tuple[PlayerId, str, str], ...] = ()  # who is in which, and of which game
    organiser: bool = False
    waits: str = ""  # for a game or a tour to gather; no other hall knows of that
    glances: tuple[TableId, ...] = ()  # of those it watches, where it does not look on
    lobby: bool = False  # whether it hears the lobby
    starts: tuple[tuple[PlayerId, TourId], ...] = ()  # starts of tours that players have taken
    asks: tuple[PlayerId, ...] = ()  # who has asked for a match of its tour, and waits for it
    voided: tuple[tuple[PlayerId, int], ...] = ()  # whose tokens were made void before, how often
    told: dict[TableId, int] = {}  # up to which event, of tables; known where the connection is
    seats: tuple[TableId, ...] = ()  # tables where it has one, and the game has not begun
    views: tuple[PlayerId, ...] = ()  # who is in its room for viewing only
