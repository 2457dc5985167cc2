"""What waits to be decided: in order while there is time, and in fair turns when not."""

import asyncio
import tracemalloc
from collections import Counter

import pytest

from rookery.core.events import Played
from rookery.core.ids import MICROS_A_SECOND, SessionId
from rookery.core.intents import ListGames, Play
from rookery.core.messages import News
from rookery.server.actor.intent_queue import MOVES_AT_ONCE, Docket
from rookery.server.actor.timer import FLAGS_WAIT
from tests.server.desk import AtOnce, Desk, Ear, story, until
from tests.server.ticking import Ticking

SECOND = MICROS_A_SECOND
DEAR = 16_000_000  # nanoseconds


def docket(sessions: int, each: int, host: str = "a") -> Docket[str]:
    """So many sessions of a host, which ask so many things each."""
    asked: Docket[str] = Docket()
    for n in range(sessions):
        asked.connect(SessionId(n), host)
        for k in range(each):
            asked.put(SessionId(n), f"{n}.{k}", k)
    return asked


def test_while_there_is_time_it_is_the_order_in_which_it_was_read() -> None:
    asked = docket(3, 2)
    taken = []
    while (found := asked.take()) is not None:
        taken.append(found[1])
    assert taken == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]


def test_when_there_is_not_all_have_turns_and_each_keeps_its_order() -> None:
    asked = docket(3, 4)
    asked.share()
    taken = []
    while (found := asked.take()) is not None:
        taken.append(found[1])
        asked.charge(found[0], 10)
    assert {one.split(".")[0] for one in taken[:3]} == {"0", "1", "2"}
    for n in "012":
        assert [one for one in taken if one[0] == n] == [f"{n}.{k}" for k in range(4)]
    assert not asked.shared


def test_nothing_is_kept_of_who_came_and_went_while_a_flood_lasts() -> None:
    asked = docket(2, 64)
    asked.share()
    tracemalloc.start()
    try:
        for n in range(10, 5_000):
            asked.connect(SessionId(n), "a")
            asked.put(SessionId(n), "bye", 0)
            while (found := asked.take()) is not None and found[1] != "bye":
                asked.put(found[0], "more", 0)
            asked.leave(SessionId(n))
            if n == 1_000:
                before, _ = tracemalloc.get_traced_memory()
        assert tracemalloc.get_traced_memory()[0] - before < 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("host", ["a", "b"], ids=["the same host", "another"])
def test_ten_sessions_full_of_questions_keep_nobody_waiting(host: str) -> None:
    asked = docket(10, 64)
    asked.share()
    for _ in range(20):
        found = asked.take()
        assert found is not None
        asked.charge(found[0], DEAR)
    asked.connect(SessionId(99), host)
    asked.put(SessionId(99), "a move", 0)
    found = asked.take()
    assert found is not None
    assert found[1] == "a move"


def test_hosts_have_equal_shares_however_many_ask() -> None:
    asked = docket(10, 64)
    asked.connect(SessionId(99), "b")
    for k in range(64):
        asked.put(SessionId(99), f"99.{k}", k)
    asked.share()
    for _ in range(11):  # everybody's first is as good as a player's
        found = asked.take()
        assert found is not None
        asked.charge(found[0], DEAR)
    hosts: Counter[bool] = Counter()
    for _ in range(60):
        found = asked.take()
        assert found is not None
        asked.charge(found[0], DEAR)
        hosts[found[0] == SessionId(99)] += 1
    assert abs(hosts[True] - hosts[False]) <= 4


def test_where_there_is_enough_only_who_asks_one_thing_is_taken() -> None:
    asked = docket(3, 4)
    asked.share()
    first = [asked.take(little=True) for _ in range(3)]
    assert [one[1] for one in first if one is not None] == ["0.0", "1.0", "2.0"]
    assert asked.take(little=True) is None
    assert asked.since(SessionId(0)) == 1  # and it still waits
    asked.connect(SessionId(99), "a")
    asked.put(SessionId(99), "a move", 9)
    found = asked.take(little=True)
    assert found is not None
    assert found[1] == "a move"


def test_who_asks_much_has_a_part_of_the_time_whoever_asks_one_thing() -> None:
    asked = docket(1, 1000)
    asked.share()
    taken: Counter[bool] = Counter()
    for n in range(1, 2001):
        asked.connect(SessionId(n), "a")
        asked.put(SessionId(n), "a move", 0)
        found = asked.take(little=True)
        assert found is not None
        asked.charge(found[0], 100_000)
        taken[found[0] == SessionId(0)] += 1
    assert 0.15 < taken[True] / 2000 < 0.25


def test_who_does_something_goes_before_all_of_its_host_who_only_ask() -> None:
    asked: Docket[str] = Docket(reads=lambda words: words.endswith("?"))
    for n in range(400):
        asked.connect(SessionId(n), "a")
        asked.put(SessionId(n), "what?", 0)
    asked.share()
    for _ in range(10):
        found = asked.take()
        assert found is not None
        asked.charge(found[0], DEAR)
    asked.connect(SessionId(999), "a")
    asked.put(SessionId(999), "a move", 0)
    found = asked.take(little=True)
    assert found is not None
    assert found[1] == "a move"
    assert asked.take(little=True) is None  # a question waits for the next write


