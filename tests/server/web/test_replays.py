"""A table's past over a real socket: page by page, as a file, and with its secrets kept."""

from collections.abc import Iterator

import msgspec
import pytest

from rookery.core.ids import TableId
from rookery.core.intents import Open, Play, Resign, Say, Sit
from tests.server.games import sit_down
from tests.server.process import Server, serving
from tests.server.web.looking import Json, get, look, refused

TICTACTOE, GUESS, BUGHOUSE, NIM = 1, 2, 3, 4


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A finished game of tictactoe, and running ones of guess and bughouse, with talk."""
    with serving(tmp_path_factory.mktemp("replays")) as server:
        ann, bob, cid, dot = (server.enter(name) for name in ("ann", "bob", "cid", "dot"))
        assert sit_down(ann, bob, time="5m") == TICTACTOE
        for who, move in ((ann, "4"), (bob, "0"), (ann, "2")):
            who.done(Play(TableId(TICTACTOE), move))
        bob.done(Resign(TableId(TICTACTOE)))
        assert sit_down(ann, bob, "guess") == GUESS
        ann.done(Play(TableId(GUESS), "0"))
        bob.done(Play(TableId(GUESS), "101"))
        table = ann.done(Open("bughouse")).table
        assert table == BUGHOUSE
        for who in (bob, cid, dot):
            who.done(Sit(TableId(BUGHOUSE)))
        ann.done(Say(TableId(BUGHOUSE), "knight please", team=True))
        bob.done(Say(TableId(BUGHOUSE), "good luck"))
        assert sit_down(ann, bob, "nim", "9s/move first 1h") == NIM
        ann.done(Play(TableId(NIM), "0,1"))
        yield server
        assert server.stop() == 0, server.complaints()


def events(moments: list[Json]) -> list[str]:
    return [moment["event"]["type"] for moment in moments]


def test_a_finished_game_is_told_moment_by_moment(server: Server) -> None:
    found = look(server, f"/api/tables/{TICTACTOE}/moments")
    assert found["table"] == TICTACTOE
    assert not found["more"]
    assert events(found["moments"]) == [
        *("opened", "sat", "sat", "started", "played", "played", "played", "out", "ended")
    ]
    played = found["moments"][4]
    assert set(played) == {"n", "at", "event", "effects", "to_act", "left", "view"}
    assert played["event"]["move"] == "4"
    assert played["to_act"] == [1]
    assert played["left"][0] == 300_000_000 - played["event"]["spent"]
    assert played["left"][1] == 300_000_000
    assert played["view"]["type"] == "tictactoe_view"
    assert found["moments"][0]["view"] is None


def test_a_state_has_the_clocks_of_its_moment(server: Server) -> None:
    for moment in look(server, f"/api/tables/{NIM}/moments")["moments"]:
        state = look(server, f"/api/tables/{NIM}/state?n={moment['n']}")
        assert {name: state[name] for name in ("at", "to_act", "left", "view")} == {
            name: moment[name] for name in ("at", "to_act", "left", "view")
        }


def test_moments_come_in_pages(server: Server) -> None:
    whole = look(server, f"/api/tables/{TICTACTOE}/moments")["moments"]
    first = look(server, f"/api/tables/{TICTACTOE}/moments?limit=4")
    assert first["more"]
    rest = look(server, f"/api/tables/{TICTACTOE}/moments?since={first['moments'][-1]['n']}")
    assert not rest["more"]
    assert first["moments"] + rest["moments"] == whole


@pytest.mark.parametrize("part", ["moments", "log", "file"])
def test_guesses_and_the_number_are_kept_while_the_game_runs(server: Server, part: str) -> None:
    text = get(server, f"/api/tables/{GUESS}/{part}").body
    assert text.count(b'"move":""') == 2
    assert text.count(b'"move":') == 2
    assert text.count(b'"secret":') == text.count(b'"secret":null')


@pytest.mark.parametrize("part", ["moments", "log", "file"])
def test_partners_talk_among_themselves(server: Server, part: str) -> None:
    text = get(server, f"/api/tables/{BUGHOUSE}/{part}").body
    assert b"good luck" in text
    assert b"knight" not in text


@pytest.mark.parametrize("table", [TICTACTOE, GUESS, BUGHOUSE])
@pytest.mark.parametrize("part", ["moments", "log", "file"])
def test_no_seed_is_told(server: Server, part: str, table: int) -> None:
    assert b"seed" not in get(server, f"/api/tables/{table}/{part}").body


def test_the_file_is_the_log_one_event_a_line(server: Server) -> None:
    answer = get(server, f"/api/tables/{TICTACTOE}/file")
    assert answer.headers["content-disposition"] == 'attachment; filename="table-1.jsonl"'
    assert answer.headers["content-type"] == "application/x-ndjson; charset=utf-8"
    lines = [msgspec.json.decode(line) for line in answer.body.splitlines()]
    assert lines == look(server, f"/api/tables/{TICTACTOE}/log")["events"]


@pytest.mark.parametrize("part", ["moments", "log", "state", "file"])
def test_a_table_that_never_was_has_no_past(server: Server, part: str) -> None:
    assert refused(server, f"/api/tables/99/{part}") == (404, "not_found")


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "since=-1", "since=x", "until=3"])
def test_a_page_that_cannot_be_is_refused(server: Server, query: str) -> None:
    assert refused(server, f"/api/tables/{TICTACTOE}/moments?{query}") == (422, "bad_option")
