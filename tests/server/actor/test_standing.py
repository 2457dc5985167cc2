"""What a connection is in the hall, and how it is that again: in the next hall, or at another edge.

Nobody who asked nothing is hung up on for what others did, and nobody loses a seat because we, or
a part of us, went away.
"""

import pytest

from rookery.core.events import Out, Started
from rookery.core.game import Forfeit
from rookery.core.ids import MICROS_A_SECOND, TableId, TourId
from rookery.core.intents import (
    Enter,
    Gather,
    Greet,
    OpenTour,
    Play,
    Seek,
    SignUp,
    StartTour,
    TakeUp,
    WatchLobby,
)
from rookery.core.messages import Done, Refused, TourJoined, Welcome
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan
from rookery.server.cluster.frames import Leader
from rookery.server.cluster.gateway import PING_TIMEOUT_US
from rookery.server.fairtime import BEAT
from tests.server.clusters.test_links import answer, legal, player, settled, table_of
from tests.server.desk import Ear, turns, until
from tests.server.spans import Span, spanned

SECOND = MICROS_A_SECOND
AT_ONCE = Policy(gone=Gone.AT_ONCE)
SEEK = Seek("reversi")


def outs(span: Span) -> list[Forfeit]:
    """Why anyone is out of a game, by the log."""
    events = (record.event for record in span.desk.store.read())
    return [event.why for event in events if isinstance(event, Out)]


def test_who_has_what_it_waited_for_by_anothers_coming_stays_connected() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        for ear in (ann, bob):
            assert isinstance(await answer(span, ear, Gather("nim", 2, 2, policy=AT_ONCE)), Done)
        await settled(span, lambda: "started" in ann.kinds() and "started" in bob.kinds())
        span.fail_over()
        await span.passes(2 * SECOND)
        assert span.dismissed == []
        assert outs(span) == []
        table = TableId(1)
        acting = ann if await legal(span, ann, table) else bob
        await answer(span, acting, Play(table, (await legal(span, acting, table))[0]))
        await settled(span, lambda: "played" in ann.kinds() and "played" in bob.kinds())

    spanned(told)


def test_who_is_dismissed_by_a_hall_loses_no_seat_for_it() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        for ear in (ann, bob):
            await answer(span, ear, Gather("nim", 2, 2, policy=AT_ONCE))
        await settled(span, lambda: "started" in bob.kinds())
        await answer(span, ann, Gather("reversi", 2, 2))  # which the next hall knows nothing of
        span.fail_over()
        await settled(span, lambda: span.dismissed == [ann.session])
        await span.passes(2 * SECOND)
        assert outs(span) == []

    spanned(told)


def test_a_hall_hangs_up_on_nobody_before_it_is_safe_that_it_leads() -> None:
    """One that wakes up late knows nobody, and finds out by its log that another leads."""

    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        for ear in (ann, bob):
            await answer(span, ear, Gather("nim", 2, 2, policy=AT_ONCE))
        await settled(span, lambda: "started" in bob.kinds())
        await answer(span, ann, Gather("reversi", 2, 2))  # which the next hall knows nothing of
        span.fail_over(held=True)
        span.desk.ask(span.desk.ear(), Enter("cat"))  # which it writes, and cannot yet
        await span.passes(SECOND)
        assert span.dismissed == []
        span.desk.store.gate.set()
        await settled(span, lambda: span.dismissed == [ann.session])

    spanned(told)


