"""Fish, for a bot: it answers when it is asked.

In a tour the bot comes anew after every match. When the tour is over, its code becomes a part
of the id and the game an ordinary one; the bot notices it when another player has such an id.
"""

from collections.abc import Iterator
from typing import Final

from rookery.cli.bot.open_question import OpenQuestion
from rookery.cli.bot.pilot import (
    BEGINS,
    LOST,
    NO_TOUR,
    WON,
    BotWish,
    CallAgain,
    Heard,
    NoMoreGames,
    Over,
    Question,
    Unwelcome,
)
from rookery.clients.fish import (
    AssignColor,
    Error,
    FishClient,
    Happening,
    NotifyGameOver,
    Player,
    RequestMove,
    RequestPlacement,
    SendGameState,
)
from rookery.clients.ice import game_on
from rookery.games.fish import Fish as Rules
from rookery.games.fish import Place

NOWHERE: Final = Place((-1, -1))  # no tile, and so no answer that can be right


class FishPilot:
    """Joins, answers, and joins again."""

    def __init__(self, wish: BotWish) -> None:
        self._wish = wish
        self._name = wish.coded_name
        self._client = FishClient(self._name)
        self._open_question = OpenQuestion()
        self._asked = False  # whether we wait for a game, or are in one
        self._played = False  # whether there was ever one
        self._said = ""  # the last error; the same again is not worth a line

    @property
    def question(self) -> Question | None:
        """A tile or a move, when we are asked."""
        return self._open_question.question

    def begin(self) -> bytes:
        """Join. In a game the same id from the same host has its seat again."""
        self._client = FishClient(self._name)
        return self._join()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """Read the server's messages; yields what the bot is to send, say or count."""
        for happening in self._client.hear(came):
            yield from self._happened(happening)

    def play(self, move: str) -> bytes:
        """The bytes that answer the server's request with this move."""
        return self._client.answer(Rules().parse_move(self._open_question.answer(move)))

    def give_up(self) -> Iterator[Heard]:
        """Answer with a tile that no board has: a bad answer removes us from this game."""
        self._open_question.close()
        yield (
            "Fish has no word for resigning. The bot answers badly, which removes its penguins: "
            "this game is lost, with no fish at all."
        )
        yield self._client.answer(NOWHERE)

    def again(self) -> bytes:
        """Join; in a tour it is the next call that does."""
        return b"" if self._wish.code else self._join()

    def _join(self) -> bytes:
        self._open_question.close()
        self._asked = True
        return self._client.join()

    def idle(self) -> bytes:
        """Join where it was refused, as while an old connection still has our id."""
        return b"" if self._asked else self._join()

    def farewell(self, *, withdraw: bool) -> bytes:  # noqa: ARG002 - hanging up is no withdrawal here
        """No bytes: the language has no word for leaving."""
        return b""

    def _happened(self, happening: Happening) -> Iterator[Heard]:
        match happening:
            case SendGameState(state) if any(map(self._is_stray, state.players)):
                # "The others do not see the code": this is an ordinary game.
                if not self._played:
                    raise Unwelcome(NO_TOUR)
                yield NoMoreGames("The tour is over.")
            case SendGameState():
                self._played = True
            case AssignColor() if self._client.seat is not None:
                yield BEGINS
            case RequestPlacement() | RequestMove():
                view = self._client.view()
                if view is not None and self._client.seat is not None:
                    self._open_question.open(game_on(view), self._client.seat, view)
            case NotifyGameOver(winners=winners):
                self._open_question.close()
                self._asked = False
                yield Over(WON if self._name in winners else LOST)
                if self._wish.code:
                    yield CallAgain()
            case Error(words):
                yield from self._error(words)
            case _:
                pass

    def _is_stray(self, player: Player) -> bool:
        """Whether another player's id shows the tour's code, so that this game is in no tour."""
        return player.id != self._name and self._wish.shows_code(player.id)

    def _error(self, words: str) -> Iterator[Heard]:
        waits = self._client.seat is None
        self._asked = self._asked and not waits
        if waits and self._wish.code and not self._played:
            raise Unwelcome(words)
        if waits and self._wish.code:
            yield NoMoreGames(f"The server says: {words}")
        elif words != self._said:
            yield f"The server says: {words}"
        self._said = words
