"""A hall and its edges, as processes of their own: clients play across edges, and parts die."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest
from websockets.sync.client import connect

from rookery.core.events import Played, Sat, Started
from rookery.core.intents import LegalMoves, Open, Play, Say, Sit, Watch
from rookery.dialects.native import Hello
from rookery.server.datadir import LOG_FILE
from tests.server.cluster import Cluster, await_hall, clustered, get, healthz, needs_broker
from tests.server.cluster_games import game, move, seat_of
from tests.server.process import PATIENCE, Client, Server, environment
from tests.warm import Warm

pytestmark = needs_broker


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A hall and two edges."""
    with clustered(tmp_path) as made:
        yield made


def test_a_move_at_one_edge_is_news_at_the_other(cluster: Cluster) -> None:
    ann, bob, table = game(cluster)
    move(ann, table)
    assert bob.news(Played).table == table
    move(bob, table)
    assert ann.news(Played).table == table


def test_a_hall_that_is_killed_and_comes_back_finds_every_connection(cluster: Cluster) -> None:
    ann, bob, table = game(cluster)
    eve = cluster.edges[0].call()
    eve.ask(Watch(table))
    move(ann, table)
    for client in (ann, bob, eve):
        client.news(Played)
    cluster.fail_over()
    move(bob, table)
    for client in (ann, bob, eve):
        assert seat_of(client) == 1
    move(ann, table)
    assert seat_of(bob) == 0


def test_a_hall_that_goes_in_good_order_loses_no_question(cluster: Cluster) -> None:
    ann, bob, table = game(cluster)
    assert cluster.hall is not None
    assert cluster.hall.stop() == 0
    ann.say(LegalMoves(table))
    cluster.start_hall()
    moves = ann.answer().moves
    ann.done(Play(table, moves[0]))
    assert bob.news(Played).table == table


def test_seats_of_a_game_not_begun_are_kept(cluster: Cluster) -> None:
    ann = cluster.edges[0].enter("ann")
    table = ann.done(Open("nim")).table
    assert table is not None
    ann.news(Sat)
    cluster.fail_over()
    bob = cluster.edges[1].enter("bob")
    bob.done(Sit(table))
    ann.news(Started)
    move(ann, table)


def test_who_was_at_an_edge_that_died_comes_back_at_another(cluster: Cluster) -> None:
    ann, bob, table = game(cluster)
    move(ann, table)
    bob.news(Played)
    cluster.edges[1].kill()
    again = cluster.edges[0].call().back(bob)
    move(again, table)
    assert ann.news(Played).event is not None


def test_a_broker_that_is_killed_and_comes_back_loses_nothing(cluster: Cluster) -> None:
    ann, bob, table = game(cluster)
    move(ann, table)
    cluster.broker.kill()
    bob.say(LegalMoves(table))
    cluster.broker.again()
    moves = bob.answer().moves
    bob.done(Play(table, moves[0]))
    assert ann.news(Played).event is not None


def test_without_a_broker_a_hall_and_edges_stop_in_good_order(cluster: Cluster) -> None:
    cluster.broker.kill()
    assert cluster.hall is not None
    assert [one.stop() for one in (cluster.hall, *cluster.edges)] == [0, 0, 0]
    assert "Traceback" not in cluster.complaints()


def test_an_edge_that_can_write_nothing_down_carries_on(cluster: Cluster) -> None:
    words = ["edge", "--nats", cluster.broker.url, "--port", "0", "--log-level", "debug"]
    with Path("/dev/full").open("wb") as full:
        edge = Warm(*words, stderr=full.fileno(), env=environment())
    try:
        assert edge.stdout is not None
        port = int(edge.stdout.readline().rpartition(b":")[2])
        client = Client(port).enter("eve")  # who waits for a hall
        client.done(Open("nim"))
        cluster.broker.kill()
        cluster.broker.again()
        client.done(Open("nim"))
        client.close()
    finally:
        edge.terminate()
        edge.wait(PATIENCE)
        assert edge.stdout is not None
        edge.stdout.close()


def test_without_a_hall_an_edge_says_that_the_server_is_coming_back(tmp_path: Path) -> None:
    with clustered(tmp_path, edges=1, hall=False) as cluster:
        (edge,) = cluster.edges
        assert healthz(edge.port) == HTTPStatus.SERVICE_UNAVAILABLE
        client = edge.call()
        client.say(Hello(1, name="ann"))  # it waits for a hall
        assert client.notice().code == "no_hall"
        late = edge.call()
        late.say(Hello(1, name="bob"))
        assert late.notice().code == "no_hall"
        cluster.start_hall()
        assert client.answer().type == "hello"
        assert healthz(edge.port) == HTTPStatus.OK
        client.done(Open("nim"))


NUMBERED = {  # who comes and is told its number, who asks for it, and what is answered
    "tourney": (b"@NEW PLAYER\n@NAME:Ann\n", b"@GET NAME:1\n", "@NAME:Ann:1"),
    "bughouse": (b"ADD_PLAYER:Ann\n", b"GET_NAME:1\n", "Ann"),
}