def test_who_asks_has_a_part_of_the_time_whoever_does_something() -> None:
    asked: Docket[str] = Docket(reads=lambda words: words.endswith("?"))
    asked.connect(SessionId(0), "a")
    asked.put(SessionId(0), "what?", 0)
    asked.share()
    taken: Counter[bool] = Counter()
    for n in range(1, 2001):
        asked.connect(SessionId(n), "a")
        asked.put(SessionId(n), "a move", 0)
        found = asked.take(little=True)
        assert found is not None
        asked.charge(found[0], 100_000)
        if found[0] == SessionId(0):
            asked.put(SessionId(0), "what?", 0)
        taken[found[0] == SessionId(0)] += 1
    assert 0.15 < taken[True] / 2000 < 0.25


def test_who_moves_at_many_tables_at_once_is_not_taken_for_a_flood() -> None:
    asked: Docket[str] = Docket(moves=lambda words: words.startswith("a move"))
    for n in range(3):
        asked.connect(SessionId(n), "a")
    for _ in range(2 * MOVES_AT_ONCE):
        asked.put(SessionId(0), "a name", 0, much=True)
        asked.put(SessionId(1), "a move", 0, much=True)
    taken = []
    while (found := asked.take(little=True)) is not None:
        taken.append(found[1])
    assert taken == ["a move"] * MOVES_AT_ONCE  # and who asks for more than that is one
    while asked.take() is not None:
        pass
    asked.put(SessionId(0), "a name", 0, much=True)
    asked.put(SessionId(1), "a move", 0, much=True)
    found = asked.take(little=True)
    assert found is not None, "nothing of it had waited: it begins anew"
    assert found[1] == "a move"


# -- with a runner


@pytest.mark.parametrize("crowd", [100, 400])
def test_a_move_does_not_wait_for_all_of_its_host_who_ask_one_thing_each(crowd: int) -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        table = await desk.game(ann, bob, "tictactoe", "none")
        crowded = [desk.ear() for _ in range(crowd)]
        for ear in crowded:
            desk.ask(ear, ListGames())
        await until(lambda: any(ear.answers for ear in crowded))
        before = sum(ear.answers for ear in crowded)
        desk.ask(ann, Play(table, "4"))
        await until(lambda: "played" in bob.kinds())
        assert sum(ear.answers for ear in crowded) - before <= 5
        await until(lambda: all(ear.answers == 1 for ear in crowded))

    # A thread may be slow, and others are answered on; and no time is the machine's own.
    story(told, Ticking(DEAR // 40), AtOnce, elapsed=Ticking(10_000))


def test_a_move_is_decided_soon_beside_ten_sessions_full_of_dear_questions() -> None:
    async def told(desk: Desk) -> None:
        ann = await desk.player("ann", "10.0.0.2")
        bob = await desk.player("bob", "10.0.0.3")
        table = await desk.game(ann, bob, "tictactoe", "none")
        flood = [desk.ear("10.0.0.9") for _ in range(10)]
        for ear in flood:
            desk.ask(ear, *[ListGames()] * 64)
        await until(lambda: any(ear.answers for ear in flood))
        before = sum(ear.answers for ear in flood)
        desk.ask(ann, Play(table, "4"))
        await until(lambda: "played" in bob.kinds())
        assert sum(ear.answers for ear in flood) - before <= 20  # of 640
        await until(lambda: all(ear.answers == 64 for ear in flood))

    story(told, Ticking(DEAR))


def test_a_flood_does_not_keep_flags_from_falling() -> None:
    async def told(desk: Desk) -> None:
        ann = await desk.player("ann", "10.0.0.2")
        bob = await desk.player("bob", "10.0.0.3")
        await desk.game(ann, bob, "tictactoe", "1s")
        flood = [desk.ear("10.0.0.9") for _ in range(10)]
        for ear in flood:
            desk.ask(ear, *[ListGames()] * 64)
        await until(lambda: any(ear.answers for ear in flood))
        desk.passes(SECOND + FLAGS_WAIT)
        await until(lambda: "ended" in bob.kinds())
        assert sum(ear.answers for ear in flood) < 100  # most of it still waits

    story(told, Ticking(DEAR))


def test_who_moved_in_time_does_not_lose_because_its_turn_to_be_decided_comes_later() -> None:
    async def told(desk: Desk) -> None:
        ann = await desk.player("ann", "10.0.0.9")
        bob = await desk.player("bob", "10.0.0.3")
        table = await desk.game(ann, bob, "tictactoe", "1s")
        desk.passes(SECOND - 1)
        desk.ask(ann, *[ListGames()] * 30, Play(table, "4"))
        desk.passes(3 * SECOND)
        desk.ask(bob, Play(table, "0"))  # read when her flag would have fallen long ago
        await until(lambda: bool(moves(bob)))
        assert moves(bob)[0].spent == SECOND - 1
        await asyncio.sleep(0)
        assert "ended" not in bob.kinds()

    story(told, Ticking(DEAR))


def moves(ear: Ear) -> list[Played]:
    """The moves it was told of."""
    events = [message.happened.event for message in ear.sent if isinstance(message, News)]
    return [event for event in events if isinstance(event, Played)]
