"""An edge that is cut off from a hall which lives: nobody's clock runs, and nobody loses by it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from rookery.core.ids import MICROS_A_SECOND, Micros, TableId
from rookery.core.intents import Leave, Open, Play, Sit
from rookery.core.messages import Done, Notice
from rookery.hall.batch import Batch
from rookery.server.cluster.nats import Broker, NatsClient
from tests.server.clusters.test_links import answer, legal, player, settled, spent, table_of
from tests.server.desk import Ear, turns
from tests.server.spans import Span, spanned

SECOND = MICROS_A_SECOND


async def cut(span: Span, micros: Micros) -> None:
    """The two ends do not hear each other for so long, and notice."""
    span.held = True
    for _ in range(micros // SECOND):
        await span.passes(SECOND)
        span.beats()
        span.desk.runner.decide(lambda _, __: Batch())  # it looks at flags
        await turns()
    span.forget()
    span.held = False


def test_a_hall_that_gave_an_edge_up_lets_no_clock_run_there() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim", "10s")
        await turns()
        await span.passes(2 * SECOND)
        await cut(span, 15 * SECOND)
        await settled(span, lambda: _codes(ann)[-1:] == ["resumed"])
        await span.passes(3 * SECOND)
        move = (await legal(span, ann, table))[0]
        await answer(span, ann, Play(table, move))
        assert spent(ann) == 3 * SECOND
        assert "out" not in bob.kinds()

    spanned(told)


def test_who_is_not_back_when_the_grace_is_over_has_a_clock_again() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        await table_of(span, [ann, bob], "nim", "10s")
        await turns()
        await cut(span, 180 * SECOND)
        await settled(span, lambda: "ended" in ann.kinds())

    spanned(told)


def test_what_was_asked_while_no_hall_was_heard_is_in_no_doubt() -> None:
    """It was not sent: a hall that gave the edge up meanwhile is asked once they attach."""

    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim", "60s")
        move = (await legal(span, ann, table))[0]
        span.held = True
        for _ in range(2):
            await span.passes(SECOND)
            span.beats()
        span.ask(ann, Play(table, move))
        await cut(span, 5 * SECOND)
        await settled(span, lambda: "played" in bob.kinds())
        assert span.dismissed == []

    spanned(told)


async def seated(span: Span) -> tuple[Ear, TableId]:
    """Ann waits at a table of her own for somebody to play with."""
    ann = await player(span, "ann")
    done = await answer(span, ann, Open("nim", 2))
    assert isinstance(done, Done)
    assert done.table is not None
    await turns()
    return ann, done.table


def test_who_lost_its_seat_while_no_hall_heard_its_edge_is_hung_up_on() -> None:
    async def told(span: Span) -> None:
        ann, _ = await seated(span)
        await cut(span, 5 * SECOND)
        await settled(span, lambda: span.dismissed == [ann.session])

    spanned(told)


def test_who_left_its_seat_itself_stays_when_the_edge_was_cut_off() -> None:
    async def told(span: Span) -> None:
        ann, table = await seated(span)
        await answer(span, ann, Leave(table))
        await turns()
        await cut(span, 5 * SECOND)
        await settled(span, lambda: _codes(ann)[-1:] == ["resumed"])
        assert span.dismissed == []

    spanned(told)


def test_whose_game_began_while_it_sat_there_stays_too() -> None:
    async def told(span: Span) -> None:
        ann, table = await seated(span)
        bob = await player(span, "bob")
        await answer(span, bob, Sit(table))
        await turns()
        await cut(span, 5 * SECOND)
        await settled(span, lambda: _codes(ann)[-1:] == ["resumed"])
        assert span.dismissed == []

    spanned(told)


def _codes(ear: object) -> list[str]:
    return [one.code for one in ear.sent if isinstance(one, Notice)]  # type: ignore[attr-defined]


class Deaf:
    """A broker that is cut off twice before it says that it has heard what is wanted."""

    def __init__(self) -> None:
        self.is_connected = True
        self.asked = 0

    async def connect(self, servers: str, **_: object) -> None:
        assert servers

    async def publish(self, subject: str, payload: bytes) -> None:
        raise AssertionError(f"nothing is said here: {subject} {payload!r}")

    async def subscribe(self, subject: str, **_: object) -> object:
        return subject

    async def sync(self) -> None:
        self.asked += 1
        if self.asked < 3:
            raise TimeoutError

    async def close(self) -> None:
        pass


def test_a_broker_that_is_cut_off_while_one_subscribes_does_not_end_the_search() -> None:
    async def search() -> None:
        broker = Broker("nats://nowhere:4222", "main", lambda: deaf)
        await broker.open()
        await broker.subscribe("lead", lambda _, __: None)
        await broker.close()

    deaf: NatsClient = (made := Deaf())
    asyncio.run(search())
    assert made.asked > 2


class Back:
    """A broker that is reached again: its client is connected first, and says so later."""

    def __init__(self) -> None:
        self.is_connected = False
        self.told: dict[str, Callable[[], Awaitable[None]]] = {}

    async def connect(self, servers: str, **options: Any) -> None:  # Any: as nats-py has them
        assert servers
        self.is_connected = True
        self.told = {name: told for name, told in options.items() if name.endswith("connected_cb")}

    async def publish(self, subject: str, payload: bytes) -> None:
        raise AssertionError(f"nothing is said here: {subject} {payload!r}")

    async def subscribe(self, subject: str, **_: object) -> object:
        return subject

    async def sync(self) -> None:
        pass

    async def close(self) -> None:
        pass


def test_a_broker_is_there_again_no_sooner_than_those_it_kept_silent_are_given_time() -> None:
    async def come_back() -> None:
        broker = Broker("nats://nowhere:4222", "main", lambda: client)
        await broker.open(lambda: given.append(1))
        assert broker.connected
        made.is_connected = False
        await made.told["disconnected_cb"]()
        made.is_connected = True  # and the broker has not answered yet
        assert (broker.connected, given) == (False, [])
        await made.told["reconnected_cb"]()
        assert (broker.connected, given) == (True, [1])
        await broker.close()

    given: list[int] = []
    client: NatsClient = (made := Back())
    asyncio.run(come_back())
