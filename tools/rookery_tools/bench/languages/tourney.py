"""Tourney: nim, stick by stick, in tournaments of two that have begun before anyone joins.

A match begins as soon as the second joins, and says how many sticks lie there; from then on
everything is known. When it is over the other match of the two begins, and nobody plays it.
"""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rookery.clients.tourney import Owned, Registered, Said, Stands, TourneyClient, command
from rookery.games.nim import NimView
from rookery_tools.bench.figures import FigureBudget
from rookery_tools.bench.languages.language import (
    BegunPairs,
    Language,
    connections,
    hear_until,
    pair,
    told_both,
)
from rookery_tools.bench.load.load import Pair
from rookery_tools.bench.load.processes import CannotMeasure

MOVES: Final = 100  # of a match; there are some hundreds of sticks
STATE: Final = b"@GAME:STATE:"  # once in what is told of a move, and of a match that begins


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs in so many tournaments of one match, each with a third player as owner."""
    with connections(port, 3 * tables) as sockets:
        yield [BegunPairs((_begin(sockets[3 * n : 3 * n + 3]),)) for n in range(tables)]


def _begin(three: Sequence[socket.socket]) -> Pair:
    owner, *both = three
    mine = TourneyClient("Owner")
    owner.sendall(mine.begin())
    hear_until(owner, mine, lambda one: isinstance(one, Registered))
    owner.sendall(command("@TOUR:CREATE:NIM"))
    tour = ""

    def owns(one: object) -> bool:
        nonlocal tour
        tour = one.tournament if isinstance(one, Owned) else tour
        return bool(tour)

    hear_until(owner, mine, owns)
    owner.sendall(command("@TOUR:START"))
    clients = [TourneyClient(name) for name in ("Ann", "Bob")]
    for connection, client in zip(both, clients, strict=True):
        connection.sendall(client.begin() + command("@TOUR:JOIN", tour))
        hear_until(connection, client, lambda one: isinstance(one, Said))
    for connection, client in zip(both, clients, strict=True):
        if client.view is None:
            hear_until(connection, client, lambda one: isinstance(one, Stands))
    view = clients[0].view
    if not isinstance(view, NimView):
        raise CannotMeasure("The server let nobody play nim.")
    texts = [f"{row},1" for row, sticks in enumerate(view.rows) for _ in range(sticks)]
    del texts[MOVES:]
    home = 0 if clients[0].seat == 0 else 1
    steps = [((n + home) % 2, command("@GAME:MOVE", text)) for n, text in enumerate(texts)]
    return pair(both, told_both(steps), STATE)


LANGUAGE: Final = Language("tourney", seat, FigureBudget(4, 3, bare=True), share=0.6)
