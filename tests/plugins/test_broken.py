"""Rules that break end their own table, without a winner and in the log; all else goes on."""

from pathlib import Path
from typing import Any

import pytest

from rookery.core.events import Closed, Ended, Played
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Open, Play, Resign, Seek, Show, Sit
from rookery.core.messages import News, Refused
from rookery.plugins import load
from rookery.verify.log import check_log
from tests.hall.house import Guest, House
from tests.plugins.toys import raising, toy

LATE = "state.heap < 9"  # after two moves
ALONE = "        return sdk.alone(state.turn)"
GOES_ON = "        if state.heap:\n            return None"
STEP = "        return sdk.Step(State(state.heap - move"
THREE = "sdk.win(3, sdk.Seat(0), 'x', 'y')"


def table_of(house: House, *, time: str = "1m") -> tuple[Guest, Guest, TableId]:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.do(ann, Open("heap", time=time)).table
    assert table is not None
    house.reply(bob, Sit(table))
    return ann, bob, table


def failed(house: House, table: TableId) -> bool:
    """Whether the table ended by its rules' failure, and the log can be read again."""
    house.wait(0.01)
    outcome = house.last(table, Ended).outcome
    before = house.events(table)
    house.restart()
    house.wait(300)
    assert house.events(table) == before
    assert list(check_log(house.log)) == []
    found = house.show(house.connect(), table)
    assert found.line.status == "over"
    return (outcome.how, outcome.winners) == ("rules_failed", ())


def others_go_on(house: House) -> None:
    cid, dot = house.enter("cid"), house.enter("dot")
    house.do(cid, Seek("nim"))
    table = house.do(dot, Seek("nim")).table
    assert table is not None
    house.do(cid, Resign(table))


@pytest.mark.parametrize(
    "change",
    [
        raising("play", when=LATE),
        raising("play", when=LATE, what="MemoryError"),
        raising("play", when=LATE, what="AssertionError"),
        raising("play", when=LATE, what="RecursionError"),
        raising("play", when=LATE, what="StopIteration"),
        raising("outcome", when=LATE),
        raising("to_act", when=LATE),
        raising("phase", when=LATE),
        raising("format_move", when="move == 2"),
        (ALONE, f"        if {LATE}:\n            return None\n{ALONE}"),
        (ALONE, f"        if {LATE}:\n            return sdk.NOBODY\n{ALONE}"),
        (GOES_ON, f"        if {LATE}:\n            return 'over'\n{GOES_ON}"),
        (GOES_ON, f"        if {LATE}:\n            return {THREE}\n{GOES_ON}"),
        (STEP, f"        if {LATE}:\n            return None\n{STEP}"),
        ("return sdk.parse_integer(text)", "return int(1 / (text != '2'))"),
    ],
)
def test_whatever_breaks_ends_its_own_table(
    house: House, tmp_path: Path, change: tuple[str, str]
) -> None:
    load([toy(tmp_path, change)])
    ann, bob, table = table_of(house)
    for n in range(6):
        house.reply((ann, bob)[n % 2], Play(table, "2" if n else "1"))
    assert failed(house, table)
    others_go_on(house)


@pytest.mark.parametrize("word", ["forfeit", "seat_name"])
def test_giving_up_where_the_rules_cannot_take_it(house: House, tmp_path: Path, word: str) -> None:
    load([toy(tmp_path, raising(word))])
    ann, _, table = table_of(house)
    house.reply(ann, Resign(table))
    assert failed(house, table)
    others_go_on(house)


def test_a_flag_that_falls_where_the_rules_cannot_take_it(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, raising("forfeit"))])
    _, _, table = table_of(house, time="1s")
    house.wait(5)
    assert failed(house, table)


def test_who_moved_is_told_and_the_move_is_not_in_the_log(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, raising("play", when=LATE))])
    ann, bob, table = table_of(house)
    house.do(ann, Play(table, "1"))
    house.do(bob, Play(table, "1"))
    refused = house.ask(ann, Play(table, "2"), Refused)
    assert refused.code == "rules_failed"
    assert [event.move for event in house.events(table) if isinstance(event, Played)] == ["1", "1"]


def test_a_start_that_fails_is_refused_when_the_table_is_asked_for(
    house: House, tmp_path: Path
) -> None:
    load([toy(tmp_path, raising("start"))])
    assert house.no(house.enter("ann"), Open("heap")) == "rules_failed"
    others_go_on(house)


def test_a_start_that_fails_with_some_seeds_closes_the_table(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, raising("start", when="chance.below(999) != sdk.Chance(0).below(999)"))])
    _, _, table = table_of(house)
    assert "rules of heap failed" in house.last(table, Closed).reason
    others_go_on(house)


def test_a_view_that_fails_where_it_is_asked_for(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, raising("view"))])
    ann, _, table = table_of(house)
    assert house.ask(ann, Show(table), Refused).code == "rules_failed"
    assert failed(house, table)


def test_a_view_that_fails_where_it_is_told(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, raising("view"))])
    ann, bob, table = table_of(house)
    house.do(ann, Play(table, "1"))
    news = [one for one in house.heard(bob) if isinstance(one, News)]
    assert "cannot show" in str(news[-1].scene.view(None))
    assert failed(house, table)


def test_moves_that_fail_where_they_are_listed(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, raising("legal_moves"))])
    ann, _, table = table_of(house)
    assert house.ask(ann, LegalMoves(table), Refused).code == "rules_failed"
    assert failed(house, table)


def test_options_that_crash_are_refused(house: House, tmp_path: Path) -> None:
    check = "        sdk.check_whole("
    crash = (check, f"        1 // (self.pebbles - 7)\n{check}")
    load([toy(tmp_path, crash)])
    assert house.no(house.enter("ann"), Open("heap pebbles=7")) == "bad_option"


def test_a_legal_move_that_play_refuses_is_just_refused(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, ("return range(1, min(2", "return range(1, min(3"))])
    ann, _, table = table_of(house)
    assert house.no(ann, Play(table, "3")) == "out_of_range"
    house.do(ann, Play(table, "2"))


def test_whoever_runs_the_server_is_told(tmp_path: Path, monkeypatch: Any) -> None:
    told: list[tuple[object, ...]] = []
    house = House()
    floor = house.hall._floor  # noqa: SLF001 # a hall of its own would have to be made
    monkeypatch.setattr(floor.broken, "_broke", lambda *all_: told.append(all_))
    load([toy(tmp_path, raising("play"))])
    ann, _, table = table_of(house)
    house.reply(ann, Play(table, "1"))
    ((game, number, wrong),) = told
    assert (game, number) == ("heap", table)
    assert isinstance(wrong, ZeroDivisionError)
    assert wrong.__traceback__ is not None
