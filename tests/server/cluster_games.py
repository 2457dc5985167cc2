"""A game between two edges of a cluster, for tests in which its parts go away."""

from rookery.core.events import Played, Started
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Open, Play, Sit
from tests.server.cluster import Cluster
from tests.server.process import Client


def game(cluster: Cluster, time: str = "none") -> tuple[Client, Client, TableId]:
    """A game of nim between a client at each edge."""
    ann, bob = (edge.enter(name) for edge, name in zip(cluster.edges, ("ann", "bob"), strict=True))
    table = ann.done(Open("nim", time=time)).table
    assert table is not None
    bob.done(Sit(table))
    for client in (ann, bob):
        client.news(Started)
    return ann, bob, table


def move(client: Client, table: TableId) -> str:
    """Play the first legal move."""
    move = client.ask(LegalMoves(table)).moves[0]
    client.done(Play(table, move))
    return move


def seat_of(client: Client) -> int:
    """Who made the next move that this one hears of."""
    event = client.news(Played).event
    assert isinstance(event, Played)
    return event.seat
