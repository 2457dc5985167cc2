"""Games on hold: everyone waits for who is gone, but not for ever where all of them are."""

from rookery.core.events import Ended
from rookery.core.ids import TableId
from rookery.core.intents import Play, Resign
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan
from rookery.hall.hall import HallSettings
from rookery.hall.limits import HOLD, HOLD_BACK
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import SECOND, Guest, House

ON_HOLD = Policy(gone=Gone.HOLD, grace=0)
WEEK = HOLD // SECOND
HOUR = HOLD_BACK // SECOND


def party(house: House) -> tuple[Guest, Guest, TableId]:
    ann, bob = house.enter("ann"), house.enter("bob")
    return ann, bob, house.game("tictactoe", ann, bob, policy=ON_HOLD)


def over(house: House, table: TableId) -> str | None:
    ends = [event for event in house.events(table) if isinstance(event, Ended)]
    return ends[0].outcome.how if ends else None


def test_hold(house: House) -> None:
    """A game that everyone left ends after a week, counted from when the last one did."""
    ann, bob, table = party(house)
    house.hang_up(ann)
    house.wait(3600)
    house.hang_up(bob)
    house.wait(WEEK - 1)
    assert over(house, table) is None
    house.wait(1)
    assert over(house, table) == "abandoned"
    assert house.last(table, Ended).outcome.places == (2, 2)


def test_how_long_it_waits_can_be_set() -> None:
    house = House(settings=HallSettings(hold=60 * SECOND))
    ann, bob, table = party(house)
    house.hang_up(ann)
    house.hang_up(bob)
    house.wait(59)
    assert over(house, table) is None
    house.wait(1)
    assert over(house, table) == "abandoned"


def test_one_who_stays_keeps_the_game_for_as_long_as_it_likes(house: House) -> None:
    ann, bob, table = party(house)
    house.hang_up(ann)
    house.wait(10 * WEEK)
    assert over(house, table) is None
    house.hang_up(bob)
    house.wait(WEEK - 1)
    house.do(house.back(ann), Play(table, "4"))
    house.wait(WEEK)
    assert over(house, table) is None


def test_who_comes_back_in_time_has_all_of_it_again(house: House) -> None:
    ann, bob, table = party(house)
    house.hang_up(ann)
    house.hang_up(bob)
    house.wait(WEEK - 1)
    house.hang_up(house.back(ann))
    house.wait(WEEK - 1)
    assert over(house, table) is None
    house.wait(1)
    assert over(house, table) == "abandoned"


def test_restarts_keep_no_game_for_good(house: House) -> None:
    """A server that is restarted every day ends it after a week, as one that is not."""
    _, _, table = party(house)
    for _ in range(7):
        house.restart()
        house.wait(WEEK // 7)
    house.wait(HOUR)
    assert over(house, table) == "abandoned"


def test_hold_back(house: House) -> None:
    """After a restart everyone has an hour at least."""
    ann, _, table = party(house)
    house.wait(2 * WEEK)  # they think
    house.restart()
    house.wait(HOUR - 1)
    assert over(house, table) is None
    house.do(house.back(ann), Play(table, "4"))
    house.wait(WEEK)
    assert over(house, table) is None, "one is there"


def test_who_is_out_of_a_game_is_not_waited_for(house: House) -> None:
    guests = [house.enter(name) for name in "abc"]
    table = house.game("fish rows=4 cols=4", *guests, policy=ON_HOLD)
    for guest in guests[:2]:
        house.hang_up(guest)
    house.wait(2 * WEEK)
    house.do(guests[2], Resign(table))
    house.wait(WEEK)
    assert over(house, table) == "abandoned"


def test_a_match_of_a_tour_comes_out_when_nobody_comes_back_to_it() -> None:
    house = house_of_tours()
    one = Contest(house, Plan(NIM, "round_robin", time="none", policy=ON_HOLD))
    ann, bob = one.join("ann", "bob")
    one.start()
    house.hang_up(ann)
    house.hang_up(bob)
    house.wait(WEEK)
    (match,) = one.matches()
    assert match.result is not None
    assert match.result.how == "abandoned"
    assert one.status == "ended"


def test_the_log_of_such_a_game_opens_again(house: House) -> None:
    ann, bob, table = party(house)
    house.hang_up(ann)
    house.hang_up(bob)
    house.wait(WEEK)
    house.restart()
    assert house.show(house.connect(), table).line.status == "over"
