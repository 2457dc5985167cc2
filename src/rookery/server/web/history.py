"""The past of tables, read from the log in a thread beside the game.

Only what is safe is seen. A table is replayed from its own events and shown as to a spectator, so
what is hidden stays hidden. The order here: a table at a glance; a replay with marks to go on
from; each moment of it; a position with moves that somebody tries; and the reader, which lets
hosts read in turn.
"""

import asyncio
import logging
import sys
import threading
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hmac import compare_digest
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rookery.bots.studying import Done
from rookery.core.errors import (
    BROKEN,
    FAILED,
    BadOption,
    Damaged,
    IllegalMove,
    RulesFailed,
    TookTooLong,
)
from rookery.core.events import (
    Closed,
    Ended,
    Opened,
    Out,
    Played,
    PublicEvent,
    Record,
    Seeded,
    TableEvent,
    TakenBack,
    table_events,
    table_stream,
)
from rookery.core.game import Noting, Outcome, View
from rookery.core.ids import Micros, PlayerId, Seat, TableId, Wall
from rookery.core.messages import Entry, Past, SeatLine, TableLine, strange
from rookery.hall.lobby.casual_ratings import CasualStep, CasualTrail, walk_back
from rookery.hall.people.players import hash_token
from rookery.hall.tables.answers import line_of
from rookery.hall.tables.news import Herald, past, shown_event
from rookery.hall.tables.replay import before_start, glance, next_change, replay, why_text
from rookery.hall.tables.ruling import ENDLESS, TableChange, is_short
from rookery.hall.tables.table import Table
from rookery.server.web.hall_client import busy, going
from rookery.server.web.problems import damaged
from rookery.store import Log
from rookery.store.catalogue import Finding, Finished

# How long the one thread that reads computes before another goes on: as long as usual, each move
# would wait for it several times. To change so often all the time would cost a sixth of a move.
GIVING_WAY_S: Final = 0.0001
USUAL_SWITCH_S: Final = sys.getswitchinterval()
NUMBER_MAX: Final = 2**53 - 1  # the largest whole number that every reader of JSON keeps

Sitters = tuple[PlayerId | None, ...]


