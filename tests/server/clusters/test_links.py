"""The laws of both links.

What connections are told hangs neither on where the hall is nor on what a broker loses; and
no clock runs for anything that is on its way.
"""

import random
from collections.abc import Callable

import pytest
from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import Out, Played, Started
from rookery.core.ids import MICROS_A_SECOND, Seat, SessionId, TableId
from rookery.core.intents import (
    AnyIntent,
    Enter,
    Gather,
    LegalMoves,
    ListTables,
    Open,
    Play,
    Reclaim,
    Rematch,
    Resign,
    Say,
    Show,
    Sit,
    Unwatch,
    Watch,
)
from rookery.core.messages import AnyMessage, Done, Moves, News, Notice, Welcome
from rookery.hall.batch import Batch
from rookery.server.cluster import frames
from rookery.server.cluster.frames import FrameStream, SessionClosed, UpFrame, read_up
from rookery.server.fairtime import BEAT
from tests.server.desk import Ear, turns, until
from tests.server.spans import Span, spanned

SECOND = MICROS_A_SECOND
MOVES = 12  # of each game
VARIANTS = {"nim": 2, "reversi": 2, "guess": 2, "fish": 3, "bughouse": 4}
LOSSES: dict[str, Callable[[int], bool]] = {
    "nothing": lambda _: False,
    "a third": lambda n: random.Random(n).randrange(3) == 0,
    "most, at first": lambda n: n < 60 and random.Random(n).randrange(4) != 0,
    "many together": lambda n: 20 < n < 40,
}


async def answer(span: Span, ear: Ear, intent: AnyIntent) -> AnyMessage:
    """What is told next to who asks this, however often frames are lost."""
    wanted, before = ear.answers + 1, len(ear.sent)
    span.ask(ear, intent)
    await settled(span, lambda: ear.answers == wanted and len(ear.sent) > before)
    return next(one for one in ear.sent[before:] if not isinstance(one, News))


async def settled(span: Span, claim: Callable[[], bool]) -> None:
    """Let both ends beat until this is so."""

    def so() -> bool:
        if claim():
            return True
        span.beats()
        return False

    await until(so)


async def player(span: Span, name: str) -> Ear:
    """A new connection that is a new player."""
    ear = span.ear()
    welcome = await answer(span, ear, Enter(name))
    assert isinstance(welcome, Welcome)
    ear.player = welcome.player
    return ear


async def table_of(span: Span, ears: list[Ear], variant: str, time: str = "none") -> TableId:
    """A table at which all of these sit, and are told that it has begun."""
    opened = await answer(span, ears[0], Open(variant, len(ears), time))
    assert isinstance(opened, Done)
    assert opened.table is not None
    for ear in ears[1:]:
        assert isinstance(await answer(span, ear, Sit(opened.table)), Done)
    await settled(span, lambda: all("started" in ear.kinds() for ear in ears))
    return opened.table


async def day(span: Span, told: list[list[AnyMessage]]) -> None:
    """Games of several kinds, with somebody who looks on; what all of them are told."""
    chance = random.Random(7)
    eve = span.ear()
    ears = [eve, *[await player(span, name) for name in ("ann", "bob", "cat", "dan")]]
    for variant, seats in VARIANTS.items():
        sitting = ears[1 : seats + 1]
        table = await table_of(span, sitting, variant, "5m")
        await answer(span, eve, Watch(table, since=2))
        await answer(span, eve, Say(table, "good day"))
        for _ in range(MOVES):
            acting = [ear for ear in sitting if (await legal(span, ear, table))]
            if not acting:
                break
            ear = chance.choice(acting)
            await answer(span, ear, Play(table, "no move at all"))
            await answer(span, ear, Play(table, chance.choice(await legal(span, ear, table))))
            await answer(span, ear, Show(table))
        await answer(span, eve, Unwatch(table))
    await answer(span, eve, ListTables())
    last = {ear.session: len(ear.sent) for ear in ears}
    await settled(span, lambda: all(len(ear.sent) == last[ear.session] for ear in ears))
    told += [ear.sent for ear in ears]


async def legal(span: Span, ear: Ear, table: TableId) -> tuple[str, ...]:
    found = await answer(span, ear, LegalMoves(table, some=True))
    return found.moves if isinstance(found, Moves) else ()


def seen(message: AnyMessage, mine: Seat | None) -> Struct:
    """What is in a message, of news with the board as somebody sees it."""
    if not isinstance(message, News):
        return message
    scene = message.scene
    assert scene.players is not None
    view = None if scene.state is None else scene.view(mine)
    return replace(message.happened, effects=(*message.happened.effects, view))


