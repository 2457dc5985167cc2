"""The clerk: hands what sessions asked to the hall, for as long as a turn of the loop lasts.

When one turn is too short for everything that was asked, sessions take fair turns (`docket`),
and the clerk keeps what goes into one write small, so that a move which comes now is told soon.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from msgspec import Struct

from rookery.core.ids import Micros, SessionId, Wall
from rookery.core.intents import (
    AnyIntent,
    EnterRoom,
    LeaveRoom,
    Play,
    Question,
)
from rookery.hall.batch import Batch
from rookery.hall.hall import Hall
from rookery.server.net.fair import SWITCHING, Claim, Pieces, Precedence, Rank, Throttle

DECIDING: Final = 8_000_000  # nanoseconds of deciding before the sockets are looked at again
SHARED: Final = 2_000_000  # and when there is not time for all who ask
FLOODED: Final = 150_000  # and when some ask for more than one thing, or have questions
MANY: Final = 128  # things that wait after it, for which turns by home are worth their price
LOOK_EVERY: Final = 4  # things decided before the clock is looked at, while there is time
SENDING: Final = 10_000  # nanoseconds that each delivery takes about, once it is in words
# Nanoseconds of work for one write, when there is not time for all: then only a session that asks
# one thing at a time may add to it, and nobody beyond the second bound. A move that comes now is
# told with the next write, and does not wait for one more of a flood.
PILE: Final = 150_000
PILE_MAX: Final = 8_000_000
# Onlookers of whom a deed costs more to be told than to be decided, many times over: while they
# are behind, the next deed of who did it waits for those of others.
WATCHED: Final = 100


class HungUp(Struct, frozen=True):
    """Stands in the queue in an intent's place: the connection is gone; `ours`: we lost it."""

    ours: bool = False


HUNG_UP, CUT_OFF = HungUp(), HungUp(ours=True)
Decided = tuple[SessionId | None, Batch]  # what follows, and whose asking it answers


