"""How a move looks on the wire, in the order of the page.

Castling is two MOVEs, king and rook. A pawn taken en passant is first moved onto the target
square, where the capturer takes it. A promoted piece is passed from the player to itself
and put where the pawn went: the old client knows no other way, and was watched doing this.
"""

from collections.abc import Iterable

from msgspec import Struct

from rookery.core.game import Effect
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.dialects.bughouse.wire import Ledger, colour_of, piece, place
from rookery.games.bughouse import Castled, Dropped, EnPassant, Handed, Promoted


class MoveLine(Struct, frozen=True):
    """A line that tells of a move: for all four players, or `only` for one seat."""

    line: str
    only: Seat | None = None


class Script:
    """Writes the moves of one game as lines of the wire."""

    def __init__(
        self, ledger: Ledger, table: TableId, players: tuple[PlayerId | None, ...]
    ) -> None:
        self._ledger = ledger
        self._table = table
        self._players = players

    def move(self, seat: Seat, text: str, effects: Iterable[Effect]) -> list[MoveLine]:
        """The lines that tell of a move and its effects, in the order the page gives."""
        squares = _squares(text)
        board = self._ledger.board(self._table, int(text[0]))
        first: list[str] = []
        after: list[MoveLine] = []
        if len(squares) == 2:
            first.append(_move(board, *squares))
        for effect in effects:
            match effect:
                case Castled(rook_start=start, rook_end=end):
                    first.append(_move(board, start, end))
                case EnPassant(victim=victim):
                    first.insert(0, _move(board, victim, squares[-1]))
                case Promoted(at=at, piece=letter, held=held):
                    who = self._called(seat)
                    first.append(f"PASS:{who}\t{who}\t{piece(letter)}")
                    first.append(f"PUT:{board}\t{who}\t{held}\t{place(at)}")
                case Dropped(index=index):
                    who = self._called(seat)
                    first.append(f"PUT:{board}\t{who}\t{index}\t{place(squares[0])}")
                    kind = piece(text[2].upper())
                    first.append(f"put:{kind}\t{colour_of(seat)}\t{place(squares[0])}")
                case Handed():
                    after += self._handed(effect)
                case _:
                    raise AssertionError(f"bughouse has no effect {effect}")
        return [MoveLine(line) for line in first] + after

    def _called(self, seat: Seat) -> str:
        return self._ledger.player(self._players[seat])

    def _handed(self, handed: Handed) -> tuple[MoveLine, MoveLine]:
        giver, taker = self._called(handed.giver), self._called(handed.taker)
        kind = piece(handed.piece)
        return (
            MoveLine(f"PASS:{giver}\t{taker}\t{kind}"),
            MoveLine(f"ADD_PRISONER:{taker}\t{kind}", handed.taker),
        )


def _squares(text: str) -> tuple[str, ...]:
    """The squares in a move's text: from and to, or the one of a drop."""
    return (text[4:6],) if text[3] == "@" else (text[2:4], text[4:6])


def plain_move(board: str, text: str) -> str:
    """The MOVE line of a move from square to square that has no effects."""
    return _move(board, text[2:4], text[4:6])


def _move(board: str, start: str, end: str) -> str:
    return f"MOVE:{board}\t{place(start)}\t{place(end)}"