class Glance(Struct, frozen=True):
    """What can be known of a table without replaying its moves."""

    line: TableLine
    teams: tuple[int, ...]  # by seat
    began_with: Sitters  # who sat there when the game began
    opened_at: Micros
    ended_at: Micros | None  # when it was over or closed

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat where this player sits, or sat until another took the seat over."""
        for players in (tuple(seat.player for seat in self.line.seats), self.began_with):
            if player in players:
                return Seat(players.index(player))
        return None


def glance_at(table: TableId, records: Sequence[Record]) -> Glance | None:
    """Glance at the table of these records; None if there are none, or we lack its rules."""
    if not records:
        return None
    events = table_events(records)
    try:
        made, began_with = _looked(table, events, "")
    except BadOption:
        return None
    except BROKEN as wrong:
        made, began_with = _looked(table, events, why_text(events[0], wrong))
    ended = (record.at for record in records if isinstance(record.event, Ended | Closed))
    return Glance(logged_line(made), made.teams, began_with, records[0].at, next(ended, None))


def _looked(table: TableId, events: Sequence[TableEvent], why: str) -> tuple[Table, Sitters]:
    return glance(table, events, why), replay(table, before_start(events), why).seats


def logged_line(table: Table) -> TableLine:
    """A table from the log as a line: nobody counts as connected."""
    seats = tuple(
        SeatLine(Seat(n), _seat_name(table, n), player, table.names[n], connected=False)
        for n, player in enumerate(table.seats)
    )
    return line_of(table, seats)


def _seat_name(table: Table, seat: int) -> str:
    """What the rules call this seat; its number if they cannot say."""
    try:
        name = table.game.seat_name(Seat(seat))
    except BROKEN:
        name = ""
    return name if name and is_short(name) else f"seat {seat + 1}"


# -- A table's log, replayed once, with marks on the way to go on from.
#
# To know how a table stood after an event all before it must be replayed. A client that leafs
# through a long game would have that done for every page; so the last ones are kept, and a
# page begins at the mark before it. What is kept is the log and what follows from it; what of
# it a client may know is judged when it is told.
#
# Since when a seat was thinking is not in the log, but what its move was charged is. So
# clocks run here as they ran then, but for a seat whose move has not come yet: a log that has
# grown is replayed anew from where the first such seat began.

STRIDE: Final = 100  # events from mark to mark
REPLAYS_MAX: Final = (
    64  # that are kept; to replay a game of 60 moves anew takes most of a millisecond
)
EVENTS_MAX: Final = 64_000  # of all that are kept, about 27 MB; the longest nim has 31,000

Read = Callable[[int, str], Iterable[Record]]  # of a stream what comes after a record
At = tuple[Micros, TableChange]  # when it was, what happened, and the table right after


class TableReplay:
    """A table with all its past. It grows as the log does."""

    def __init__(self, table: TableId, stride: int = STRIDE, why: str = "") -> None:
        self.table = table
        self._why = why  # why it is read as text; empty: it is not
        self.records: list[Record] = []
        self._stride = stride
        self._events: list[TableEvent] = []
        self._thoughts = _Thoughts()
        self._marks: list[Table] = []  # after event 1, 101, 201 …
        self._settled = 0  # events after which nothing that may come changes any clock
        self._last: Table | None = None

    def __len__(self) -> int:
        return len(self.records)

    @property
    def tip(self) -> int:
        """The number of its last record in the whole log; 0 without any."""
        return self.records[-1].seq if self.records else 0

    @property
    def last(self) -> Table:
        """The table after all its events, with its clocks as they ran."""
        assert self._last is not None, "what is replayed has a log"
        return self._last

    def grow(self, records: Sequence[Record]) -> None:
        """Replay these records, which came next. Raises BadOption if we lack their rules."""
        if not records:
            return
        self.records += records
        self._events += table_events(records)
        assert len(self._events) == self.records[-1].n, "a table's events are counted from 1"
        self._thoughts.add(records)
        del self._marks[-(-self._settled // self._stride) :]
        self._settled = (len(self._marks) - 1) * self._stride + 1 if self._marks else 0
        settled = True
        for n, change, sure in self._replay(self._settled):
            if n % self._stride == 1:
                self._marks.append(change.table)
            settled = settled and sure
            if settled:
                self._settled = n
            self._last = change.table

    def changes(self, since: int) -> Iterator[At]:
        """Yield what happened after event `since`, in order, each with when."""
        known = min(since, len(self))
        known -= (known - 1) % self._stride if known else 0
        for n, change, _ in self._replay(known):
            if n > since:
                yield self.records[n - 1].at, change

    def stood(self, n: int) -> tuple[Table, Micros]:
        """The table after event `n` or its last, with its clocks as they ran, and when."""
        if n >= len(self):
            return self.last, self.records[-1].at
        at, change = next(self.changes(n - 1))
        return change.table, at

    def _replay(self, known: int) -> Iterator[tuple[int, TableChange, bool]]:
        """Replay every event after `known`, which has a mark; say if clocks are settled."""
        made = self._marks[known // self._stride] if known else None
        sure = True
        for n in range(known, len(self.records)):
            if made is not None:
                made, sure = self._thoughts.begin(made, self.records[n - 1])
            change = next_change(self.table, made, self._events[n], self._why)
            made = change.table
            yield n + 1, change, sure


class ReplayCache:
    """The replays that were looked at last."""

    def __init__(self, read: Read, events_max: int = EVENTS_MAX) -> None:
        self._read = read
        self._events_max = events_max
        self._kept: dict[TableId, TableReplay] = {}  # the one that was looked at last is the last

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, table: TableId) -> TableReplay | None:
        """The replay of this table; None if there is none, or we lack its rules.

        Raises Damaged if its record cannot be read, or is none of a table.
        """
        replay = self._kept.pop(table, None) or TableReplay(table)
        try:
            records = list(self._read(replay.tip, table_stream(table)))
            if not replay.records and records and (why := _endless(records)):
                replay = TableReplay(table, why=why)
            replay.grow(records)
        except BadOption:
            return None
        except Damaged:
            raise
        except BROKEN as wrong:  # what is damaged may break the rules anywhere
            replay = self._as_text(table, wrong)
        if not len(replay):
            return None
        self._keep(replay)
        return replay

    def _as_text(self, table: TableId, wrong: BaseException) -> TableReplay:
        """The table as text, because its rules failed with this. Raises Damaged."""
        try:
            records = list(self._read(0, table_stream(table)))
            replay = TableReplay(table, why=why_text(records[0].event, wrong))
            replay.grow(records)
        except BROKEN:
            raise Damaged(f"Table {table} cannot be replayed: {wrong!r}.") from wrong
        return replay

    def _keep(self, replay: TableReplay) -> None:
        self._kept[replay.table] = replay
        while len(self._kept) > REPLAYS_MAX or self._events() > self._events_max:
            del self._kept[next(iter(self._kept))]

    def _events(self) -> int:
        return sum(map(len, self._kept.values()))


def _endless(records: Sequence[Record]) -> str:
    """Why this must not be played through again: its rules never ended; empty if they did."""
    for record in reversed(records):
        event = record.event
        if isinstance(event, Ended):
            failed = event.outcome.how == FAILED and ENDLESS in event.outcome.reason
            return event.outcome.reason if failed else ""
    return ""


class _Thoughts:
    """When each seat began to think about each move, by what the move was charged."""

    def __init__(self) -> None:
        self._moved: defaultdict[Seat, list[int]] = defaultdict(list)  # its moves, by event
        self._begun: defaultdict[Seat, list[Micros]] = defaultdict(list)  # to think of each

    def add(self, records: Sequence[Record]) -> None:
        """Note the thinking times in these records, which came next."""
        for record in records:
            match record.event:
                case Played(seat, _, spent) | Out(seat, _, spent):
                    self._thought(record, seat, spent)
                case TakenBack(thought=thoughts):
                    for n, spent in enumerate(thoughts):
                        self._thought(record, Seat(n), spent)
                case _:
                    pass

    def _thought(self, record: Record, seat: Seat, spent: Micros) -> None:
        self._moved[seat].append(record.n)
        self._begun[seat].append(record.at - spent)

    def begin(self, table: Table, record: Record) -> tuple[Table, bool]:
        """Start the clocks that this event set going; return whether all starts are known."""
        clock, sure = table.clock, True
        for seat in table.to_act:
            if clock.since[seat] is None:
                next_move = bisect_right(self._moved[seat], record.n)
                since = record.at
                if next_move < len(self._moved[seat]):
                    since = max(since, self._begun[seat][next_move])
                else:
                    sure = False
                clock = clock.run(seat, since, table.phase)
        return (table if clock is table.clock else replace(table, clock=clock)), sure


# -- A table moment by moment, as somebody was told who only watched it.
#
# It is what the native dialect's news say, with views, for events of any age: the hall's
# own herald tells it, so what it keeps from watchers is kept here. Only a secret move shows
# its text once the game is over, as in the table's past. A clock that ran while somebody else
# moved, as in bughouse, shows what was left on it then.

UNWRITABLE: Final = {"type": "broken_view", "why": "The rules gave what nobody can write."}

_writer: Final = msgspec.json.Encoder(enc_hook=strange)


class Moment(Struct, frozen=True, omit_defaults=True):
    """Event n of a table, what it did, and how things stood right after it."""

    n: int
    at: Micros
    event: PublicEvent
    effects: tuple[dict[str, Any], ...]  # Any: in the game's own words
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None  # on each clock, where there is one
    view: dict[str, Any] | None  # Any: the board, in the game's own words; none before the start
    said: str = ""  # a move as its game's players write it, where that says more than its text


class Moments(Struct, frozen=True):
    """A table's moments in order; `more` when the rest must be asked for."""

    table: TableId
    moments: tuple[Moment, ...]
    more: bool


