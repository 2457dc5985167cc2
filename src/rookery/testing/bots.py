"""The laws of bots: what every level must do, in any position of the game that it plays.

A bot is given a sight, which has no state in it, so it cannot see what its seat may not
know; that it does not remember it from elsewhere is a law.
"""

from typing import Final

import msgspec

from rookery.bots.base import Level, Sight
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.testing.cases import GameCase, PositionOf, spread
from rookery.testing.law import Broken, Law

NODES: Final = 100  # that a level is given here at most: laws look at many positions


class BotCase:
    """A level of a game's bots, and games in which it is asked."""

    def __init__(self, case: GameCase, level: Level, number: int) -> None:
        self.case = case
        self.level = level
        self.number = number
        self.patience = case.patience

    def __str__(self) -> str:
        return f"level {self.number} of {self.case}"

    def sight(self, spot: PositionOf, seat: Seat) -> Sight:
        """What the bot is given here; nobody is to move without a move."""
        game = self.case.game
        moves = tuple(map(game.format_move, self.case.legal(spot.state, seat)))
        played = tuple((ply.seat, game.format_move(ply.move)) for ply in spot.plies)
        known = None if game.secret_moves else played
        return Sight(game, seat, game.view(spot.state, seat), moves, played=known)

    def answer(self, sight: Sight, seed: int, nodes: int = NODES) -> str | None:
        """What it plays when nobody calls a halt."""
        nodes = min(nodes, self.level.nodes)
        return self.level.bot.choose(sight, Chance(seed), nodes, lambda: False)

    def able(self, spot: PositionOf) -> list[Seat]:
        """Who may be asked here."""
        acting = self.case.acting(spot.state)
        return [seat for seat in acting if self.case.legal(spot.state, seat)]


def a_bot_plays_a_legal_move(bot: BotCase, spot: PositionOf) -> None:
    """Or waits, where others are to act as well."""
    for seat in bot.able(spot):
        sight = bot.sight(spot, seat)
        move = bot.answer(sight, 1)
        if move is None and len(bot.case.acting(spot.state)) == 1:
            raise Broken("a move, for nobody else is to act", "None, which is to wait")
        if move is not None and move not in sight.moves:
            raise Broken(f"one of {sight.moves}", repr(move))


def a_bot_plays_the_same_by_the_same_seed(bot: BotCase, spot: PositionOf) -> None:
    """Whatever it was asked in between."""
    for seat in bot.able(spot)[:1]:
        sight = bot.sight(spot, seat)
        first = bot.answer(sight, 7)
        bot.answer(sight, 8)
        again = bot.answer(sight, 7)
        if again != first:
            raise Broken(f"{first!r} again by the same seed", repr(again))


def a_bot_answers_when_it_is_told_to(bot: BotCase, spot: PositionOf) -> None:
    """With all its nodes, and a halt from the beginning."""
    for seat in bot.able(spot)[:1]:
        sight = bot.sight(spot, seat)
        move = bot.level.bot.choose(sight, Chance(1), bot.level.nodes, lambda: True)
        if move is not None and move not in sight.moves:
            raise Broken(f"one of {sight.moves}", repr(move))


def a_bot_changes_nothing_that_it_is_given(bot: BotCase, spot: PositionOf) -> None:
    """Its sight is the same afterwards."""
    for seat in bot.able(spot)[:1]:
        sight = bot.sight(spot, seat)
        before = msgspec.json.encode(sight.view), repr(sight)
        bot.answer(sight, 3)
        if (msgspec.json.encode(sight.view), repr(sight)) != before:
            raise Broken("the same sight as before", repr(sight))


def _spots(bot: BotCase) -> list[PositionOf]:
    return list(spread(bot.case.running, max(4, bot.case.effort.positions // 8)))


def _few(bot: BotCase) -> list[PositionOf]:
    return list(spread(bot.case.running, max(3, bot.case.effort.positions // 20)))


BOT_LAWS: Final[tuple[Law[BotCase], ...]] = (
    Law("A bot plays a legal move.", _spots, a_bot_plays_a_legal_move),
    Law("A bot plays the same by the same seed.", _few, a_bot_plays_the_same_by_the_same_seed),
    Law("A bot answers when it is told to.", _few, a_bot_answers_when_it_is_told_to),
    Law("A bot changes nothing that it is given.", _few, a_bot_changes_nothing_that_it_is_given),
)
