"""A move in words, made once and told to all four: the quick way of `telling`.

What the four players hear of a move is nearly the same: its lines, and for the next player
YOUR_TURN. So these bytes are made once a move, and each connection takes those
that its players are to hear; the four are told one after the other, so that only the last
move is remembered. The words are the same as those of `telling.hear`; the tests compare them.
"""

from typing import Final

from msgspec import Struct

from rookery.core.events import Played
from rookery.core.ids import Seat
from rookery.core.manners import Directory
from rookery.core.messages import News
from rookery.dialects.bughouse.moves import Script, plain_move
from rookery.dialects.bughouse.voice import TURN_WIRE, UNASKED
from rookery.dialects.bughouse.wire import Ledger
from rookery.games.bughouse import board_of


class WordedMove(Struct, frozen=True):
    """The bytes that tell of one move, sorted by which seats are to hear them."""

    news: News
    lines: bytes  # for everyone
    private: tuple[tuple[bytes, Seat | None], ...]  # all of them, where some are for one alone
    next: Seat | None  # who is on turn because of it
    turn: bytes

    def for_seats(self, own: tuple[Seat, ...]) -> tuple[bytes, int]:
        """The bytes that these seats hear, and how many of them end in YOUR_TURN (0: none)."""
        if not self.private and self.next not in own:  # as it is for most
            return self.lines, 0
        words, turn = self.lines, 0
        if self.private:
            words = b"".join(line for line, only in self.private if only is None or only in own)
        if self.next in own:
            turn = len(words) + len(TURN_WIRE)
            words += self.turn
        return words, turn


class Wording:
    """Makes the bytes that tell of moves, and remembers those of the last move."""

    __slots__ = ("_directory", "_last")

    def __init__(self) -> None:
        self._last: WordedMove | None = None
        self._directory: Directory | None = None

    def find(self, ledger: Ledger, news: News, played: Played) -> WordedMove:
        """The bytes that tell of a move, with the numbers that the ledger's directory gives."""
        last = self._last
        if last is None or last.news is not news or self._directory is not ledger.directory:
            last = self._last = _worded(ledger, news, played)
            self._directory = ledger.directory
        return last


def _worded(ledger: Ledger, news: News, played: Played) -> WordedMove:
    happened, seat = news.happened, played.seat
    table, board = happened.table, board_of(seat)
    called = ledger.board(table, board)
    if happened.effects or "@" in played.move:
        told = Script(ledger, table, news.scene.players).move(seat, played.move, happened.effects)
        wires = tuple([(_wire(one.line), one.only) for one in told])
        alone = any(only is not None for _, only in wires)
        lines = b"".join(line for line, _ in wires)
    else:  # as most are
        wires, alone, lines = (), False, _wire(plain_move(called, played.move))
    opponent = Seat(seat ^ 1)  # seats 0 and 1 share a board, and 2 and 3
    return WordedMove(
        news,
        lines,
        wires if alone else (),
        opponent if opponent in happened.to_act else None,
        # "the opponent: YOUR_TURN" alone after a drop
        TURN_WIRE if "@" in played.move else TURN_WIRE + _wire(f"NEXT_BOARD:{called}"),
    )


def _wire(line: str) -> bytes:
    return f"{UNASKED}{line}\n".encode()


WORDING: Final = Wording()  # one for all connections, which is the point of it
