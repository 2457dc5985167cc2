"""The one question of a pilot that plays one game at a time, and what was refused in it.

The legal moves come from the view alone: it has all that decides what its seat may play, so
any state that looks like it gives the same ones.
"""

from typing import Any

from msgspec.structs import replace

from rookery.cli.bot.pilot import MILLIS, Question
from rookery.core.chance import Chance
from rookery.core.errors import BadPosition
from rookery.core.game import AnyView, Imagining
from rookery.core.ids import Seat
from rookery.games import AnyGame, format_variant


def moves_of(game: AnyGame, view: AnyView, seat: Seat) -> tuple[str, ...]:
    """The moves this seat may play; none where it is not its turn, or the view cannot be.

    Of a game that cannot be imagined, because it hides something, these are the moves that begin
    it: the server judges them, and one that was refused is not tried again.
    """
    state: Any  # of whatever kind the game has
    if isinstance(game, Imagining):
        try:
            state = game.imagine(view, seat, Chance(0))
        except BadPosition:
            return ()
    elif getattr(view, "turn", seat) != seat:  # nearly every view says whose turn it is
        return ()
    else:
        state = game.start(game.seat_counts[0], Chance(0))
        seat = min(game.to_act(state))
    return tuple(map(game.format_move, game.legal_moves(state, seat)))


class OpenQuestion:
    """A question when it is our turn, and none when it is not."""

    def __init__(self) -> None:
        self.question: Question | None = None
        self._count = 0
        self._last: Question | None = None  # what was answered
        self._tried = ""  # and how

    def open(self, game: AnyGame, seat: Seat, view: AnyView, millis: int = MILLIS) -> None:
        """Ask for a move on our turn; nothing is asked where the rules leave no move."""
        self.ask(format_variant(game), seat, view, moves_of(game, view, seat), millis)

    def ask(
        self, variant: str, seat: Seat, view: AnyView, moves: tuple[str, ...], millis: int = MILLIS
    ) -> None:
        """The same, with moves that somebody else knows."""
        self._count += 1
        self.question = Question(self._count, variant, seat, view, moves, millis) if moves else None

    def answer(self, move: str) -> str:
        """The question is answered with this move, which is given back."""
        self._last, self._tried, self.question = self.question, move, None
        return move

    def refused(self) -> None:
        """Ask the last question again, without the move that the server refused."""
        self._ask_again(without=self._tried)

    def passed_over(self) -> None:
        """Ask the last question again, whose answer the server has not judged."""
        self._ask_again(without="")

    def _ask_again(self, *, without: str) -> None:
        if self._last is None:
            return
        last, self._last = self._last, None
        moves = tuple(move for move in last.moves if move != without)
        self._count += 1
        self.question = replace(last, turn=self._count, moves=moves) if moves else None

    def give_up(self) -> None:
        """Note a bad answer on purpose; where it is refused, the same question is asked again."""
        self.answer("")

    def close(self) -> None:
        """Drop the question: it is not our turn any more."""
        self.question = self._last = None
