"""The status page: one request, one answer, and good-bye."""

import pytest

from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import ListPlayers, ListTables
from rookery.core.messages import PlayerLine, Players, SeatLine, TableLine, Tables
from rookery.dialects import DIALECTS
from rookery.dialects.detect import recognise
from rookery.dialects.http import HEAD_MAX, HOW_TO_CONNECT, Http

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def answer(request: bytes, *, name: str = "ann") -> str:
    """What the page says to this request, in a hall with one player at one table."""
    http = Http()
    if http.receive(request, 0):
        seat = SeatLine(Seat(0), "home", PlayerId(1), name, connected=True)
        http.tell(Tables((TableLine(TableId(1), "nim", "none", "open", (seat,), 3),)))
        http.tell(Players((PlayerLine(PlayerId(1), name, "native"),)))
    assert http.closing
    return http.drain().decode()


def test_the_page_says_what_runs_and_how_to_connect() -> None:
    page = answer(REQUEST)
    assert page.startswith("HTTP/1.1 200 OK\r\n")
    assert "0 games running, 1 table open, 1 player connected." in page
    assert "<td>nim<td>none<td>open<td>ann" in page
    assert "@NEW PLAYER" in page
    assert "ENTERROOM [ann]" in page


def test_the_page_says_how_to_connect_with_each_dialect() -> None:
    assert set(HOW_TO_CONNECT) == set(DIALECTS)
    known = {name: recognise(line.encode() + b"\n") for name, line in HOW_TO_CONNECT.items()}
    assert known == {name: name for name in DIALECTS}


def test_more_players_than_are_listed_are_more() -> None:
    http = Http()
    http.receive(REQUEST, 0)
    http.tell(Tables(()))
    http.tell(Players((PlayerLine(PlayerId(1), "ann", "native"),), more=True))
    assert "more than 1 player connected." in http.drain().decode()


def test_the_length_is_that_of_the_page() -> None:
    head, _, body = answer(REQUEST, name="Zoë").partition("\r\n\r\n")
    assert f"Content-Length: {len(body.encode())}\r\n" in head


def test_a_head_has_no_body() -> None:
    assert answer(b"HEAD / HTTP/1.1\r\n\r\n").endswith("\r\n\r\n")


def test_names_are_never_markup() -> None:
    page = answer(REQUEST, name="<script>alert(1)</script>")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_it_asks_the_hall_once_however_the_bytes_are_cut() -> None:
    http = Http()
    asked = [intent for byte in REQUEST for intent in http.receive(bytes([byte]), 0)]
    assert asked == [ListTables(), ListPlayers()]
    assert list(http.receive(REQUEST, 0)) == []


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /nothing HTTP/1.1", "404 Not Found"),
        (b"POST / HTTP/1.1", "405 Method Not Allowed"),
        (b"GET / SPDY/3", "400 Bad Request"),
        (b"GET /", "400 Bad Request"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * HEAD_MAX, "431 Request Header Fields Too Large"),
    ],
)
def test_every_other_request_is_refused_with_a_sentence(request_line: bytes, status: str) -> None:
    end = b"" if len(request_line) > HEAD_MAX else b"\r\n\r\n"
    said = answer(request_line + end)
    assert said.startswith(f"HTTP/1.1 {status}\r\n")
    assert said.endswith(".")
