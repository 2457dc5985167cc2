"""The registry of bots: who plays which game at which level, from 1 to 5.

A new strategy is a file beside this one; a game's five levels are the `LEVELS` of its own,
or those of `any_game`.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Final, Literal

from rookery.bots import any_game, bughouse, fish, guess, nim, reversi, tictactoe
from rookery.bots.any_game.tree import TreeAnalyst
from rookery.bots.asking import Thought
from rookery.bots.base import Halt, Level, Sight
from rookery.bots.bughouse.analyst import BughouseAnalyst
from rookery.bots.nim import NimAnalyst
from rookery.bots.reversi.analyst import ReversiAnalyst
from rookery.bots.studying import Analyst, Studied, Study
from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.origin import HOUSE, Origin, clashes
from rookery.games import find_game, parse_variant

_levels: Final[dict[str, tuple[Level, ...]]] = {
    "bughouse": bughouse.LEVELS,
    "fish": fish.LEVELS,
    "guess": guess.LEVELS,
    "nim": nim.LEVELS,
    "reversi": reversi.LEVELS,
    "tictactoe": tictactoe.LEVELS,
}

LEVELS: Final[Mapping[str, tuple[Level, ...]]] = _levels

BEST: Final = 5

# Who studies positions of a game; those of others are tried out by the rules alone.
ANALYSTS: Final[Mapping[str, Analyst]] = {
    "bughouse": BughouseAnalyst(),
    "nim": NimAnalyst(),
    "reversi": ReversiAnalyst(),
}
ANY_ANALYST: Final[Analyst] = TreeAnalyst(nodes=60_000)
STUDIED_MOVES: Final = 500  # that are looked at; only nim has more, and needs none of them

Thinking = Literal["own", "search", "random"]

_origins: Final[dict[str, Origin]] = {}  # of those that did not come with the house


def register(game: str, levels: tuple[Level, ...], origin: Origin) -> None:
    """Have these play this game from now on. Raises BadPlugin where others do."""
    if game in LEVELS:
        raise clashes("bot for", game, _origins.get(game, HOUSE))
    _levels[game] = levels
    _origins[game] = origin


def level_of(game: str, level: int) -> Level:
    """This level of a game, by the game's name. Raises BadOption."""
    find_game(game)
    if not 1 <= level <= BEST:
        raise BadOption(f"A level is a whole number from 1 to {BEST}, not {level}.")
    return LEVELS.get(game, any_game.LEVELS)[level - 1]


def asks_for_past(game: str) -> bool:
    """Whether the bots of this game want to know what was played: those of any game may need it."""
    return game not in LEVELS


def thinking_of(game: str) -> Thinking:
    """How the levels above the first play it: by bots of its `own`, by `search`, or at `random`."""
    if game in LEVELS:
        return "own"
    return "search" if any_game.looks_ahead(find_game(game)()) else "random"


def think(thought: Thought, halt: Halt) -> str | None:
    """The move that this level would make; None to wait for now."""
    game = parse_variant(thought.variant)
    level = level_of(game.name, thought.level)
    sight = Sight(game, thought.seat, thought.view, thought.moves, thought.left, thought.played)
    return level.bot.choose(sight, Chance(thought.seed), level.nodes, halt)


def study(wanted: Study, halt: Halt, last: Halt | None = None) -> Studied:
    """How a position stands for the seat to move. Raises Mistake where there is none such.

    `last` is called later than `halt`: until then, what can be proved may be.
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
    return ANALYSTS.get(game.name, ANY_ANALYST).study(sight, state, halt, last or halt)