def moments_of(replay: TableReplay, since: int, most: int) -> Moments:
    """What happened after event `since`, at most so many moments."""
    found = tuple(islice(_since(replay, since), most + 1))
    return Moments(replay.table, found[:most], more=len(found) > most)


def plain(words: Struct) -> dict[str, Any]:
    """A view or an effect as JSON has it; `UNWRITABLE` if nobody can write it."""
    try:
        found = msgspec.json.decode(_writer.encode(words))
    except BROKEN:
        found = None
    return found if isinstance(found, dict) else dict(UNWRITABLE)


def _since(replay: TableReplay, since: int) -> Iterator[Moment]:
    """Yield the moments after this event; a move is written down by the table before it."""
    before: Table | None = None
    for n, (at, change) in enumerate(replay.changes(max(0, since - 1)), max(1, since)):
        if n > since:
            yield from _told(change, before, at, replay.last)
        before = change.table


def _said(before: Table | None, shown: PublicEvent) -> str:
    """The move as its game's players write it; empty if they have no way of their own."""
    if before is None or not isinstance(shown, Played) or not shown.move:
        return ""
    if not isinstance(before.game, Noting):
        return ""
    try:
        return before.game.noted(before.state, before.game.parse_move(shown.move))
    except BROKEN:
        return ""


