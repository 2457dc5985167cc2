"""Seats that are kept: who opened a table may go for a while before its game begins."""

import pytest

from rookery.core.events import Ended, Opened
from rookery.core.game import Forfeit
from rookery.core.ids import TableId
from rookery.core.intents import Open, Seek, Sit, TakeUp
from tests.hall.house import SECOND, Guest, House

FIRST = TableId(1)
MINUTE = 60 * SECOND


def invited(house: House, wish: Open | Seek | None = None) -> Guest:
    """Somebody who waits at the first table, for whom its seat is kept for a minute."""
    ann = house.enter("ann")
    house.do(ann, wish or Open("nim", kept=MINUTE))
    return ann


def stands(house: House) -> str:
    """How the first table stands."""
    return house.show(house.connect(), FIRST).line.status


@pytest.mark.parametrize("wish", [Open("nim", kept=MINUTE), Seek("nim", kept=MINUTE)])
def test_who_comes_back_in_time_has_its_seat(house: House, wish: Open | Seek) -> None:
    ann = invited(house, wish)
    house.hang_up(ann)
    house.wait(59)
    ann = house.back(ann)
    house.wait(600)
    assert house.do(house.enter("bob"), Sit(FIRST)).seat == 1
    assert house.show(ann, FIRST).line.status == "playing"


def test_it_is_given_up_when_the_time_is_over(house: House) -> None:
    house.hang_up(invited(house))
    house.wait(59)
    assert stands(house) == "open"
    house.wait(1)
    assert stands(house) == "closed"


def test_everyone_can_see_that_nobody_is_there(house: House) -> None:
    house.hang_up(invited(house))
    (seat, _) = house.show(house.connect(), FIRST).line.seats
    assert (seat.player_name, seat.connected) == ("ann", False)


def test_it_is_kept_over_a_restart(house: House) -> None:
    ann = invited(house)
    house.restart()
    house.wait(59)
    ann = house.back(ann)
    house.wait(600)
    assert stands(house) == "open"


def test_after_a_restart_too_it_is_kept_no_longer(house: House) -> None:
    invited(house)
    house.restart()
    house.wait(60)
    assert stands(house) == "closed"


def test_only_who_opened_the_table_has_such_a_seat(house: House) -> None:
    ann = invited(house, Open("fish", 3, kept=MINUTE))
    bob = house.enter("bob")
    house.do(bob, Sit(FIRST))
    house.hang_up(bob)
    assert [seat.player for seat in house.show(ann, FIRST).line.seats] == [ann.player, None, None]
    house.do(house.enter("cleo"), Sit(FIRST))
    house.restart()
    seats = house.show(house.connect(), FIRST).line.seats
    assert [seat.player for seat in seats] == [ann.player, None, None]


def test_who_follows_an_invitation_begins_the_game_and_the_other_has_its_grace(
    house: House,
) -> None:
    ann = invited(house)
    house.hang_up(ann)
    house.do(house.enter("bob"), Sit(FIRST))
    house.wait(59)
    assert stands(house) == "playing"
    house.wait(1)
    assert house.last(FIRST, Ended).outcome.how == Forfeit.GONE


def test_a_seek_walks_past_a_table_whose_player_is_away(house: House) -> None:
    ann = invited(house)
    house.hang_up(ann)
    assert house.do(house.enter("bob"), Seek("nim")).table == 2
    house.back(ann)
    assert house.do(house.enter("cleo"), Seek("nim")).table == 1


def test_no_bot_is_sent_to_who_is_away(house: House) -> None:
    ann = invited(house)
    assert len(house.hall.vacancies("bot")) == 1
    house.hang_up(ann)
    assert house.hall.vacancies("bot") == ()


def test_it_is_no_running_game_to_be_taken_up_by_name(house: House) -> None:
    house.hang_up(invited(house))
    assert house.no(house.connect(), TakeUp("ann")) == "nothing_lost"


def test_how_long_is_in_the_log_where_it_was_asked_for(house: House) -> None:
    invited(house)
    assert house.last(FIRST, Opened).kept == MINUTE
