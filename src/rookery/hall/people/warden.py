"""The warden: how many seats and tours each home holds, and how fast it may make the log grow.

A home is an address, or of IPv6 a whole /64. The log says whose a seat or a tour is, and at which
host that player was made; so after a restart everything counts as before. How fast a home has
written, and how often it has guessed codes, is forgotten with the process. The server's own players
are not counted, and a session that has shown the organiser's token is never refused for what it
writes.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from rookery.core import intents
from rookery.core.events import Opened
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, SessionId
from rookery.core.messages import Refused
from rookery.core.network import OWN, Buckets, home_of
from rookery.core.policy import Gone
from rookery.hall.limits import RENAME_COST, Allowances
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.people.presence import Presence

Remark = Callable[[str], None]  # tells the operator

TOO_FAST: Final = "too_fast"
TOO_MANY: Final = "too_many"
REMARK_EVERY: Final[Micros] = 600 * MICROS_A_SECOND  # about one home; a log is no place for a flood
REMARKED_MAX: Final = 1_000  # homes of which that is known


COST_MAX: Final = 100  # records that one thing counts for: a tour that starts may be a whole class


def cost_of(intent: intents.AnyIntent, records: int) -> int:
    """How many records an intent counts for that made so many."""
    if not records or intent.growth is intents.Growth.FREE:
        return 0
    return RENAME_COST if isinstance(intent, intents.Rename) else min(records, COST_MAX)


def quiet(_: str) -> None:
    """Tell nobody of the remark."""


class Warden:
    """Counts seats, places in tours, records and wrong codes by home."""

    def __init__(
        self, presence: Presence, players: PlayerRegistry, allowances: Allowances, remark: Remark
    ) -> None:
        self._presence = presence
        self._players = players
        self._allowances = allowances
        self._remark = remark
        self._seats: Counter[str] = Counter()
        self._held: Counter[str] = Counter()
        self._entries: Counter[str] = Counter()
        mine, here = allowances.host, allowances.loopback
        self._records = Buckets(mine.records, here.records)
        self._guesses = Buckets(mine.guesses, here.guesses)
        self._remarked: dict[str, Micros] = {}  # homes that were told of, and when

    # -- seats

    def took(self, player: PlayerId, opened: Opened) -> None:
        """Count that the player sits at this table, or owns it and waits."""
        self._count(player, opened, 1)

    def left(self, player: PlayerId, opened: Opened) -> None:
        """Count that the player no longer sits at this table, nor owns it."""
        self._count(player, opened, -1)

    def _count(self, player: PlayerId, opened: Opened, more: int) -> None:
        self._add(self._seats, player, more)
        if is_held(opened):
            self._add(self._held, player, more)

    def _add(self, counts: Counter[str], player: PlayerId, more: int) -> None:
        known = self._players.get(player)
        if known is None or known.host in OWN:
            return
        home = home_of(known.host)
        counts[home] += more
        if counts[home] <= 0:
            del counts[home]

    def no_room(self, player: PlayerId, opened: Opened) -> Refused | None:
        """Why this player's home may have no more seats at tables like this; None if it may."""
        host = self._players[player].host
        if host in OWN:
            return None
        home, most = home_of(host), self._allowances.of(host)
        if self._seats[home] >= most.seats:
            sentence = (
                f"Your host has {most.seats} seats at tables, and no more at once; "
                "finish or leave a game first."
            )
            return Refused(TOO_MANY, sentence)
        if is_held(opened) and self._held[home] >= most.held:
            sentence = (
                f"Your host has {most.held} seats at tables on hold, and no more at once; "
                "finish one, or play where who is gone loses."
            )
            return Refused(TOO_MANY, sentence)
        return None

    # -- tours

    def enrolled(self, player: PlayerId, places: int) -> None:
        """Count so many places in tours more (or less, if negative) for the player's home."""
        self._add(self._entries, player, places)

    def too_many_entries(self, host: str) -> Refused | None:
        """Why nobody from this host may join a tour now; None if they may."""
        most = self._allowances.of(host).entries
        if host in OWN or self._entries[home_of(host)] < most:
            return None
        sentence = f"Your host has {most} places in tours, and no more at once; leave one first."
        return Refused(TOO_MANY, sentence)

    def too_many_tours(self, player: PlayerId, owners: Iterable[PlayerId | None]) -> Refused | None:
        """Why the player's home may own no more tours than these owners have; None if it may."""
        host = self._players[player].host
        home, most = home_of(host), self._allowances.of(host).tours
        known = (None if owner is None else self._players.get(owner) for owner in owners)
        if sum(one is not None and home_of(one.host) == home for one in known) < most:
            return None
        sentence = f"Your host has {most} tours, and no more at once; end or cancel one first."
        return Refused(TOO_MANY, sentence)

    # -- records

    def too_fast(self, session: SessionId, now: Micros) -> Refused | None:
        """Why the session may ask nothing now that makes the log grow; None if it may."""
        host = self._presence.host(session)
        wait = 0 if host in OWN else self._records.wait(host, now)
        if not wait or self._presence.is_organiser(session):
            return None
        self._tell(host, now, "grows the log faster than it may, and is refused")
        rate = MICROS_A_SECOND // self._records.rate(host).every
        sentence = (
            f"Your host has the log grow by more than {rate} records a second; "
            f"go on in {_seconds(wait)}. Moves are never refused for this."
        )
        return Refused(TOO_FAST, sentence)

    def is_spent(self, player: PlayerId, now: Micros) -> bool:
        """Whether the player's home has made the log grow as fast as it may."""
        host = self._players[player].host
        return host not in OWN and self._records.wait(host, now) > 0

    def wrote(self, session: SessionId, records: int, now: Micros) -> None:
        """Count so many records, which follow from what a session asked, against its home."""
        host = self._presence.host(session)
        if records and host not in OWN and not self._presence.is_organiser(session):
            self._records.spend(host, now, records)

    def played(self, players: Iterable[PlayerId | None], records: int) -> None:
        """Give the records of a game that was played back to the homes of its players."""
        known = (None if player is None else self._players.get(player) for player in players)
        for host in {one.host for one in known if one is not None}:
            self._records.give(host, records)

    # -- codes

    def guesses_too_much(self, session: SessionId, now: Micros) -> Refused | None:
        """Why a session may try no code of a tour or a table now; None if it may."""
        host = self._presence.host(session)
        wait = self._guesses.wait(host, now)
        if not wait:
            return None
        self._tell(host, now, "guesses codes, and must wait")
        sentence = f"Too many wrong codes came from your host; try again in {_seconds(wait)}."
        return Refused(TOO_FAST, sentence)

    def guessed(self, session: SessionId, now: Micros) -> None:
        """Count a wrong code of a tour or a table against the session's home."""
        self._guesses.spend(self._presence.host(session), now)

    def _tell(self, host: str, now: Micros, what: str) -> None:
        """Tell the operator what a home does, about each home only every so often."""
        home = home_of(host)
        before = self._remarked.get(home)
        if before is not None and now - before < REMARK_EVERY:
            return
        if len(self._remarked) >= REMARKED_MAX:
            self._remarked.clear()
        self._remarked[home] = now
        self._remark(f"{home} {what}")


def is_held(opened: Opened) -> bool:
    """Whether a game at such a table is put on hold when a player is gone."""
    return opened.policy.gone is Gone.HOLD


def _seconds(wait: Micros) -> str:
    """A wait in seconds, rounded up, as words for people."""
    seconds = -(-wait // MICROS_A_SECOND)
    return "a second" if seconds == 1 else f"{seconds} seconds"
