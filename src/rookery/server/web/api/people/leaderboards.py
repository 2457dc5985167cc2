"""Leaderboards over HTTP: who is best at a game, by games that are of no tour."""

from heapq import nlargest
from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.errors import BadOption
from rookery.core.intents import ListGames
from rookery.games import find_game
from rookery.hall.lobby.casual_ratings import BoardRow
from rookery.server.web import limits
from rookery.server.web.api.calls import Asked, Call
from rookery.server.web.api.problems import missing
from rookery.server.web.api.tours.looking import GameAt

Rows = Annotated[int, Meta(ge=1, le=limits.PAGE_MAX, description="lines at most")]


class RowsWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a leaderboard."""

    limit: Rows = 50


class Leaderboard(Struct, frozen=True):
    """The best of a game, the best first; `players` is how many have played enough to be listed."""

    game: str
    players: int
    rows: tuple[BoardRow, ...]


async def leaderboard(asked: Asked) -> Leaderboard:
    """Who is best at a game."""
    wanted, game = asked.query(RowsWanted), asked.path(GameAt).game
    try:
        find_game(game)
    except BadOption as wrong:
        raise missing(str(wrong)) from None
    hall = asked.sources.hall
    board = hall.casual.board(game)
    # What the hall knows may not be safe yet; its answer comes when it is.
    await asked.sources.desk.ask(ListGames())
    best = await asked.read(lambda: nlargest(wanted.limit, board, key=lambda one: one.mu))
    return Leaderboard(game, len(board), hall.casual.rows(best))


CALLS: Final = (
    Call(
        "GET",
        "/api/leaderboards/{game}",
        "Who is best at a game, by games that are of no tour",
        "players",
        leaderboard,
        Leaderboard,
        at=GameAt,
        query=RowsWanted,
    ),
)
