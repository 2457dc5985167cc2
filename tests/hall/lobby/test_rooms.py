"""Rooms: who plays, who looks on, and how one game follows the other."""

import pytest

from rookery.core.events import Opened, Rematched, RematchWished, Started
from rookery.core.ids import TableId, Wall
from rookery.core.intents import (
    EnterRoom,
    LeaveRoom,
    Open,
    Play,
    Reclaim,
    Rematch,
    Rename,
    Resign,
    Seek,
    Sit,
)
from rookery.core.messages import Done, MemberLine, News, Refused, Roomed, RoomNews, Welcome
from rookery.core.policy import Policy
from tests.hall.house import Guest, House
from tests.hall.roomful import GRACE, NIM, come, crowd, seats, status

# -- coming in


def test_the_first_two_play_and_the_others_look_on(house: House) -> None:
    a, b, c = (house.enter(name) for name in "abc")
    replies = come(house, a, b, c)
    assert [reply.table for reply in replies] == [None, None, 1]
    assert seats(house, 1) == (a.player, b.player)
    assert replies[2].members == (MemberLine(a.player, "a"), MemberLine(b.player, "b"))


def test_the_table_carries_its_room_and_the_clock_of_who_made_it(house: House) -> None:
    a, b = house.enter("a"), house.enter("b")
    house.ask(a, EnterRoom("den", NIM, "9s", GRACE, player=a.player), Roomed)
    house.ask(b, EnterRoom("den", NIM, "1m", player=b.player), Roomed)
    opened = house.last(TableId(1), Opened)
    assert (opened.room, opened.time, opened.policy) == ("den", "9s", GRACE)


def test_all_in_the_room_hear_who_comes_and_everything_that_is_played(house: House) -> None:
    a, _, c = crowd(house, "abc")
    house.do(a, Play(TableId(1), "0,1"))
    [news] = house.news(c)
    assert news.n == 6
    d = house.enter("d")
    come(house, d)
    assert house.heard(c) == [RoomNews("den", NIM, d.player, "d", here=True)]


def test_who_comes_hears_the_reply_and_then_that_it_came_and_then_the_game(house: House) -> None:
    a, b = house.enter("a"), house.enter("b")
    come(house, a, b)
    heard = [type(message) for message in house.heard(b)]
    assert heard == [Welcome, Roomed, RoomNews, News, News, News, News]


def test_rooms_of_other_names_and_other_games_are_other_rooms(house: House) -> None:
    a, b, c, d = (house.enter(name) for name in "abcd")
    come(house, a)
    come(house, b, room="attic")
    house.ask(c, EnterRoom("den", "tictactoe"), Roomed)
    assert house.heard(a)[-1] == RoomNews("den", NIM, a.player, "a", here=True)
    house.ask(d, EnterRoom("den", " nim   sticks=3,4,5 "), Roomed)
    assert seats(house, 1) == (a.player, d.player), "the same game in other words"


def test_seeks_do_not_meet_rooms(house: House) -> None:
    a, b = house.enter("a"), house.enter("b")
    come(house, a)
    house.do(b, Seek(NIM))
    assert seats(house, 1) == (b.player, None)


@pytest.mark.parametrize("room", ["", " ", "a\nb", "x" * 41])
def test_a_room_has_a_name_that_can_be_said(house: House, room: str) -> None:
    assert house.no(house.enter("a"), EnterRoom(room, NIM)) == "bad_room"


def test_a_room_has_a_game_that_there_is(house: House) -> None:
    assert house.no(house.enter("a"), EnterRoom("den", "chess")) == "bad_option"
    assert house.no(house.enter("b"), EnterRoom("den", NIM, "soon")) == "bad_option"


def test_names_are_unique_in_a_room_and_stay_so(house: House) -> None:
    a, _ = crowd(house, "ab")
    assert house.no(house.enter("b"), EnterRoom("den", NIM)) == "name_taken"
    assert house.no(house.connect(), EnterRoom("den", NIM, name="b")) == "name_taken"
    for same in ("b²", "b² ", "b ³"):  # as raised numbers are the hall's
        assert house.no(house.connect(), EnterRoom("den", NIM, name=same)) == "name_taken"
    assert house.no(a, Rename("b")) == "in_room"


