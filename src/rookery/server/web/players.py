"""Players over HTTP: who is here, and who anybody was."""

from typing import Final

from msgspec import Struct

from rookery.core.ids import PlayerId
from rookery.core.intents import ListPlayers
from rookery.core.messages import PlayerLine, Players
from rookery.server.web.calls import PAGE, After, Asked, Call, Id, Limit, Nothing
from rookery.server.web.problems import missing


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


class PlayerShown(Struct, frozen=True):
    """A player, here or not."""

    line: PlayerLine
    connected: bool


async def list_players(asked: Asked) -> PlayerPage:
    """Who is connected."""
    wanted = asked.query(PlayersWanted)
    reply = await asked.house.desk.ask(ListPlayers(PlayerId(wanted.after)))
    assert isinstance(reply, Players), "players are told as such"
    lines = reply.players[: wanted.limit]
    more = reply.more or len(lines) < len(reply.players)
    return PlayerPage(lines, lines[-1].player if more else None)


async def show_player(asked: Asked) -> PlayerShown:
    """A player, by number."""
    number, _ = PlayerId(asked.path(PlayerAt).player), asked.query(Nothing)
    shelf = asked.house.shelf
    found = await shelf.read(lambda: shelf.player(number))
    if found is None:
        raise missing(f"There is no player {number}.")
    reply = await asked.house.desk.ask(ListPlayers(PlayerId(number - 1)))
    assert isinstance(reply, Players), "players are told as such"
    here = bool(reply.players) and reply.players[0].player == number
    return PlayerShown(found, here)


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
