"""Fish for two, on ice with two fish on every tile, so that nothing is left to chance."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rookery.clients.fish import FishClient, RequestPlacement, SendGameState
from rookery.games.fish import Fish
from rookery_tools.bench.figures import FigureBudget
from rookery_tools.bench.languages.language import (
    BegunPairs,
    Language,
    connections,
    game_of,
    hear_until,
    pair,
    told_both,
)
from rookery_tools.bench.load.scripts import games_of

VARIANT: Final = "fish rows=8 cols=5 fish=2"
OPTIONS: Final = 'players = 2\nrows = 8\ncols = 5\nfish = 2\ntime = "1h"\n'
STATE: Final = b'"SendGameState"'  # once in what is told of a move
GAME: Final = Fish(8, 5, 2, 0)


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs at so many tables, one game at each; the younger player goes first."""
    with connections(port, 2 * tables) as sockets:
        rooms = []
        for n, both in enumerate(zip(sockets[::2], sockets[1::2], strict=True)):
            clients = FishClient(f"ann{n}", 8), FishClient(f"bob{n}", 9)
            for connection, client in zip(both, clients, strict=True):
                connection.sendall(client.join())
            hear_until(both[1], clients[1], lambda one: isinstance(one, SendGameState))
            hear_until(both[0], clients[0], lambda one: isinstance(one, RequestPlacement))
            moves = game_of(games_of(VARIANT), n)
            steps = [(seat, clients[seat].answer(GAME.parse_move(text))) for seat, text in moves]
            rooms.append(BegunPairs((pair(both, told_both(steps), STATE),)))
        yield rooms


LANGUAGE: Final = Language("fish", seat, FigureBudget(4, 3, bare=True), OPTIONS)
