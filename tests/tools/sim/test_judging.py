"""Those who judge worlds: what they read off the wires, and what they excuse."""

import pytest
from msgspec.structs import replace

from rookery.core.events import Played, PlayerMade, Record
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import Play, Sit
from rookery.hall.tables.quick_move import TEXTS_KEPT
from rookery_tools.sim import many
from rookery_tools.sim.answers import Messages
from rookery_tools.sim.observer.flips import Flip, judge_flip
from rookery_tools.sim.observer.memory import judge_memory
from rookery_tools.sim.observer.serving import is_fair
from rookery_tools.sim.script import WorldScript
from rookery_tools.sim.world import WorldDay

WORDS = b"HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\nhello\r\n\r\nyou"
LOG = [
    Record(n, "table/1", n, Micros(n), Played(Seat(n % 2), str(n), Micros(1)), ends=False)
    for n in range(1, 11)
]
SINCE = LOG[-1].at


@pytest.mark.parametrize("at", range(len(WORDS)))
def test_an_answer_may_be_cut_anywhere(at: int) -> None:
    messages = Messages()
    told = [*messages.feed(WORDS[:at]), *messages.feed(WORDS[at:])]
    assert told == [("HTTP/1.1 200 OK", b"hello\r\n\r\nyou")]


def flipped(after: list[Record], said: str = "") -> bool:
    """Whether this is called wrong, where the last two records were written at once."""
    return bool(list(judge_flip(LOG, Flip("it", tuple(after), 2, said))))


def test_a_flip_may_cost_the_last_transaction_and_what_is_written_then_is_new() -> None:
    anew = replace(LOG[-2], at=Micros(SINCE + 1), event=Played(Seat(0), "other", Micros(1)))
    assert not flipped(LOG)
    assert not flipped(LOG[:-2])
    assert not flipped([*LOG[:-2], anew])
    assert not flipped([*LOG[:-2], anew, replace(LOG[-1], at=Micros(SINCE + 2))])


def test_nothing_else_is_excused() -> None:
    changed = replace(LOG[-2], event=Played(Seat(0), "other", Micros(1)))
    assert flipped(LOG[:-3])
    assert flipped(LOG[:-1])
    assert flipped([*LOG[:-2], changed, LOG[-1]])
    assert flipped([changed, *LOG[1:]])
    assert not flipped(LOG[:3], "damaged")


def test_a_world_that_breaks_its_judge_is_wrong_and_ends_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumble(_: WorldDay) -> None:
        raise ValueError("what is this?")

    monkeypatch.setattr(many, "judge", stumble)
    (outcome,) = many.run_some((1,))
    assert outcome.failings[0].judgement == many.JUDGED
    assert "what is this?" in outcome.failings[0].sentence


def test_a_world_that_computes_for_ever_is_called_wrong_and_ends_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stand_still(_: WorldScript) -> WorldDay:
        while True:
            pass

    monkeypatch.setattr(many, "play", stand_still)
    stuck = many.run_world(1, most=0.05)
    assert [one.judgement for one in stuck.failings] == [many.TOO_LONG]
    assert "stand_still" in stuck.failings[0].sentence
    monkeypatch.undo()
    assert many.run_world(1).failings == ()


def test_who_comes_when_another_has_sat_down_is_not_wronged() -> None:
    assert is_fair(Sit(TableId(6), code="wonderland7"), "not_open")
    assert not is_fair(Sit(TableId(6)), "bad_request")
    assert not is_fair(Play(TableId(6), "4"), "not_open")


def test_a_cache_that_has_its_own_bound_may_be_full_and_no_fuller() -> None:
    assert not list(judge_memory({"MoveCache.known": TEXTS_KEPT}, 2, ()))
    assert list(judge_memory({"MoveCache.known": TEXTS_KEPT + 1}, 2, ()))


def test_an_edge_has_names_of_as_many_as_there_were_players_and_of_no_more() -> None:
    events = [PlayerMade(PlayerId(n), "", "", "", "native") for n in range(1, 16)]
    made = [Record(n, "hall", n, Micros(n), event) for n, event in enumerate(events, 1)]
    assert not list(judge_memory({"DirectoryCopy._names": 15}, 2, made))
    assert list(judge_memory({"DirectoryCopy._names": 16}, 2, made))
