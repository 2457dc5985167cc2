"""Several halls on one cluster: at an edge a port, a path or a name of the host chooses one."""

import json
from collections.abc import Iterator
from http import HTTPStatus
from socket import create_connection

import msgspec
import pytest
from websockets.sync.client import connect

from rookery.core.intents import Open
from rookery.dialects.native import Hello
from tests.ports import spare_port
from tests.server.cluster import Cluster, clustered, get, get_whole, needs_broker
from tests.server.process import Client

pytestmark = needs_broker

NAME = "class.example.org"
CLUB = "club.example.org"
FILE = """
data = ":memory:"
[edges]
port = 0
[edges.halls.class]
port = {port}
names = ["{name}"]
[edges.halls.club]
names = ["{club}"]
"""


@pytest.fixture(scope="module")
def port() -> int:
    """The port at the edge that leads to the second hall."""
    return spare_port()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, port: int) -> Iterator[Cluster]:
    """Halls `main`, `class` and `club`, and an edge of all; they have one settings file."""
    folder = tmp_path_factory.mktemp("halls")
    file = folder / "rookery.toml"
    file.write_text(FILE.format(port=port, name=NAME, club=CLUB))
    with clustered(
        folder, "--config", str(file), edges=1, hall=False, hall_flags=["--data", ":memory:"]
    ) as cluster:
        for name in ("main", "class", "club"):
            cluster.start_another(name, "--config", str(file))
            cluster.found(cluster.edges[0], name, 1)
        yield cluster


def tables(two: Cluster, path: str = "/api/tables", host: str = "", port: int = 0) -> str:
    status, said = get(port or two.edges[0].port, path, host)
    assert status == HTTPStatus.OK, said
    return said


def test_what_is_in_one_hall_is_unknown_in_the_other(two: Cluster, port: int) -> None:
    ann, bob = two.edges[0].enter("ann"), Client(port).enter("bob")
    assert ann.player == bob.player
    assert ann.token != bob.token
    assert bob.ask(Hello(1, player=ann.player, token=ann.token)).type == "refused"
    bob.done(Open("tictactoe"))
    ann.done(Open("nim"))
    elsewhere = [tables(two, port=port), tables(two, "/h/class/api/tables"), tables(two, host=NAME)]
    for said in elsewhere:
        assert "tictactoe" in said
        assert "nim" not in said
    for said in (tables(two), tables(two, "/h/main/api/tables", NAME)):
        assert "nim" in said
        assert "tictactoe" not in said
    bob.close()


@pytest.mark.parametrize("host", ["", NAME])
def test_a_web_socket_is_in_the_hall_of_its_path_or_host(two: Cluster, host: str) -> None:
    path = "/ws/native" if host else "/h/class/ws/native"
    line = create_connection(("127.0.0.1", two.edges[0].port))
    hello = msgspec.json.encode(Hello(1, name="eve")).decode()
    with connect(f"ws://{host or 'localhost'}{path}", sock=line) as page:
        page.send(hello)
        assert '"hello"' in str(page.recv())
        assert '"eve"' not in tables(two, "/api/players")
        assert '"eve"' in tables(two, "/h/class/api/players")


def test_who_asks_where_to_call_is_told_of_the_edge_and_not_of_the_hall(
    two: Cluster, port: int
) -> None:
    front = two.edges[0].port
    for asked, host, called in ((front, "", front), (port, "", port), (front, NAME, port)):
        said = json.loads(tables(two, "/api/server", host, asked))
        assert {place["port"] for place in said["listens"]} == {called}
        assert {place["dialect"] for place in said["listens"]} == {"any"}


def test_a_hall_without_a_port_is_had_by_its_name_and_not_over_a_raw_line(two: Cluster) -> None:
    front = two.edges[0].port
    said = json.loads(tables(two, "/api/server", CLUB))
    assert said["listens"] == []  # who calls a port of the edge is in another hall
    assert said["reach"] == [f"http://{CLUB}:{front}"]
    assert json.loads(tables(two, "/h/club/api/server")) == said


def test_a_page_by_a_path_is_had_by_the_name_of_its_own(two: Cluster) -> None:
    status, _, headers = get_whole(two.edges[0].port, "/h/class/tables/1")
    assert status == HTTPStatus.TEMPORARY_REDIRECT
    assert headers["location"] == f"http://{NAME}:{two.edges[0].port}/tables/1"


@pytest.mark.parametrize("path", ["/h/nobody/api/tables", "/h/nobody/", "/h/nobody/healthz"])
def test_a_hall_that_is_not_here_is_not_found(two: Cluster, path: str) -> None:
    assert get(two.edges[0].port, path)[0] == HTTPStatus.NOT_FOUND
