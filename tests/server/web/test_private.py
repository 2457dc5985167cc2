"""Private tables over HTTP: in no list, and under no address without their code."""

from collections import Counter
from pathlib import Path

import pytest

from rookery.core.ids import TableId
from rookery.core.intents import Open, Resign, Sit
from rookery.server.web.guard import CODES_LOOPBACK
from tests.server.process import Server, serving
from tests.server.web.asking import ask
from tests.server.web.looking import look

CODE = "wonderland7"
PLACES = ("", "/log", "/moments", "/state", "/file", "/tryout", "/analysis")


@pytest.fixture(scope="module")
def tables(server: Server) -> tuple[TableId, TableId, int]:
    """One that waits, one that is over, and who sits there."""
    ann, bob = server.enter("ann"), server.enter("bob")
    waits = ann.done(Open("tictactoe", code=CODE)).table
    over = ann.done(Open("tictactoe", code=CODE)).table
    assert waits is not None
    assert over is not None
    bob.done(Sit(over, code=CODE))
    bob.done(Resign(over))
    player = look(server, f"/api/tables/{over}?code={CODE}")["line"]["seats"][0]["player"]
    return waits, over, player


@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_told_of_them_without_the_code(
    server: Server, tables: tuple[TableId, TableId, int], place: str
) -> None:
    for table in tables[:2]:
        for code in ("", "?code=wonderland8"):
            assert ask(server, "GET", f"/api/tables/{table}{place}{code}").status == 404
    if place != "/analysis":
        assert ask(server, "GET", f"/api/tables/{tables[1]}{place}?code={CODE}").status == 200


def test_codes_are_guessed_no_faster_over_http_than_over_a_line(tmp_path: Path) -> None:
    """By host, whichever table and place: a table that is not there is guessed at as well."""
    with serving(tmp_path) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        waits, over = (ann.done(Open("tictactoe", code=CODE)).table for _ in range(2))
        assert over is not None
        bob.done(Sit(over, code=CODE))
        bob.done(Resign(over))
        wrong = Counter[int]()
        for n in range(CODES_LOOPBACK.burst * 2):
            table = (waits, over, 99)[n % 3]
            place = PLACES[n % len(PLACES)]
            wrong[ask(server, "GET", f"/api/tables/{table}{place}?code=guess{n:04}").status] += 1
            if wrong[429]:
                break
        assert CODES_LOOPBACK.burst <= wrong[404] < CODES_LOOPBACK.burst * 2
        assert wrong[429] == 1


def test_they_are_in_no_list(server: Server, tables: tuple[TableId, TableId, int]) -> None:
    waits, over, player = tables
    addresses = (
        *(f"/api/tables?status={status}" for status in ("open", "playing", "over", "closed")),
        f"/api/tables?status=over&player={player}",
        f"/api/players/{player}/games",
        "/api/seeks",
    )
    for address in addresses:
        page = look(server, address)
        listed = {line["table"] for line in page.get("tables", page.get("games", []))}
        assert listed.isdisjoint({waits, over}), address