@pytest.mark.parametrize("lost", LOSSES)
def test_what_is_told_is_the_same_wherever_the_hall_is(lost: str) -> None:
    here: list[list[AnyMessage]] = []
    there: list[list[AnyMessage]] = []
    spanned(lambda span: day(span, here), afar=False)
    spanned(lambda span: day(span, there), lose=LOSSES[lost])
    assert len(here[0]) > 50
    for near, far in zip(here, there, strict=True):
        assert [seen(one, None) for one in near] == [seen(one, None) for one in far]
        assert [seen(one, Seat(0)) for one in near] == [seen(one, Seat(0)) for one in far]


# -- time


@pytest.mark.parametrize("afar", [False, True])
def test_a_move_is_charged_by_the_clock_of_its_connection(afar: bool) -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim", "60s")
        await turns()
        await span.passes(3 * SECOND)
        await _moves(span, ann, table)
        assert spent(ann) == 3 * SECOND

    spanned(told, afar=afar)


def test_what_a_frame_takes_on_its_way_is_nobodys_time() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim", "60s")
        await turns()
        move = (await legal(span, ann, table))[0]
        await span.passes(2 * SECOND)
        span.held = True
        span.ask(ann, Play(table, move))
        await turns()
        await span.passes(5 * SECOND)  # it is on its way, and so is all else
        span.let_over()
        await settled(span, lambda: "played" in bob.kinds())
        assert spent(bob) == 2 * SECOND

    spanned(told)


def test_no_time_passes_for_who_was_told_that_the_hall_is_away() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim", "60s")
        await turns()
        await span.passes(2 * SECOND)
        span.held = True
        await span.passes(2 * SECOND)
        span.edge.beat()
        assert _codes(ann)[-1] == "no_hall"
        await span.passes(7 * SECOND)
        span.let_over()
        await settled(span, lambda: _codes(ann)[-1] == "resumed")
        await span.passes(SECOND)
        await _moves(span, ann, table)
        # Until both have heard each other again, it is the outage's time.
        assert 3 * SECOND - 2 * BEAT <= spent(ann) <= 3 * SECOND

    spanned(told)


@pytest.mark.parametrize("afar", [False, True])
def test_no_time_passes_while_the_hall_cannot_write(afar: bool) -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim", "60s")
        await turns()
        await span.passes(2 * SECOND)
        span.desk.time.stand()
        await span.passes(7 * SECOND)
        span.desk.time.go_on()
        await span.passes(SECOND)
        await _moves(span, ann, table)
        assert spent(ann) == 3 * SECOND

    spanned(told, afar=afar)


