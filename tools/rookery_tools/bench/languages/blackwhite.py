"""Black-white: two to a room of their own, where a game begins by itself on ten by ten."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rookery.clients.blackwhite import BlackwhiteClient, Entered, Turn
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
from rookery_tools.bench.languages.othello import column_row
from rookery_tools.bench.load.scripts import games_of

VARIANT: Final = "reversi size=10"
PLAYED: Final = b"PLAY"  # once in what each player is told of a move


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs at so many tables, one game at each."""
    with connections(port, 2 * tables) as sockets:
        rooms = []
        for n, both in enumerate(zip(sockets[::2], sockets[1::2], strict=True)):
            clients = BlackwhiteClient("ann"), BlackwhiteClient("bob")
            for connection, client in zip(both, clients, strict=True):
                connection.sendall(client.enter(f"room{n}"))
                hear_until(connection, client, lambda one: isinstance(one, Entered))
            for connection, client in zip(both, clients, strict=True):
                if client.seat is None:
                    hear_until(connection, client, lambda one: isinstance(one, Turn))
            moves = game_of(games_of(VARIANT), n)
            steps = [(seat, clients[seat].play(*column_row(text))) for seat, text in moves]
            rooms.append(BegunPairs((pair(both, told_both(steps), PLAYED),)))
        yield rooms


LANGUAGE: Final = Language("blackwhite", seat, FigureBudget(4, 3, bare=True))
