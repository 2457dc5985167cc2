"""Manners over a real socket: bad input, floods, slow readers, half-closed connections."""

import selectors
import socket
from collections.abc import Iterator, Sequence

import msgspec
import pytest

from rookery.core.events import Said
from rookery.core.ids import TableId
from rookery.core.intents import History, ListGames, ListPlayers, Say, Watch
from rookery.dialects.native import Hello, Ping
from rookery.dialects.native import profile as native_limits
from rookery.hall.limits import CHATS_A_TABLE
from tests.server.games import sit_down
from tests.server.process import Client, Request, Server, Told, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all of these: none of them may disturb another."""
    with serving(tmp_path_factory.mktemp("tcp")) as server:
        yield server
        assert server.stop() == 0, server.complaints()


@pytest.fixture
def bystander(server: Server) -> Iterator[Client]:
    """Somebody who was there before, and must notice nothing."""
    client = server.enter("bystander")
    yield client
    assert client.ask(Ping()).type == "pong"
    assert [told.type for told in client.told if told.unasked] == []


def test_a_line_that_is_too_long_is_refused_and_the_connection_closed(
    server: Server, bystander: Client
) -> None:
    client = server.enter("ann")
    client.say_bytes(b'{"type":"ping","x":"' + b"x" * native_limits.LINE_MAX + b'"}\n')
    assert [told.code for told in client.rest()] == ["too_long"]


def test_a_line_that_never_ends_is_refused_before_it_does(
    server: Server, bystander: Client
) -> None:
    client = server.call()
    client.say_bytes(b"{" + b"x" * native_limits.LINE_MAX)
    assert [told.code for told in client.rest()] == ["too_long"]


def test_what_was_asked_before_a_line_too_long_is_answered_before_it(
    server: Server, bystander: Client
) -> None:
    client = server.call()
    client.say_bytes(b'{"type":"list_games"}\n' + b"x" * (native_limits.LINE_MAX + 1))
    assert [told.type for told in client.rest()] == ["games", "refused"]


@pytest.mark.parametrize(
    "garbage",
    [
        bytes(range(256)).replace(b"\n", b""),
        b"GET / HTTP/1.1",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # how TLS begins
        b'{"type":"play","table":"one","move":4}',
        b"[" * 10_000,
        b'{"type":"hello","version":1,"name":"\xff\xfe"}',
    ],
)
def test_what_cannot_be_read_is_refused_and_the_session_lives_on(
    server: Server, bystander: Client, garbage: bytes
) -> None:
    client = server.enter("ann")
    client.say_bytes(garbage + b"\n")
    assert client.answer().code == "unreadable"
    assert client.ask(Ping()).type == "pong"


def test_who_sends_byte_by_byte_is_answered_like_anyone(server: Server) -> None:
    client = server.call()
    for byte in b'{"type":"hello","version":1,"name":"J\xc3\xb6rg"}\r\n{"type":"ping"}\n':
        client.say_bytes(bytes([byte]))
    assert [client.answer().type, client.answer().type] == ["hello", "pong"]


@pytest.mark.parametrize("asked", [Ping(), ListGames(), History(TableId(999_999))])
def test_a_flood_is_answered_completely_and_in_order(
    server: Server, bystander: Client, asked: Request
) -> None:
    flooding = server.call()
    expected = flooding.ask(asked).type
    answers = flood(flooding, [asked, asked, Hello(1)] * 3_333)
    assert [told.type for told in answers] == [expected, expected, "hello"] * 3_333


def test_who_asks_little_is_answered_while_another_floods(server: Server) -> None:
    flooding, modest = server.call(), server.call()
    flooding.say(*[ListGames()] * 10_000, Ping())
    assert modest.ask(ListGames()).type == "games"
    flooding.socket.settimeout(0)  # what has come so far, and no more
    with pytest.raises(BlockingIOError):
        read_to_pong(flooding)
    flooding.close()


def test_who_asks_faster_than_it_reads_is_not_cut_off_for_that(
    server: Server, bystander: Client
) -> None:
    hasty = server.call(buffer=4096)
    hasty.say(*[ListGames()] * 10_000, Ping())  # 20 MB of answers
    for _ in range(500):
        assert bystander.ask(ListGames()).type == "games"
    answers = [hasty.answer().type for _ in range(10_001)]
    assert answers == ["games"] * 10_000 + ["pong"]


def test_a_slow_reader_is_cut_off_and_the_players_notice_nothing(server: Server) -> None:
    ann, bob = server.enter("ann"), server.enter("bob")
    slow = server.call(buffer=4096).enter("slow")
    tables = [sit_down(ann, bob) for _ in range(20)]
    for table in tables:
        assert slow.ask(Watch(table)).type == "past"
    # It is a megabyte behind what the system itself holds back, which is some more.
    for table in tables:
        for _ in range(CHATS_A_TABLE):
            ann.say(Say(table, "♞" * 500))
            assert bob.news(Said).table == table
            assert ann.answer().type == "done"
        if slow.player not in [line.player for line in ann.ask(ListPlayers()).players]:
            break
    slow.rest()
    assert sum(told.type == "news" for told in slow.told) < sum(
        isinstance(told.event, Said) for told in bob.told
    )
    assert ann.ask(Ping()).type == bob.ask(Ping()).type == "pong"


def test_a_half_closed_connection_still_gets_its_answers(server: Server) -> None:
    client = server.call()
    client.say(Hello(1, name="ann"), *[ListGames()] * 200, Ping())
    client.socket.shutdown(socket.SHUT_WR)
    assert [told.type for told in client.rest()] == ["hello", *["games"] * 200, "pong"]


def test_a_line_cut_off_by_hanging_up_is_dropped(server: Server, bystander: Client) -> None:
    client = server.call()
    client.say_bytes(b'{"type":"ping"}\n{"type":"ping"}')
    client.socket.shutdown(socket.SHUT_WR)
    assert [told.type for told in client.rest()] == ["pong"]


def read_to_pong(client: Client) -> None:
    while "pong" not in [told.type for told in client.take()]:
        pass


def flood(client: Client, requests: Sequence[Request]) -> list[Told]:
    """Send all of these as fast as they are taken, and read as fast as it comes."""
    words = memoryview(b"".join(msgspec.json.encode(request) + b"\n" for request in requests))
    answers: list[Told] = []
    client.socket.settimeout(0)
    with selectors.DefaultSelector() as selector:
        selector.register(client, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while len(answers) < len(requests):
            ((_, ready),) = selector.select(60)
            if ready & selectors.EVENT_WRITE:
                words = words[client.socket.send(words) :]
                if not words:
                    selector.modify(client, selectors.EVENT_READ)
            if ready & selectors.EVENT_READ:
                answers += client.take()
                assert not client.ended, f"cut off after {len(answers)} answers"
    return answers