def _told(change: TableChange, before: Table | None, at: Micros, last: Table) -> Iterator[Moment]:
    """Yield the moment as an onlooker sees it, if it is for them; `last` is the table now."""
    if isinstance(change.event, Seeded):
        return
    news = Herald(change, at, Wall(at), []).news(())
    if news is None:
        return
    happened, state = news.happened, change.table.state
    shown = shown_event(last, change.event, ())
    yield Moment(
        happened.n,
        at,
        shown,
        tuple(plain(effect) for effect in happened.effects),
        happened.to_act,
        happened.left,
        None if state is None else plain(news.scene.view(None)),
        _said(before, shown),
    )


# -- A position of a table: after one of its events, and after moves that somebody tries there.
#
# The rules alone play the moves that are tried; no table hears of them.

LEGAL_MAX: Final = 500  # moves that are listed


class Position(Struct, frozen=True):
    """How a table stood there, for an onlooker, and what led to it."""

    table: Table  # as it is now
    done: tuple[Done, ...]
    to_act: tuple[Seat, ...]
    legal: tuple[tuple[Seat, str], ...]
    view: View
    outcome: Outcome | None


def position_of(replay: TableReplay, n: int, tried: Sequence[str]) -> Position | None:
    """The position after event `n` and these moves; None before the start. Raises Mistake."""
    table, _ = replay.stood(n)
    if table.state is None:
        return None
    game, state, done = table.game, table.state, _done(replay, n)
    for text in tried:
        move = game.parse_move(text)
        seat, state = _tried(table, state, move)
        done.append(Done(seat, text))
    acts = sorted(game.to_act(state))
    legal = tuple(
        (seat, game.format_move(move))
        for seat in acts
        for move in islice(game.legal_moves(state, seat), LEGAL_MAX)
    )
    outcome = game.outcome(state)
    return Position(replay.last, tuple(done), tuple(acts), legal, game.view(state, None), outcome)


def _tried(table: Table, state: Any, move: Any) -> tuple[Seat, Any]:
    """Let the first seat that may make this move make it. Raises IllegalMove."""
    refused: IllegalMove | None = None
    for seat in sorted(table.game.to_act(state)):
        try:
            return seat, table.game.play(state, seat, move).state
        except IllegalMove as no:
            refused = no
    raise refused or IllegalMove("over", "The game is over there.")