class Clerk:
    """Has the hall decide what sessions asked; `clock` counts its nanoseconds."""

    def __init__(self, hall: Hall, clock: Callable[[], int], throttle: Throttle) -> None:
        self._hall = hall
        self.clock = clock
        self.pieces = Pieces(throttle)  # of deciding for sessions that flood
        self._asked: Docket[AnyIntent | HungUp] = Docket(_reads, _moves, _gathers)
        self.ask = self._asked.put
        self._piled = 0  # nanoseconds of work that wait for the write under way to end
        self._acts = 0  # how much of it is of sessions that do one thing at a time

    def __bool__(self) -> bool:
        """Whether anything waits to be decided."""
        return bool(self._asked)

    @property
    def shares(self) -> bool:
        """Whether there is not time for all who ask, so that sessions take turns."""
        return self._asked.shared

    @property
    def is_flood(self) -> bool:
        """Whether only floods and questions have added to the next write while others play."""
        return self._asked.shared and not self._acts and self.pieces.throttle.lately()

    @property
    def is_alone(self) -> bool:
        """Whether at most one act goes into the next write, and no other act waits."""
        return self._acts <= 1 and not self._asked.acts

    def onlookers_are(self, *, behind: bool) -> None:
        """Note whether those who look on are told of things much later than they happen."""
        self._asked.behind = behind

    def connect(self, session: SessionId, home: str) -> None:
        """Remember that this session comes from this host."""
        self._asked.connect(session, home)

    def since(self, session: SessionId) -> Micros | None:
        """When the session's oldest undecided request was read; None if all are decided."""
        return self._asked.since(session)

    def charge(self, session: SessionId, spent: int) -> None:
        """Charge this session for so many more nanoseconds of work."""
        self._asked.charge(session, spent)

    def taken(self, *, written: bool) -> None:
        """Begin the next pile: the runner has taken what was decided, to write or only tell it."""
        if written and (self._acts or not self._asked.shared):
            self.pieces.throttle.played()
        self._piled = self._acts = 0

    @property
    def pause(self) -> int:
        """Nanoseconds until a flood's next piece; 0 if there is no flood, or an act waits."""
        return self.pieces.pause() if self._asked.flooded and not self._asked.acts else 0

    def decide(self, decided: list[Decided], at: Wall, *, busy: bool) -> bool:
        """Decide for one turn, `busy` while a write is under way; return whether to go on."""
        asked, clock = self._asked, self.clock
        left = FLOODED if asked.flooded else SHARED if asked.shared else DECIDING
        urgent = False  # a session that asked one thing waits for the write
        rests, began = asked.flooded and self.pieces.pause() > 0, clock()
        if not asked.shared:  # nearly always
            left, began = self._decide_in_order(decided, at, began)
        while asked.shared and asked and left > 0:
            # A session that asks one thing at a time may add even to a pile that is high enough.
            full = asked.flooded and (busy or self._piled >= PILE or urgent or rests)
            found = None if full and self._piled >= PILE_MAX else asked.take(little=full)
            if found is None:
                break  # there is enough for the next write
            session, intent, read = found
            asker, batch = self._decide(session, intent, read, at)
            decided.append((asker, batch))
            if batch.onlookers:
                self._watch(session, batch)
            # Onlookers are told later , at the asker's cost, and nobody waits for that.
            later, now = SENDING * batch.onlookers, clock()
            spent = SENDING * len(batch.deliveries) - later + now - began
            began = now
            left -= spent
            if asked.shared:
                urgent = urgent or asked.urgent
                self._acts += asked.urgent
                asked.charge(session, spent, later)
                self._piled += spent
            if asker is None:
                asked.leave(session)  # the session hung up, and its host has been charged for that
        if left <= 0 and len(asked.in_line) > MANY:
            asked.share()
        SWITCHING.hurry(self, hurried=asked.flooded)
        return bool(asked) and (left <= 0 or not busy)

    def _decide_in_order(self, decided: list[Decided], at: Wall, began: int) -> tuple[int, int]:
        """Decide in the order of reading; return the time left, and when we last looked.

        A loop of its own: while there is time for all, a move pays nothing for fair turns.
        """
        asked, clock, receive = self._asked, self.clock, self._hall.receive
        line, left, done = asked.in_line, DECIDING, 0
        seen: set[SessionId] = set()
        while line and left > 0:
            session, intent, read = line.popleft()
            if isinstance(intent, HungUp):
                batch = self._hall.hang_up(session, read, at, ours=intent.ours)
                decided.append((None, batch))
                asked.leave(session)
            else:
                batch = receive(session, intent, read, at)
                decided.append((session, batch))
            if batch.onlookers:
                self._watch(session, batch)
            done += 1
            left -= SENDING * (len(batch.deliveries) - batch.onlookers)
            if not done % LOOK_EVERY:
                now = clock()
                left, began = left - (now - began), now
            if left < DECIDING - FLOODED and (session in seen or not batch.records):
                asked.share()  # somebody asks for more than one thing, or only asks; others wait
                if asked.shared:
                    break
            seen.add(session)
        return left, began

    def _watch(self, session: SessionId, batch: Batch) -> None:
        """Remember whether many are told of what this session did."""
        watched = self._asked.watched
        watched.add(session) if batch.onlookers >= WATCHED else watched.discard(session)

    def _decide(
        self, session: SessionId, intent: AnyIntent | HungUp, now: Micros, at: Wall
    ) -> Decided:
        """Have the hall decide one request, which was read at `now`."""
        if self._asked.shared and not self._asked.urgent:
            self.pieces.begin()
        if isinstance(intent, HungUp):
            return None, self._hall.hang_up(session, now, at, ours=intent.ours)
        return session, self._hall.receive(session, intent, now, at)


def _reads(asked: AnyIntent | HungUp) -> bool:
    """Whether the request is only a question: it changes nothing, and no clock waits for it."""
    return isinstance(asked, Question)


