"""What one home may use up, tried at the bound: so much is fine, and more is refused.

Seats, games on hold, tours and places in them stay, also over a restart; records and codes
come back with time. The organiser always has room.
"""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from rookery.core.ids import TableId, TourId
from rookery.core.intents import (
    CancelTour,
    Enter,
    EnterRoom,
    Gather,
    JoinTour,
    Leave,
    Open,
    OpenTour,
    Organise,
    Play,
    Rename,
    Resign,
    Say,
    Seek,
    Sit,
)
from rookery.core.messages import Done, Refused, Roomed, TourJoined, TourMade, Welcome
from rookery.core.network import API, LOOPBACK, Rate
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan
from rookery.hall.hall import HallSettings
from rookery.hall.limits import (
    A_HOST,
    A_LOOPBACK,
    RENAME_COST,
    TABLES_MAX,
    TABLES_RESERVED,
    TOURS_MAX,
    TOURS_RESERVED,
    Allowance,
    Allowances,
)
from tests.hall.contest import NIM, TOKEN, Contest
from tests.hall.house import SECOND, Guest, House

HOLD = Policy(gone=Gone.HOLD)
HERE, THERE = "192.0.2.1", "192.0.2.2"
FEW = replace(A_HOST, seats=4, held=2, tours=2, entries=2)
WROTE: list[str] = []  # what whoever runs the server was told


def house_with(most: Allowance, *, loopback: Allowance | None = None) -> House:
    """A house where every home may have so much."""
    WROTE.clear()
    allowances = Allowances(most, loopback or most)
    return House(organiser=TOKEN, settings=HallSettings(allowances, remark=WROTE.append))


def guest(house: House, host: str = HERE, name: str = "ann") -> Guest:
    return house.enter(name, house.connect(host))


# -- seats


def test_a_home_has_so_many_seats_however_many_players_it_makes() -> None:
    house = house_with(FEW)
    for n in range(4):
        house.do(guest(house, name=f"g{n}"), Open("nim"))
    late = guest(house)
    for intent in (Open("nim"), Open("nim", sit=False), Seek("tictactoe"), Sit(TableId(1))):
        refused = house.ask(late, intent, Refused)
        assert refused.code == "too_many"
        assert "4 seats" in refused.sentence
        assert "leave a game first" in refused.sentence
    assert house.no(late, Gather("nim", 2, 2)) == "too_many"
    house.do(guest(house, THERE), Open("nim"))


def test_a_host() -> None:
    house = house_with(A_HOST, loopback=A_LOOPBACK)
    for n in range(A_HOST.tours):
        if n % 20 == 0:
            ann = guest(house)
        house.ask(ann, OpenTour(Plan(NIM), ""), TourMade)
    assert house.no(guest(house), OpenTour(Plan(NIM), "")) == "too_many"
    for n in range(A_HOST.seats):
        if n % 50 == 0:
            ann = guest(house, name=f"g{n}")
        house.do(ann, Open("nim", sit=False))
    assert house.no(guest(house), Open("nim")) == "too_many"
    house.do(guest(house, THERE), Open("nim"))


def test_a_loopback() -> None:
    """One machine cannot fill the hall either, nor the tours, not even with its own bounds."""
    house = house_with(A_HOST, loopback=A_LOOPBACK)
    for n in range(A_LOOPBACK.tours):
        if n % 20 == 0:
            ann = guest(house, LOOPBACK)
        house.ask(ann, OpenTour(Plan(NIM), ""), TourMade)
    assert house.no(guest(house, LOOPBACK), OpenTour(Plan(NIM), "")) == "too_many"
    house.ask(guest(house, THERE), OpenTour(Plan(NIM), ""), TourMade)
    assert A_LOOPBACK.seats < TABLES_MAX - TABLES_RESERVED
    assert A_LOOPBACK.tours < TOURS_MAX - TOURS_RESERVED


def test_a_seat_that_is_given_up_can_be_had_again() -> None:
    house = house_with(FEW)
    guests = [guest(house, name=f"g{n}") for n in range(4)]
    for one in guests:
        house.do(one, Open("nim"))
    house.do(guests[0], Leave(TableId(1)))
    house.do(guests[0], Open("nim"))
    assert house.no(guests[0], Open("nim")) == "too_many"
    house.hang_up(guests[1])
    house.do(guests[0], Open("nim"))


