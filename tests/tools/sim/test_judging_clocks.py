"""Who judges charges: what a move may be charged, and what is excused."""

from collections.abc import Sequence

from rookery.clients.native.words import Told
from rookery.core.events import Opened, Played, Record, Sat, Started, TableEvent
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import Play
from rookery.core.messages import Done, Notice
from rookery.core.policy import Policy
from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos
from rookery_tools.sim.machine.process import WorldOutage
from rookery_tools.sim.observer.clocks import Span, judge_clocks
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.transcript import Exchange, ToldUnasked, Transcript

TABLE, ANN, BOB = TableId(1), PlayerId(1), PlayerId(2)
TOLD, CAME, ANSWERED = 2 * SECOND, 3 * SECOND, 3 * SECOND + 100 * MILLI


def is_wrong(
    spent: Nanos,
    *outages: WorldOutage,
    heard: tuple[ToldUnasked, ...] = (),
    doubts: Sequence[Span] = (),
    linked: bool = False,
) -> bool:
    """Whether a move that took a second may not be charged so much."""
    events: tuple[TableEvent, ...] = (
        Opened("nim sticks=2,2", 1, 2, "20s", Policy()),
        Sat(Seat(0), ANN, "ann"),
        Sat(Seat(1), BOB, "bob"),
        Started(),
        Played(Seat(0), "1:1", Micros(1)),
        Played(Seat(1), "1:1", Micros(spent // 1000)),
    )
    log = [
        Record(n, "table/1", n, Micros(n), event, ends=False) for n, event in enumerate(events, 1)
    ]
    told = [
        ToldUnasked(1, SECOND, Told(TABLE, 4, Micros(4), Started(), to_act=(Seat(0),))),
        ToldUnasked(
            1, TOLD, Told(TABLE, 5, Micros(5), Played(Seat(0), "1:1", Micros(1)), (), (Seat(1),))
        ),
    ]
    play = Exchange(1, CAME, Play(TABLE, "1:1"), ANSWERED, Done())
    bob = Transcript("bob", BOB, exchanges=[play], heard=[*told, *heard])
    ledger = WorldLedger(log, [0] * len(log))
    return bool(list(judge_clocks(ledger, [bob], outages, doubts, linked=linked)))


def test_a_move_is_charged_what_it_took_or_a_beat_less() -> None:
    assert not is_wrong(SECOND)
    assert not is_wrong(SECOND - 50 * MILLI)
    assert is_wrong(SECOND + 2 * MILLI)
    assert is_wrong(SECOND - 53 * MILLI)


def test_a_beat_more_is_excused_where_it_was_stopped_with_the_move_at_its_socket() -> None:
    stopped = WorldOutage("frozen", CAME + MILLI, ANSWERED - MILLI)
    assert not is_wrong(SECOND + 40 * MILLI, stopped)
    assert is_wrong(SECOND + 60 * MILLI, stopped)
    assert is_wrong(SECOND + 40 * MILLI, WorldOutage("kept", CAME + MILLI, ANSWERED - MILLI))
    assert is_wrong(SECOND + 40 * MILLI, WorldOutage("frozen", ANSWERED + MILLI, 4 * SECOND))


def test_what_stands_at_a_hall_is_heard_of_at_an_edge_a_little_later() -> None:
    stood = (
        ToldUnasked(1, TOLD + 200 * MILLI, Notice("no_disk", "")),
        ToldUnasked(1, TOLD + 600 * MILLI, Notice("resumed", "")),
    )
    assert not is_wrong(603 * MILLI, heard=stood, linked=True)
    assert is_wrong(603 * MILLI, heard=stood)
    assert is_wrong(606 * MILLI, heard=stood, linked=True)


def test_who_is_told_that_no_clock_runs_and_hangs_up_is_charged_until_then() -> None:
    stood = (ToldUnasked(1, TOLD + 200 * MILLI, Notice("no_disk", "")),)
    assert not is_wrong(200 * MILLI, heard=stood)
    assert is_wrong(SECOND, heard=stood)
    elsewhere = (ToldUnasked(2, TOLD + 200 * MILLI, Notice("no_disk", "")),)
    assert is_wrong(200 * MILLI, heard=elsewhere)


def test_a_turn_may_be_given_anew_where_the_hall_went_before_it_decided() -> None:
    doubts = [(CAME + MILLI, ANSWERED)]
    assert not is_wrong(0, doubts=doubts)
    assert is_wrong(0, doubts=[(ANSWERED + MILLI, 4 * SECOND)])
    assert is_wrong(SECOND + 2 * MILLI, doubts=doubts)
