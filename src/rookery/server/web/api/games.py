"""The games there are over HTTP: as the hall tells them, and what a page must know besides.

Whether players may agree on a draw, and whether they are partners, is the games' own to
say; nothing here knows one game from another.
"""

from typing import Final

from msgspec import Struct

from rookery.core.intents import ListGames
from rookery.core.messages import GameLine, Games
from rookery.core.text.options import Option
from rookery.games import find_game
from rookery.server.web.api.calls import Asked, Call, Nothing


class ListedGame(Struct, frozen=True):
    """A game, and what its players may do."""

    name: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    about: str
    draws: bool  # whether they may agree on a draw
    teams: bool  # whether some of them are partners


class GameList(Struct, frozen=True, tag="games"):
    """The games there are."""

    games: tuple[ListedGame, ...]


async def list_games(asked: Asked) -> GameList:
    """The games there are."""
    asked.query(Nothing)
    reply = await asked.sources.desk.ask(ListGames())
    assert isinstance(reply, Games), "games are told as such"
    return GameList(tuple(_listed(line) for line in reply.games))


def _listed(line: GameLine) -> ListedGame:
    game = find_game(line.name)()
    teams = any(len(set(game.teams(seats))) < seats for seats in line.seats)
    return ListedGame(line.name, line.seats, line.options, line.about, game.can_draw, teams)


CALLS: Final = (
    Call("GET", "/api/games", "The games there are", "tables", list_games, GameList, query=Nothing),
)
