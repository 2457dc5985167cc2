"""A player of the crash test: a bot's pilot with a line; it plays any move after a moment.

Each board that a pilot is asked a move for is a claim: the server told all that led to it, so
that must be in the log. What a native player says and hears is transcribed besides
(`transcribing`).
"""

from typing import Final

from rookery.cli.bot import PILOTS
from rookery.cli.bot.pilot import (
    BEGINS,
    UNKNOWN,
    BotWish,
    CallAgain,
    NoMoreGames,
    Over,
    Question,
    Unwelcome,
)
from rookery.cli.connection.address import NoServer
from rookery.core.manners import OWN
from rookery_tools.crashtest.clients.calling import CallerBase, CrashtestTown, now
from rookery_tools.crashtest.clients.transcribing import Transcriber
from rookery_tools.crashtest.observer.claims import ResultHeard, Sighting, key_of

THINK: Final = 0.06  # seconds over a move, about
RESTLESS: Final = 0.7  # seconds between two looks for something to do


class CrashtestPlayer(CallerBase):
    """A client that plays game after game, honestly."""

    def __init__(
        self,
        town: CrashtestTown,
        dialect: str,
        wish: BotWish,
        *,
        framed: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__(town, wish.name, dialect, framed=framed, seed=seed)
        self.wish = wish
        self.pilot = PILOTS[dialect](wish)
        self.playing = False
        self._transcriber: Transcriber | None = None
        self._pondering = False  # on this line
        self._seen: tuple[int, object] | None = None  # the turn, and the board
        self._idling = False

    def begin(self) -> bytes:
        """The pilot's first bytes on a connection; begins a new transcript of a native one."""
        self._transcriber = (
            Transcriber(self.town.claims, self.name, self.number) if self.dialect == OWN else None
        )
        self._seen, self._pondering = None, False
        words = self.pilot.begin()
        if not self._idling:
            self._idling = True
            self.soon(RESTLESS, self._idle)
        return words

    def say(self, words: bytes) -> None:
        """Send bytes, and transcribe them where the player speaks native."""
        if words and self._transcriber is not None and self.line is not None:
            self._transcriber.said(words)
        super().say(words)

    def heard(self, came: bytes) -> None:
        """Let the pilot read bytes of the server, and do what it yields."""
        if self._transcriber is not None:
            self._transcriber.told(came)
        try:
            for heard in self.pilot.hear(came):
                match heard:
                    case bytes():
                        self.say(heard)
                    case str():
                        self.playing = self.playing or heard == BEGINS
                    case Over(result):
                        self._over(result)
                    case NoMoreGames():
                        self.leave()
                    case CallAgain():
                        self.hang_up()
        except (Unwelcome, NoServer) as wrong:
            self.town.claims.strange.append(f"{self.name} ({self.dialect}) is refused: {wrong}")
            self.leave()
        self._look()

    def calm(self) -> None:
        """End the day: a player without a game or a tour leaves."""
        if not self.playing and not self.wish.in_tour:
            self.leave()

    def _over(self, result: str) -> None:
        self.playing = False
        if result != UNKNOWN:
            claim = ResultHeard(now(), self.known_as, self.dialect, result)
            self.town.claims.results.append(claim)
        if self.town.calm and not self.wish.in_tour:
            self.leave()
        else:
            self.say(self.pilot.again())

    def _look(self) -> None:
        """Note the board, where a move is wanted, and think about it."""
        question = self.pilot.question
        if question is None:
            return
        key = key_of(question.view, question.seat)
        if self._seen != (question.turn, key):
            self._seen = question.turn, key
            self.playing = True
            claim = Sighting(now(), self.known_as, self.number, question.seat, key)
            self.town.claims.sightings.append(claim)
        if not self._pondering:
            self._think(question)

    def _think(self, question: Question) -> None:
        self._pondering, line = True, self.number

        def then() -> None:
            if self.line is None or self.number != line:
                return
            self._pondering, asked = False, self.pilot.question
            if asked is not None and asked.turn == question.turn:
                self.say(self.pilot.play(self.chance.choice(asked.moves)))
            self._look()

        self.soon(THINK / 10 if self.town.calm else THINK, then)

    def _idle(self) -> None:
        """Let the pilot do what it does now and then, and look for its question again."""
        if self.gone:
            return
        if self.line is not None and self.number:
            self.say(self.pilot.idle())
            self._look()
        self.soon(RESTLESS, self._idle)
