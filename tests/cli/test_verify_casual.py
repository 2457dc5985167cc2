"""Verifying and salvaging casual ratings: each names the record before it."""

import pytest
from msgspec.structs import replace

from rookery.core.events import GameRated, Record
from rookery.core.intents import Open, Play, Sit
from rookery.verify.log import check_log, salvage
from tests.hall.house import House


def story() -> list[Record]:
    """Ann beats bob three times."""
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    for _ in range(3):
        table = house.do(ann, Open("tictactoe")).table
        assert table is not None
        house.do(bob, Sit(table))
        for n, move in enumerate(("0", "3", "1", "4", "2")):
            house.do((ann, bob)[n % 2], Play(table, move))
    return house.log


def named(log: list[Record], at: int, *before: int) -> list[Record]:
    """The same log, where the rating of game `at` names these."""
    seqs = [one.seq for one in log if isinstance(one.event, GameRated)]
    return [
        replace(one, event=replace(one.event, before=before))
        if isinstance(one.event, GameRated) and one.seq == seqs[at]
        else one
        for one in log
    ]


def test_each_rating_names_the_one_before_it() -> None:
    assert list(check_log(story())) == []


def test_a_rating_that_names_another_record_is_a_problem() -> None:
    log = story()
    first = next(one.seq for one in log if isinstance(one.event, GameRated))
    (problem,) = check_log(named(log, 2, first, first))
    assert f"A rating follows record {first}, and the last was" in problem.sentence


@pytest.mark.parametrize("before", [(), (0,), (0, 0, 0)])
def test_a_rating_names_a_record_for_everyone(before: tuple[int, ...]) -> None:
    (problem,) = check_log(named(story(), 1, *before))
    assert problem.sentence == "A game is rated for others than those it follows."


def test_what_is_salvaged_names_the_new_numbers_and_the_past_ends_where_it_was_lost() -> None:
    log = story()
    saved = salvage([one for one in log if one.stream != "table/2"], {"table/2": "It has a gap."})
    assert list(check_log(saved.records)) == []
    third = saved.records[-1]
    assert isinstance(third.event, GameRated)
    assert third.event.before == (0, 0)
    whole = salvage([one for one in log if one.stream != "table/1"], {"table/1": "It has a gap."})
    second, third = (one for one in whole.records if isinstance(one.event, GameRated))
    assert isinstance(third.event, GameRated)
    assert third.event.before == (second.seq, second.seq)
