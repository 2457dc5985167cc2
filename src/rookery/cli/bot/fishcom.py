"""The course's fish, for a bot: it signs up, answers every call, and signs up again.

Games are counted at the end of the whole tournament, because a bot that leaves earlier is
thrown out of it.
"""

from collections.abc import Iterator
from typing import Final

from rookery.cli.bot.open_question import OpenQuestion
from rookery.cli.bot.pilot import (
    BEGINS,
    LOST,
    UNKNOWN,
    WON,
    BotWish,
    Heard,
    NoMoreGames,
    Over,
    Question,
)
from rookery.clients.fishcom import Began, Called, Ended, FishcomClient
from rookery.clients.ice import game_on
from rookery.core.ids import Seat
from rookery.games.fish import Fish as Rules

NO_MOVE: Final = b"false"
MILLIS: Final = 600  # "The first byte must come within 1 second"


class FishcomPilot:
    """Signs up, answers until the end, and signs up again."""

    def __init__(self, wish: BotWish) -> None:
        self._wish = wish
        self._client = FishcomClient()
        self._open_question = OpenQuestion()
        self._seat: Seat | None = None
        self._games = 0  # in this tournament
        self._ended = False
        self._back = False  # whether we may be told again what we knew

    @property
    def question(self) -> Question | None:
        """A tile or a move, when we are called."""
        return self._open_question.question

    def begin(self) -> bytes:
        """Sign up. After a restart the same name from the same host has its old place."""
        self._open_question.close()
        if self._ended:
            self._games, self._ended = 0, False
        self._back = self._games > 0
        return self._client.sign_up(self._wish.coded_name)

    def hear(self, came: bytes) -> Iterator[Heard]:
        """Read the server's calls; yields what the bot is to send, say or count."""
        for happening in self._client.hear(came):
            match happening:
                case bytes():
                    yield happening
                case Began(seat):
                    # Who is back after a restart is told of the same game once more.
                    self._games += not (self._back and self._seat == seat)
                    self._seat, self._back = seat, False
                    yield BEGINS
                case Called(view):
                    assert view.turn is not None, "only who is to act is called"
                    self._open_question.open(game_on(view), view.turn, view, MILLIS)
                case Ended(won):
                    yield from self._end(won=won)

    def play(self, move: str) -> bytes:
        """The bytes that answer the server's call with this move."""
        return self._client.answer(Rules().parse_move(self._open_question.answer(move)))

    def give_up(self) -> Iterator[Heard]:
        """Answer what is no move: "any wrong … answer" removes us from the whole tournament."""
        self._open_question.close()
        yield (
            "Fishcom has no word for resigning. The bot answers badly, which removes it from "
            "this game, and from the whole tournament unless that is a tour that is not strict."
        )
        yield NO_MOVE
        yield from self._count(won=False)

    def again(self) -> bytes:
        """No bytes: the server hangs up after the end, and the bot signs up on a new connection."""
        return b""

    def idle(self) -> bytes:
        """No bytes: what a client sends uncalled is taken for its next answer."""
        return b""

    def farewell(self, *, withdraw: bool) -> bytes:  # noqa: ARG002 - hanging up is no withdrawal here
        """No bytes: the language has no word for leaving."""
        return b""

    def _end(self, *, won: bool) -> Iterator[Heard]:
        yield from self._count(won=won)
        if self._wish.code:
            yield NoMoreGames("The tour is over.")

    def _count(self, *, won: bool) -> Iterator[Heard]:
        """Count the games of a tournament; of all but the last the result is not known."""
        self._open_question.close()
        games, self._games, self._ended = self._games, 0, True
        for _ in range(games - 1):
            yield Over(UNKNOWN)
        if games:
            yield Over(WON if won else LOST, "The tournament is over.")
