"""The handshake of a WebSocket without a socket: whatever is asked, there is an answer."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.server.web.guard import ANYONE, Admission
from rookery.server.web.websocket import Upgrade


class Way(asyncio.Transport):
    """A transport that remembers what was sent over it."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)

    def close(self) -> None:
        self.closed = True


RIGHT = {
    "Host": "here:7350",
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


def ask(words: bytes, admission: Admission = ANYONE) -> tuple[Upgrade, Way]:
    upgrade, way = Upgrade(admission), Way()
    upgrade.connection_made(way)
    upgrade.data_received(words)
    return upgrade, way


def request(headers: dict[str, str], path: str = "/ws/native") -> bytes:
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.parametrize("path", ["/ws/native", "/ws/native?from=page"])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"Origin": "http://here:7350"},
        {"Origin": "https://HERE:7350"},  # a proxy ends the TLS
        {"Cookie": "of=sömebody else"},
        {"Cookie": "x" * 10_000},
        {"Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"},
    ],
)
def test_a_good_handshake_is_granted(more: dict[str, str], path: str) -> None:
    upgrade, way = ask(request(RIGHT | more, path))
    assert upgrade.dialect == "native"
    assert way.sent.startswith(b"HTTP/1.1 101 Switching Protocols\r\n")
    assert b"deflate" not in way.sent
    assert not way.closed


@pytest.mark.parametrize(
    ("more", "path", "status"),
    [
        ({"Origin": "http://here"}, "/ws/native", 403),
        ({"Origin": "http://hereö"}, "/ws/native", 403),
        ({"Origin": "here:7350"}, "/ws/native", 403),
        ({"Origin": ""}, "/ws/native", 403),
        ({"Sec-WebSocket-Key": "short"}, "/ws/native", 400),
        ({"Sec-WebSocket-Key": "ö"}, "/ws/native", 400),
        ({"Sec-WebSocket-Version": "8"}, "/ws/native", 426),
        ({}, "/ws/tourney", 404),
        ({}, "/", 404),
    ],
)
def test_any_other_is_refused_with_a_problem(more: dict[str, str], path: str, status: int) -> None:
    upgrade, way = ask(request(RIGHT | more, path))
    assert upgrade.dialect == ""
    assert way.sent.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"application/problem+json" in way.sent
    assert way.closed


def test_who_speaks_another_version_is_told_which_is_spoken() -> None:
    _, way = ask(request(RIGHT | {"Sec-WebSocket-Version": "8"}))
    assert b"\r\nsec-websocket-version: 13\r\n" in way.sent.lower()


names = st.sampled_from([*RIGHT, "Origin", "Sec-WebSocket-Extensions", "Sec-WebSocket-Protocol"])
values = st.text(st.characters(exclude_characters="\r\n"), max_size=30)


@given(st.dictionaries(names, values), st.sampled_from(["/ws/native", "/ws/othello", "/ws"]))
def test_no_head_is_too_odd(more: dict[str, str], path: str) -> None:
    upgrade, way = ask(request(RIGHT | more, path))
    assert way.sent.startswith(b"HTTP/1.1 ")
    assert way.closed == (upgrade.dialect == "")


@given(st.binary(max_size=200))
def test_no_bytes_are_too_odd(words: bytes) -> None:
    _, way = ask(words + b"\r\n\r\n")
    assert way.closed


def test_by_a_name_that_is_not_its_own_the_server_is_not_called() -> None:
    ours = Admission(frozenset({"here"}))
    assert ask(request(RIGHT), ours)[0].dialect == "native"
    for host in ("evil.example:7350", "here.evil.example", "127.0.0.1.evil.example"):
        upgrade, way = ask(request({**RIGHT, "Host": host, "Origin": f"http://{host}"}), ours)
        assert (upgrade.dialect, way.closed) == ("", True)
        assert way.sent.startswith(b"HTTP/1.1 403 ")
        assert b"--public-host" in way.sent


def test_where_there_is_a_certificate_tokens_are_not_spoken_of_in_the_clear() -> None:
    sealed = Admission(tls=True)
    upgrade, way = ask(request(RIGHT), sealed)
    assert upgrade.dialect == ""
    assert way.sent.startswith(b"HTTP/1.1 403 ")
    assert b"https" in way.sent
    assert ask(request(RIGHT, "/ws/othello"), sealed)[0].dialect == "othello"
