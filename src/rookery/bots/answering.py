"""Answers what a worker is asked: a bot's move, or how a position stands.

Processes that only ask workers import `asking`, and so none of the bots.
"""

from itertools import islice
from typing import Final

from rookery.bots import LEVELS, analyst_of, level_of
from rookery.bots.any_game.tree import TreeAnalyst
from rookery.bots.asking import Thought
from rookery.bots.base import Halt, Sight
from rookery.bots.studying import Analyst, Studied, Study
from rookery.core.chance import Chance
from rookery.games import parse_variant

READY: Final = tuple(LEVELS.values())  # imported now, and not in the middle of a thought

# Who tries positions out by the rules alone, of games that nobody else studies.
ANY_ANALYST: Final[Analyst] = TreeAnalyst(nodes=60_000)
STUDIED_MOVES: Final = 500  # that are looked at; only nim has more, and needs none of them


def think(thought: Thought, halt: Halt) -> str | None:
    """The move that this level would make; None to wait for now."""
    game = parse_variant(thought.variant)
    level = level_of(game.name, thought.level)
    sight = Sight(game, thought.seat, thought.view, thought.moves, thought.left, thought.played)
    return level.bot.choose(sight, Chance(thought.seed), level.nodes, halt)


def study(wanted: Study, halt: Halt, last: Halt | None = None) -> Studied:
    """Study how a position stands for the seat to move. Raises Mistake where there is none such.

    `halt` ends the search; `last`, which comes later, ends the attempt to prove its result.
    """
    game = parse_variant(wanted.variant)
    state = game.start(wanted.seats, Chance(wanted.seed))
    for one in wanted.done:
        if one.why is None:
            state = game.play(state, one.seat, game.parse_move(one.move)).state
        else:
            state = game.forfeit(state, one.seat, one.why).state
    moves = islice(game.legal_moves(state, wanted.seat), STUDIED_MOVES)
    sight = Sight(
        game, wanted.seat, game.view(state, wanted.seat), tuple(map(game.format_move, moves))
    )
    analyst = analyst_of(game.name) or ANY_ANALYST
    return analyst.study(sight, state, halt, last or halt)
