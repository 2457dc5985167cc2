"""The house bots of a hall whose players are at an edge: they come, play, and play on."""

from pathlib import Path
from socket import gethostname

from rookery.core.events import Ended, Played, Started
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Open, Play
from tests.server.cluster import clustered, needs_broker
from tests.server.process import Client

pytestmark = needs_broker


def play_on(client: Client, table: TableId) -> None:
    """Until the game is over, of which the client may hear while it asks."""
    while not is_over(client):
        moves = client.ask(LegalMoves(table)).moves
        if moves:
            client.ask(Play(table, moves[0]))
        elif not is_over(client):
            client.news(Played)


def is_over(client: Client) -> bool:
    """Whether the client has heard of an end."""
    return any(isinstance(told.event, Ended) for told in client.told)


def test_a_bot_of_the_hall_plays_at_an_edge_and_plays_on_after_a_failover(tmp_path: Path) -> None:
    with clustered(tmp_path, edges=1, hall_flags=("--house", "on,settle=0")) as cluster:
        ann = cluster.edges[0].enter("ann")
        table = ann.done(Open("nim", house=2)).table
        assert table is not None
        ann.news(Started)
        ann.done(Play(table, ann.ask(LegalMoves(table)).moves[0]))
        ann.news(Played)
        ann.news(Played)
        cluster.fail_over()
        play_on(ann, table)
        assert is_over(ann)
        assert f"{gethostname()}/edge INFO attaching" in cluster.edges[0].complaints()
        assert "Traceback" not in cluster.complaints()
