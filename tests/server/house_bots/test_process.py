"""The house bots as a process of their own: they come, play, and come back whatever dies."""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from socket import gethostname

import pytest

from rookery.core.events import Ended, Played, Started
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Open, Play
from tests.server.cluster import Cluster, clustered, get, healthz, measured, needs_broker
from tests.server.process import Client

pytestmark = needs_broker

FLAGS = ("--house", "on,elsewhere=on")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A hall whose bots are elsewhere, and an edge."""
    with clustered(tmp_path, edges=1, hall_flags=FLAGS) as made:
        yield made


def against_a_bot(client: Client) -> TableId:
    table = client.done(Open("nim", house=2)).table
    assert table is not None
    client.news(Started)
    return table


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


def test_a_bot_of_a_house_elsewhere_comes_and_plays(cluster: Cluster) -> None:
    house = cluster.start_house("--house", "on,settle=0")
    ann = cluster.edges[0].enter("ann")
    table = against_a_bot(ann)
    assert measured(house.port)["rookery_house_bots"] == 1
    assert healthz(house.port) == HTTPStatus.OK
    play_on(ann, table)
    assert is_over(ann)
    assert house.stop() == 0
    assert f"{gethostname()}/edge INFO attaching" in cluster.edges[0].complaints()
    assert "Traceback" not in cluster.complaints()


def test_bots_play_on_when_their_house_or_their_hall_was_killed(cluster: Cluster) -> None:
    house = cluster.start_house("--house", "on,settle=0")
    ann = cluster.edges[0].enter("ann")
    table = against_a_bot(ann)
    ann.done(Play(table, ann.ask(LegalMoves(table)).moves[0]))
    ann.news(Played)
    ann.news(Played)
    house.kill()
    house = cluster.start_house("--house", "on,settle=0")
    ann.done(Play(table, ann.ask(LegalMoves(table)).moves[0]))
    ann.news(Played)
    ann.news(Played)
    cluster.fail_over()
    play_on(ann, table)
    assert is_over(ann)


def test_a_house_without_a_hall_says_so(tmp_path: Path) -> None:
    with clustered(tmp_path, edges=0, hall=False) as cluster:
        house = cluster.start_house()
        assert healthz(house.port) == HTTPStatus.SERVICE_UNAVAILABLE
        assert get(house.port, "/metrics")[0] == HTTPStatus.OK
        assert house.stop() == 0