def _gathers(asked: AnyIntent | HungUp) -> bool:
    """Whether the request is to come or to go: many may hear of it, and no clock waits for it."""
    return isinstance(asked, EnterRoom | LeaveRoom | HungUp)


def _moves(asked: AnyIntent | HungUp) -> bool:
    """Whether the request is a move."""
    return isinstance(asked, Play)


# -- docket
# The docket: what sessions asked of the hall that is not decided yet.
#
# While there is time for everything, requests are decided in the order they were read. When there
# is not, sessions take turns until nothing waits any more: a session that acts goes before one
# that has a question, comes or goes, and one that asks a single thing before one that asks for
# more while it waits (`precedence`). So does, while those who look on are told of things much later
# than they happen, who would let more of them happen. The requests of one session always stay in
# order.

T = TypeVar("T")

# Moves that a session may have asked for at once without counting as a flood: a player at
# many tables answers all that moved. More moves count, and so does all else asked at once.
MOVES_AT_ONCE: Final = 32


class _Line(Claim, Generic[T]):
    """The requests of one session, while there is not time for all."""

    __slots__ = ("asked", "moves", "session")

    def __init__(self, session: SessionId, home: str) -> None:
        super().__init__(home)
        self.session = session
        self.asked: deque[tuple[T, Micros]] = deque()
        self.moves = 0  # moves of it that were taken since nothing of it waited


class Docket(Generic[T]):
    """Requests that wait to be decided.

    `reads` recognises a question, `moves` a move, and `gathers` that somebody comes or goes, which
    a whole room may be told of.
    """

    def __init__(
        self,
        reads: Callable[[T], bool] = lambda _: False,
        moves: Callable[[T], bool] = lambda _: False,
        gathers: Callable[[T], bool] = lambda _: False,
    ) -> None:
        self._reads, self._moves, self._gathers = reads, moves, gathers
        self._homes: dict[SessionId, str] = {}
        self.watched: set[SessionId] = set()  # sessions whose last deed many are told of
        self.behind = False  # those who look on are told of things much later
        # While there is time for all: in the order it was read.
        self.in_line: deque[tuple[SessionId, T, Micros]] = deque()
        self._order: Precedence[_Line[T]] = Precedence()
        self._lines: dict[SessionId, _Line[T]] = {}
        self.shared = False  # there was not time for all
        self.urgent = False  # what was taken last is of a session that does one thing at a time

    def __bool__(self) -> bool:
        return bool(self.in_line) or bool(self._order)

    @property
    def flooded(self) -> bool:
        """Whether a session waits that asks for more than one thing, or has a question."""
        order = self._order
        return self.shared and (order.waits(Rank.MUCH) or order.waits(Rank.LITTLE))

    @property
    def acts(self) -> bool:
        """Whether a session waits that does one thing at a time."""
        return self.shared and self._order.waits(Rank.ACT)

    def connect(self, session: SessionId, home: str) -> None:
        """Remember that this session comes from this host."""
        self._homes[session] = home

    def leave(self, session: SessionId) -> None:
        """Forget a session that is gone; all it asked was decided."""
        self._homes.pop(session, None)
        self.watched.discard(session)
        if (line := self._lines.pop(session, None)) is not None:
            self._order.leave(line)

    def put(self, session: SessionId, asked: T, now: Micros, *, much: bool = False) -> None:
        """Add a request, read at `now`; `much`: its session has said more already."""
        dear = self.behind and (session in self.watched or self._gathers(asked))
        if (much or dear) and not self.shared:
            self.share()
            self.shared = True
        if self.shared:
            self._put(session, asked, now, much=much, dear=dear)
        else:
            self.in_line.append((session, asked, now))

    def take(self, *, little: bool = False) -> tuple[SessionId, T, Micros] | None:
        """Return the next request to decide; with `little`, only an act, or one owed a turn."""
        if not self.shared:
            return self.in_line.popleft() if self.in_line else None
        line = self._order.next(Rank.ACT if little else Rank.MUCH)
        if line is None:
            return None
        asked, now = line.asked.popleft()
        self.urgent = line.rank is Rank.ACT
        if line.asked and self._is_free(line):
            self._order.wait(line, Rank.ACT)
        elif line.asked:
            self._order.again(line)
        else:
            line.moves = 0
            if not self._order:
                self._in_order()
        return line.session, asked, now

    def share(self) -> None:
        """Let sessions take turns from now on, because there is not time for all of them."""
        if not self.shared and self.in_line:
            self.shared = True
            for session, asked, now in self.in_line:
                self._put(session, asked, now, much=False)
            self.in_line.clear()

    def charge(self, session: SessionId, spent: int, later: int = 0) -> None:
        """Charge this session for so many nanoseconds of work, and for more that is done later."""
        line = self._lines.get(session)
        if line is not None:
            self._order.charge(line, spent, later)

    def since(self, session: SessionId) -> Micros | None:
        """When the session's oldest undecided request was read; None if all are decided."""
        if not self.shared:
            return next((now for one, _, now in self.in_line if one == session), None)
        line = self._lines.get(session)
        return line.asked[0][1] if line is not None and line.asked else None

    def _put(
        self, session: SessionId, asked: T, now: Micros, *, much: bool, dear: bool = False
    ) -> None:
        line = self._lines.get(session)
        if line is None:
            line = self._lines[session] = _Line(session, self._homes.get(session, ""))
        line.asked.append((asked, now))
        if not line.waits:
            # No clock waits for a question, nor for who comes or goes.
            little = Rank.LITTLE if self._reads(asked) or self._gathers(asked) else Rank.ACT
            much = dear or (much and not self._is_free(line))
            self._order.wait(line, Rank.MUCH if much else little)

    def _is_free(self, line: _Line[T]) -> bool:
        """Whether the session's next request is a move within its `MOVES_AT_ONCE`; counts it."""
        if line.moves >= MOVES_AT_ONCE or not self._moves(line.asked[0][0]):
            return False
        line.moves += 1
        return True

    def _in_order(self) -> None:
        """Go back to the order of reading, because nothing waits any more."""
        self.shared = False
        for line in self._lines.values():
            self._order.leave(line)
        self._lines.clear()


