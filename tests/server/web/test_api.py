"""The API over a real socket: what is told, what is refused, and how the connection behaves."""

import socket
import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import msgspec
import pytest

from rookery.server.web.app import CALLS
from rookery.server.web.openapi import document
from rookery.server.web.problems import HEADERS
from rookery.server.web.routes import BODY_MAX
from tests.server.process import PATIENCE, Server, serving
from tests.server.web.asking import ask, token

HERE = Path(__file__).parent.parent
NIM = b'{"variant":"nim"}'
ASKED = {"/api/games/board": "?variant=nim"}
ANSWERED = dict.fromkeys(("/api/tables/{table}/tryout", "/api/tables/{table}/analysis"), 409)
NIM_TOUR = b'{"plan":{"variant":"nim"},"code":""}'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("web")) as server:
        server.enter("ann")
        assert ask(server, "POST", "/api/tables", NIM, token(server)).status == 200
        assert ask(server, "POST", "/api/tours", NIM_TOUR, token(server)).status == 200
        yield server
        assert server.stop() == 0, server.complaints()


@pytest.mark.parametrize("path", [c.path for c in CALLS if c.method == "GET"])
def test_everything_that_is_described_can_be_read(server: Server, path: str) -> None:
    there = path.format(table=1, tour=1, player=1, game="nim") + ASKED.get(path, "")
    assert ask(server, "GET", there).status == ANSWERED.get(path, 200)


@pytest.mark.parametrize("path", [c.path for c in CALLS if c.writes])
def test_nothing_is_written_without_the_token(server: Server, path: str) -> None:
    there = path.format(table=1, tour=1, match=1, entrant=1, report=1)
    assert ask(server, "POST", there, NIM_TOUR).problem.code == "no_token"
    wrong = {"Authorization": "Bearer guess"}
    body = {"/api/tables": NIM, "/api/tables/1/close": b"{}"}.get(there, NIM_TOUR)
    assert ask(server, "POST", there, body, wrong).problem.code == "bad_token"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/tables/99", "not_found"),
        ("/api/tables/x", "not_found"),
        ("/api/tables/1/state?n=99", "not_found"),
        ("/api/tables?status=odd", "bad_option"),
        ("/api/tables?limit=0", "bad_option"),
        ("/api/tours/99", "no_tour"),
        ("/api/ratings/go", "not_found"),
        ("/nowhere", "not_found"),
    ],
)
def test_what_is_not_there_is_a_problem(server: Server, path: str, code: str) -> None:
    assert ask(server, "GET", path).problem.code == code


def test_a_page_of_elsewhere_may_not_write(server: Server) -> None:
    headers = {**token(server), "Origin": "http://elsewhere.example"}
    assert ask(server, "POST", "/api/tables", NIM, headers).problem.code == "bad_origin"


def test_a_body_that_is_too_long_is_refused(server: Server) -> None:
    body = b"x" * (BODY_MAX + 1)
    assert ask(server, "POST", "/api/tables", body, token(server)).problem.code == "too_long"


def test_what_the_hall_refuses_is_a_conflict_with_its_code(server: Server) -> None:
    assert ask(server, "POST", "/api/tours/1/start", None, token(server)).problem.code == "too_few"


def test_requests_in_one_piece_are_answered_in_order(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        with line.makefile("rb") as said:
            heard = said.read()
    assert heard.startswith(b"HTTP/1.1 200 OK\r\n")
    assert heard.count(b"HTTP/1.1 ") == 2
    assert b"HTTP/1.1 404 Not Found\r\n" in heard


def test_every_answer_has_the_same_security_headers(server: Server) -> None:
    line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    line.request("GET", "/nowhere")
    said = line.getresponse()
    line.close()
    assert {name: said.headers[name] for name in HEADERS} == HEADERS


def test_every_reference_of_the_document_leads_somewhere() -> None:
    described = document(CALLS)
    text = msgspec.json.encode(described).decode()
    used = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert used <= set(described["components"]["schemas"])


def test_the_api_is_there_under_tls_too(tmp_path: Path) -> None:
    cert, key = HERE / "tls-cert.pem", HERE / "tls-key.pem"
    flags = ("--tls-cert", str(cert), "--tls-key", str(key))
    with serving(tmp_path / "tls", *flags) as server:
        trust = ssl.create_default_context(cafile=str(cert))
        line = HTTPSConnection("localhost", server.port, timeout=PATIENCE, context=trust)
        line.request("GET", "/healthz")
        assert line.getresponse().status == 200
        line.close()
