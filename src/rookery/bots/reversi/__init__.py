"""Reversi on any board, from a beginner to a search that reads the last moves to the end."""

from typing import Final

from rookery.bots.base import Level
from rookery.bots.reversi.alphabeta import AlphaBetaBot
from rookery.bots.reversi.analyst import ReversiAnalyst
from rookery.bots.reversi.simple import GreedyBot, PositionalBot, RandomBot

LEVELS: Final[tuple[Level, ...]] = (
    Level(RandomBot(), 1),
    Level(GreedyBot(), 1),
    Level(PositionalBot(), 1),
    Level(AlphaBetaBot(exact_from=8), 2_000),
    Level(AlphaBetaBot(exact_from=14), 120_000),
)
ANALYST: Final = ReversiAnalyst()