@pytest.mark.parametrize("dialect", NUMBERED)
def test_an_edge_without_a_hall_does_not_guess_what_a_number_means(
    cluster: Cluster, dialect: str
) -> None:
    comes, asks, answer = NUMBERED[dialect]
    with called(cluster.edges[0], comes + asks) as ann:
        assert answer in ann
        cluster.kill_hall()
        edge = cluster.start_edge()
        with called(edge, asks) as heard:
            cluster.start_hall()
            assert next(line for line in heard if "server is" not in line) == answer


def test_who_waits_for_a_hall_to_hear_what_a_number_means_is_answered_its_pings(
    tmp_path: Path,
) -> None:
    with clustered(tmp_path, edges=1, hall=False) as cluster:
        (edge,) = cluster.edges
        with called(edge, b"@GET NAME:1\n@PING\n") as heard:
            assert next(line for line in heard if "server is" not in line) == "@PONG"
            cluster.start_hall()
            said = next(line for line in heard if "server is" not in line)
            assert said == "@ERROR:ID was not recognized."


@contextmanager
def called(server: Server, said: bytes) -> Iterator[Iterator[str]]:
    """Call, say this, and hear every line."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        line.sendall(said)
        with line.makefile(encoding="utf-8") as lines:
            yield (one.strip() for one in lines)


def page(port: int, path: str) -> str:
    """What is answered, which is well."""
    status, said = get(port, path)
    assert status == HTTPStatus.OK, said
    return said


def test_what_http_asks_of_an_edge_is_answered_by_the_hall(cluster: Cluster) -> None:
    _, _, table = game(cluster)
    for port in (edge.port for edge in cluster.edges):
        assert f'"table":{table}' in page(port, "/api/tables").replace('"id"', '"table"')
        assert 'rookery_edge_has_hall{hall="main"} 1' in page(port, "/metrics")
        assert "<html" in page(port, "/")


def test_who_asks_where_to_call_is_told_of_the_edge_and_not_of_the_hall(cluster: Cluster) -> None:
    for port in (edge.port for edge in cluster.edges):
        listens = json.loads(page(port, "/api/server"))["listens"]
        assert [(place["port"], place["dialect"]) for place in listens] == [(port, "any")]


def test_halls_of_two_names_share_a_broker_and_nothing_else(cluster: Cluster) -> None:
    hall = cluster.start_another("class")
    edge = cluster.start_edge("--hall", "class")
    await_hall(edge, hall)
    ann, bob = cluster.edges[0].enter("ann"), edge.enter("bob")
    assert ann.player == bob.player
    assert bob.ask(Hello(1, player=ann.player, token=ann.token)).type == "refused"
    ann.done(Open("nim"))
    bob.done(Open("tictactoe"))
    for port in (hall.port, edge.port):
        assert "tictactoe" in (said := page(port, "/api/tables"))
        assert "nim" not in said
    assert (cluster.folder / "data" / "class" / LOG_FILE).exists()


def test_who_asked_a_hall_that_hangs_is_told_so_and_whether_it_is_in_doubt(
    cluster: Cluster,
) -> None:
    assert cluster.hall is not None
    os.kill(cluster.hall.process.pid, signal.SIGSTOP)
    lines = [HTTPConnection("127.0.0.1", edge.port, timeout=PATIENCE) for edge in cluster.edges]
    for line, method in zip(lines, ("GET", "POST"), strict=True):
        line.request(method, "/api/tours")  # at once, before anybody knows
    (read, read_said), (wrote, wrote_said) = [
        (answer, json.loads(answer.read())) for answer in (line.getresponse() for line in lines)
    ]
    assert read.status == wrote.status == HTTPStatus.SERVICE_UNAVAILABLE
    assert (read_said["code"], read.headers["Retry-After"]) == ("no_hall", "1")
    # Where the machine is slow the edge had noticed, and did not ask at all.
    known = {"in_doubt": None, "no_hall": "1"}
    assert wrote.headers["Retry-After"] == known[wrote_said["code"]]
    cluster.fail_over()
    for line in lines:
        line.request("GET", "/api/tours")
        assert line.getresponse().status == HTTPStatus.OK
        line.close()


def test_a_page_speaks_to_the_hall_over_an_edge(cluster: Cluster) -> None:
    _, bob, table = game(cluster)
    with connect(f"ws://127.0.0.1:{cluster.edges[0].port}/ws/native") as page:
        page.send(msgspec.json.encode(Hello(1, views=True)).decode())
        page.recv()
        page.send(msgspec.json.encode(Watch(table)).decode())
        page.recv()
        bob.say(Say(table, "hello"))
        assert '"hello"' in str(page.recv())
        cluster.fail_over()
        bob.say(Say(table, "again"))
        while '"again"' not in (said := str(page.recv())):
            assert '"notice"' in said


@pytest.mark.parametrize("dialect", ["fish", "othello", "blackwhite"])
def test_bots_of_old_languages_play_across_edges(cluster: Cluster, dialect: str) -> None:
    words = ["bot", "1", "--dialect", dialect, "--games", "1"]
    words += ["--game", "fish" if dialect == "fish" else "reversi"]
    words += ["--room", "den"] if dialect == "blackwhite" else []
    at = [f"127.0.0.1:{edge.port}" for edge in cluster.edges]
    bots = [Warm(*words, "--at", one, env=environment()) for one in at]
    assert [bot.wait(PATIENCE) for bot in bots] == [0, 0]
    for bot in bots:
        assert bot.stdout is not None
        bot.stdout.close()
