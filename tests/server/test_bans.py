"""A banned home at the door of a real server: refused in every language, and let in again."""

import socket
from collections.abc import Iterator
from http import HTTPStatus

import msgspec
import pytest

from rookery.dialects import DIALECTS, LANGUAGES
from tests.server.process import PATIENCE, Server, serving
from tests.server.web.asking import Answer, ask, token, write
from tests.server.web.looking import playing

REASON = "Floods"
TELLS = ("native", "othello", "tourney")  # languages that have a word for what is not asked
SENTENCE = "Your address is banned from this server for good: Floods."


def post(server: Server, path: str, **body: object) -> Answer:
    return write(server, f"/api/moderation/{path}", msgspec.json.encode(body))


@pytest.fixture(scope="module")
def banned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has banned the home we come from, which takes force."""
    with serving(tmp_path_factory.mktemp("bans")) as server:
        with playing(server, "Ann") as (ann,):
            assert post(server, "bans", host="127.0.0.1", reason=REASON).status == 409
            done = post(server, "bans", host="127.0.0.1", reason=REASON, force=True)
            assert done.status == HTTPStatus.OK
            notice = ann.notice()
            assert notice["sentence"] == "The organiser has banned your address: Floods."
        yield server
        assert post(server, "bans/lift", host="127.0.0.1").status == HTTPStatus.OK
        with playing(server, "Ann"):
            pass
        assert server.stop() == 0, server.complaints()
        assert "Traceback" not in server.complaints()


def said_to(server: Server, words: bytes) -> bytes:
    """What one is told who says this; whoever is refused is hung up on."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(words)
        heard = b""
        try:
            while some := line.recv(65536):
                heard += some
        except ConnectionResetError:
            pass  # we had not read all it said
        return heard


@pytest.mark.parametrize("dialect", DIALECTS)
def test_who_speaks_any_language_is_hung_up_on_and_told_why_where_it_has_words(
    banned: Server, dialect: str
) -> None:
    heard = said_to(banned, LANGUAGES[dialect].hello.encode() + b"\n")
    if dialect in TELLS:
        assert SENTENCE.encode() in heard.replace(b"_", b":")  # what a colon is in tourney


@pytest.mark.parametrize("path", ["/", "/api/tables", "/api/players", "/ws/native", "/healthz"])
def test_who_asks_over_http_is_told_so_and_nothing_else(banned: Server, path: str) -> None:
    answer = ask(banned, "GET", path)
    assert answer.status == HTTPStatus.FORBIDDEN
    assert SENTENCE.encode() in answer.body


def test_an_answer_that_is_kept_is_not_given_either(banned: Server) -> None:
    for _ in range(2):
        assert ask(banned, "GET", "/api/tables", None, token(banned)).status == HTTPStatus.OK
        assert ask(banned, "GET", "/api/tables").status == HTTPStatus.FORBIDDEN


def test_no_player_was_made_for_who_was_refused(banned: Server) -> None:
    before = ask(banned, "GET", "/api/players/2", None, token(banned)).status
    assert before == HTTPStatus.NOT_FOUND
