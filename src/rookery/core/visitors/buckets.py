"""Buckets: each home has so many of something at hand, and they come back with time.

The caller says what time it is. This machine's own home has a rate of its own. It mutates.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.core.visitors.hosts import LOOPBACK, home_of

HOSTS_MAX: Final = 10_000  # homes remembered, about a megabyte


class Rate(Struct, frozen=True):
    """So many at once, and then one each `every`."""

    burst: int
    every: Micros


class Buckets:
    """How many each home has at hand. It mutates."""

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
