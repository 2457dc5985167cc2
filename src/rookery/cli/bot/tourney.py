"""Tourney, for a bot: it registers, joins a tournament, and plays the matches it is given.

The states show which game is played. What they do not show is taken from the bot's wish:
whether the last stick loses, and where a hidden number can be. After a lost connection the
bot is the same player again.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from rookery.cli.bot.open_question import OpenQuestion
from rookery.cli.bot.pilot import (
    BEGINS,
    DRAWN,
    LOST,
    WON,
    BotWish,
    Heard,
    NoMoreGames,
    Over,
    Question,
    Unwelcome,
)
from rookery.clients.tourney import (
    Began,
    Ended,
    Failed,
    Happening,
    NoState,
    Refused,
    Registered,
    Remarked,
    Said,
    Stands,
    TournamentOver,
    TourneyClient,
    command,
)
from rookery.clients.tourney.states import TourneyView, game_of
from rookery.games.guess import Guess, GuessView
from rookery.games.nim import Nim, NimView

BAD_MOVES: Final = 7  # in a row lose the match
BAD_MOVE: Final = "?"
MILLIS: Final = 1000  # the classic clock has 93 seconds for a whole match

_JOINED: Final = re.compile(r"Tournament .* successfully joined\.")
_IN_ONE: Final = "Player already assigned to a tournament."
_NONE_TO_JOIN: Final = "Failed to join a tournament."
_NO_TOUR: Final = "Error processing command."  # what a code is answered that no tour has
_PASSED_OVER: Final = "That move came too late for the last match, and is not one in this."
_FORGOTTEN: Final = "ID was not recognized."
_TAKEN: Final = "Player already connected to another client."


class TourneyPilot:
    """One player, in one tournament after the other."""

    def __init__(self, wish: BotWish) -> None:
        self._wish = wish
        self._client = TourneyClient(wish.name)
        self._open_question = OpenQuestion()
        self._joined = False
        self._bad_moves = 0  # that are still to be made, to lose this match
        self._ended = False  # the tournament begins no more matches
        self._patient = False  # whether it was said that there is nothing to join

    @property
    def question(self) -> Question | None:
        """The question for our next move; None while it is not our turn."""
        return self._open_question.question

    def begin(self) -> bytes:
        """Register, or be the same player again."""
        self._open_question.close()
        return self._client.begin()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """Read the server's lines; yields what the bot is to send, say or count."""
        for happening in self._client.hear(came):
            if isinstance(happening, bytes):
                yield happening
            else:
                yield from self._happened(happening)

    def play(self, move: str) -> bytes:
        """The move in the words of the wire."""
        return self._client.play(self._open_question.answer(move))

    def give_up(self) -> Iterator[Heard]:
        """Make bad moves: "seven illegal moves in a row by one player lose the match"."""
        self._open_question.give_up()
        self._bad_moves = BAD_MOVES - 1
        yield (
            "Tourney has no word for resigning. The bot makes seven illegal moves, which lose "
            "this match alone."
        )
        yield self._client.play(BAD_MOVE)

    def again(self) -> bytes:
        """No bytes: the next match begins by itself."""
        return b""

    def idle(self) -> bytes:
        """Join where there was nothing to join, or nobody to be."""
        if not self._client.here:
            return self._client.register()
        return b"" if self._joined else self._join()

    def farewell(self, *, withdraw: bool) -> bytes:  # noqa: ARG002 - hanging up is no withdrawal here
        """No bytes: to hang up is to leave."""
        return b""

    def _join(self) -> bytes:
        return command("@TOUR:JOIN", *filter(None, [self._wish.code]))

    # -- what the server says

    def _happened(self, happening: Happening) -> Iterator[Heard]:
        match happening:
            case Registered():
                if not self._joined:
                    yield self._join()
            case TournamentOver():
                self._joined, self._ended = False, True
                yield from self._done()
            case Said(words):
                self._joined = self._joined or bool(_JOINED.fullmatch(words))
                yield f"The server says: {words}"
            case Failed(words):
                yield from self._error(words)
            case Began():
                self._joined, self._bad_moves = True, 0
                yield BEGINS
            case Stands() | Refused() | Remarked():
                yield from self._judged(happening)
            case NoState(text):
                yield f"The server sent a state of no game we know: {text}"
            case Ended(winner, ours):
                self._open_question.close()
                yield Over(DRAWN if winner is None else WON if winner == ours else LOST)
                yield from self._done()
            case _:
                pass

    def _error(self, text: str) -> Iterator[Heard]:
        match text:
            case _ if text == _IN_ONE:
                self._joined = True
            case _ if text == _FORGOTTEN and not self._client.here:
                self._joined = False
                self._client.forget()
                yield self._client.register()
            case _ if text in {_NONE_TO_JOIN, _NO_TOUR} and self._wish.code and not self._joined:
                raise Unwelcome("There is no tour with that code to be joined.")
            case _ if text == _NONE_TO_JOIN:
                if not self._patient:
                    yield "There is no tournament to join; waiting for one."
                self._patient = True
            case _ if text == _TAKEN:
                pass  # the server has not noticed yet that our old connection is gone
            case _:
                yield f"The server says: {text}"

    def _judged(self, happening: Stands | Refused | Remarked) -> Iterator[Heard]:
        """Take in a state, or what became of a move: after one that was none the state follows."""
        match happening:
            case Refused() if self._bad_moves:
                pass  # on purpose
            case Refused(words):
                yield f"The server says: {words}"
            case Stands() if self._bad_moves:
                self._bad_moves -= 1
                yield self._client.play(BAD_MOVE)
            case Stands(view, before):
                self._stands(view, before)
            case Remarked(words) if words == _PASSED_OVER:
                self._open_question.passed_over()
            case Remarked():
                pass

    def _stands(self, view: TourneyView, before: TourneyView | None) -> None:
        """The same state once more is the answer to a move that was none."""
        if view == before and self._open_question.question is None:
            self._open_question.refused()
        elif self._client.seat is not None:
            view = self._wished(view)
            self._open_question.open(game_of(view), self._client.seat, view, MILLIS)

    def _wished(self, view: TourneyView) -> TourneyView:
        """The view with the options of our wish that no state shows."""
        match view, self._wish.game:
            case NimView(), Nim(misere=misere):
                return replace(view, misere=misere)
            case GuessView(), Guess(low=low, high=high):
                return replace(view, low=low, high=high)
            case _:
                return view

    def _done(self) -> Iterator[Heard]:
        """End our part in a tour that was closed, once our last match is over."""
        if self._ended and self._client.seat is None:
            self._ended = False
            if self._wish.code:
                yield NoMoreGames("The tour is over.")
            self._patient = False
