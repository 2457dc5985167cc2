"""Analysis over HTTP: of what is over, never of what runs; tried out, and bounded by host."""

import asyncio
import socket
import sys
from collections.abc import Callable, Coroutine
from itertools import islice, permutations
from pathlib import Path

import pytest

from rookery.bots.studying import Studied, Study
from rookery.core.ids import Seat
from rookery.server.jobs import STUDIES_A_HOST, PositionStudy
from rookery.server.web.problems import HttpProblem
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
            assert not all(one.done() for one in asked[:STUDIES_A_HOST])
            told = await asyncio.gather(*asked, return_exceptions=True)
            refused = [one for one in told if isinstance(one, HttpProblem)]
            assert len(refused) == 60 - STUDIES_A_HOST
            assert await study.look_into(many[0], "a") == Studied((), 1)
        finally:
            await study.close()

    asyncio.run(story())


# -- for nobody nothing is done


def test_who_asks_for_many_and_hangs_up_leaves_nothing_behind(server: Server) -> None:
    """Not even the wait of its next request, though all of this machine is one host."""
    for first, second in islice(permutations(range(9), 2), STUDIES_A_HOST):
        path = f"/api/tables/1/analysis?n=5&moves={first}%0A{second}"
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    found = look(server, "/api/tables/1/analysis?n=6&quick=true")
    assert found["choices"]


# It notes the seed of each study that it begins. A long one never ends, a glance at once.
NOTES = """
import sys, json, time
for line in sys.stdin:
    wanted = json.loads(line)
    print(wanted["seed"], file=open(sys.argv[1], "a"), flush=True)
    if wanted["millis"] > 1000:
        time.sleep(3600)
    print('{"choices":[],"depth":1}', flush=True)
"""


class Studies:
    """Positions that are studied by something that says what it has begun. It mutates."""

    def __init__(self, place: Path) -> None:
        self._notes = place / "notes"
        self._notes.touch()
        self.study = PositionStudy((sys.executable, "-c", NOTES, str(self._notes)))

    def ask(self, host: str, seed: int, *, millis: int = 10) -> "asyncio.Task[Studied]":
        """Somebody asks for a study, a glance unless it takes long."""
        wanted = Study("nim", 2, seed, (), Seat(0), millis)
        return asyncio.ensure_future(self.study.look_into(wanted, host))

    async def begin(self) -> None:
        """One has begun: it is another process's doing."""
        while not self.begun():  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    def begun(self) -> list[int]:
        """The seeds of the studies that were begun, in this order."""
        return [int(line) for line in self._notes.read_text().split()]


def studying(told: Callable[[Studies], Coroutine[None, None, None]], place: Path) -> None:
    async def run() -> None:
        studies = Studies(place)
        try:
            async with asyncio.timeout(60):
                await told(studies)
        finally:
            await studies.study.close()

    asyncio.run(run())


LONG = 3_000


def test_what_an_asker_who_is_gone_waited_for_never_begins(tmp_path: Path) -> None:
    async def told(studies: Studies) -> None:
        long = [studies.ask("a", seed, millis=LONG) for seed in range(40)]
        await studies.begin()
        for one in long:
            one.cancel()
        # It would wait for an hour behind the one that was under way, and each behind that.
        assert await studies.ask("b", 99, millis=500) == Studied((), 1)
        assert studies.begun() == [0, 99]

    studying(told, tmp_path)


def test_a_glance_waits_for_no_long_study(tmp_path: Path) -> None:
    async def told(studies: Studies) -> None:
        studies.ask("a", 1, millis=LONG)
        assert await studies.ask("a", 2) == Studied((), 1)

    studying(told, tmp_path)


def test_hosts_take_turns(tmp_path: Path) -> None:
    async def told(studies: Studies) -> None:
        asked = [studies.ask("a", seed) for seed in (1, 2, 3)]
        asked += [studies.ask("b", seed) for seed in (11, 12)]
        await asyncio.gather(*asked)
        assert studies.begun() == [1, 11, 2, 12, 3]

    studying(told, tmp_path)


def test_what_two_ask_for_is_studied_once_while_one_of_them_stays(tmp_path: Path) -> None:
    async def told(studies: Studies) -> None:
        first, other = studies.ask("a", 5, millis=500), studies.ask("b", 5, millis=500)
        await studies.begin()
        first.cancel()
        assert await other == Studied((), 1)
        assert studies.begun() == [5]

    studying(told, tmp_path)