# -- held writes
# Writes that are held back: what only a flood has decided is written with the next move.
#
# A write makes everybody wait for the disk. So while others play, what a client that floods has
# changed is written together with the next thing of theirs, or by itself when none came for a
# while: a move does not wait for a flood's write, and a flood needs fewer writes.

LONGEST: Final = 0.002  # seconds that a flood's write waits for another's


class Timed(Protocol):
    """A call that is to be made later."""

    def cancel(self) -> None:
        """Do not make the call."""
        ...


class CallsLater(Protocol):
    """An event loop, as far as it is needed here."""

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timed:
        """Call this in so many seconds."""
        ...


class HeldWrites:
    """Holds a flood's writes back; calls `go_on` when one has waited long enough."""

    def __init__(self, loop: CallsLater, go_on: Callable[[], None]) -> None:
        self._loop = loop
        self._go_on = go_on
        self._timer: Timed | None = None
        self._waited = False  # long enough

    def waits(self, decided: Sequence[Decided], *, flood: bool) -> bool:
        """Whether these decisions, all for a `flood` or not, are to wait for another's write."""
        if flood and not self._waited and _is_asked_and_written(decided):
            if self._timer is None:
                self._timer = self._loop.call_later(LONGEST, self._over)
            return True
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._waited = None, False
        return False

    def _over(self) -> None:
        self._timer, self._waited = None, True
        self._go_on()


def _is_asked_and_written(decided: Sequence[Decided]) -> bool:
    """Whether connected sessions asked for all of this, and something must be written."""
    asked = all(asker is not None for asker, _ in decided)
    return asked and any(batch.records for _, batch in decided)
