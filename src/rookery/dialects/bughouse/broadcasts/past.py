"""A game so far in fewer lines, which rebuild the same boards and hands.

A piece that went from a to b and later from b to c, where it took nothing on b and nobody
came to a or b meanwhile, might as well have waited on a and gone to c. Captures, what was
handed over and what was dropped stay as they were and in their order: prisoners are named
by their place in the hand, and the old client takes a piece from under another in no other
way. So do the moves of kings, rooks and pawns, by which a client knows who may castle or
take in passing, and each board's last move, which it may show.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from rookery.dialects.bughouse.wire import PIECES

Square = tuple[str, str, str]  # board, file and rank, as the wire has them

_ROAMING: Final = frozenset(str(PIECES.index(letter) + 1) for letter in "NBQ")
_ROW: Final = "RNBQKBNR"


class _Way(Struct, frozen=True):
    """A piece's way from one square to another of a board."""

    start: Square
    end: Square
    takes: bool


class _Past:
    """Reads the lines of a game and keeps those that are needed. It is used once."""

    def __init__(self) -> None:
        self.kept: list[_Way | str | None] = []
        self._touched: dict[Square, int] = {}  # by which of them last
        self._gone: set[Square] = set()  # what stood there at the start does no more
        self._kinds: dict[Square, str] = {}  # what has come there since
        self._hands: dict[str, list[str]] = {}  # kinds, by player

    def go(self, start: Square, end: Square, *, last: bool) -> None:
        """Take in a move of a piece, joined with its move before where that changes nothing."""
        kind = self._kind(start)
        way = _Way(start, end, takes=bool(self._kind(end)))
        self._gone |= {start, end}
        self._kinds.pop(start, None)
        self._kinds[end] = kind
        self.kept.append(way if last or kind not in _ROAMING else self._joined(way))
        self._touched[start] = self._touched[end] = len(self.kept) - 1

    def other(self, line: str, verb: str, fields: Sequence[str]) -> None:
        """Take in a line that hands over or drops a piece; such lines are all kept."""
        self.kept.append(line)
        if verb == "PASS":
            self._hands.setdefault(fields[1], []).append(fields[2])
        elif verb == "PUT":
            at = (fields[0], fields[3], fields[4])
            self._gone.add(at)
            self._kinds[at] = self._hands[fields[1]].pop(int(fields[2]))
            self._touched[at] = len(self.kept) - 1

    def _kind(self, at: Square) -> str:
        """The number of the piece that stands on a square; empty if none does."""
        if at in self._gone:
            return self._kinds.get(at, "")
        if at[2] in "07":
            return str(PIECES.index(_ROW[int(at[1])]) + 1)
        return "1" if at[2] in "16" else ""

    def _joined(self, way: _Way) -> _Way | None:
        """The way with that piece's way before it, where they join; None if it leads back then."""
        at = self._touched.get(way.start)
        before = None if at is None else self.kept[at]
        if (
            at is None
            or not isinstance(before, _Way)
            or before.takes
            or before.end != way.start
            or self._touched[before.start] != at
        ):
            return way
        self.kept[at] = None
        self._touched[before.start] = len(self.kept)
        return None if before.start == way.end else _Way(before.start, way.end, way.takes)


def shorten(lines: Sequence[str]) -> list[str]:
    """The lines of a whole game without the detours: they rebuild the same boards and hands."""
    past = _Past()
    split = [(line, *line.partition(":")[::2]) for line in lines]
    last = {rest.split("\t")[0]: n for n, (_, verb, rest) in enumerate(split) if verb == "MOVE"}
    for n, (line, verb, rest) in enumerate(split):
        fields = rest.split("\t")
        if verb == "MOVE":
            board, fx, fy, tx, ty = fields
            past.go((board, fx, fy), (board, tx, ty), last=last[board] == n)
        else:
            past.other(line, verb, fields)
    return [_line(one) if isinstance(one, _Way) else one for one in past.kept if one is not None]


def _line(way: _Way) -> str:
    (board, fx, fy), (_, tx, ty) = way.start, way.end
    return f"MOVE:{board}\t{fx}\t{fy}\t{tx}\t{ty}"
