"""The docket: what was asked of the hall and is not decided yet.

While there is time for all of it, it is decided in the order it was read. When there is not,
who does something goes before who has a question, and who asks one thing at a time before who
asks for more while it waits (`precedence`), until nothing waits any more. What one session
asks is always decided in its order. It mutates, and the clerk owns it.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from rookery.core.ids import Micros, SessionId
from rookery.server.fairness.precedence import Claim, Precedence, Rank

T = TypeVar("T")

# Moves that a session may have asked for at once and not be one who asks much: who plays at
# many tables answers all that moved. Beyond that it is, as with anything else at once.
MOVES_AT_ONCE: Final = 32


class _Line(Claim, Generic[T]):
    """One session's part of the docket while there is not time for all."""

    __slots__ = ("asked", "moves", "session")

    def __init__(self, session: SessionId, home: str) -> None:
        super().__init__(home)
        self.session = session
        self.asked: deque[tuple[T, Micros]] = deque()
        self.moves = 0  # that were taken since nothing of it waited


class Docket(Generic[T]):
    """What waits to be decided; `reads` says what is only a question, `moves` what is a move."""

    def __init__(
        self,
        reads: Callable[[T], bool] = lambda _: False,
        moves: Callable[[T], bool] = lambda _: False,
    ) -> None:
        self._reads, self._moves = reads, moves
        self._homes: dict[SessionId, str] = {}
        # While there is time for all: in the order it was read.
        self.in_line: deque[tuple[SessionId, T, Micros]] = deque()
        self._order: Precedence[_Line[T]] = Precedence()
        self._lines: dict[SessionId, _Line[T]] = {}
        self.shared = False  # there was not time for all
        self.urgent = False  # what was taken last is of one who does one thing at a time

    def __bool__(self) -> bool:
        return bool(self.in_line) or bool(self._order)

    @property
    def flooded(self) -> bool:
        """Whether anyone waits who asks for more than one thing, or has a question."""
        order = self._order
        return self.shared and (order.waits(Rank.MUCH) or order.waits(Rank.LITTLE))

    @property
    def acts(self) -> bool:
        """Whether anyone waits who does one thing at a time."""
        return self.shared and self._order.waits(Rank.ACT)

    def connect(self, session: SessionId, home: str) -> None:
        """This session is from there."""
        self._homes[session] = home

    def leave(self, session: SessionId) -> None:
        """The session is gone, and all it asked was decided."""
        self._homes.pop(session, None)
        if (line := self._lines.pop(session, None)) is not None:
            self._order.leave(line)

    def put(self, session: SessionId, asked: T, now: Micros, *, much: bool = False) -> None:
        """The session asks this, which was read at `now`, and has said `much` more already."""
        if much and not self.shared:
            self.share()
            self.shared = True
        if self.shared:
            self._put(session, asked, now, much=much)
        else:
            self.in_line.append((session, asked, now))

    def take(self, *, little: bool = False) -> tuple[SessionId, T, Micros] | None:
        """What is to be decided next; with `little`, of who does one thing, or is owed a turn."""
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
        """There is not time for all: let them take turns."""
        if not self.shared and self.in_line:
            self.shared = True
            for session, asked, now in self.in_line:
                self._put(session, asked, now, much=False)
            self.in_line.clear()

    def charge(self, session: SessionId, spent: int) -> None:
        """So many nanoseconds were this session's doing."""
        line = self._lines.get(session)
        if line is not None:
            self._order.charge(line, spent)

    def since(self, session: SessionId) -> Micros | None:
        """When the first was read of what this session asked; None where all was decided."""
        if not self.shared:
            return next((now for one, _, now in self.in_line if one == session), None)
        line = self._lines.get(session)
        return line.asked[0][1] if line is not None and line.asked else None

    def _put(self, session: SessionId, asked: T, now: Micros, *, much: bool) -> None:
        line = self._lines.get(session)
        if line is None:
            line = self._lines[session] = _Line(session, self._homes.get(session, ""))
        line.asked.append((asked, now))
        if not line.waits:
            little = Rank.LITTLE if self._reads(asked) else Rank.ACT
            self._order.wait(line, Rank.MUCH if much and not self._is_free(line) else little)

    def _is_free(self, line: _Line[T]) -> bool:
        """Whether what is next of this session is a move, of those it may have asked at once."""
        if line.moves >= MOVES_AT_ONCE or not self._moves(line.asked[0][0]):
            return False
        line.moves += 1
        return True

    def _in_order(self) -> None:
        """Nothing waits: there is time for all again."""
        self.shared = False
        for line in self._lines.values():
            self._order.leave(line)
        self._lines.clear()
