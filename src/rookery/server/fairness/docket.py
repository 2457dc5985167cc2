"""The docket: what sessions asked of the hall that is not decided yet.

While there is time for everything, requests are decided in the order they were read. When there
is not, sessions take turns until nothing waits any more: a session that acts goes before one
that has a question, comes or goes, and one that asks a single thing before one that asks for
more while it waits (`precedence`). So does, while those who look on are told of things much later
than they happen, who would let more of them happen. The requests of one session always stay in
order. The docket mutates, and the clerk owns it.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from rookery.core.ids import Micros, SessionId
from rookery.server.fairness.precedence import Claim, Precedence, Rank

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
