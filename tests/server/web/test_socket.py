"""WebSocket over a real socket: dialects like anywhere else, and who may not come in."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from rookery.core.events import Played, Said
from rookery.core.ids import TableId
from rookery.core.intents import ListPlayers, Play, Say, Watch
from rookery.dialects.native import Hello, Ping
from rookery.dialects.native import profile as native_limits
from rookery.dialects.othello import profile as othello_limits
from rookery.hall.limits import CHATS_A_TABLE
from tests.server.games import sit_down
from tests.server.process import PATIENCE, Client, Request, Server, Told, serving

HERE = Path(__file__).parent.parent
_told = msgspec.json.Decoder(Told)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all of these: none of them may disturb another."""
    with serving(tmp_path_factory.mktemp("socket")) as server:
        yield server
        assert server.stop() == 0, server.complaints()


def call(server: Server, dialect: str = "native", origin: str | None = None) -> ClientConnection:
    """A new WebSocket, with no proxy between."""
    address = f"ws://127.0.0.1:{server.port}/ws/{dialect}"
    page = None if origin is None else Origin(origin)
    return connect(address, origin=page, proxy=None, open_timeout=PATIENCE)


def ask(line: ClientConnection, request: Request) -> Told:
    """The answer to this; the news before it are forgotten."""
    line.send(msgspec.json.encode(request).decode())
    while (told := hear(line)).unasked:
        pass
    return told


def hear(line: ClientConnection) -> Told:
    return _told.decode(read(line))


def read(line: ClientConnection) -> str:
    """The next message, which must come."""
    return line.recv(PATIENCE, decode=True)


def close_code(line: ClientConnection) -> int:
    """The code we are left with, once all that was said has been read."""
    with suppress(ConnectionClosed):
        while True:
            read(line)
    assert line.close_code is not None
    return line.close_code


def refused(server: Server, path: str, origin: str | None = None) -> tuple[int, str]:
    """The status and the code of a handshake that is refused."""
    with pytest.raises(InvalidStatus) as wrong:
        call(server, path, origin)
    response = wrong.value.response
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status_code, msgspec.json.decode(response.body or b"")["code"]


def handshake(server: Server, path: str = "/ws/native") -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


# A masked message, whose mask is nothing: `{"type":"ping"}`.
PING = b'\x81\x8f\0\0\0\0{"type":"ping"}'
PONG = b'\x81\x0f{"type":"pong"}'


def test_the_native_dialect_is_spoken_in_messages(server: Server) -> None:
    with call(server) as line:
        assert ask(line, Hello(1, name="ann")).type == "hello"
        assert ask(line, Ping()).type == "pong"
        line.send(['{"type":', '"ping"}'])
        assert hear(line).type == "pong"
        line.send("what?")
        assert hear(line).code == "unreadable"
    assert line.close_code == 1000


def test_a_ping_of_the_carrier_is_answered_too(server: Server) -> None:
    with call(server) as line:
        assert line.ping("here?").wait(PATIENCE)


@pytest.mark.parametrize("dialect", ["native", "othello"])
def test_a_message_too_long_is_the_end(server: Server, dialect: str) -> None:
    longest = {"native": native_limits.LINE_MAX, "othello": othello_limits.FRAME_MAX}[dialect]
    with call(server, dialect) as line:
        line.send("x" * longest)
        assert read(line)
        line.send("x" * (longest + 1))
        assert close_code(line) == 1009


def test_what_is_no_text_is_the_end(server: Server) -> None:
    with call(server) as line:
        line.send(b'{"type":"ping"}')
        assert close_code(line) == 1003


def test_what_was_asked_before_the_end_counts(server: Server) -> None:
    ann, bob = server.enter("ann"), server.enter("bob")
    table = sit_down(ann, bob)
    with call(server) as line:
        ask(line, Hello(1, player=ann.player, token=ann.token))
        line.send(msgspec.json.encode(Play(table, "4")).decode())
        line.close()
    move = bob.news(Played).event
    assert isinstance(move, Played)
    assert move.move == "4"


@pytest.mark.parametrize(
    "origin", ["http://elsewhere.example", "null", "http://127.0.0.1", "file://"]
)
def test_a_page_of_elsewhere_may_not_connect(server: Server, origin: str) -> None:
    assert refused(server, "native", origin) == (403, "bad_origin")


def test_a_page_of_this_server_may(server: Server) -> None:
    with call(server, origin=f"http://127.0.0.1:{server.port}") as line:
        assert ask(line, Ping()).type == "pong"


@pytest.mark.parametrize("path", ["bughouse", "", "native/more", "NATIVE"])
def test_there_is_nothing_at_other_addresses(server: Server, path: str) -> None:
    assert refused(server, path) == (404, "not_found")


def test_a_handshake_that_is_none_is_refused_with_a_sentence(server: Server) -> None:
    wrong = handshake(server).replace(b"Key: AAAA", b"Key: ")
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(wrong)
        with line.makefile("rb") as said:
            heard = said.read()
    assert heard.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b'"code":"bad_handshake"' in heard


