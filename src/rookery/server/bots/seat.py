"""A house bot's seat at one table: what the bot last saw there, and how soon it may move.

A turn is what a bot may know when it may move. It comes from news, or, if there were none
since a restart, from asking. People who have just moved see their own move, and what it did,
before it is answered. Where several play at once, bots among themselves wait for people who
are thinking, up to `pace`: the time somebody took for their last move says nothing about how
long they think about this one. An opponent as quick as a program does not wait for a bot
because of this, and no house bot plays in a tour or in a match between programs.
"""

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import Final

from msgspec import Struct

from rookery.bots import asks_for_past
from rookery.core.errors import BROKEN
from rookery.core.events import Played, Started
from rookery.core.game import AnyView
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Seat
from rookery.core.messages import News, Scene, Shown
from rookery.games import format_variant
from rookery.server.bots.pool import SHARE
from rookery.server.config import BotPace

Ours = Callable[[PlayerId | None], bool]  # whether a player is a bot of the house

MOVES_MAX: Final = 2_000  # to choose from; nim alone can have more, and takes a while to list
QUICK: Final[Micros] = MICROS_A_SECOND // 4  # nobody moves by hand in less
AMONG_BOTS_S: Final = 1.0  # at least, for bots among themselves


class BotTurn(Struct, frozen=True):
    """A bot may move: this is what its seat knows then."""

    variant: str
    seat: Seat
    view: AnyView
    left: tuple[Micros, ...] | None
    alone: bool  # whether nobody else may move meanwhile


class Tempo(Struct, frozen=True):
    """What a bot knows of how fast others move, while it has a turn."""

    alone: bool = True  # whether nobody else may move meanwhile
    answers: Micros | None = None  # the time of the person's move it answers; None: no person's
    people: Micros | None = None  # what a person at the table last took for a move
    thinking: bool = False  # whether a person thinks who did so when this turn began


def least_s(pace: BotPace, tempo: Tempo, left: Micros | None) -> float:
    """Seconds that a bot's move takes at least, with so much left on its clock."""
    last = tempo.people if tempo.alone else tempo.answers
    wanted = pace.settle if last is not None and last >= QUICK else 0.0
    if tempo.alone:
        pass
    elif tempo.answers is not None:  # a person waits for it
        wanted = max(wanted, min(AMONG_BOTS_S, pace.beside))
    elif tempo.thinking:
        wanted = pace.beside
    else:
        wanted = min(pace.beside, max(AMONG_BOTS_S, (tempo.people or 0) / MICROS_A_SECOND))
    return wanted if left is None else min(wanted, left / MICROS_A_SECOND / SHARE)


class BotSeat:
    """A seat at one table that a bot has taken."""

    def __init__(self) -> None:
        self.turn: BotTurn | None = None  # None if it may not move
        self.moves: tuple[str, ...] | None = None  # the legal ones; None: not listed yet
        self.busy = False  # the bot thinks, or waits for the answer to its move
        self.seen = 0  # how many news have come
        self.changed = asyncio.Event()  # set by each of them, and when the game is over
        self.refusals = 0  # moves in a row that the hall refused
        self.out: set[Seat] = set()  # seats that are out of the game
        self._scene: Scene | None = None
        self._played: list[tuple[Seat, str]] | None = None  # None: it came after the start
        self._begun = 0  # how many news had come when the turn began
        self._answers: Micros | None = None  # the time of the person's move that gave the turn
        self._people: Micros | None = None  # what a person last took for a move
        self._thinking: dict[Seat, int] = {}  # people on turn, and since which news

    def take(self, news: News, player: PlayerId | None, ours: Ours) -> None:
        """Take news of the table: an event, and how the table stands now."""
        self.seen += 1
        self.changed.set()
        self._scene, self.moves = news.scene, None
        had = self.turn
        answers: Micros | None = None
        mover: Seat | None = None
        people = {
            Seat(n)
            for n, who in enumerate(news.scene.players)
            if who is not None and not ours(who) and n not in self.out
        }
        match news.happened.event:
            case Started():
                self._played = []
            case Played(seat=seat, move=move, spent=spent):
                mover = seat
                if self._played is not None:
                    self._played.append((mover, move))
                if mover in people:
                    self._people = answers = spent
            case _:
                pass
        self.turn = turn_of(news, player)
        if had is None or had.seat == mover:
            self._begun, self._answers = self.seen, answers
        on_turn = people.intersection(news.happened.to_act)
        before = {seat: n for seat, n in self._thinking.items() if seat != mover}
        self._thinking = {seat: before.get(seat, self.seen) for seat in on_turn}

    def least_s(self, pace: BotPace) -> float:
        """Seconds that the bot's move takes at least, so that people can follow."""
        turn = self.turn
        if turn is None:
            return 0.0
        thinking = any(since < self._begun for since in self._thinking.values())
        tempo = Tempo(turn.alone, self._answers, self._people, thinking)
        return least_s(pace, tempo, turn.left[turn.seat] if turn.left else None)

    def legal(self) -> tuple[str, ...]:
        """The moves that the bot may make now; listed when first asked for."""
        if self.turn is None:
            return ()
        if self.moves is None and self._scene is not None:
            self.moves = _moves(self._scene, self.turn.seat)
        return self.moves or ()

    def past(self) -> tuple[tuple[Seat, str], ...] | None:
        """All moves of the game, for bots that ask for them; None otherwise, or if not known."""
        if self._played is None or self._scene is None or not asks_for_past(self._scene.game.name):
            return None
        return tuple(self._played)

    def stop(self) -> None:
        """Forget the turn: the game is over, and there is nothing to think about."""
        self.turn = None
        self.changed.set()


def _moves(scene: Scene, seat: Seat) -> tuple[str, ...]:
    """The moves that the rules list; none if the rules fail, and then the hall ends the table."""
    try:
        moves = islice(scene.game.legal_moves(scene.state, seat), MOVES_MAX)
        return tuple(map(scene.game.format_move, moves))
    except BROKEN as wrong:
        scene.broken(wrong)
        return ()


def turn_of(news: News, player: PlayerId | None) -> BotTurn | None:
    """The turn that these news give the player; None if the player may not move."""
    seat = Seat(news.scene.players.index(player))
    if seat not in news.happened.to_act:
        return None
    view = news.scene.view(seat)
    game = news.scene.game
    happened = news.happened
    return BotTurn(format_variant(game), seat, view, happened.left, len(happened.to_act) == 1)


def turn_shown(shown: Shown) -> BotTurn | None:
    """The turn that a table shows to the bot that asked for it; None if it may not move."""
    if shown.seat is None or shown.seat not in shown.to_act or shown.view is None:
        return None
    return BotTurn(shown.line.variant, shown.seat, shown.view, shown.left, len(shown.to_act) == 1)
