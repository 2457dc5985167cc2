"""The pairer: rounds are paired in a process of its own, and come back whatever that does."""

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable

import pytest

from rookery.core.chance import Chance
from rookery.core.ids import TourId
from rookery.core.tour_values import Fixture, Match, Puzzle, Result
from rookery.hall.batch import Wish
from rookery.hall.tours.formats.dutch import solve
from rookery.hall.tours.running.rounds import Solved
from rookery.server.jobs import Pairer
from tests.server.desk import until

READY = "import sys, time; print('ready', flush=True)"
DIES = (sys.executable, "-c", "")
DIES_WHEN_ASKED = (sys.executable, "-c", f"{READY}; sys.stdin.readline()")
HANGS = (sys.executable, "-c", f"{READY}; time.sleep(600)")
RAVES = (sys.executable, "-c", f"{READY}; sys.stdin.readline(); print('cheese', flush=True)")
NEVER = ("/nowhere/at/all",)


def puzzle(entrants: int, rounds: int, seed: int = 1) -> Puzzle:
    """A tour of so many, after so many rounds with chance results."""
    chance, there = Chance(seed), tuple(range(1, entrants + 1))
    matches: tuple[Match, ...] = ()
    for number in range(1, rounds + 1):
        for sides in solve(Puzzle(there, matches, last=False)) or ():
            places = chance.choice(((1, 2), (2, 1), (1, 1)))[: len(sides)]
            result = Result((1,), "bye") if len(sides) == 1 else Result(places, "played")
            matches = (*matches, Match(Fixture(number, sides), result=result))
    return Puzzle(there, matches, last=False)


def story(told: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await asyncio.wait_for(told(), 120)

    asyncio.run(whole())


async def paired(
    wanted: Puzzle, command: tuple[str, ...] | None = None, patience: float = 60.0
) -> Solved:
    """What comes back for this round."""
    back: asyncio.Future[Solved] = asyncio.get_running_loop().create_future()
    wish = Wish(TourId(3), 1, wanted)

    def told(answered: Wish, found: Solved) -> None:
        assert answered is wish
        back.set_result(found)

    more = {} if command is None else {"command": command}
    pairer = Pairer(told, timeout_s=lambda _: patience, **more)
    pairer.want(wish)
    try:
        return await back
    finally:
        await pairer.close()


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 0), (9, 3), (40, 2)])
def test_a_process_pairs_as_we_do_in_place(entrants: int, rounds: int) -> None:
    wanted = puzzle(entrants, rounds)

    async def told() -> None:
        assert await paired(wanted) == Solved(solve(wanted))

    story(told)


def test_a_process_has_loaded_what_it_pairs_with_before_it_says_that_it_is_ready() -> None:
    asked = "import sys, rookery.server.worker_main as w; w.main('pair'); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", asked], input="", capture_output=True, text=True, check=True
    )
    said = done.stdout.split()
    assert said[0] == "ready"
    assert "py4swiss.engines.dutch" in said


def test_a_round_that_cannot_be_paired_is_no_failure() -> None:
    wanted = puzzle(2, 1)  # the two have met

    async def told() -> None:
        assert await paired(wanted) == Solved(None)

    story(told)


@pytest.mark.parametrize(
    ("command", "how"),
    [
        (DIES, "died"),
        (DIES_WHEN_ASKED, "died"),
        (HANGS, "did not answer in 0 s"),
        (RAVES, "cannot be talked to"),
        (NEVER, "could not be started: No such file or directory"),
    ],
)
def test_a_process_that_fails_is_named_and_tried_again_and_done_without(
    command: tuple[str, ...], how: str, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = puzzle(9, 2)

    async def told() -> None:
        with caplog.at_level(logging.WARNING):
            patience = 0.2 if command is HANGS else 60.0
            assert await paired(wanted, command, patience) == Solved(solve(wanted))

    story(told)
    ours = [record for record in caplog.records if record.name.startswith("rookery")]
    said = [record.getMessage() for record in ours]
    assert [line.partition(" entrants ")[2][: len(how)] for line in said[:2]] == [how, how]
    assert said[2].startswith("pairing tour 3 with 9 entrants in the server itself")


def test_what_nobody_can_pair_is_told_as_such() -> None:
    wrong = Puzzle((1, 2), (Match(Fixture(1, (1, 2))),), last=False)  # it has not come out

    async def told() -> None:
        assert await paired(wrong, DIES) == Solved(failed=True)

    story(told)


def test_what_is_wanted_is_paired_one_after_the_other() -> None:
    wishes = [Wish(TourId(n), 1, puzzle(4 + n, 1)) for n in range(3)]

    async def told() -> None:
        back: list[tuple[Wish, Solved]] = []
        done = asyncio.Event()

        def heard(wish: Wish, found: Solved) -> None:
            back.append((wish, found))
            if len(back) == len(wishes):
                done.set()

        pairer = Pairer(heard)
        pairer.warm()
        for wish in wishes:
            pairer.want(wish)
        await done.wait()
        await pairer.close()
        assert back == [(wish, Solved(solve(wish.puzzle))) for wish in wishes]

    story(told)


def test_closing_in_the_middle_leaves_no_process_behind() -> None:
    async def told() -> None:
        pairer = Pairer(lambda *_: None, HANGS)
        pairer.want(Wish(TourId(1), 1, puzzle(4, 1)))
        await until(lambda: pairer.process is not None)
        process = pairer.process
        assert process is not None
        await pairer.close()
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)

    story(told)