def test_who_plays_on_is_counted_after_a_restart_as_before() -> None:
    house = house_with(FEW)
    ann, bob = guest(house), guest(house, name="bob")
    tables = [house.game("nim", ann, bob) for _ in range(2)]
    assert house.no(guest(house), Open("nim")) == "too_many"
    house.restart()
    assert house.no(guest(house), Open("nim")) == "too_many"
    house.do(house.back(ann), Resign(tables[0]))
    house.do(guest(house), Open("nim"))


def test_addresses_of_one_home_are_counted_together() -> None:
    house = house_with(FEW)
    for n in range(4):
        house.do(guest(house, f"2001:db8:0:1::{n}"), Open("nim"))
    assert house.no(guest(house, "2001:db8:0:1:ffff::9"), Open("nim")) == "too_many"
    house.do(guest(house, "2001:db8:0:2::1"), Open("nim"))


def test_a_home_may_have_only_some_of_its_seats_at_games_on_hold() -> None:
    house = house_with(FEW)
    ann = guest(house)
    for _ in range(2):
        house.do(ann, Open("nim", policy=HOLD))
    refused = house.ask(ann, Open("nim", policy=HOLD), Refused)
    assert (refused.code, "2 seats at tables on hold" in refused.sentence) == ("too_many", True)
    house.do(ann, Open("nim"))


def test_the_server_itself_may_have_as_many_as_it_likes() -> None:
    house = house_with(FEW)
    owner = house.enter("organiser", house.connect(API, API), API)
    for _ in range(10):
        house.do(owner, Open("nim", sit=False))


