"""Othello in frames, for a bot: it signs on, plays what is asked for, and signs on again."""

from collections.abc import Iterator

from rookery.cli.bot.open_question import OpenQuestion
from rookery.cli.bot.pilot import BEGINS, DRAWN, LOST, RESIGNS, WON, BotWish, Heard, Over, Question
from rookery.clients.othello import (
    Coloured,
    Ended,
    Failed,
    Happening,
    OthelloClient,
    Refused,
    Stands,
)
from rookery.games.reversi import Reversi


class OthelloPilot:
    """Signs on, plays, and signs on again."""

    def __init__(self, wish: BotWish) -> None:  # noqa: ARG002 - it has no words for wishes
        self._client = OthelloClient()
        self._open_question = OpenQuestion()
        self._playing = False
        self._asked = False  # whether we have signed on, and the game is not over

    @property
    def question(self) -> Question | None:
        """The question for our next move; None while it is not our turn."""
        return self._open_question.question

    def begin(self) -> bytes:
        """Sign on. Who comes back from the same host gets the lost seat."""
        self._client, self._playing = OthelloClient(), False
        return self.again()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """Read the server's frames; yields what the bot is to send, say or count."""
        for happening in self._client.hear(came):
            yield from self._happened(happening)

    def play(self, move: str) -> bytes:
        """The bytes that play this move, which answers the question."""
        place = Reversi().parse_move(self._open_question.answer(move))
        return self._client.play(place.col, place.row)

    def give_up(self) -> Iterator[Heard]:
        """Send "I quit (the other wins)", which ends the game and nothing else."""
        self._open_question.close()
        yield RESIGNS
        yield self._client.quit()

    def again(self) -> bytes:
        """The bytes that sign on for the next game."""
        self._open_question.close()
        self._asked = True
        return self._client.sign_on()

    def idle(self) -> bytes:
        """The bytes that sign on again, where that was refused before."""
        return b"" if self._asked else self.again()

    def farewell(self, *, withdraw: bool) -> bytes:  # noqa: ARG002 - hanging up is no withdrawal here
        """The bytes that give up, so that the other player wins at once."""
        return self._client.quit()

    def _happened(self, happening: Happening) -> Iterator[Heard]:
        seat = self._client.seat
        match happening:
            case Coloured():
                self._asked = True  # whatever was said before: a notice is no answer
            case Refused():
                self._open_question.refused()
            case Stands():
                if not self._playing:
                    yield BEGINS
                self._playing = True
                self._open_question.close()
                if seat is not None and self._client.mine:
                    board = self._client.board
                    self._open_question.open(board.game, seat, board.view(seat))
            case Ended(winner):
                # The end of a game, or of waiting for one: when a tour is over nobody has won.
                self._open_question.close()
                playing, self._playing, self._asked = self._playing, False, False
                if playing:
                    yield Over(DRAWN if winner is None else WON if winner == seat else LOST)
            case Failed(words):
                # Before a colour was given it answers the sign-on.
                self._asked = self._asked and seat is not None
                yield f"The server says: {words}"
            case _:
                pass  # what the other player says
