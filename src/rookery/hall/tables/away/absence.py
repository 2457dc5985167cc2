"""Which seats are away from which table, and until when their players may come back.

A seat whose connection goes has the table's grace period to come back. After a restart every seat
is away, and after the loss of an edge every seat that was connected through it; for that first
period neither clock nor grace runs. A player who comes back without a token is found by host,
dialect and name, and an index spares looking through everyone who ever came.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.clock import left_out
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.hall.people.players import Home

Chair: TypeAlias = tuple[TableId, Seat]


class Away(Struct, frozen=True):
    """A seat's player is not connected."""

    player: PlayerId
    since: Micros
    until: Micros
    restarted: bool = False  # the server was away, and the seat's own grace has not begun
    long: bool = False  # away for the whole patience of a game on hold


class Absence:
    """The empty chairs of running games."""

    def __init__(self, way_back: Callable[[PlayerId], Home | None]) -> None:
        self._way_back = way_back
        self._away: dict[TableId, dict[Seat, Away]] = {}
        # Chairs in the order they were left, by host, dialect and name, and by all names.
        self._left: dict[tuple[str, str, str | None], dict[Chair, PlayerId]] = {}

    def begin(self, table: TableId, seat: Seat, away: Away) -> None:
        """Note that the seat's player is away, since when, and until when the seat waits."""
        self._away.setdefault(table, {})[seat] = away
        for key in self._keys(away.player):
            self._left.setdefault(key, {})[table, seat] = away.player

    def put_off(self, table: TableId, seat: Seat, until: Micros, *, long: bool) -> None:
        """Let the seat wait until another moment, and note whether it counts as away for long."""
        self._away[table][seat] = replace(self._away[table][seat], until=until, long=long)

    def leave_out(self, since: Micros, until: Micros) -> None:
        """Let no seat's time away count this time, in which its player could not come back."""
        for seats in self._away.values():
            for seat, away in seats.items():
                more = left_out(away.since, since, until) - away.since
                seats[seat] = replace(away, until=away.until + more)

    def end(self, table: TableId, seat: Seat) -> None:
        """Forget that the seat is away: its player is back, or is waited for no more."""
        seats = self._away.get(table)
        if seats is not None:
            away = seats.pop(seat, None)
            if away is not None:
                self._unleave((table, seat), away.player)
            if not seats:
                del self._away[table]

    def forget(self, table: TableId) -> None:
        """Forget all seats that are away from this table, because its game is over."""
        for seat, away in self._away.pop(table, {}).items():
            self._unleave((table, seat), away.player)

    def left_from(self, host: str, dialect: str, name: str | None) -> Iterable[Chair]:
        """Chairs that players of this host, dialect and name (None: any) left, oldest first."""
        return self._left.get((host, dialect, name), {}).keys()

    def of(self, table: TableId) -> dict[Seat, Away]:
        """The seats that are away from this table, each with since when and until when."""
        return self._away.get(table, {})

    def held(self, table: TableId, seat: Seat) -> bool:
        """Whether the seat's clock waits: the server was away, and the player is not back yet."""
        at_table = self._away.get(table)
        if at_table is None:  # nearly always
            return False
        away = at_table.get(seat)
        return away is not None and away.restarted

    def due(self, table: TableId, now: Micros) -> list[Seat]:
        """The seats of this table whose time away is over by `now`, the lowest first."""
        return sorted(seat for seat, away in self.of(table).items() if away.until <= now)

    def deadline(self, table: TableId) -> Micros | None:
        """When the first of the table's absent players must be back; None if nobody is away."""
        return min((away.until for away in self.of(table).values()), default=None)

    def _keys(self, player: PlayerId) -> tuple[tuple[str, str, str | None], ...]:
        # No player takes another name while away, so the keys are the same at the end.
        way = self._way_back(player)
        if way is None:
            return ()
        host, dialect, name = way
        return (host, dialect, name), (host, dialect, None)

    def _unleave(self, chair: Chair, player: PlayerId) -> None:
        for key in self._keys(player):
            chairs = self._left[key]
            del chairs[chair]
            if not chairs:
                del self._left[key]
