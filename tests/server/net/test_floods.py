"""Clients of the old dialects who never wait: each of 10,000 requests is answered, in order.

Most of them hold a request back while an earlier one is before the hall, so what is sent
faster must wait in the socket. "A fast sender is read more slowly, never cut off for speed
alone."
"""

import selectors
import socket
from collections.abc import Iterator

import pytest

from rookery.dialects import conversation
from rookery.dialects.blackwhite import profile as blackwhite_limits
from rookery.dialects.bughouse import profile as bughouse_limits
from rookery.dialects.fish import profile as fish_limits
from rookery.dialects.othello import profile as othello_limits
from rookery.dialects.tourney import profile as tourney_limits
from rookery.server.limits import SLICE
from tests.server.process import PATIENCE, Server, serving

TIMES = 5_000  # of two requests each


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all of these."""
    with serving(tmp_path_factory.mktemp("floods")) as server:
        yield server
        assert server.stop() == 0, server.complaints()


# Who one is first, with the answer to it; then a request that goes to the hall and one that
# does not, with theirs.
@pytest.mark.parametrize(
    ("first", "welcome", "asked", "answered"),
    [
        pytest.param(
            b"@NEW PLAYER\n",
            b"@PID:1\n",
            b"@PLAYER:1\n@GET NAME:1\n",
            b"@PID:1\n@NAME:null:1\n",
            id="tourney",
        ),
        pytest.param(
            b"ADD_PLAYER:Ann\n",
            b"1\n",
            b"GET_GAMES:\nGET_NAME:1\n",
            b"\nAnn\n",
            id="bughouse",
        ),
        pytest.param(
            b"ENTERROOM [ann]\n",
            b"ENTERROOM [ann]\n",
            b"ENTERROOM [ann]\nENTERROOM [bob]\n",
            b"ENTERROOM [ann]\nERROR [You are ann in the room lobby.]\n",
            id="blackwhite",
        ),
    ],
)
def test_ten_thousand_requests_at_once_are_answered_in_order(
    server: Server, first: bytes, welcome: bytes, asked: bytes, answered: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
        line.sendall(first)
        assert read_lines(line, welcome.count(b"\n")) == welcome
        assert flood(line, asked * TIMES, answered.count(b"\n") * TIMES) == answered * TIMES


def test_ten_thousand_moves_at_once_are_refused_in_order(server: Server) -> None:
    with (
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as black,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as white,
    ):
        black.sendall(b"1\n")
        assert read_lines(black, 1) == b"11\n"
        white.sendall(b"1\n")
        assert read_lines(white, 2).startswith(b"12\n4")
        said = flood(white, b"223\n8\n" * TIMES, 2 * TIMES)
        assert said == b"6It is not your turn.\n6A frame is of type 1, 2, 5 or 7.\n" * TIMES


@pytest.mark.parametrize(
    "bound",
    [
        othello_limits.WAITING_MAX,
        fish_limits.WAITING_MAX,
        blackwhite_limits.WAITING_MAX,
        tourney_limits.WAITING_MAX,
        bughouse_limits.WAITING_MAX,
    ],
)
def test_nobody_is_cut_off_before_it_is_read_more_slowly(bound: int) -> None:
    assert bound >= conversation.ENOUGH + SLICE  # a request may be one byte long


def read_lines(line: socket.socket, lines: int) -> bytes:
    """So many lines, which are all that comes."""
    said = b""
    while said.count(b"\n") < lines:
        piece = line.recv(1 << 16)
        assert piece, f"cut off after {said!r}"
        said += piece
    return said


def flood(line: socket.socket, words: bytes, lines: int) -> bytes:
    """Send all this as fast as it is taken, and read as fast as it comes."""
    left, pieces, seen = memoryview(words), list[bytes](), 0
    line.settimeout(0)
    with selectors.DefaultSelector() as selector:
        selector.register(line, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while seen < lines:
            ready = selector.select(PATIENCE)
            assert ready, f"nothing comes after {seen} lines"
            if ready[0][1] & selectors.EVENT_WRITE:
                left = left[line.send(left) :]
                if not left:
                    selector.modify(line, selectors.EVENT_READ)
            if ready[0][1] & selectors.EVENT_READ:
                pieces.append(line.recv(1 << 16))
                assert pieces[-1], f"cut off after {seen} lines"
                seen += pieces[-1].count(b"\n")
    return b"".join(pieces)