def _done(replay: TableReplay, n: int) -> list[Done]:
    """What the seats did until event `n`, without what was taken back."""
    done: list[Done] = []
    for record in replay.records[:n]:
        match record.event:
            case Played(seat, move):
                done.append(Done(seat, move))
            case Out(seat, why):
                done.append(Done(seat, why=why))
            case TakenBack(plies=plies):
                del done[-plies:]
            case _:
                pass
    return done


# -- The log reader: what the log says of tables, read in a thread beside the game.
#
# Only what is safe is seen. One request reads at a time: the event loop, where everybody's
# moves are, never waits. Hosts read in turn, so a host that asks much waits for itself alone. A
# table is replayed from its own events and shown as to somebody who only watches, so what is
# hidden stays hidden.

log = logging.getLogger(__name__)

T = TypeVar("T")

Seen = list[tuple[TableId, Glance | None]]
ReadInTurn = Callable[[Callable[[], Seen]], Awaitable[Seen]]  # in somebody's turn

# Readings that wait; each takes from a millisecond to a hundred, for the longest game.
WAITING_A_HOST: Final = 100
WAITING_MAX: Final = 500
AT_ONCE: Final = 20  # tables glanced at in one go; each is read whole
NOTED_MAX: Final = 1_000  # things that are damaged, each said once in the server's log
GLANCES_MAX: Final = 10_000  # finished tables remembered at a glance, about ten megabytes