def test_one_is_in_one_room_at_a_time(house: House) -> None:
    [a] = crowd(house, "a")
    assert house.no(a, EnterRoom("attic", NIM)) == "in_room"
    house.do(a, LeaveRoom())
    come(house, a, room="attic")


def test_a_room_may_be_for_one_dialect_only(house: House) -> None:
    session = house.connect(dialect="blackwhite")
    house.ask(session, EnterRoom("den", NIM, policy=Policy(only="blackwhite"), name="a"), Roomed)
    assert house.no(house.enter("b"), EnterRoom("den", NIM)) == "wrong_dialect"


def test_a_new_player_can_come_in_by_name_and_has_a_token(house: House) -> None:
    session = house.connect()
    roomed = house.ask(session, EnterRoom("den", NIM, name="a"), Roomed)
    house.hang_up(session)
    again = house.ask(house.connect(), Reclaim(roomed.player, roomed.token), Welcome)
    assert again.name == "a"


def test_a_bad_name_makes_no_player_and_no_room(house: House) -> None:
    assert house.no(house.connect(), EnterRoom("den", NIM, name=" ")) == "bad_name"
    assert house.log == []


# -- one game after the other


def test_entering_again_during_a_game_is_refused(house: House) -> None:
    a, _, c, _ = crowd(house)
    assert house.no(a, EnterRoom("den", NIM)) == "in_room"
    assert house.no(c, EnterRoom("den", NIM)) == "in_room"


def test_entering_again_after_a_game_is_the_wish_for_a_return_game(house: House) -> None:
    a, b, c, _ = crowd(house)
    house.do(a, Resign(TableId(1)))
    house.do(a, EnterRoom("den", NIM))
    assert house.last(TableId(1), RematchWished).seat == 0
    house.heard(c)
    house.do(b, EnterRoom("den", NIM))
    assert seats(house, 2) == (b.player, a.player)
    assert house.last(TableId(2), Opened).room == "den"
    kinds = [type(news.event) for news in house.news(c)]
    assert kinds[:2] == [RematchWished, Rematched]
    assert kinds[-1] is Started, "the viewers hear of the new table"


def test_a_rematch_at_the_table_is_the_same_wish(house: House) -> None:
    a, b, _, _ = crowd(house)
    house.do(a, Resign(TableId(1)))
    house.do(b, Rematch(TableId(1)))
    house.do(a, EnterRoom("den", NIM))
    assert seats(house, 2) == (b.player, a.player)
    house.do(b, Resign(TableId(2)))
    house.do(b, Rematch(TableId(2)))
    house.do(a, Rematch(TableId(2)))
    assert seats(house, 3) == (a.player, b.player)


def test_a_viewer_who_enters_again_after_a_game_is_only_heard(house: House) -> None:
    a, _, c, _ = crowd(house)
    house.do(a, Resign(TableId(1)))
    house.heard(a)
    house.do(c, EnterRoom("den", NIM))
    assert house.heard(a) == [RoomNews("den", NIM, c.player, "c", here=True)]


def test_after_a_game_a_newcomer_waits_while_both_players_are_there(house: House) -> None:
    a, *_ = crowd(house)
    house.do(a, Resign(TableId(1)))
    e = house.enter("e")
    [reply] = come(house, e)
    assert reply.table is None
    assert house.no(e, Sit(TableId(2))) == "no_table"


def test_a_table_that_left_memory_can_still_have_its_return_game(house: House) -> None:
    a, b, _, _ = crowd(house)
    house.do(a, Resign(TableId(1)))
    house.wait(1000)
    house.do(a, EnterRoom("den", NIM))
    house.wait(1000)
    house.do(b, EnterRoom("den", NIM))
    assert seats(house, 2) == (b.player, a.player)


