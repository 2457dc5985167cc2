"""Analysis over HTTP: of what is over, never of what runs; tried out, and bounded by host."""

import asyncio
import sys

import pytest

from rookery.bots.studying import Studied, Study
from rookery.core.ids import Seat
from rookery.server.web import position_study
from rookery.server.web.api.problems import Trouble
from rookery.server.web.position_study import PositionStudy
from tests.server.process import Server
from tests.server.web.asking import ask
from tests.server.web.looking import look

STUDY = Study("nim", 2, 1, (), Seat(0), 10)


def test_a_game_that_is_over_is_analysed_at_any_position(server: Server) -> None:
    found = look(server, "/api/tables/1/analysis?n=5")
    assert found["seat"] == 0
    assert len(found["choices"]) == 5
    assert 0 <= found["worth"] <= 1
    assert found["depth"] > 100
    assert found["tried"]


def test_moves_are_tried_out_from_any_position(server: Server) -> None:
    first = look(server, "/api/tables/1/tryout?n=5")
    assert (first["to_act"], len(first["legal"])) == ([0], 9)
    then = look(server, "/api/tables/1/tryout?n=5&moves=0%0A4%0A1%0A8%0A2")
    assert (then["to_act"], then["legal"]) == ([], [])
    assert then["outcome"]["places"] == [1, 2]
    over = ask(server, "GET", "/api/tables/1/analysis?n=5&moves=0%0A4%0A1%0A8%0A2")
    assert (over.status, over.problem.code) == (409, "over")
    wrong = ask(server, "GET", "/api/tables/1/tryout?n=5&moves=4%0A4")
    assert (wrong.status, wrong.problem.code) == (409, "not_now")


@pytest.mark.parametrize("what", ["analysis", "tryout"])
def test_a_game_between_people_is_not_analysed_while_it_runs(server: Server, what: str) -> None:
    for table in (2, 3):  # the second is a match of a tour
        refused = ask(server, "GET", f"/api/tables/{table}/{what}")
        assert (refused.status, refused.problem.code) == (409, "not_now")
        assert "wait until it is over" in refused.problem.detail
    assert ask(server, "GET", f"/api/tables/99/{what}").status == 404


ECHO = 'import sys\nfor _ in sys.stdin: print(\'{"choices":[],"depth":1}\', flush=True)'
SCRIPT = (sys.executable, "-c", ECHO)


def test_a_host_waits_behind_its_own_studies_and_is_refused_where_it_asks_too_much() -> None:
    async def story() -> None:
        study = PositionStudy(SCRIPT)
        try:
            many = [Study("nim", 2, seed, (), Seat(0), 10) for seed in range(60)]
            asked = [asyncio.ensure_future(study.look_into(one, "a")) for one in many]
            other = asyncio.ensure_future(study.look_into(STUDY, "b"))
            assert await other == Studied((), 1)
            assert not all(one.done() for one in asked[: position_study.WAITING_A_HOST])
            told = await asyncio.gather(*asked, return_exceptions=True)
            refused = [one for one in told if isinstance(one, Trouble)]
            assert len(refused) == 60 - position_study.WAITING_A_HOST
            assert await study.look_into(many[0], "a") == Studied((), 1)
        finally:
            await study.close()

    asyncio.run(story())
