"""The tables of the hall: the living, the dormant, and the way to the archive.

After a restart a running table is only its events; the game is replayed when somebody first
touches it. A finished one leaves memory, and is read back from the archive when asked for. One
whose record is damaged is nowhere: nothing can happen at it, and a session that asks is told why.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, Protocol, TypeAlias

from msgspec.structs import replace

from rookery.core.clock import left_out
from rookery.core.errors import BROKEN, BadOption, Damaged, RulesFailed
from rookery.core.events import (
    Left,
    Opened,
    Record,
    Sat,
    Started,
    TableEvent,
    TakenOver,
    table_events,
    table_stream,
)
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId
from rookery.core.messages import Refused, TableLine
from rookery.core.policy import Policy
from rookery.hall.tables.replay import SEATING, glance, replay, why_text
from rookery.hall.tables.table import Table

Group = tuple[Status, str]  # with the game's name
Wanted = tuple[tuple[Status, ...], str]  # statuses, and the game or every game


class TableIndex:
    """Every table in memory, under its kind."""

    def __init__(self) -> None:
        self._kinds: dict[Group, dict[TableId, None]] = {}
        self._kind: dict[TableId, Group] = {}
        self._sorted: dict[Group, list[TableId]] = {}
        self._found: dict[Wanted, list[TableId]] = {}

    def put(self, table: TableId, status: Status, game: str) -> None:
        """Note that the table has this status and game from now on."""
        kind = (status, game)
        if self._kind.get(table) != kind:
            self.drop(table)
            self._kind[table] = kind
            self._kinds.setdefault(kind, {})[table] = None
            self._change(kind)

    def drop(self, table: TableId) -> None:
        """Forget the table, which leaves memory."""
        kind = self._kind.pop(table, None)
        if kind is not None:
            del self._kinds[kind][table]
            if not self._kinds[kind]:
                del self._kinds[kind]
            self._change(kind)

    def ids(self, statuses: tuple[Status, ...], game: str = "") -> Sequence[TableId]:
        """The tables with one of these statuses, of this game or of all, in order."""
        wanted = (statuses, game)
        found = self._found.get(wanted)
        if found is None:
            found = []
            for kind in self._kinds:
                if kind[0] in statuses and game in ("", kind[1]):
                    found += self._in_order(kind)
            found.sort()  # a few runs that are in order already
            self._found[wanted] = found
        return found

    def _in_order(self, kind: Group) -> list[TableId]:
        known = self._sorted.get(kind)
        if known is None:
            known = self._sorted[kind] = sorted(self._kinds[kind])
        return known

    def _change(self, kind: Group) -> None:
        self._sorted.pop(kind, None)
        self._found.clear()


Archive: TypeAlias = Callable[[str], Sequence[Record]]  # by stream
Events: TypeAlias = Sequence[TableEvent]
Kind: TypeAlias = tuple[str, int, str, Policy, str]  # what two seekers must agree on

STIRRING: Final = frozenset({Opened, *SEATING})  # more than the past of a table changes
NONE_BEGUN: Final[Mapping[Seat, Micros]] = {}


class Tenants(Protocol):
    """Counts the seats that the players of each home hold (the warden does)."""

    def took(self, player: PlayerId, opened: Opened) -> None:
        """Count that the player sits at this table, or owns it and waits."""
        ...

    def left(self, player: PlayerId, opened: Opened) -> None:
        """Count that the player no longer sits at this table, nor owns it."""
        ...


def kind_of(opened: Opened) -> Kind:
    """What two seekers must agree on to share this table."""
    return (opened.variant, opened.seats, opened.time, opened.policy, opened.room)


class TableRegistry:
    """Every table that is not finished, and some that are."""

    def __init__(self, archive: Archive, tenants: Tenants | None = None) -> None:
        self._archive = archive
        self._tenants = tenants
        self._living: dict[TableId, Table] = {}
        # Seats whose clocks have started since, and when: put into a table when somebody looks.
        self._begun: dict[TableId, dict[Seat, Micros]] = {}
        self._past: dict[TableId, list[Record]] = {}  # of the living and the dormant
        self._stirred: dict[TableId, int] = {}  # records of a dormant one that matter
        self._open: dict[Kind, dict[TableId, None]] = {}
        self._of_player: dict[PlayerId, dict[TableId, None]] = {}
        self._finished: set[TableId] = set()  # those in memory that are over or closed
        self._damaged: set[TableId] = set()  # those that could not be read when last asked for
        self._by_kind = TableIndex()  # all in memory, by what they are
        # Lines in lists, with the table and the version of presence that they were made from.
        self.lines: dict[TableId, tuple[Table, int, TableLine]] = {}
        self._next = 1

    def __contains__(self, table: TableId) -> bool:
        return table in self._past

    def unfinished(self) -> int:
        """How many tables are open or running."""
        return len(self._past) - len(self._finished)

    def next_id(self) -> TableId:
        """The id that the next table will have."""
        return TableId(self._next)

    def sleep(self, record: Record, table: TableId) -> list[Record]:
        """Take in a record of a table from the log; the table is replayed when somebody touches it.

        Returns the table's past, to which the caller may append all events that are not `STIRRING`.
        """
        past = self._past.setdefault(table, [])
        past.append(record)
        self._stirred[table] = len(past)
        self.numbered(table)
        match record.event:
            case Opened(variant):
                self._by_kind.put(table, Status.PLAYING, variant.partition(" ")[0])
            case Sat(player=player):
                self._add(player, table)
            case Left(player=player):
                self._drop(player, table)
            case TakenOver(seat, player):
                self._drop(self._sitter(table, seat, record), table)
                self._add(player, table)
            case _:
                pass
        return past

    def numbered(self, table: TableId) -> None:
        """Note that this id is taken, by a table in memory or in the archive."""
        self._next = max(self._next, table + 1)

    def numbered_to(self, last: int) -> None:
        """Note that all ids up to `last` are taken, most of them by finished tables."""
        self._next = max(self._next, last + 1)

    def get(self, table: TableId) -> Table | None:
        """The table with this id, wherever it is; one from the archive does not come into memory.

        None too for a table that was played by rules this server no longer knows, or is damaged.
        """
        found = self._living.get(table)
        if found is not None:
            return self._running(found) if table in self._begun else found
        past = self.past(table)
        found = self._made(table, past, replay) if past else None
        if found is not None and table in self._past:
            self.put(found)
        elif found is not None and found.status in (Status.OPEN, Status.PLAYING):
            self._damaged.add(table)  # what is not over is in memory: its end is missing
            return None
        return found

    def _running(self, table: Table) -> Table:
        """Put the started clocks (`begin`) into the table, and return it."""
        try:
            clock, phase = table.clock, table.phase
        except RulesFailed:  # it was noted when the clock started, and the table is to end
            clock, phase = table.clock, ""
        for seat, since in self._begun.pop(table.id).items():
            clock = clock.run(seat, since, phase)
        self._living[table.id] = table = replace(table, clock=clock)
        return table

    def begin(self, table: TableId, seat: Seat, since: Micros) -> Table:
        """Note when a seat's clock started; it is put into the table only when somebody looks."""
        begun = self._begun.get(table)
        if begun is None:
            self._begun[table] = {seat: since}
        else:
            begun[seat] = since
        return self._living[table]

    def leave_out(self, table: TableId, seat: Seat, since: Micros, until: Micros) -> None:
        """Do not count this time as a seat's, whose clock may be running."""
        begun, found = self._begun.get(table, {}), self._living.get(table)
        if seat in begun:
            begun[seat] = left_out(begun[seat], since, until)
        if found is not None and found.clock.since[seat] is not None:
            self._living[table] = replace(found, clock=found.clock.leave_out(seat, since, until))

    def peek(self, table: TableId) -> tuple[Table | None, Mapping[Seat, Micros]]:
        """A living table as it was last put, and the seats whose clocks have started since.

        Nothing has happened at the table since they started. To change the table, call `get`.
        """
        return self._living.get(table), self._begun.get(table, NONE_BEGUN)

    def moved(self, record: Record, table: Table) -> None:
        """Take in the table after a move that ends nothing, and at which nobody came or went."""
        table_id = table.id
        self._begun.pop(table_id, None)
        self._past[table_id].append(record)
        self._living[table_id] = table

    def living(self, table: TableId) -> Table | None:
        """The table if it is in memory, and replayed already."""
        return self._living.get(table)

    def refusal(self, table: TableId) -> Refused:
        """Why `get` found no such table."""
        if table in self._damaged:
            sentence = f"The record of table {table} is damaged and cannot be read; others can."
            return Refused("damaged", sentence, table)
        return Refused("no_table", f"There is no table {table}.", table)

    def set_aside(self, table: TableId) -> None:
        """Drop the table because its record is damaged: nothing more happens at it."""
        self.numbered(table)
        for player in [one for one, tables in self._of_player.items() if table in tables]:
            self._drop(player, table)
        self.forget(table)
        self._damaged.add(table)

    def _made(
        self, table: TableId, past: Sequence[Record], how: Callable[[TableId, Events, str], Table]
    ) -> Table | None:
        """The table that `how` makes of this past; None if we lack its rules, or it is damaged."""
        try:
            return how(table, table_events(past), "")
        except BadOption:
            return None
        except BROKEN as wrong:  # what is damaged may break the rules anywhere
            why = why_text(past[0].event, wrong)
        try:
            if why:
                return how(table, table_events(past), why)
        except BROKEN:  # it is not the rules
            pass
        self.set_aside(table)
        return None

    def glance(self, table: TableId) -> Table | None:
        """The table; of a dormant one only who sits there, without replaying its moves.

        Thousands may be asked for at once, right after a restart.
        """
        if table in self._living or table not in self._past:
            return self.get(table)
        past = self._past[table]
        if (stirred := self._stirred.get(table)) is None:
            return self._made(table, past, glance)
        # Records behind that and the start are moves, or like moves; of thousands of
        # tables they would have to be fetched from afar, only to be left out.
        behind = enumerate(islice(past, stirred, None), stirred + 1)
        start = next((n for n, one in behind if type(one.event) is Started), len(past))
        return self._made(table, past[:start], partial(glance, n=len(past)))

    def is_unfinished(self, table: TableId) -> bool:
        """Whether this table is open or running."""
        return table in self._past and table not in self._finished

    def get_unfinished(self, table: TableId) -> Table | None:
        """The table with this id, if it is open or running."""
        return self.get(table) if self.is_unfinished(table) else None

    def opened(self, table: TableId) -> Opened:
        """How a table in memory was opened."""
        opened = self._past[table][0].event
        assert isinstance(opened, Opened), "a table's first event opens it"
        return opened

    def hold(self, table: TableId) -> Table | None:
        """Bring the table with this id into memory, because something may happen at it."""
        if table not in self._past and (past := self.past(table)):
            self._past[table] = list(past)
        return self.get(table)

    def stream(self, table: TableId) -> str:
        """What the stream of a table in memory is called in the log."""
        return self._past[table][0].stream

    def last_seq(self, table: TableId) -> int:
        """The place in the log of the last thing that happened at a table in memory."""
        return self._past[table][-1].seq

    def past(self, table: TableId) -> Sequence[Record]:
        """All records of a table, from memory or from the archive; none if it is damaged."""
        if table in self._past:
            return self._past[table]
        if not 1 <= table < self._next:
            return ()
        try:
            found = self._archive(table_stream(table))
        except Damaged:
            self._damaged.add(table)
            return ()
        self._damaged.discard(table)
        return found

    def remember(self, record: Record, table: TableId) -> None:
        """Append a record to the past of its table."""
        self._past.setdefault(table, []).append(record)

    def put(self, table: Table) -> None:
        """Replace the table by its new value, and bring all indexes up to date."""
        before = self._living.get(table.id)
        self._living[table.id] = table
        if before is None:
            self.numbered(table.id)
        if before is None or before.status is not table.status or before.seats != table.seats:
            self._index(table, before)

    def forget(self, table: TableId) -> None:
        """Drop a finished table from memory."""
        self._living.pop(table, None)
        self._begun.pop(table, None)
        self._past.pop(table, None)
        self._stirred.pop(table, None)
        self._finished.discard(table)
        self._by_kind.drop(table)

    def of_player(self, player: PlayerId) -> tuple[TableId, ...]:
        """The unfinished tables where this player sits, and the open ones that it owns."""
        return tuple(self._of_player.get(player, ()))

    def seated(self) -> Iterable[PlayerId]:
        """Every player who sits at an unfinished table, or owns an open one."""
        return self._of_player.keys()

    def open_like(self, kind: Kind) -> Iterable[TableId]:
        """Open tables of this kind, the oldest first."""
        return tuple(self._open.get(kind, ()))

    def open_ids(self) -> list[TableId]:
        """Every open table, in order."""
        return sorted(table for tables in self._open.values() for table in tables)

    def ids(
        self, statuses: tuple[Status, ...] = tuple(Status), game: str = ""
    ) -> Sequence[TableId]:
        """Ids of tables in memory by status and game, in order; a dormant one counts as playing."""
        return self._by_kind.ids(statuses, game)

    def _index(self, table: Table, before: Table | None) -> None:
        self._by_kind.put(table.id, table.status, table.game.name)
        kind = kind_of(table.opened)
        if table.status is Status.OPEN:
            self._open.setdefault(kind, {})[table.id] = None
        elif kind in self._open:
            self._open[kind].pop(table.id, None)
            if not self._open[kind]:
                del self._open[kind]
        if table.status in (Status.OVER, Status.CLOSED):
            self._finished.add(table.id)
        concerned = _concerned(table)
        for player in _concerned(before) if before is not None else ():
            if player not in concerned:
                self._drop(player, table.id)
        for player in concerned:
            self._add(player, table.id)

    def _add(self, player: PlayerId, table: TableId) -> None:
        tables = self._of_player.setdefault(player, {})
        if table not in tables:
            tables[table] = None
            if self._tenants is not None:
                self._tenants.took(player, self.opened(table))

    def _drop(self, player: PlayerId, table: TableId) -> None:
        tables = self._of_player.get(player)
        if tables is not None and table in tables:
            del tables[table]
            if not tables:
                del self._of_player[player]
            if self._tenants is not None:
                self._tenants.left(player, self.opened(table))

    def _sitter(self, table: TableId, seat: Seat, before: Record) -> PlayerId:
        """The player who sat down last in this seat of a table in memory, but for this record."""
        for record in reversed(self._past[table]):
            event = record.event
            if record is not before and isinstance(event, Sat | TakenOver) and event.seat == seat:
                return event.player
        raise AssertionError("who leaves a seat has sat in it")


def _concerned(table: Table) -> tuple[PlayerId, ...]:
    """The players who have this table on their list: who sits there, and who owns an open one."""
    players = [player for player in table.seats if player is not None]
    match table.status:
        case Status.OPEN:
            owner = table.owner
            return tuple(players) if owner is None or owner in players else (*players, owner)
        case Status.PLAYING:
            return tuple(players)
        case Status.OVER | Status.CLOSED:
            return ()
