"""Games that were begun by earlier rules are judged by them, in the log and at the board."""

import pytest
from msgspec.structs import replace

from rookery.core.events import Ended, Opened, table_stream
from rookery.core.ids import TableId
from rookery.core.intents import Play, Show
from rookery.core.messages import Shown
from rookery.doctor.objections import Objection, begin, follow
from rookery.hall.tables.replay import replay
from tests.hall.house import Guest, House

# White on board 1 and black on board 2 are partners, and in the end both can only wait.
BOARD_1 = ((0, "1:f2f3"), (1, "1:e7e5"), (0, "1:g2g4"), (1, "1:d8h4"))
BOARD_2 = ((2, "2:e2e4"), (3, "2:f7f6"), (2, "2:d2d4"), (3, "2:g7g5"), (2, "2:d1h5"))


def begun(house: House, rules: int) -> tuple[list[Guest], TableId]:
    """A game whose log says that it was opened by these rules, after a restart."""
    guests = [house.enter(name) for name in ("ann", "bob", "cyd", "dan")]
    table = house.game("bughouse", *guests)
    opened = house.streams[table_stream(table)][0]
    assert isinstance(opened.event, Opened)
    assert opened.event.rules == 2
    old = replace(opened, event=replace(opened.event, rules=rules))
    house.streams[table_stream(table)][0] = old
    house.log[opened.seq - 1] = old
    house.restart()
    return [house.back(guest) for guest in guests], table


@pytest.mark.parametrize(("rules", "places"), [(1, (1, 1, 1, 1)), (2, (2, 1, 1, 2))])
def test_a_game_is_judged_by_the_rules_it_was_begun_by(
    house: House, rules: int, places: tuple[int, ...]
) -> None:
    guests, table = begun(house, rules)
    for seat, move in BOARD_1 + BOARD_2:
        house.do(guests[seat], Play(table, move))
    ended = house.last(table, Ended)
    assert (ended.outcome.how, ended.outcome.places) == ("stuck", places)

    events = house.events(table)
    assert replay(table, events).outcome == ended.outcome
    made = begin(table, events[0])
    for event in events[1:]:
        made = follow(made, event)  # the doctor has nothing against it

    house.restart()
    shown = house.ask(house.enter("eve"), Show(table), Shown)
    assert shown.line.outcome == ended.outcome


def test_what_the_other_rules_came_to_is_objected_to(house: House) -> None:
    guests, table = begun(house, 1)
    for seat, move in BOARD_1 + BOARD_2:
        house.do(guests[seat], Play(table, move))
    opened, *events = house.events(table)
    assert isinstance(opened, Opened)
    made = begin(table, replace(opened, rules=2))
    for event in events[:-1]:
        made = follow(made, event)
    with pytest.raises(Objection, match="by the rules 2-1-1-2"):
        follow(made, events[-1])
