"""Othello in text frames: who signs on first is black, the next white, and a game begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rookery.clients.othello import Coloured, OthelloClient, Stands
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
from rookery_tools.bench.load.scripts import REVERSI, games_of

BOARD: Final = b"\n"  # a move is told with a board, and nothing else


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs at so many tables, one game at each."""
    with connections(port, 2 * tables) as sockets:
        rooms = []
        for n, both in enumerate(zip(sockets[::2], sockets[1::2], strict=True)):
            clients = OthelloClient(), OthelloClient()
            for connection, client in zip(both, clients, strict=True):
                connection.sendall(client.sign_on())
                hear_until(connection, client, lambda one: isinstance(one, Coloured))
            for connection, client in zip(both, clients, strict=True):
                if client.turn is None:
                    hear_until(connection, client, lambda one: isinstance(one, Stands))
            moves = game_of(games_of(REVERSI), n)
            steps = [(seat, clients[seat].play(*column_row(text))) for seat, text in moves]
            rooms.append(BegunPairs((pair(both, told_both(steps), BOARD),)))
        yield rooms


def column_row(text: str) -> tuple[int, int]:
    """A square like d3, from 0."""
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


LANGUAGE: Final = Language("othello", seat, FigureBudget(4, 3, bare=True))
