"""The course's fish for two: a tournament of one game for every pair that signs up."""

import select
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rookery.clients.fishcom import Called, FishcomClient
from rookery.games.fish import Fish
from rookery_tools.bench.figures import FigureBudget
from rookery_tools.bench.languages.language import (
    BegunPairs,
    Language,
    connections,
    game_of,
    pair,
    told_next,
)
from rookery_tools.bench.load.load import PATIENCE
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.load.scripts import games_of

VARIANT: Final = "fish rows=8 cols=5 fish=2"
# A call waits for its answer until all others are seated, too.
OPTIONS: Final = (
    "least = 2\nmost = 2\nrows = 8\ncols = 5\nfish = 2\n"
    "answer = 600000\nfirst_byte = 600000\nfirst_turn = 600000\nfirst_byte_of_first_turn = 600000\n"
    'time = "1h"\n'
)
BEFORE: Final = 3  # calls to each before a game: start, playing-as, playing-with
CALLED: Final = b'"board"'  # once in what wants an answer
GAME: Final = Fish(8, 5, 2, 0)


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs at so many tables, one game at each."""
    with connections(port, 2 * tables) as sockets:
        rooms = []
        for n, both in enumerate(zip(sockets[::2], sockets[1::2], strict=True)):
            clients = FishcomClient(), FishcomClient()
            for connection, client, name in zip(both, clients, ("ann", "bob"), strict=True):
                connection.sendall(client.sign_up(name))
            _answer_all(both, clients)
            moves = game_of(games_of(VARIANT), n)
            steps = [(seat, clients[seat].answer(GAME.parse_move(text))) for seat, text in moves]
            rooms.append(BegunPairs((pair(both, told_next(steps), CALLED),)))
        yield rooms


def _answer_all(both: Sequence[socket.socket], clients: Sequence[FishcomClient]) -> None:
    """Answer calls that need no thought, until the first player is called to move."""
    called, answers = False, 0
    while not called or answers < BEFORE:
        readable, _, _ = select.select(both, [], [], PATIENCE)
        if not readable:
            raise CannotMeasure("The server fell silent before the games began.")
        for n, connection in enumerate(both):
            if connection not in readable:
                continue
            for one in clients[n].hear(connection.recv(1 << 16)):
                if isinstance(one, bytes):
                    connection.sendall(one)
                    answers += n
                called = called or isinstance(one, Called)


LANGUAGE: Final = Language("fishcom", seat, FigureBudget(4, 3, bare=True), OPTIONS, share=0.0)