def test_a_request_without_an_upgrade_is_told_to_ask_for_one(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(b"GET /ws/native HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        with line.makefile("rb") as said:
            assert said.readline() == b"HTTP/1.1 426 Upgrade Required\r\n"


@pytest.mark.parametrize("first", [b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2])
@pytest.mark.parametrize("step", [1, 7, 1 << 16])
def test_bytes_cut_anywhere_say_the_same(server: Server, first: bytes, step: int) -> None:
    """Also after other requests of the same connection, and before the handshake is answered."""
    words = first + handshake(server) + PING
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(words), step):
            line.sendall(words[at : at + step])
        heard = b""
        while not heard.endswith(PONG):
            piece = line.recv(1 << 16)
            assert piece, f"hung up after {heard!r}"
            heard += piece
    assert heard.count(b"HTTP/1.1 101 Switching Protocols\r\n") == 1


def test_who_does_not_read_is_cut_off_and_the_players_notice_nothing(server: Server) -> None:
    ann, bob = server.enter("ann"), server.enter("bob")
    tables = [sit_down(ann, bob) for _ in range(20)]
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(PATIENCE)
        slow.connect(("127.0.0.1", server.port))
        asked: list[Request] = [Hello(1, name="slow reader"), *(Watch(table) for table in tables)]
        slow.sendall(handshake(server) + b"".join(masked(request) for request in asked))
        heard = b""
        while heard.count(b'"type":"past"') < len(tables):
            heard += slow.recv(1 << 16)
        said = chat_until_gone(ann, bob, tables, "slow reader")
        left = b""
        while piece := read_or_reset(slow):
            left += piece
    assert left.count(b'"type":"news"') < said
    assert ann.ask(Ping()).type == bob.ask(Ping()).type == "pong"


def test_othello_in_messages_against_othello_in_lines(server: Server) -> None:
    with (
        call(server, "othello") as black,
        socket.create_connection(("127.0.0.1", server.port), PATIENCE) as white,
        white.makefile("rb") as said,
    ):
        black.send("1")
        assert read(black) == "11"
        white.sendall(b"1\n")
        assert said.readline() == b"12\n"
        board = read(black)
        assert said.readline().decode() == f"{board}\n"
        black.send("2 2 3")
        board = read(black)
        assert said.readline().decode() == f"{board}\n"
        white.sendall(b"222\n")
        board = read(black)
        assert said.readline().decode() == f"{board}\n"
        white.sendall(b"7good luck\n")
        assert read(black) == "7good luck"
        black.send("5")
        assert said.readline() == b"52\n"
        assert read(black) == "52"


def test_who_comes_back_is_told_what_it_missed_also_by_another_server(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        with call(server) as line:
            last = ask(line, Watch(table)).events[-1].n
        ann.done(Play(table, "4"))
        assert missed(server, table, last) == ["4"]
        bob.done(Play(table, "0"))
        server.kill()
    with serving(tmp_path) as server:
        assert missed(server, table, last) == ["4", "0"]


def test_everyone_is_told_when_the_server_goes(tmp_path: Path) -> None:
    with serving(tmp_path) as server, call(server) as line:
        assert ask(line, Ping()).type == "pong"
        assert server.stop() == 0
        assert hear(line).type == "notice"
        assert close_code(line) == 1001


def test_it_is_there_under_tls_too(tmp_path: Path) -> None:
    cert, key = HERE / "tls-cert.pem", HERE / "tls-key.pem"
    with serving(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key)) as server:
        trust = ssl.create_default_context(cafile=str(cert))
        address = f"wss://localhost:{server.port}/ws/native"
        here = Origin(f"https://localhost:{server.port}")
        calls = partial(connect, address, ssl=trust, proxy=None, open_timeout=PATIENCE)
        with calls(origin=here) as line:
            assert ask(line, Ping()).type == "pong"
            line.send(b"")
            assert close_code(line) == 1003
        with calls() as line:
            assert ask(line, Ping()).type == "pong"
        assert line.close_code == 1000
        assert server.stop() == 0


def missed(server: Server, table: TableId, last: int) -> list[str]:
    """The moves after this event, as one who watches again is told them."""
    with call(server) as line:
        events = ask(line, Watch(table, since=last)).events
    return [entry.event.move for entry in events if isinstance(entry.event, Played)]


def chat_until_gone(ann: Client, bob: Client, tables: list[TableId], name: str) -> int:
    """Let ann talk at these tables until one who watches is gone; how often she did."""
    said = 0
    for table in tables:
        for _ in range(CHATS_A_TABLE):
            ann.say(Say(table, "♞" * 500))
            assert bob.news(Said).table == table
            assert ann.answer().type == "done"
            said += 1
        if name not in [line.name for line in ann.ask(ListPlayers()).players]:
            return said
    raise AssertionError(f"{name} is still there")


def masked(request: Request) -> bytes:
    """A message as raw bytes, whose mask is nothing."""
    words = msgspec.json.encode(request)
    assert len(words) < 126
    return bytes([0x81, 0x80 | len(words), 0, 0, 0, 0]) + words


def read_or_reset(line: socket.socket) -> bytes:
    try:
        return line.recv(1 << 16)
    except ConnectionError:
        return b""
