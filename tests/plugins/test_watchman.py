"""Rules that never end are interrupted, and then put out of use; other code never is."""

import asyncio
import threading
from pathlib import Path

import pytest

from rookery.core.events import Ended
from rookery.core.intents import Open, Play, Seek
from rookery.games import GAMES
from rookery.plugins import load
from rookery.plugins.watchman import Watchman, rules_in
from tests.hall.house import House
from tests.plugins.test_broken import LATE, failed, others_go_on, table_of
from tests.plugins.toys import HEAP, toy

HEAD = HEAP[HEAP.index("    def play(") :].partition(":\n")[0] + ":\n"
ENDLESS = (HEAD, f"{HEAD}        while {LATE}:\n            try:\n                1 / 0\n            except Exception:\n                pass\n")  # fmt: skip # noqa: E501


@pytest.fixture
def watchman() -> object:
    watchman = Watchman(patience=0.2)
    watchman.begin()
    yield watchman
    watchman.end()


@pytest.mark.usefixtures("watchman")
def test_an_endless_move_ends_its_table_and_the_game_is_out_of_use(
    house: House, tmp_path: Path
) -> None:
    load([toy(tmp_path, ENDLESS)])
    ann, bob, table = table_of(house)
    _, dot, second = table_of(house)
    house.do(ann, Play(table, "1"))
    house.do(bob, Play(table, "1"))
    house.reply(ann, Play(table, "1"))
    assert "did not come to an end" in house.last(table, Ended).outcome.reason
    assert "heap" not in GAMES
    assert house.no(house.enter("eve"), Seek("heap")) == "bad_option"
    assert house.no(house.enter("eve"), Open("heap")) == "bad_option"
    assert house.no(dot, Play(second, "1")) == "absent", "its other tables rest"
    before = house.events(second)
    house.wait(300)
    assert house.events(second) == before
    others_go_on(house)


@pytest.mark.usefixtures("watchman")
def test_code_that_is_no_games_is_never_interrupted() -> None:
    waited = threading.Event()
    for _ in range(4):
        waited.wait(0.2)
    assert sum(range(2_000_000)) > 0


def test_whoever_asks_rules_without_knowing_is_not_interrupted() -> None:
    assert rules_in(None) == ""


def test_a_loop_that_turns_is_left_alone(watchman: Watchman) -> None:
    async def turns() -> None:
        for _ in range(10):
            watchman.turned()
            await asyncio.to_thread(threading.Event().wait, 0.05)

    asyncio.run(turns())


def test_the_log_of_an_endless_move_can_be_read(
    house: House, tmp_path: Path, watchman: Watchman
) -> None:
    load([toy(tmp_path, ENDLESS)])
    ann, bob, table = table_of(house)
    watchman.turned()
    house.do(ann, Play(table, "1"))
    house.do(bob, Play(table, "1"))
    house.reply(ann, Play(table, "1"))
    assert failed(house, table)
