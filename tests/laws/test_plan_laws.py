"""Laws of plans: what was accepted can be played to its end, and what cannot is refused.

`make fuzz` tries many more: `python -m tests.fuzz --of plans`.
"""

from functools import cache

import pytest
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import BadOption, Mistake
from rookery.core.events import TourOpened
from rookery.core.intents import Organise
from rookery.core.tour_values import UNPLAYABLE, Plan, Seeding
from rookery.games import GAMES, parse_variant
from rookery.hall.tables.opening import unplayable
from rookery.hall.tours.formats import FORMATS, parse_format
from rookery.hall.tours.formats.knockout import table_sizes
from rookery.hall.tours.planning import read_plan
from tests.hall.contest import TOKEN, Contest
from tests.hall.house import House
from tests.laws.plans import any_case
from tests.laws.tour_stories import Season

SEEDS = range(60)
SMALL = "fish rows=4 cols=2"  # eight tiles: enough for two and for four, and not for three


@cache
def accepted(seed: int) -> bool:
    try:
        read_plan(any_case(seed).plan)
    except Mistake:
        return False
    return True


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if accepted(seed)])
def test_an_accepted_plan_is_played_to_its_end(seed: int) -> None:
    season = Season(any_case(seed), seed).live()
    assert season.over
    results = [match.result for match in season.value.matches]
    assert not any(result and result.how == UNPLAYABLE for result in results)


def test_the_plans_above_are_of_every_game_and_format() -> None:
    plans = [any_case(seed).plan for seed in range(400) if accepted(seed)]
    assert {plan.variant.split()[0] for plan in plans} == set(GAMES)
    assert {plan.format.split()[0] for plan in plans} == set(FORMATS)
    assert {plan.seeding for plan in plans} == set(Seeding)


@pytest.mark.parametrize("seats", [3, 4])
def test_tables_too_small_for_what_is_dealt_are_refused(seats: int) -> None:
    with pytest.raises(BadOption, match="3 players need 9 tiles, and this board has 8"):
        read_plan(Plan(SMALL, "groups", seats=seats))


def test_who_does_not_say_how_many_gets_what_fits() -> None:
    assert read_plan(Plan(SMALL, "groups")).seats == 2
    assert read_plan(Plan("fish rows=3 cols=3", "groups")).seats == 4


@pytest.mark.parametrize("most", [2, 3, 4])
def test_every_table_that_is_dealt_was_looked_at(most: int) -> None:
    sizes = {size for players in range(2, 200) for size in table_sizes(players, most)}
    assert sizes <= {1, *range(2, most + 1)}
    assert parse_format("groups").smaller


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("board", [SMALL, "fish rows=3 cols=3", "fish rows=4 cols=3 holes=3"])
def test_chance_makes_no_table_unplayable(board: str, seats: int) -> None:
    game = parse_variant(board)
    if not unplayable(board, seats):
        for seed in range(50):
            game.start(seats, Chance(seed))


def test_a_tour_whose_plan_is_not_playable_by_now_is_played_to_its_end_too() -> None:
    """The plug-in that brought its game may be another one after a restart."""
    house = House(organiser=TOKEN)
    contest = Contest(house, Plan(SMALL, "groups", seats=2, time="none"))
    stream = house.streams["tour/1"]
    changed = replace(stream[0], event=TourOpened(Plan(SMALL, "groups", seats=4, time="none")))
    house.log[house.log.index(stream[0])] = stream[0] = changed
    house.restart()
    contest.organiser = house.connect()
    house.do(contest.organiser, Organise(TOKEN))
    contest.join("ann", "bob", "cyd")
    contest.start()
    assert house.streams["tour/1"][-1].ends
    (match,) = contest.matches()
    assert match.result is not None
    assert match.result.how == UNPLAYABLE
    assert match.result.reason == "3 players need 9 tiles, and this board has 8."
