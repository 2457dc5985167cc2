"""Players over HTTP: who is here, and who anybody was.

The hall knows everyone, safe in the log or not. It is looked at first and asked after:
whatever it knew has been written by the time it answers.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import PlayerId
from rookery.core.intents import ListPlayers
from rookery.core.messages import PlayerLine, Players
from rookery.hall.lobby.casual_ratings import CasualRating, CasualTrail
from rookery.hall.scoring.ratings import shown, shown_spread
from rookery.hall.tours.rating_book import RatedBy
from rookery.server.web.api.calls import PAGE, After, Asked, Call, Id, Limit, Nothing
from rookery.server.web.api.problems import missing


class PlayerAt(Struct, frozen=True):
    """A player's number in a path."""

    player: Id


class PlayersWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which players to list."""

    after: After = 0
    limit: Limit = PAGE


class PlayerPage(Struct, frozen=True):
    """Some of those who are connected; `next` asks for more, where there are."""

    players: tuple[PlayerLine, ...]
    next: PlayerId | None = None


class GameRating(Struct, frozen=True):
    """How strong a player is in one game, and how sure that is."""

    game: str
    rating: float
    uncertainty: float
    games: int  # rated so far


class PlayerShown(Struct, frozen=True):
    """A player, here or not."""

    line: PlayerLine
    connected: bool
    ratings: tuple[GameRating, ...] = ()  # from tours
    casual: tuple[GameRating, ...] = ()  # from games that are of no tour


class KnownPlayer(Struct, frozen=True):
    """What the hall knows of a player."""

    line: PlayerLine
    connected: bool
    ratings: dict[str, tuple[RatedBy, ...]]  # by game
    casual: dict[str, CasualRating]  # likewise, from games that are of no tour
    trails: dict[str, CasualTrail]  # and where their past is found


async def list_players(asked: Asked) -> PlayerPage:
    """Who is connected."""
    wanted = asked.query(PlayersWanted)
    reply = await asked.sources.desk.ask(ListPlayers(PlayerId(wanted.after)))
    assert isinstance(reply, Players), "players are told as such"
    lines = reply.players[: wanted.limit]
    more = reply.more or len(lines) < len(reply.players)
    return PlayerPage(lines, lines[-1].player if more else None)


async def show_player(asked: Asked) -> PlayerShown:
    """A player, by number."""
    number, _ = PlayerId(asked.path(PlayerAt).player), asked.query(Nothing)
    found = await look_up(asked, number)
    ratings = tuple(_now(game, past[-1]) for game, past in sorted(found.ratings.items()))
    casual = tuple(_casual(game, one) for game, one in sorted(found.casual.items()))
    return PlayerShown(found.line, found.connected, ratings, casual)


def _now(game: str, last: RatedBy) -> GameRating:
    return GameRating(game, last.rating, last.uncertainty, last.games)


def _casual(game: str, one: CasualRating) -> GameRating:
    return GameRating(game, shown(one.rating), shown_spread(one.rating), one.games)


async def look_up(asked: Asked, player: PlayerId) -> KnownPlayer:
    """Who this is. Raises Trouble where there is nobody."""
    hall = asked.sources.hall
    line = hall.player(player)
    if line is None:
        raise missing(f"There is no player {player}.")
    ratings, casual, trails = (
        hall.ratings_of(player),
        hall.casual.of(player),
        hall.casual.trails(player),
    )
    reply = await asked.sources.desk.ask(ListPlayers(PlayerId(player - 1)))
    assert isinstance(reply, Players), "players are told as such"
    here = bool(reply.players) and reply.players[0].player == player
    return KnownPlayer(line, here, ratings, casual, trails)


CALLS: Final = (
    Call(
        "GET",
        "/api/players",
        "Who is connected",
        "players",
        list_players,
        PlayerPage,
        query=PlayersWanted,
    ),
    Call(
        "GET",
        "/api/players/{player}",
        "A player, connected or not",
        "players",
        show_player,
        PlayerShown,
        at=PlayerAt,
        query=Nothing,
    ),
)
