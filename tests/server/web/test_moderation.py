"""Moderating over HTTP: what the organiser does, and that nobody else does."""

from collections.abc import Iterator
from http import HTTPStatus

import msgspec
import pytest

from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import HearLobby, Open, SayInLobby, Watch
from rookery.server.web.app import CALLS
from tests.server.process import Server, serving
from tests.server.web.asking import Answer, ask, token, write
from tests.server.web.looking import Json, playing

WORDS = "correct horse battery"
MARKUP = "<script>alert(1)</script>"
OURS = [call for call in CALLS if call.path.startswith("/api/moderation")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("moderation")) as server:
        yield server
        assert server.stop() == 0, server.complaints()
        assert "Traceback" not in server.complaints()


def post(server: Server, path: str, **body: object) -> Answer:
    return write(server, path, msgspec.json.encode(body))


def done(server: Server, path: str, **body: object) -> Json:
    answer = post(server, path, **body)
    assert answer.status == HTTPStatus.OK, answer.body
    return msgspec.json.decode(answer.body)


@pytest.mark.parametrize("call", OURS, ids=lambda call: call.path)
def test_nobody_without_the_token_does_any_of_it(server: Server, call: Json) -> None:
    for headers, status in (
        ({}, HTTPStatus.UNAUTHORIZED),
        ({"Authorization": "Bearer a-guess"}, HTTPStatus.FORBIDDEN),
    ):
        assert ask(server, "POST", call.path, b"{}", headers).status == status
    headers = token(server) | {"Origin": "http://evil.example"}
    assert ask(server, "POST", call.path, b"{}", headers).status == HTTPStatus.FORBIDDEN


def test_who_said_a_line_is_muted_and_unmuted(server: Server) -> None:
    with playing(server, "Ann", "<b>Eve</b>") as (ann, eve):
        ann.ask(HearLobby())
        assert eve.ask(SayInLobby(MARKUP))["type"] == "done"
        (line,) = ann.ask(HearLobby())["lines"]
        assert (line["text"], line["name"]) == (MARKUP, "<b>Eve</b>")
        done(server, "/api/moderation/mutes", player=line["player"], seconds=60, reason="Rude")
        assert eve.answer(SayInLobby("hey"))["code"] == "muted"
        done(server, "/api/moderation/mutes/lift", player=line["player"])
        again = post(server, "/api/moderation/mutes/lift", player=line["player"])
        assert msgspec.json.decode(again.body)["code"] == "nothing_to_lift"
        assert eve.ask(SayInLobby("sorry"))["type"] == "done"


def test_the_number_of_onlookers_is_shown_with_the_table(server: Server) -> None:
    with playing(server, "Ann", "Eve") as (ann, eve):
        table = TableId(ann.ask(Open("nim"))["table"])
        eve.ask(Watch(table))
        shown = msgspec.json.decode(ask(server, "GET", f"/api/tables/{table}").body)
        assert shown["onlookers"] == {"count": 1}


def test_an_account_is_reset_and_given_up(server: Server) -> None:
    with playing(server, "Mo") as (owner,):
        me = owner.me
        body = {"player": me["player"], "token": me["token"], "passphrase": WORDS}
        kept = ask(server, "POST", "/api/accounts", msgspec.json.encode(body))
        assert kept.status == HTTPStatus.OK, kept.body
        drawn = done(server, "/api/accounts/reset", name="mo", reason="Forgotten")
        assert owner.notice()["code"] == "reset"
    sign_in = "/api/accounts/sign-in"
    old = ask(server, "POST", sign_in, msgspec.json.encode({"name": "Mo", "passphrase": WORDS}))
    assert old.status == HTTPStatus.FORBIDDEN
    right = {"name": "Mo", "passphrase": drawn["passphrase"]}
    new = ask(server, "POST", sign_in, msgspec.json.encode(right))
    assert (new.status, msgspec.json.decode(new.body)["player"]) == (200, me["player"])
    wrong = {"name": "Mo", "passphrase": "something else"}
    for said, status in ((wrong, 403), (right, 200), (right, 403)):
        answer = ask(server, "POST", "/api/accounts/give-up", msgspec.json.encode(said))
        assert answer.status == status
    assert post(server, "/api/accounts/reset", name="mo").status == HTTPStatus.NOT_FOUND
    assert PlayerId(me["player"])