class LogReader:
    """Reads the log in a thread; closes it too if it is its `own`."""

    def __init__(self, log: Log, *, own: bool = False) -> None:
        self._log = log
        self._own = own
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="web")
        self._turns: dict[str, deque[asyncio.Future[None]]] = {}  # by host, whose turn is first
        self._waiting = 0  # of all hosts
        self._reading = False
        self._closed = False
        self._busy: int | None = None
        self._glances: dict[TableId, Glance] = {}  # of finished tables
        self._noted: set[str] = set()  # sentences that were said in the server's log
        self._replays = ReplayCache(log.read)

    async def read(self, work: Callable[[], T], host: str) -> T:
        """Do this work in the thread, when it is this host's turn. Raises HttpProblem.

        A damaged or unreadable log is no mistake of ours: the client that asked is told.
        """
        if self._closed:
            raise going()
        await self._turn(host)
        try:
            if self._closed:
                raise going()
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._work, work)
        except (Damaged, RulesFailed, TookTooLong) as wrong:
            self._note(f"somebody asked for what is damaged: {wrong!r}")
            raise damaged() from None
        finally:
            self._call_next()

    async def glances(
        self, tables: Sequence[TableId], read: ReadInTurn
    ) -> AsyncIterator[tuple[TableId, Glance | None]]:
        """Glance at these tables, some at a time: in between others have a turn."""
        for first in range(0, len(tables), AT_ONCE):
            some = tables[first : first + AT_ONCE]
            for seen in await read(partial(self._look_at, some)):
                yield seen

    def _note(self, sentence: str) -> None:
        """Say this in the server's log, once."""
        if sentence not in self._noted and len(self._noted) < NOTED_MAX:
            self._noted.add(sentence)
            log.warning("%s", sentence)

    def close(self) -> None:
        """Finish the reading under way and no other: those who wait are told so."""
        self._closed = True
        for turn in (turn for turns in self._turns.values() for turn in turns if not turn.done()):
            turn.set_exception(going())
        self._turns = {}
        self._thread.shutdown()
        if self._own:
            self._log.close()

    # -- whose turn it is

    async def _turn(self, host: str) -> None:
        """Wait until nobody reads and this host is next. Raises HttpProblem if too many wait."""
        if not self._reading:
            self._reading = True
            return
        turns = self._turns.get(host, deque())
        if len(turns) >= WAITING_A_HOST or self._waiting >= WAITING_MAX:
            raise busy()
        self._turns[host] = turns
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turns.append(turn)
        self._waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._call_next()  # the turn was given to us already
            raise
        finally:
            self._waiting -= 1

    def _call_next(self) -> None:
        """Let the host read next that has waited longest since its last turn."""
        self._reading = False
        while self._turns and not self._reading:
            host = next(iter(self._turns))
            turns = self._turns.pop(host)
            turn = turns.popleft()
            if turns:
                self._turns[host] = turns  # behind the others
            if not turn.done():
                self._reading = True
                turn.set_result(None)

    def busy(self) -> int | None:
        """Which thread reads; None if nobody does."""
        return self._busy

    # -- to be called in the thread

    def _work(self, work: Callable[[], T]) -> T:
        self._busy = threading.get_ident()
        try:
            return _giving_way(work)
        finally:
            self._busy = None

    def may_see(self, table: TableId, code: str) -> bool:
        """Whether a table is for all, or this is the code of a private one."""
        first = islice(self._log.read(0, table_stream(table)), 2)
        events = [record.event for record in first]
        match events:
            case [Opened(private=True), Seeded(lock=lock), *_]:
                return bool(code) and compare_digest(hash_token(code), lock)
            case _:
                return True

    def table(self, table: TableId) -> tuple[Table, Micros] | None:
        """The table as it is now, and when its last event was."""
        return self.stood(table, NUMBER_MAX)

    def stood(self, table: TableId, n: int) -> tuple[Table, Micros] | None:
        """The table after event `n`, or the last, its clocks as they ran, and when that was."""
        replay = self._replays.find(table)
        return None if replay is None else replay.stood(n)

    def position(self, table: TableId, n: int, tried: Sequence[str]) -> Position | None:
        """The table after event `n` and these moves from there. Raises Mistake."""
        replay = self._replays.find(table)
        return None if replay is None else position_of(replay, n, tried)

    def past(self, table: TableId, since: int, most: int | None) -> Past | None:
        """What happened at the table after event `since`, as anybody may know; `most` None: all."""
        replay = self._replays.find(table)
        if replay is None:
            return None
        entries = past(replay.last, islice(replay.records, since, None), ())
        if most is None:
            return Past(table, tuple(entries))
        found: list[Entry] = list(islice(entries, most + 1))
        return Past(table, tuple(found[:most]), more=len(found) > most)

    def moments(self, table: TableId, since: int, most: int) -> Moments | None:
        """The table after each event since that one, as an onlooker saw it."""
        replay = self._replays.find(table)
        return None if replay is None else moments_of(replay, since, most)

    def glance(self, table: TableId) -> Glance | None:
        """Glance at a table; None if there is none, or it is private, unknown or damaged.

        One damaged table must not take the others of a list with it.
        """
        try:
            records = self._log.read_stream(table_stream(table))
            first = records[0].event if records else None
            hidden = isinstance(first, Opened) and first.private  # which is in no list
            return None if hidden else glance_at(table, records)
        except BROKEN as wrong:  # what is damaged may break the rules anywhere
            self._note(f"table {table} is left out of lists: {wrong}")
            return None

    def _look_at(self, tables: Sequence[TableId]) -> Seen:
        return [(table, self.glance(table)) for table in tables]

    def result(self, table: TableId) -> Glance | None:
        """As `glance`, but of a table that is over the glance is remembered."""
        known = self._glances.get(table)
        if known is not None:
            return known
        found = self.glance(table)
        if found is not None and found.ended_at is not None:
            if len(self._glances) >= GLANCES_MAX:
                self._glances.clear()
            self._glances[table] = found
        return found

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        return self._log.finished(wanted)

    def casual_past(self, trail: CasualTrail) -> tuple[CasualStep, ...]:
        """How a casual rating (of games in no tour) got where it is, by its last games."""
        return walk_back(trail, self._log.read_one)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """The tables where this player sat, the highest number first."""
        return self._log.tables_of(player, below, limit)


def _giving_way(work: Callable[[], T]) -> T:
    """Do this so that everybody's moves hardly wait for the interpreter."""
    sys.setswitchinterval(GIVING_WAY_S)
    try:
        return work()
    finally:
        sys.setswitchinterval(USUAL_SWITCH_S)
