"""What is decided when: in a source's turn, acts first, and each session in its own order."""

import asyncio

import pytest

from rookery.core.events import Played
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.intents import Enter, ListGames, Open, Play
from rookery.core.messages import News
from rookery.server.actor.log_writer import Written
from rookery.server.actor.timer import FLAGS_WAIT
from rookery.server.net.fair import MOVES_AT_ONCE
from rookery.store import Store
from tests.server.desk import AtOnce, Desk, Ear, story, turns, until
from tests.server.ticking import Ticking

SECOND = MICROS_A_SECOND
DEAR = 16_000_000  # nanoseconds


def test_while_there_is_time_it_is_the_order_in_which_it_was_read() -> None:
    async def told(desk: Desk) -> None:
        order: list[int] = []
        ears = [desk.ear(f"10.0.0.{n}") for n in range(5)]
        for n, ear in enumerate(ears):
            ear.answered = lambda n=n: order.append(n)  # type: ignore[method-assign, misc]
        for ear in ears:
            desk.ask(ear, ListGames())
        await until(lambda: len(order) == len(ears))
        assert order == list(range(5))

    story(told, Ticking(0), AtOnce, elapsed=Ticking(0))


def test_nothing_is_decided_while_something_is_told() -> None:
    """What a dialect asks when it is told something waits for its source's next turn."""

    async def told(desk: Desk) -> None:
        ear, decided = desk.ear(), list[int]()

        def answered() -> None:
            before = desk.hall.presence.version, len(desk.runner._decided)  # noqa: SLF001
            desk.ask(ear, Open("nim"))
            assert before == (desk.hall.presence.version, len(desk.runner._decided))  # noqa: SLF001
            decided.append(1)

        ear.answered = answered  # type: ignore[method-assign]
        desk.ask(ear, ListGames())
        await until(lambda: len(decided) > 1)

    story(told)


def test_a_player_who_answers_at_many_tables_at_once_is_not_taken_for_a_flood() -> None:
    async def told(desk: Desk) -> None:
        ann, mallory = await desk.player("ann"), await desk.player("mallory")
        bob = await desk.player("bob", "10.0.0.3")
        table = await desk.game(ann, bob, "nim sticks=200", "none")
        order: list[str] = []
        ann.answered = lambda: order.append("a move")  # type: ignore[method-assign]
        mallory.answered = lambda: order.append("a flood's")  # type: ignore[method-assign]
        desk.runner.ask(mallory.session, [Open("nim")] * 20, desk.time.now(), much=True)
        moves = [Play(table, "0,1")] * (MOVES_AT_ONCE - 1)  # all but the first are refused
        desk.runner.ask(ann.session, moves, desk.time.now(), much=True)
        await until(lambda: order.count("a move") == len(moves))
        assert order[: len(moves)].count("a move") > 3 * len(moves) // 4
        await until(lambda: order.count("a flood's") == 20)

    story(told, Ticking(DEAR // 400), AtOnce, elapsed=Ticking(DEAR // 400))


# -- beside floods


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

    # A thread may be slow, and others are answered on.
    story(told, Ticking(DEAR), AtOnce, elapsed=Ticking(DEAR))


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

    # A thread may be slow, and others are answered on.
    story(told, Ticking(DEAR), AtOnce, elapsed=Ticking(DEAR))


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

    story(told, Ticking(DEAR), elapsed=Ticking(DEAR))


def moves(ear: Ear) -> list[Played]:
    """The moves it was told of."""
    events = [message.happened.event for message in ear.sent if isinstance(message, News)]
    return [event for event in events if isinstance(event, Played)]


# -- what is written


def beside_a_flood(*acts: int) -> list[bool]:
    """Nine ask for much; then Ann and Bob do so many things; whether each write was alone."""
    noted: list[bool] = []

    async def run() -> None:
        writers: list[AtOnce] = []

        def hire(store: Store, written: Written) -> AtOnce:
            writers.append(AtOnce(store, written))
            return writers[-1]

        desk = Desk(writer=hire)
        players = [await desk.player(name) for name in ("ann", "bob")]
        for ear in (desk.ear() for _ in range(9)):
            desk.runner.ask(ear.session, [ListGames()] * 64, 0, much=True)
        writers[0].alone.clear()
        for player in acts:
            desk.ask(players[player], Open("nim"))
        await until(lambda: bool(writers[0].alone))
        noted.extend(writers[0].alone)

    asyncio.run(run())
    return noted


def test_one_act_beside_a_flood_is_written_as_if_it_were_alone() -> None:
    assert beside_a_flood(0)[0]


def test_two_acts_are_not_alone() -> None:
    assert not beside_a_flood(0, 1)[0]


def test_what_a_flood_changes_is_written_with_the_next_act_or_after_a_while() -> None:
    async def told(desk: Desk) -> None:
        ann = await desk.player("ann")
        flood = desk.ear("10.0.0.9")
        desk.runner.queue.acted()
        tried = len(desk.store.tried)
        desk.runner.ask(flood.session, [Enter("mallory")], desk.time.now(), much=True)
        await until(lambda: desk.drawn == 2)  # it is decided
        await turns(20)
        assert len(desk.store.tried) == tried
        desk.ask(ann, Open("nim"))
        await until(lambda: "done" in ann.kinds())
        assert len(desk.store.tried) == tried + 1
        desk.runner.queue.acted()
        desk.runner.ask(flood.session, [Open("nim")], desk.time.now(), much=True)
        await until(lambda: "done" in flood.kinds())  # though nobody else does anything

    story(told, Ticking(0), elapsed=Ticking(0))
