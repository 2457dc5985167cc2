"""While others play, who asks much has one piece at a time, and nobody waits for ever."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from rookery.core.events import PlayerNamed, Record
from rookery.core.ids import PlayerId, SessionId, Wall
from rookery.core.intents import ListGames, Open, Play
from rookery.hall.batch import Batch
from rookery.server.actor.intent_queue import Clerk, Decided, HeldWrites
from rookery.server.actor.log_writer import Written
from rookery.server.net import fair as hearing_in_turns
from rookery.server.net.fair import (
    BURST,
    LATELY,
    REST,
    RESTS,
    SHARE,
    FairQueue,
    Later,
    Pieces,
    Source,
    Throttle,
)
from rookery.store import Store
from tests.server.desk import NOON, AtOnce, Desk, Ear, turns, until
from tests.server.ticking import Ticking

PIECE = 200_000  # nanoseconds


def both(clock: Ticking) -> tuple[Throttle, Pieces, Pieces]:
    """Who hears and who decides, with one throttle."""
    throttle = Throttle(clock)
    return throttle, Pieces(throttle), Pieces(throttle)


def test_where_nobody_plays_a_piece_may_follow_the_other() -> None:
    clock = Ticking(tick=0)
    throttle, hearing, deciding = both(clock)
    clock.now += LATELY
    hearing.took(PIECE)
    assert hearing.pause() == deciding.pause() == 0
    assert not throttle.lately()


def test_beside_others_who_play_one_rests_longer_than_its_piece_and_the_other_as_long() -> None:
    clock = Ticking(tick=0)
    throttle, hearing, deciding = both(clock)
    throttle.played()
    hearing.took(PIECE)
    assert hearing.pause() == RESTS * PIECE
    assert deciding.pause() == PIECE
    clock.now += PIECE
    assert deciding.pause() == 0
    clock.now += (RESTS - 1) * PIECE
    assert hearing.pause() == 0


def test_a_piece_is_all_that_was_done_at_once_from_its_beginning() -> None:
    clock = Ticking(tick=0)
    throttle, _, deciding = both(clock)
    throttle.played()
    deciding.begin()
    clock.now += PIECE  # it is decided
    deciding.begin()
    clock.now += PIECE  # written, and told
    deciding.end()
    assert deciding.pause() == RESTS * 2 * PIECE
    deciding.end()  # and once is enough
    assert deciding.pause() == RESTS * 2 * PIECE


def test_who_asks_much_on_and_on_rests_longer_and_who_asked_a_while_ago_does_not() -> None:
    clock = Ticking(tick=0)
    throttle, hearing, _ = both(clock)
    for _ in range(BURST // PIECE - 1):
        throttle.played()
        hearing.took(PIECE)
        assert hearing.pause() == RESTS * PIECE
    hearing.took(PIECE)
    assert hearing.pause() == SHARE * PIECE
    clock.now += SHARE * BURST // 4
    throttle.played()
    hearing.took(PIECE)
    assert hearing.pause() == SHARE * PIECE, "a quarter of it is there again, and half is needed"
    clock.now += SHARE * BURST
    throttle.played()
    hearing.took(PIECE)
    assert hearing.pause() == RESTS * PIECE


@pytest.mark.parametrize("dear", [PIECE, 10 * PIECE])
def test_neither_of_both_keeps_the_other_from_its_pieces(dear: int) -> None:
    clock = Ticking(tick=0)
    throttle, hearing, deciding = both(clock)
    took: Counter[str] = Counter()
    for _ in range(10_000):
        throttle.played()
        for name, pieces, piece in (("hearing", hearing, PIECE), ("deciding", deciding, dear)):
            if not pieces.pause():
                clock.now += piece
                pieces.took(piece)
                took[name] += piece
        clock.now += PIECE // 4
    for name in ("hearing", "deciding"):
        assert took[name] > clock.now * PIECE / dear / (SHARE + 3)
    assert took.total() <= BURST + clock.now * 2 / SHARE  # nearly all of it is for who plays


def test_what_is_to_be_done_later_is_done_once() -> None:
    async def run() -> None:
        done: list[int] = []
        later = Later(partial(done.append, 1))
        for _ in range(5):
            later(1)
        assert done == []
        await until(lambda: done == [1])
        later(0)
        assert done == [1, 1]

    asyncio.run(run())


# -- hearing


def test_who_rested_for_who_plays_still_waits_for_a_hall_with_things_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It waits for that once and no longer than so: here longer than any machine stands still.
    monkeypatch.setattr(hearing_in_turns, "REST", 3600 * 10**9)

    async def run() -> None:
        clock, busy, heard = Ticking(tick=0), [False], list[str]()
        throttle = Throttle(clock)
        hearing = FairQueue(clock, lambda: busy[0], throttle=throttle)

        def source(name: str) -> Source:
            def hear(_: int) -> bool:
                heard.append(name)
                clock.now += PIECE
                return False

            return Source("10.0.0.1", hear)

        throttle.played()
        for name in ("first", "second"):
            hearing.wait(source(name))
        await turns(5)
        assert heard == ["first"]
        busy[0] = True  # a move has come
        clock.now += RESTS * PIECE
        rung = asyncio.Event()
        asyncio.get_running_loop().call_later(RESTS * PIECE / 1e9, rung.set)
        await rung.wait()  # as has the timer of who rests
        assert heard == ["first"]
        busy[0] = False
        hearing.wake()
        await until(lambda: heard == ["first", "second"])

    asyncio.run(run())


def test_who_says_much_is_heard_though_the_hall_is_always_busy() -> None:
    async def run() -> None:
        clock, heard = Ticking(tick=REST // 10), asyncio.Event()
        throttle = Throttle(clock)
        hearing = FairQueue(clock, lambda: True, throttle=throttle)
        throttle.played()
        Pieces(throttle).took(PIECE)

        def hear(_: int) -> bool:
            heard.set()
            return False

        hearing.ask(Source("10.0.0.1", hear))
        assert not heard.is_set()
        await asyncio.wait_for(heard.wait(), 60)

    asyncio.run(run())


# -- deciding


class SlowHall:
    """Every question takes a piece, and a move nothing. It mutates."""

    def __init__(self, clock: Ticking) -> None:
        self.clock = clock
        self.decided: list[str] = []

    def receive(self, _: SessionId, intent: object, __: int, ___: int) -> Batch:
        """Note it, and take some time."""
        self.decided.append("?" if isinstance(intent, ListGames) else "!")
        self.clock.now += PIECE if isinstance(intent, ListGames) else 0
        return Batch()


def clerk() -> tuple[Clerk, SlowHall, Throttle, Ticking]:
    """One with nine who ask much, while somebody has just played."""
    clock = Ticking(tick=0)
    hall, throttle = SlowHall(clock), Throttle(clock)
    made = Clerk(hall, clock, throttle)  # type: ignore[arg-type] # all of a hall that it needs
    for n in range(10):
        made.connect(SessionId(n), "10.0.0.1")
    for n in range(1, 10):
        for _ in range(20):
            made.ask(SessionId(n), ListGames(), 0, much=True)
    throttle.played()
    return made, hall, throttle, clock


def decide(one: Clerk, *, ends: bool = True) -> bool:
    """A turn of the loop, with the end of what it did."""
    more = one.decide(list[Decided](), Wall(NOON), busy=False)
    one.taken(written=False)
    if ends:
        one.pieces.end()
    return more


def test_a_turn_has_one_piece_for_who_asks_much_and_then_it_rests() -> None:
    one, hall, _, clock = clerk()
    assert decide(one)
    assert hall.decided == ["?"]
    assert one.pause == RESTS * PIECE
    assert decide(one), "there is more, for later"
    assert hall.decided == ["?"]
    clock.now += RESTS * PIECE
    assert one.pause == 0
    decide(one)
    assert hall.decided == ["?", "?"]


def test_a_move_is_decided_while_who_asks_much_rests() -> None:
    one, hall, _, _ = clerk()
    decide(one)
    one.ask(SessionId(0), Play(1, "4"), 0)  # type: ignore[arg-type]
    assert one.pause == 0, "who does one thing waits for nobody's rest"
    decide(one)
    assert hall.decided == ["?", "!"]


def test_where_nobody_plays_who_asks_much_does_not_rest() -> None:
    one, hall, _, clock = clerk()
    clock.now += LATELY
    for n in range(1, 6):
        decide(one)
        assert hall.decided == ["?"] * n
        assert one.pause == 0


def test_what_a_flood_writes_is_not_play() -> None:
    one, _, throttle, clock = clerk()
    clock.now += LATELY
    one.decide(list[Decided](), Wall(NOON), busy=False)
    one.taken(written=True)
    assert not throttle.lately()
    one.ask(SessionId(0), Play(1, "4"), 0)  # type: ignore[arg-type]
    one.decide(list[Decided](), Wall(NOON), busy=False)
    one.taken(written=True)
    assert throttle.lately()


# -- what is written

RECORD = Record(1, "hall", 1, Wall(NOON), PlayerNamed(PlayerId(1), "ann"))
FLOODS: Decided = (SessionId(1), Batch((RECORD,)))
QUESTION: Decided = (SessionId(1), Batch())
CHORE: Decided = (None, Batch((RECORD,)))


class Timers:
    """A loop whose timers go off when they are told to; and each of them. It mutates."""

    def __init__(self) -> None:
        self.due: list[Callable[[], object]] = []

    def call_later(self, _: float, callback: Callable[[], object]) -> "Timers":
        """Note it."""
        self.due.append(callback)
        return self

    def cancel(self) -> None:
        """There is one at a time."""
        self.due.pop()


def test_what_a_flood_writes_waits_for_company_once_and_not_for_ever() -> None:
    loop, went = Timers(), list[str]()
    held = HeldWrites(loop, partial(went.append, "on"))
    assert held.waits([FLOODS], flood=True)
    assert held.waits([FLOODS, FLOODS], flood=True)
    assert len(loop.due) == 1
    assert not held.waits([FLOODS, FLOODS], flood=False), "a move came"
    assert not loop.due
    assert held.waits([FLOODS], flood=True)
    loop.due.pop()()
    assert went == ["on"]
    assert not held.waits([FLOODS], flood=True), "it has waited"
    assert held.waits([FLOODS], flood=True), "and this is another"


@pytest.mark.parametrize("decided", [[QUESTION], [FLOODS, CHORE]])
def test_what_needs_no_write_or_follows_from_the_time_does_not_wait(decided: list[Decided]) -> None:
    loop = Timers()
    assert not HeldWrites(loop, lambda: None).waits(decided, flood=True)
    assert not loop.due


# -- with a runner


def beside_a_flood(claim: Callable[[Desk, AtOnce, Ear, Ear], None]) -> None:
    """Two sit at a table, nine who ask for much wait to be decided, and then this happens."""

    async def run() -> None:
        scribes: list[AtOnce] = []

        def hire(store: Store, written: Written) -> AtOnce:
            scribes.append(AtOnce(store, written))
            return scribes[-1]

        desk = Desk(writer=hire)
        ann, bob = await desk.player("ann"), await desk.player("bob")
        for ear in (desk.ear() for _ in range(9)):
            desk.runner.ask(ear.session, [ListGames()] * 64, 0, much=True)
        scribes[0].alone.clear()
        claim(desk, scribes[0], ann, bob)
        await until(lambda: bool(scribes[0].alone) and not desk.runner.is_busy())

    asyncio.run(run())


def test_who_does_one_thing_beside_a_flood_is_written_as_if_it_were_alone() -> None:
    noted: list[AtOnce] = []

    def claim(desk: Desk, writer: AtOnce, ann: Ear, _: Ear) -> None:
        desk.ask(ann, Open("nim"))
        noted.append(writer)

    beside_a_flood(claim)
    assert noted[0].alone[0]


def test_two_who_do_one_thing_each_are_not_alone() -> None:
    noted: list[AtOnce] = []

    def claim(desk: Desk, writer: AtOnce, ann: Ear, bob: Ear) -> None:
        desk.ask(ann, Open("nim"))
        desk.ask(bob, Open("nim"))
        noted.append(writer)

    beside_a_flood(claim)
    assert not noted[0].alone[0]


def test_who_waits_for_the_hall_goes_on_when_what_was_told_has_left() -> None:
    async def run() -> None:
        desk, passed = Desk(), list[str]()
        desk.runner.listen(lambda _: None, lambda: passed.append("rests"))
        hand = desk.runner.on_delivered

        def handed(batch: Batch, now: int) -> None:
            passed.append("handed")
            hand(batch, now)

        desk.runner.on_delivered = handed
        await desk.player("ann")
        await until(lambda: "rests" in passed)
        assert passed == ["handed", "rests"]
        desk.runner.let_go()

    asyncio.run(run())
