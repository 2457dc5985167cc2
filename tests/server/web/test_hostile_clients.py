"""Requests that are no HTTP, too long, too many or cut off: a refusal, and nobody else notices."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rookery.core.ids import MICROS_A_SECOND
from rookery.dialects.native import Ping
from rookery.server.web.guard import WRITES_LOOPBACK
from rookery.server.web.http import HEAD_MAX
from rookery.server.web.routes import BODY_MAX
from tests.server.process import PATIENCE, Client, Server, serving
from tests.server.web.asking import ask, token, write

NIM = b'{"variant":"nim"}'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all of these: none of them may disturb another."""
    with serving(tmp_path_factory.mktemp("hostile")) as server:
        yield server
        assert server.stop() == 0, server.complaints()
        assert "Traceback" not in server.complaints()


@pytest.fixture(autouse=True)
def bystander(server: Server) -> Iterator[Client]:
    """Somebody who was there before, and is answered after."""
    client = server.enter("bystander")
    yield client
    assert client.ask(Ping()).type == "pong"


def say(server: Server, *pieces: bytes) -> bytes:
    """What is answered to these, until we are hung up on."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        heard = b""
        try:
            for piece in pieces:
                line.sendall(piece)
            line.shutdown(socket.SHUT_WR)
            while words := line.recv(1 << 16):
                heard += words
        except ConnectionError:
            pass  # it hung up while we were still speaking
        return heard


def head(method: str, path: str, *lines: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(b"X: " + b"x" * 6 * HEAD_MAX, id="one long line"),
        pytest.param(b"a:b\r\n" * HEAD_MAX, id="many short lines"),
    ],
)
def test_a_head_that_is_too_long_is_refused_though_it_comes_whole(
    server: Server, words: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + words + b"\r\n\r\n")
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_a_head_that_never_ends_is_refused_before_it_does(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * HEAD_MAX)
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 400 Bad Request\r\n")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(b"GET /healthz HTTP/1.1\r\n\r\n", id="no host"),
        pytest.param(
            b"GET /he althz HTTP/1.1\r\nHost: localhost\r\n\r\n", id="a space in the path"
        ),
        pytest.param(b"GET /healthz HTTP/1.1\r\nHost x\r\n\r\n", id="no colon"),
        pytest.param(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \0\r\n\r\n", id="a NUL"),
        pytest.param(
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
            b"Content-Length: 6\r\n\r\nhello",
            id="two lengths",
        ),
        pytest.param(
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
            id="a length below nothing",
        ),
        pytest.param(
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
            id="an unknown encoding",
        ),
        # "Such a message might indicate an attempt to perform request smuggling" (RFC 9112): a
        # proxy in front of us may see the end of the request elsewhere.
        pytest.param(
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            id="a length and chunks",
        ),
    ],
)
def test_what_is_no_http_is_refused_and_hung_up_on(server: Server, words: bytes) -> None:
    assert say(server, words).startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_what_is_no_http_behind_a_request_does_not_spoil_its_answer(server: Server) -> None:
    heard = say(server, head("GET", "/healthz") + b"\0\1\2\r\n\r\n")
    assert heard.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"HTTP/1.1 400 Bad Request\r\n" in heard


@pytest.mark.parametrize("before", [b"", head("GET", "/healthz")], ids=["alone", "behind another"])
@pytest.mark.parametrize("path", ["/healthz", "/", "/api/tables/1", "/docs/"])
def test_what_goes_wrong_before_it_is_answered_is_refused_once_and_quietly(
    server: Server, path: str, before: bytes
) -> None:
    bad = head("GET", path, "Transfer-Encoding: chunked") + b"no length\r\n"
    heard = say(server, before + bad)
    assert heard.count(b"HTTP/1.1 200 OK\r\n") == bool(before)
    assert heard.count(b"HTTP/1.1 400 Bad Request\r\n") == 1
    assert "Traceback" not in server.complaints()


def test_a_chunked_body_that_is_too_long_is_refused(server: Server) -> None:
    lines = [f"{name}: {value}" for name, value in token(server).items()]
    start = head("POST", "/api/tables", *lines, "Transfer-Encoding: chunked")
    chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(start + chunk * (BODY_MAX // 0x1000 + 1))
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 413 ")


def test_a_body_at_the_bound_is_read(server: Server) -> None:
    assert write(server, "/api/tables", NIM.ljust(BODY_MAX)).status == 200
    assert write(server, "/api/tables", NIM.ljust(BODY_MAX + 1)).problem.code == "too_long"


def test_a_body_nobody_wants_is_not_waited_for(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(head("POST", "/api/tables", "Content-Length: 1000000000"))
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 401 ")


def test_who_goes_away_in_the_middle_of_a_write_leaves_the_next_its_own_answer(
    server: Server,
) -> None:
    lines = [f"{name}: {value}" for name, value in token(server).items()]
    for cut in range(1, len(NIM) + 1, 4):
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
            line.sendall(head("POST", "/api/tables", *lines, f"Content-Length: {len(NIM)}"))
            line.sendall(NIM[:cut])
    assert write(server, "/api/tables", NIM).status == 200
    assert ask(server, "GET", "/api/games").body.startswith(b'{"type":"games"')


def test_a_flood_of_writes_is_refused_with_when_to_come_back(tmp_path: Path) -> None:
    one = head("POST", "/api/tables", "Content-Length: 0")
    last = head("POST", "/api/tables", "Content-Length: 0", "Connection: close")
    burst = WRITES_LOOPBACK.burst
    with serving(tmp_path) as server:
        other = server.enter("other")
        began = time.monotonic()
        heard = say(server, one * 2 * burst + last)
        # On a busy machine a flood is none: by its end all it was allowed may have come back.
        back = (time.monotonic() - began) * MICROS_A_SECOND / WRITES_LOOPBACK.every
        assert burst <= heard.count(b"HTTP/1.1 401 ") <= burst + back
        assert heard.count(b"HTTP/1.1 ") == 2 * burst + 1
        assert heard.count(b"\r\nretry-after: 1\r\n") == heard.count(b"HTTP/1.1 429 ")
        assert ask(server, "GET", "/healthz").status == 200  # reading is counted by itself
        assert other.ask(Ping()).type == "pong"


def test_who_is_connected_when_the_server_goes_down_is_hung_up_on(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        lines = [socket.create_connection(("127.0.0.1", server.port), PATIENCE) for _ in range(3)]
        idle, half, never = lines
        idle.sendall(head("GET", "/healthz"))
        assert idle.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        half.sendall(b"GET /healthz HTTP/1.1\r\n")
        never.sendall(head("GET", "/api/openapi.json") * 100)  # and reads none of it
        assert write(server, "/api/tables", NIM).status == 200
        assert server.stop() == 0, server.complaints()
        assert half.recv(1 << 16) == b""
        for line in lines:
            line.close()