def test_an_edge_that_comes_back_to_its_hall_from_another_keeps_its_people() -> None:
    """The hall learns in one moment that they are gone and that they are there again."""

    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        for ear in (ann, bob):
            await answer(span, ear, Gather("nim", 2, 2, policy=AT_ONCE))
        await settled(span, lambda: "started" in ann.kinds() and "started" in bob.kinds())
        span.held = True
        for _ in range(2 * SECOND // BEAT):
            await span.passes(BEAT)
            span.edge.beat()
        assert span.edge.away
        span.edge.follow(Leader(span.epoch + 1))  # one who woke up late says that it leads
        span.forget()
        span.held = False
        span.edge.follow(span.gateway.leader)
        await span.passes(2 * SECOND)
        assert span.edge.attached == 2
        assert span.dismissed == []
        assert outs(span) == []

    spanned(told)


def test_who_took_the_start_of_a_tour_need_not_take_it_again_from_the_next_hall() -> None:
    plan = Plan(
        "fish rows=4 cols=3 fish=1",
        "groups",
        time="none",
        policy=AT_ONCE,
        strict=True,
        farewell=True,
    )

    async def told(span: Span) -> None:
        ears = [await called(span, name) for name in ("ann", "bob")]
        for ear in ears:
            assert isinstance(await answer(span, ear, SignUp(plan, 2, 2, SECOND, 0)), Done)
        assert isinstance(await answer(span, ears[0], Greet()), Done)
        assert not tables(span)
        span.fail_over()
        await span.passes(SECOND)
        assert span.dismissed == []
        assert not tables(span)  # the other has yet to take it
        assert isinstance(await answer(span, ears[1], Greet()), Done)
        await until(lambda: tables(span))

    spanned(told)


@pytest.mark.parametrize("begun", [False, True])
def test_who_asked_for_a_match_of_its_tour_waits_for_it_in_the_next_hall_too(begun: bool) -> None:
    async def told(span: Span) -> None:
        cat = await player(span, "cat")
        plan = Plan("reversi", "round_robin", time="none")
        await answer(span, cat, OpenTour(plan, "club"))
        ann, bob = [await othello(span, f"{name}#club") for name in ("ann", "bob")]
        assert isinstance(await answer(span, cat, StartTour(TourId(1))), Done)
        assert isinstance(await answer(span, ann, SEEK), TourJoined)
        if begun:  # it is decided and written that the match is, and nobody is told
            span.ask(bob, SEEK)
            await turns(3)
            span.held = True
            await until(lambda: tables(span))
            await turns()
            span.held = False
        span.fail_over()
        await span.passes(SECOND)
        assert span.dismissed == ([bob.session] if begun else [])
        if not begun:
            assert not tables(span)
            assert isinstance(await answer(span, bob, SEEK), TourJoined)
        await settled(span, lambda: "started" in ann.kinds())
        session = span.desk.hall.presence.session_of(ann.player)
        assert session is not None
        assert span.desk.hall.attaching.of(session).asks == ()  # she has not asked for the next

    spanned(told)


async def othello(span: Span, name: str) -> Ear:
    """Somebody whose client asks for each match of a tour."""
    ear = span.ear("10.0.0.8", "othello")
    welcome = await answer(span, ear, Enter(name, "othello"))
    assert isinstance(welcome, Welcome)
    ear.player = welcome.player
    return ear


async def called(span: Span, name: str) -> Ear:
    """Somebody whose client is called with the start of a tour."""
    ear = span.ear("10.0.0.8", "fishcom")
    assert isinstance(await answer(span, ear, Enter(name, "fishcom")), Welcome)
    return ear


def tables(span: Span) -> bool:
    """Whether a game has begun, by the log."""
    return any(isinstance(record.event, Started) for record in span.desk.store.read())


def test_in_which_order_lobbies_are_looked_at_is_nobodys_business() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        await answer(span, ann, WatchLobby("nim"))
        await answer(span, bob, WatchLobby("reversi"))
        await answer(span, bob, WatchLobby("nim"))
        await answer(span, ann, WatchLobby("fish"))
        await answer(span, bob, WatchLobby("fish"))
        span.fail_over()
        await span.passes(SECOND)
        assert span.dismissed == []

    spanned(told)


# -- at another edge


async def black(span: Span, name: str, **where: object) -> Ear:
    """Somebody who is known by host and name, and not by a token."""
    ear = span.ear("10.0.0.7", "bughouse", **where)  # type: ignore[arg-type] # as its caller says
    welcome = await answer(span, ear, Enter(name, "bughouse"))
    assert isinstance(welcome, Welcome)
    ear.player = welcome.player
    return ear


def test_who_was_at_an_edge_that_died_is_known_at_another_at_once() -> None:
    async def told(span: Span) -> None:
        ann = await player(span, "ann")
        bob = await black(span, "bob", at=span.another())
        table = await table_of(span, [ann, bob], "nim", "60s")
        span.die()
        back = span.ear("10.0.0.7", "bughouse")
        span.ask(back, TakeUp("bob"))
        await turns()
        assert back.sent == []  # the edge may only be slow
        await span.passes(PING_TIMEOUT_US + 2 * BEAT)
        await settled(span, lambda: bool(back.sent))
        welcome = back.sent[-1]
        assert isinstance(welcome, Welcome)
        assert (welcome.player, welcome.tables) == (bob.player, (table,))
        assert outs(span) == []

    spanned(told)


def test_who_comes_while_all_edges_live_waits_for_a_sign_of_life_and_no_longer() -> None:
    async def told(span: Span) -> None:
        await black(span, "bob", at=span.another())
        span.beats()
        back = span.ear("10.0.0.7", "bughouse")
        span.ask(back, TakeUp("bob"))
        await turns()  # no time passes
        (refused,) = back.sent
        assert isinstance(refused, Refused)
        assert len(span.gateway) == 2

    spanned(told)


def test_who_waits_for_an_edge_and_hangs_up_is_heard_before() -> None:
    async def told(span: Span) -> None:
        await black(span, "bob", at=span.another())
        span.die()
        cat = span.ear("10.0.0.7", "bughouse")
        span.ask(cat, Enter("cat"))
        span.link.hang_up(cat.session, span.time.now())
        await span.passes(2 * PING_TIMEOUT_US)
        await until(lambda: any("cat" in str(one.event) for one in span.desk.store.read()))

    spanned(told)