def test_nobody_fills_the_hall_with_games_on_hold_also_by_a_restart() -> None:
    """50,000 of them filled it for good; now a host has so many, and others have room."""
    house = house_with(A_HOST)
    for n in range(A_HOST.held // 2):
        if n % 50 == 0:
            ann, bob = guest(house), guest(house, name="bob")
        house.game("nim", ann, bob, policy=HOLD)
        if n % 50 == 49:
            house.hang_up(ann)
            house.hang_up(bob)
    assert house.no(guest(house), Open("nim", policy=HOLD)) == "too_many"
    house.restart()
    assert house.no(guest(house), Open("nim", policy=HOLD)) == "too_many"
    house.do(guest(house, THERE), Open("nim", policy=HOLD))


# -- tours


def test_a_home_has_so_many_tours_and_the_organiser_has_room() -> None:
    house = house_with(FEW)
    for n in range(2):
        house.ask(guest(house, name=f"g{n}"), OpenTour(Plan(NIM)), TourMade)
    ann = guest(house)
    refused = house.ask(ann, OpenTour(Plan(NIM)), Refused)
    assert (refused.code, "2 tours" in refused.sentence) == ("too_many", True)
    house.restart()
    ann = house.back(ann)
    assert house.no(guest(house), OpenTour(Plan(NIM))) == "too_many"
    house.ask(guest(house, THERE), OpenTour(Plan(NIM)), TourMade)
    organiser = house.connect(HERE)
    house.do(organiser, Organise(TOKEN))
    house.ask(organiser, OpenTour(Plan(NIM)), TourMade)
    house.do(organiser, CancelTour(TourId(1)))
    house.ask(guest(house), OpenTour(Plan(NIM)), TourMade)


def test_a_home_has_so_many_places_in_tours() -> None:
    house = house_with(FEW)
    one = Contest(house, Plan(NIM))
    for n in range(2):
        house.ask(guest(house, name=f"g{n}"), JoinTour(one.tour), TourJoined)
    refused = house.ask(guest(house), JoinTour(one.tour), Refused)
    assert (refused.code, "2 places" in refused.sentence) == ("too_many", True)
    house.restart()
    assert house.no(guest(house), JoinTour(one.tour)) == "too_many"
    house.ask(guest(house, THERE), JoinTour(one.tour), TourJoined)
    organiser = house.connect(HERE)
    house.do(organiser, Organise(TOKEN))
    house.do(organiser, CancelTour(one.tour))
    other = Contest(house, Plan(NIM, at_once=2))
    house.ask(guest(house), JoinTour(other.tour), TourJoined)
    assert house.no(guest(house), JoinTour(other.tour)) == "too_many", "it may play two at once"


def test_a_home_has_no_more_places_by_codes_behind_names() -> None:
    house = house_with(FEW)
    Contest(house, Plan("reversi", "joining"), "RIGHT")
    for n in range(2):
        house.ask(house.connect(HERE, "othello"), Enter(f"g{n}#RIGHT", "othello"), Welcome)
    assert house.no(house.connect(HERE, "othello"), Enter("ann#RIGHT", "othello")) == "too_many"


# -- records


def quick(records: int) -> Allowance:
    """So many records at once, and one a second."""
    return replace(A_HOST, records=Rate(records, SECOND))


def test_rename_cost() -> None:
    house = house_with(quick(10 * RENAME_COST))
    ann = guest(house)  # which is a record, too
    names = [house.reply(ann, Rename(f"ann-{n}")) for n in range(11)]
    assert [type(reply) for reply in names] == [Done] * 10 + [Refused]


def test_who_has_the_log_grow_too_fast_waits_and_others_do_not() -> None:
    house = house_with(quick(40))
    ann = guest(house)
    names = [house.reply(ann, Rename(f"ann-{n}")) for n in range(10)]
    done = [isinstance(reply, Done) for reply in names]
    assert done == [True] * 4 + [False] * 6
    refused = names[-1]
    assert isinstance(refused, Refused)
    assert refused.code == "too_fast"
    assert "1 records a second" in refused.sentence
    assert refused.sentence.endswith("Moves are never refused for this.")
    assert [f"{HERE} grows the log faster than it may, and is refused"] == WROTE
    house.do(guest(house, THERE), Rename("bob"))
    house.wait(RENAME_COST)
    house.do(ann, Rename("at last"))


@pytest.mark.parametrize(
    "again",
    [
        pytest.param((Open("nim"),), id="open"),
        pytest.param((Seek("nim"),), id="seek"),
        pytest.param((Enter("more"),), id="enter"),
        pytest.param((OpenTour(Plan(NIM), ""),), id="tour"),
        pytest.param((EnterRoom("den", "nim", name="zoe"),), id="room"),
    ],
)
def test_whatever_merely_grows_the_log_is_refused_then(again: Sequence[Open]) -> None:
    house = house_with(quick(1))
    session = house.connect(HERE)
    house.ask(session, Enter("ann"), Welcome)
    for intent in again:
        assert house.no(session, intent) == "too_fast"


def test_moves_and_what_ends_a_game_are_never_refused_for_it() -> None:
    house = house_with(quick(60))
    ann, bob = guest(house), guest(house, name="bob")
    table = house.game("nim sticks=9,9", ann, bob)
    while isinstance(house.reply(ann, Rename("ann")), Done):
        pass
    assert house.no(ann, Say(table, "slow")) == "too_fast"
    for n in range(12):
        house.do((ann, bob)[n % 2], Play(table, f"{n % 2},1"))
    house.do(ann, Resign(table))


def test_games_that_are_played_pay_for_themselves() -> None:
    """Bots that play at once play on for ever; who opens and gives up does not."""
    house = house_with(quick(20))
    ann, bob = guest(house), guest(house, name="bob")
    for _ in range(50):
        table = house.game("nim sticks=1,2", ann, bob)
        house.do(ann, Play(table, "0,1"))
        house.do(bob, Play(table, "1,2"))
    given_up = 0
    while isinstance(house.reply(ann, Open("nim")), Done):
        given_up += 1
        house.do(ann, Leave(TableId(50 + given_up)))
    assert given_up <= 5


def test_the_organiser_writes_as_fast_as_it_likes() -> None:
    house = house_with(quick(5))
    organiser = house.connect(HERE)
    house.do(organiser, Organise(TOKEN))
    for _ in range(20):
        house.ask(organiser, OpenTour(Plan(NIM), ""), TourMade)


def test_a_class_sits_down_at_once_and_nobody_is_refused() -> None:
    """500 behind one router come, join a tour, open a table each and say good morning."""
    house = House(organiser=TOKEN)
    one = Contest(house, Plan(NIM, "joining"))
    for n in range(500):
        who = guest(house, HERE, f"student-{n}")
        house.do(who, Rename(f"s-{n}"))
        table = house.do(who, Open("nim")).table
        assert table is not None
        house.do(who, Say(table, "Good morning."))
    assert len(house.log) > 2_500
    assert one.status == "open"


def test_who_resigns_on_and_on_in_an_arena_is_given_no_match_for_a_while() -> None:
    house = house_with(replace(A_HOST, records=Rate(300, SECOND // 10)))
    one = Contest(house, Plan(NIM, "arena minutes=60"))
    one.join("ann", "bob")
    one.start()

    def resign_while_one_can() -> None:
        while running := one.running():
            player = house.show(one.organiser, running[0]).line.seats[0].player
            house.do(next(g for g in one.guests if g.player == player), Resign(running[0]))

    resign_while_one_can()
    assert 10 < (begun := len(one.matches())) < 60, "its home has no records left"
    for _ in range(10):
        house.wait(1)
        resign_while_one_can()
    assert begun < len(one.matches()) < begun + 40


# -- codes

GUESSES = replace(A_HOST, guesses=Rate(3, 10 * SECOND))


def wrong(n: int) -> str:
    return f"WRONG{'ABCDEFGH'[n]}"


def test_who_guesses_codes_must_wait_also_with_the_right_one() -> None:
    house = house_with(GUESSES)
    one = Contest(house, Plan(NIM), "RIGHT")
    ann = guest(house)
    for n in range(3):
        assert house.no(ann, JoinTour(code=wrong(n))) == "bad_code"
    refused = house.ask(ann, JoinTour(one.tour, "RIGHT"), Refused)
    assert (refused.code, "10 seconds" in refused.sentence) == ("too_fast", True)
    assert house.no(guest(house), JoinTour(code="RIGHT")) == "too_fast", "by another connection"
    assert [f"{HERE} guesses codes, and must wait"] == WROTE
    house.ask(guest(house, THERE), JoinTour(code="RIGHT"), TourJoined)
    house.wait(10)
    house.ask(ann, JoinTour(code="RIGHT"), TourJoined)


def test_a_code_that_is_right_costs_nothing() -> None:
    house = house_with(GUESSES)
    one = Contest(house, Plan(NIM), "RIGHT")
    for n in range(20):
        house.ask(guest(house, name=f"g{n}"), JoinTour(one.tour, "right"), TourJoined)


def test_who_is_refused_for_another_reason_has_guessed_nothing() -> None:
    house = house_with(GUESSES)
    one = Contest(house, Plan(NIM), "RIGHT")
    ann = guest(house)
    house.ask(ann, JoinTour(one.tour, "right"), TourJoined)
    for _ in range(5):
        assert house.no(ann, JoinTour(one.tour, "right")) == "joined_before"
    house.ask(guest(house, name="bob"), JoinTour(one.tour, "right"), TourJoined)


def test_a_code_behind_a_name_is_a_guess_too() -> None:
    house = house_with(GUESSES)
    Contest(house, Plan("reversi", "joining"), "RIGHT")
    for n in range(3):
        session = house.connect(HERE, "othello")
        assert house.no(session, Enter(f"ann#{wrong(n)}", "othello")) == "bad_code"
    session = house.connect(HERE, "othello")
    assert house.no(session, Enter("ann#RIGHT", "othello")) == "too_fast"
    house.ask(session, Enter("ann", "othello"), Welcome)


def test_a_room_that_might_be_a_code_is_a_guess_unless_people_are_in_it() -> None:
    house = house_with(GUESSES)
    Contest(house, Plan("reversi size=10", "joining"), "RIGHT")

    def enters(room: str, name: str) -> EnterRoom:
        return EnterRoom(room, "reversi size=10", name=name)

    for n in range(3):
        house.ask(house.connect(HERE, "blackwhite"), enters(wrong(n), "ann"), Roomed)
    assert house.no(house.connect(HERE, "blackwhite"), enters("RIGHT", "ann")) == "too_fast"
    house.ask(house.connect(HERE, "blackwhite"), enters(wrong(0), "bob"), Roomed)
    house.ask(house.connect(HERE, "blackwhite"), enters("no code!", "bob"), Roomed)


def test_choosing_a_code_for_a_tour_of_ones_own_is_guessing_too() -> None:
    house = house_with(GUESSES)
    Contest(house, Plan(NIM), "RIGHT")
    ann = guest(house)
    for n in range(3):
        house.ask(ann, OpenTour(Plan(NIM), wrong(n)), TourMade)
    assert house.no(ann, OpenTour(Plan(NIM), "RIGHT")) == "too_fast"


def test_where_no_tour_has_a_code_there_is_nothing_to_guess() -> None:
    house = house_with(GUESSES)
    for n in range(10):
        house.ask(house.connect(HERE, "othello"), Enter(f"c#{n}", "othello"), Welcome)
    assert WROTE == []
