"""A log outlives the plug-ins: without the game its tables are shown as text, and rest."""

from pathlib import Path

import pytest

from rookery.core.events import Ended, Opened, Played
from rookery.core.ids import TableId
from rookery.core.intents import Abort, Leave, OfferDraw, Open, Play, Resign, Show, Sit, TableIntent
from rookery.core.messages import Refused
from rookery.games.absent_game import AbsentView
from rookery.plugins import load
from rookery.verify.log import Audit, check_log
from tests.hall.house import Guest, House
from tests.plugins.toys import own_registries, toy


def begun(house: House, *, time: str = "1m") -> tuple[Guest, Guest, TableId]:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.do(ann, Open("heap", time=time)).table
    assert table is not None
    house.do(bob, Sit(table))
    house.do(ann, Play(table, "1"))
    return ann, bob, table


def uninstalled(folder: Path, house: House, **how: str) -> tuple[Guest, Guest, TableId]:
    """A game begun, and the server started again without it."""
    with own_registries():
        load([toy(folder)])
        ann, bob, table = begun(house, **how)
    house.restart()
    return house.back(ann), house.back(bob), table


def test_the_event_says_what_brought_the_game_and_costs_the_houses_own_nothing(
    house: House,
    tmp_path: Path,
) -> None:
    load([toy(tmp_path)])
    _, _, table = begun(house)
    assert house.last(table, Opened).package == "the file heap.py"
    nim = house.do(house.enter("cid"), Open("nim")).table
    assert nim is not None
    assert house.last(nim, Opened).package == ""


def test_its_moves_are_shown_as_text_and_the_sentence_names_what_is_missing(
    house: House,
    tmp_path: Path,
) -> None:
    ann, _, table = uninstalled(tmp_path, house)
    shown = house.show(ann, table)
    why = "The game heap is not installed here: it came with the file heap.py."
    assert shown.view == AbsentView(why, ("1",))
    assert (shown.line.variant, shown.line.status, shown.to_act) == ("heap", "playing", ())


@pytest.mark.parametrize("asked", ["play", "resign", "leave", "draw", "abort"])
def test_it_cannot_be_played_on_and_says_so(house: House, tmp_path: Path, asked: str) -> None:
    ann, bob, table = uninstalled(tmp_path, house)
    wishes: dict[str, TableIntent] = {
        "play": Play(table, "1"),
        "resign": Resign(table),
        "leave": Leave(table),
        "draw": OfferDraw(table),
        "abort": Abort(table),
    }
    for who in (ann, bob):
        refused = house.ask(who, wishes[asked], Refused)
        assert refused.code == "absent"
        assert "it came with the file heap.py" in refused.sentence


def test_no_flag_falls_and_nobody_loses_however_long_it_rests(house: House, tmp_path: Path) -> None:
    _, bob, table = uninstalled(tmp_path, house)
    before = house.events(table)
    house.hang_up(bob)
    house.wait(10_000)
    house.restart()
    house.wait(10_000)
    assert house.events(table) == before


def test_it_goes_on_when_the_package_is_back(house: House, tmp_path: Path) -> None:
    ann, bob, table = uninstalled(tmp_path, house)
    with own_registries():
        load([toy(tmp_path)])
        house.restart()
        ann, bob = house.back(ann), house.back(bob)
        house.do(bob, Play(table, "2"))
        assert [event.move for event in house.events(table) if isinstance(event, Played)] == [
            "1",
            "2",
        ]


def test_another_version_of_its_rules_does_not_go_on_with_it(house: House, tmp_path: Path) -> None:
    _, bob, table = uninstalled(tmp_path, house)
    with own_registries():
        load([toy(tmp_path, ("rules: ClassVar = 1", "rules: ClassVar = 2"), name="two.py")])
        house.restart()
        bob = house.back(bob)
        refused = house.ask(bob, Play(table, "2"), Refused)
        assert "version 1 of the rules of heap; this server knows version 2" in refused.sentence


def test_secret_moves_stay_secret_without_the_game(house: House, tmp_path: Path) -> None:
    with own_registries():
        load([toy(tmp_path, ("secret_moves: ClassVar = False", "secret_moves: ClassVar = True"))])
        ann, bob, table = begun(house)
    house.restart()
    ann, bob = house.back(ann), house.back(bob)
    told = {who: house.show(who, table).view for who in (ann, bob)}
    assert isinstance(told[ann], AbsentView)
    assert [view.moves for view in told.values() if isinstance(view, AbsentView)] == [
        ("1",),
        ("",),
    ]


def test_the_doctor_judges_no_game_that_is_not_there_and_says_so(
    house: House, tmp_path: Path
) -> None:
    uninstalled(tmp_path, house)
    assert list(check_log(house.log)) == []
    audit = Audit()
    for record in house.log:
        assert audit.take(record) == []
    why = "The game heap is not installed here: it came with the file heap.py."
    assert audit.tally().absent == {why: 1}


def test_a_finished_game_is_shown_with_its_outcome(house: House, tmp_path: Path) -> None:
    with own_registries():
        load([toy(tmp_path)])
        ann, bob, table = begun(house)
        house.do(bob, Resign(table))
    house.restart()
    ann = house.back(ann)
    shown = house.show(ann, table)
    assert shown.line.outcome == house.last(table, Ended).outcome
    assert isinstance(shown.view, AbsentView)
    assert house.ask(ann, Show(table), type(shown)).line.status == "over"


def test_another_version_of_its_rules_is_a_remark_of_the_doctors_and_no_damage(
    house: House,
    tmp_path: Path,
) -> None:
    uninstalled(tmp_path, house)
    with own_registries():
        load([toy(tmp_path, ("rules: ClassVar = 1", "rules: ClassVar = 2"), name="two.py")])
        audit = Audit()
        assert [one for record in house.log for one in audit.take(record)] == []
        (why,) = audit.tally().absent
        assert "version 1 of the rules of heap; this server knows version 2" in why
