"""Black-white in a room, for a bot.

With a tour's code behind the name the room is the tour's. When the tour is over, the code
becomes a part of the name and the room an ordinary one. To notice that, the bot comes anew
after every match: a player whose name shows the code is in no tour.
"""

from collections.abc import Iterator

from rookery.cli.bot.open_question import OpenQuestion
from rookery.cli.bot.pilot import (
    BEGINS,
    DRAWN,
    LOST,
    NO_TOUR,
    RESIGNS,
    WON,
    BotWish,
    CallAgain,
    Heard,
    NoMoreGames,
    Over,
    Question,
    Unwelcome,
)
from rookery.clients.blackwhite import (
    SIZE,
    Assigned,
    BlackwhiteClient,
    Ended,
    Entered,
    Failed,
    Happening,
    Moved,
    Quit,
    Refused,
    Turn,
)
from rookery.games.reversi import Reversi


class BlackwhitePilot:
    """Enters a room, plays when it has a colour, and looks on until a seat is empty."""

    def __init__(self, wish: BotWish) -> None:
        self._wish = wish
        self._name = wish.coded_name
        self._client = BlackwhiteClient(self._name)
        self._open_question = OpenQuestion()
        self._playing = False  # in the game of this room
        self._inside = False
        self._seated = False  # in this room; a seat is kept from one game to the next
        self._running = False  # a game of this room, whoever plays it
        self._empty = False  # a seat may be, since somebody left
        self._played = False  # whether there was ever a game

    @property
    def question(self) -> Question | None:
        """The question for our next move; None while it is not our turn."""
        return self._open_question.question

    def begin(self) -> bytes:
        """Enter. In a running game the same name from the same host has its seat again."""
        self._client = BlackwhiteClient(self._name)
        self._inside = self._playing = self._seated = self._running = self._empty = False
        return self._enter()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """Read the server's messages; yields what the bot is to send, say or count."""
        for happening in self._client.hear(came):
            yield from self._happened(happening)

    def play(self, move: str) -> bytes:
        """The bytes that play this move, which answers the question."""
        place = Reversi(size=SIZE).parse_move(self._open_question.answer(move))
        return self._client.play(place.col, place.row)

    def give_up(self) -> Iterator[Heard]:
        """Resign; the bot stays in the room, and in its tour."""
        self._open_question.close()
        yield RESIGNS
        yield self._client.resign()

    def again(self) -> bytes:
        """Wish for a return game; in a tour it is the next call that asks for a match."""
        return b"" if self._wish.code else self._enter()

    def idle(self) -> bytes:
        """Enter where it was refused, or again where a seat may be empty: that asks for it."""
        asks = self._empty and not self._seated and not self._running
        return self._enter() if asks or not self._inside else b""

    def farewell(self, *, withdraw: bool) -> bytes:  # noqa: ARG002 - hanging up is no withdrawal here
        """Leave the room, and lose a game that runs."""
        return self._client.quit()

    def _enter(self) -> bytes:
        self._open_question.close()
        self._empty = False
        return self._client.enter(self._wish.room)

    def _happened(self, happening: Happening) -> Iterator[Heard]:
        match happening:
            case Entered(name) if name != self._name and self._wish.shows_code(name):
                # "The others do not see the code": we are both in an ordinary room.
                if not self._played:
                    raise Unwelcome(NO_TOUR)
                yield NoMoreGames("The tour is over.")
            case Entered(name):
                self._inside = self._inside or name == self._name
            case Assigned():
                self._playing = self._played = self._seated = True
                yield BEGINS
            case Turn() if self._wish.code and not self._played:
                # "There are no viewers in this language" in a tour, and here we look on.
                raise Unwelcome(NO_TOUR)
            case Turn():
                self._running = True
                self._turn()
            case Quit():
                self._empty = True
            case Moved():
                self._open_question.close()
            case Refused():
                self._open_question.refused()
            case Ended(winner):
                yield from self._end(winner)
            case Failed(words):
                yield self._failed(words)
            case _:
                pass  # who gives up

    def _failed(self, words: str) -> Heard:
        if self._wish.code and not self._played:
            raise Unwelcome(words or "The server does not let us into that tour.")
        said = f"The server says: {words}"
        return NoMoreGames(said) if self._wish.code and not self._playing else said

    def _turn(self) -> None:
        self._open_question.close()
        seat = self._client.seat
        if self._playing and self._client.mine and seat is not None:
            board = self._client.board
            self._open_question.open(board.game, seat, board.view(seat))

    def _end(self, winner: str) -> Iterator[Heard]:
        self._open_question.close()
        self._running = False
        playing, self._playing = self._playing, False
        if playing:
            yield Over(DRAWN if not winner else WON if winner == self._name else LOST)
            if self._wish.code:
                yield CallAgain()