def test_there_is_no_return_game_with_who_left_the_room(house: House) -> None:
    a, b = crowd(house, "ab")
    house.do(a, Resign(TableId(1)))
    house.do(a, Rematch(TableId(1)))
    house.do(b, LeaveRoom())
    assert house.no(a, Rematch(TableId(1))) == "not_there"
    assert house.no(b, Rematch(TableId(1))) == "not_there"


def test_before_the_end_a_rematch_is_refused_as_anywhere(house: House) -> None:
    a, *_ = crowd(house)
    assert house.no(a, Rematch(TableId(1))) == "not_over"


# -- bounds


def test_a_seat_in_a_room_waits_for_who_has_too_many_seats(house: House) -> None:
    a, b = house.enter("a"), house.enter("b")
    come(house, a)
    for _ in range(50):
        house.do(a, Open("nim"))
    come(house, b)
    assert house.no(a, Open("nim")) == "too_many"
    assert house.ask(a, EnterRoom("den", NIM), Done) == Done()
    house.hang_up(a)
    c = house.enter("c")
    come(house, c)
    assert seats(house, 51) == (b.player, c.player)


def test_a_refused_return_game_leaves_the_room_as_it_was(house: House) -> None:
    a, *_ = crowd(house)
    house.do(a, Resign(TableId(1)))
    for _ in range(50):
        house.do(a, Open("nim"))
    assert house.ask(a, EnterRoom("den", NIM), Refused).code == "too_many"


# -- viewing only


def viewers(house: House, names: str = "abcd") -> list[Guest]:
    """These are in the room, the first two as players; all of them for viewing only."""
    guests = [house.enter(name) for name in names]
    for guest in guests:
        house.ask(guest, EnterRoom("den", NIM, view_only=True), Roomed)
    return guests


def test_viewers_stay_viewers_when_a_player_leaves(house: House) -> None:
    a, b, c, d = viewers(house)
    house.do(a, LeaveRoom())
    assert status(house, 1) == "over"
    house.do(d, EnterRoom("den", NIM, view_only=True))
    assert seats(house, 2) == (b.player, d.player)
    assert house.no(c, EnterRoom("den", NIM, view_only=True)) == "in_room"


def test_who_comes_in_takes_an_empty_seat_before_the_viewers(house: House) -> None:
    a, b, *_ = viewers(house)
    house.do(a, LeaveRoom())
    e = house.enter("e")
    house.ask(e, EnterRoom("den", NIM, view_only=True), Roomed)
    assert seats(house, 2) == (b.player, e.player)


def test_who_did_not_come_for_viewing_only_sits_down_before_viewers(house: House) -> None:
    a, b, _ = viewers(house, "abc")
    d = house.enter("d")
    come(house, d)
    house.do(a, LeaveRoom())
    assert seats(house, 2) == (b.player, d.player)


def test_a_viewer_whose_edge_comes_to_another_hall_is_still_one(house: House) -> None:
    a, b, c = viewers(house, "abc")
    before = {guest: house.hall.attaching.of(guest.session) for guest in (a, b, c)}
    house.restart()
    sessions = {guest: house.connect() for guest in (a, b, c)}
    for guest, session in sessions.items():
        house.take(house.hall.attach(session, before[guest], house.now, Wall(house.now)))
    house.do(sessions[a], LeaveRoom())
    (waits,) = house.hall.vacancies("bot")
    assert waits.players == (b.player,)


def test_viewers_wait_for_nobody_and_a_player_who_stayed_does(house: House) -> None:
    a, b, *_ = viewers(house)
    house.do(a, LeaveRoom())
    (waits,) = house.hall.vacancies("bot")
    assert (waits.missing, waits.players) == (1, (b.player,))
    house.do(b, LeaveRoom())
    assert house.hall.vacancies("bot") == ()


def test_names_are_compared_without_regard_to_case(house: House) -> None:
    house.ask(house.enter("Ann"), EnterRoom("den", NIM), Roomed)
    assert house.no(house.connect(), EnterRoom("den", NIM, name="aNN")) == "name_taken"
