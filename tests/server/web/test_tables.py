"""Tables over a real socket: who finds which, in which order, page by page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rookery.core.ids import TableId
from rookery.core.intents import Leave, Open, Resign
from tests.server.games import sit_down
from tests.server.process import Client, Server, serving
from tests.server.web.looking import Json, look


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Tables 1 to 6: four that are over, the second of them first; one that runs, one closed."""
    with serving(tmp_path_factory.mktemp("tables")) as server:
        ann, bob, cid = (server.enter(name) for name in ("ann", "bob", "cid"))
        sit_down(ann, bob, "nim")
        sit_down(ann, cid, "tictactoe")
        sit_down(bob, cid, "nim misere=true")
        sit_down(ann, bob, "reversi")
        for table, loser in ((2, cid), (1, ann), (4, bob), (3, bob)):
            resign(loser, table)
        assert sit_down(ann, cid, "nim") == 5
        closed = bob.done(Open("nim")).table
        assert closed == 6
        bob.done(Leave(TableId(6)))
        yield server
        assert server.stop() == 0, server.complaints()


def resign(who: Client, table: int) -> None:
    who.done(Resign(TableId(table)))


def numbers(page: Json) -> list[int]:
    return [line["table"] for line in page["tables"]]


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("", [5]),
        ("status=playing", [5]),
        ("status=open", []),
        ("status=playing&game=reversi", []),
        ("status=playing&player=3", [5]),
        ("status=playing&player=2", []),
        ("status=over", [3, 4, 1, 2]),
        ("status=over&game=nim", [3, 1]),
        ("status=over&game=go", []),
        ("status=over&player=1", [4, 2, 1]),
        ("status=over&player=2&game=nim", [3, 1]),
        ("status=over&player=99", []),
        ("status=over&tour=1", []),
        ("status=playing&tour=1", []),
        ("status=closed", [6]),
        ("status=closed&game=reversi", []),
    ],
)
def test_tables_are_found_by_what_they_are(server: Server, query: str, tables: list[int]) -> None:
    page = look(server, f"/api/tables?{query}")
    assert numbers(page) == tables
    assert page["next"] is None


@pytest.mark.parametrize("query", ["status=over", "status=over&player=1", "status=over&game=nim"])
def test_pages_put_together_are_the_whole(server: Server, query: str) -> None:
    whole = numbers(look(server, f"/api/tables?{query}"))
    found: list[int] = []
    after: int | None = 0
    while after is not None:
        page = look(server, f"/api/tables?{query}&limit=1&after={after}")
        assert len(page["tables"]) == 1
        found, after = found + numbers(page), page["next"]
    assert found == whole


def test_a_finished_line_says_who_played_how_it_ended_and_when(server: Server) -> None:
    line = look(server, "/api/tables?status=over&limit=1")["tables"][0]
    assert [seat["player_name"] for seat in line["seats"]] == ["bob", "cid"]
    assert line["outcome"]["places"] == [2, 1]
    last = look(server, "/api/tables/3/log")["events"][-1]
    assert last["event"]["type"] == "ended"
    assert line["ended_at"] == last["at"]


def test_a_running_line_has_no_end(server: Server) -> None:
    assert look(server, "/api/tables")["tables"][0]["ended_at"] is None


def test_finished_tables_are_found_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as before:
        ann, bob = before.enter("ann"), before.enter("bob")
        sit_down(ann, bob, "nim")
        resign(ann, 1)
        assert before.stop() == 0
        with serving(before.folder) as after:
            assert numbers(look(after, "/api/tables?status=over")) == [1]
            assert look(after, "/api/players/2/games")["games"][0]["result"] == "win"