@pytest.mark.parametrize("silence", [SECOND, 2 * SECOND + SECOND // 2])
def test_who_comes_back_by_another_edge_is_not_charged_for_the_silence_of_its_own(
    silence: int,
) -> None:
    async def told(span: Span) -> None:
        bob = await player(span, "bob")
        ann = span.ear(at=span.another())
        welcome = await answer(span, ann, Enter("ann"))
        assert isinstance(welcome, Welcome)
        table = await table_of(span, [ann, bob], "nim", "3s")
        await turns()
        await span.passes(2 * SECOND)
        span.die()
        await span.passes(silence)
        back = span.ear()
        await answer(span, back, Reclaim(welcome.player, welcome.token))
        span.ask(back, Play(table, (await legal(span, back, table))[0]))
        await settled(span, lambda: bool({"played", "out"} & set(bob.kinds())))
        assert "out" not in bob.kinds()
        # The edge was last heard a beat or two before it died.
        assert 2 * SECOND - 2 * BEAT <= spent(bob) <= 2 * SECOND

    spanned(told)


def _codes(ear: Ear) -> list[str]:
    return [one.code for one in ear.sent if isinstance(one, Notice)]


def test_no_flag_falls_while_a_move_that_was_in_time_may_be_on_its_way() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim", "10s")
        await turns()
        move = (await legal(span, ann, table))[0]
        await span.passes(9 * SECOND)
        span.held = True
        span.ask(ann, Play(table, move))
        await turns()
        await span.passes(60 * SECOND)
        span.desk.runner.decide(lambda _, __: Batch())  # it looks at flags
        await turns()
        span.let_over()
        await settled(span, lambda: bool({"played", "out"} & set(bob.kinds())))
        assert "out" not in bob.kinds()
        assert spent(bob) == 9 * SECOND

    spanned(told)


def test_a_flag_falls_at_an_edge_too() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        await table_of(span, [ann, bob], "nim", "10s")
        await turns()
        await span.passes(12 * SECOND)
        span.desk.runner.decide(lambda _, __: Batch())
        await settled(span, lambda: "ended" in bob.kinds())
        out = next(one for one in bob.sent if isinstance(one, News) and _is(one, Out))
        assert out.happened.event.spent == 10 * SECOND  # type: ignore[union-attr]

    spanned(told)


def _is(news: News, kind: type[Struct]) -> bool:
    return isinstance(news.happened.event, kind)


async def _moves(span: Span, ear: Ear, table: TableId) -> None:
    await answer(span, ear, Play(table, (await legal(span, ear, table))[0]))


def spent(ear: Ear) -> int:
    """What the last move that this one heard of was charged."""
    played = [one for one in ear.sent if isinstance(one, News) and _is(one, Played)]
    event = played[-1].happened.event
    assert isinstance(event, Played)
    return event.spent


# -- another hall


def test_after_a_failover_everyone_hears_what_was_written_and_not_told() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        eve = span.ear()
        table = await table_of(span, [ann, bob], "nim", "60s")
        await answer(span, eve, Watch(table))
        move = (await legal(span, ann, table))[0]
        await span.passes(2 * SECOND)
        span.ask(ann, Play(table, move))
        await turns(3)
        span.held = True  # it is decided and written, and nobody is told
        await until(lambda: span.desk.store.last_seq() > 0 and _written(span))
        await turns()
        assert "played" not in bob.kinds()
        span.held = False
        span.fail_over()
        await settled(span, lambda: "played" in bob.kinds() and "played" in eve.kinds())
        assert span.dismissed == [ann.session]  # what she wanted was in doubt
        await span.passes(SECOND)
        await _moves(span, bob, table)
        assert spent(bob) == SECOND

    spanned(told)


def _written(span: Span) -> bool:
    return any(isinstance(record.event, Played) for record in span.desk.store.read())


def test_after_a_failover_one_hears_of_a_game_that_had_begun_and_nobody_was_told() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim")
        await answer(span, bob, Resign(table))
        await answer(span, ann, Rematch(table))
        span.ask(bob, Rematch(table))
        await turns(3)
        span.held = True
        await until(lambda: _begun(span) == 2)
        await turns()
        assert ann.kinds().count("started") == 1
        span.held = False
        span.fail_over()
        await settled(span, lambda: ann.kinds().count("started") == 2)
        assert span.dismissed == [bob.session]

    spanned(told)


def _begun(span: Span) -> int:
    return sum(isinstance(record.event, Started) for record in span.desk.store.read())


def test_who_waited_for_an_answer_to_a_question_has_it_from_the_next_hall() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim")
        span.held = True
        answers = ann.answers
        span.ask(ann, LegalMoves(table))
        await turns()
        span.held = False
        span.fail_over()
        await settled(span, lambda: ann.answers == answers + 1)
        assert span.dismissed == []
        await _moves(span, ann, table)

    spanned(told)


def test_who_waits_for_whoever_comes_is_hung_up_on_by_another_hall() -> None:
    async def told(span: Span) -> None:
        ann = await player(span, "ann")
        await answer(span, ann, Gather("nim", 2, 2))
        span.fail_over()
        await settled(span, lambda: span.dismissed == [ann.session])

    spanned(told)


def test_what_a_hall_that_parts_has_not_answered_the_next_one_does() -> None:
    async def told(span: Span) -> None:
        ann, bob = [await player(span, name) for name in ("ann", "bob")]
        table = await table_of(span, [ann, bob], "nim")
        move = (await legal(span, ann, table))[0]
        assert await span.desk.runner.close(1)
        answers = ann.answers
        span.ask(ann, Play(table, move))  # it is not taken up any more
        await turns()
        span.gateway.say_stopping()
        await turns()
        span.fail_over()
        await settled(span, lambda: ann.answers == answers + 1)
        assert span.dismissed == []
        await settled(span, lambda: "played" in bob.kinds())

    spanned(told)


# -- the stream itself


def test_a_frame_that_is_missing_is_sent_again_and_none_is_taken_twice() -> None:
    here, there = FrameStream(1), FrameStream(1)
    first, second, third = (here.send([SessionClosed(SessionId(n))]) for n in (1, 2, 3))
    taken = [there.accept(read_up(said)) for said in (first, third)]
    assert taken == [True, None]
    here.accept(read_up(there.nack()))
    assert [there.accept(read_up(said)) for said in here.unacked()] == [True, True]
    assert there.accept(read_up(second)) is False
    here.accept(read_up(there.heartbeat()))
    assert here.unacked() == []


def test_that_the_last_frame_is_missing_is_known_by_the_next_beat() -> None:
    here, there = FrameStream(1), FrameStream(1)
    here.send([SessionClosed(SessionId(1))])
    beat: UpFrame = read_up(here.heartbeat())
    assert there.accept(beat) is None


def test_who_takes_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "UNACKED_MAX_BYTES", 100)
    here = FrameStream(1)
    while not here.is_full:
        here.send([SessionClosed(SessionId(1))])
    assert 1 < len(here.unacked()) < 100
