"""Going out of a room: on purpose, by accident, and when the server dies."""

from rookery.core.events import Out
from rookery.core.game import Forfeit
from rookery.core.ids import TableId
from rookery.core.intents import EnterRoom, LeaveRoom, Play, Resign
from rookery.core.messages import News, Roomed, RoomNews
from tests.hall.house import House
from tests.hall.roomful import NIM, come, crowd, old, seats, status

# -- going out


def test_who_leaves_in_a_game_loses_it_and_the_first_viewer_sits_down(house: House) -> None:
    a, b, c, d = crowd(house)
    house.do(a, LeaveRoom())
    assert house.last(TableId(1), Out).why is Forfeit.GONE
    assert seats(house, 2) == (b.player, c.player)
    heard = house.heard(d)
    assert heard[0] == RoomNews("den", NIM, a.player, "a", here=False)
    assert all(isinstance(message, News) for message in heard[1:])


def test_who_leaves_after_a_game_makes_room_for_the_first_viewer(house: House) -> None:
    a, b, c, _ = crowd(house)
    house.do(b, Resign(TableId(1)))
    house.do(b, LeaveRoom())
    assert seats(house, 2) == (a.player, c.player)


def test_who_left_and_came_back_is_the_last_in_the_queue(house: House) -> None:
    a, b, c, d = crowd(house)
    house.do(a, LeaveRoom())
    come(house, a)
    house.do(b, LeaveRoom())
    assert seats(house, 3) == (c.player, d.player)
    house.do(c, LeaveRoom())
    assert seats(house, 4) == (d.player, a.player)


def test_the_same_two_begin_anew_when_one_was_out_meanwhile(house: House) -> None:
    a, b = crowd(house, "ab")
    house.do(a, Resign(TableId(1)))
    house.do(a, LeaveRoom())
    come(house, a)
    assert seats(house, 2) == (b.player, a.player), "who stayed is first"


def test_who_is_in_no_room_cannot_leave_it(house: House) -> None:
    assert house.no(house.enter("a"), LeaveRoom()) == "not_in_room"


def test_a_viewer_whose_connection_goes_has_left(house: House) -> None:
    a, _, c, _ = crowd(house)
    house.hang_up(c)
    assert house.heard(a) == [RoomNews("den", NIM, c.player, "c", here=False)]
    come(house, house.back(c))


def test_a_player_whose_connection_goes_keeps_the_seat_for_the_grace_period(house: House) -> None:
    a, b, c, _ = crowd(house)
    house.hang_up(a)
    house.wait(59)
    assert house.heard(b) == []
    house.wait(1)
    assert status(house, 1) == "over"
    assert seats(house, 2) == (b.player, c.player)
    told = [message for message in house.heard(b) if isinstance(message, RoomNews)]
    assert told == [RoomNews("den", NIM, a.player, "a", here=False)]


def test_a_native_player_comes_back_to_the_room_by_its_token(house: House) -> None:
    a, *_ = crowd(house)
    house.hang_up(a)
    back = house.back(a)
    come(house, house.enter("e"))
    assert isinstance(house.heard(back)[-1], RoomNews)
    house.wait(100)
    assert status(house, 1) == "playing"
    assert house.no(back, EnterRoom("den", NIM)) == "in_room"


def test_a_native_player_cannot_be_taken_up_by_name(house: House) -> None:
    a, *_ = crowd(house)
    house.hang_up(a)
    assert house.no(house.connect(), EnterRoom("den", NIM, name="a")) == "name_taken"


def test_who_is_away_when_the_game_ends_has_left(house: House) -> None:
    a, b, c, _ = crowd(house)
    house.hang_up(a)
    house.do(b, Resign(TableId(1)))
    assert seats(house, 2) == (b.player, c.player)


# -- dialects without tokens


def test_the_seat_is_taken_up_by_name_from_the_same_host(house: House) -> None:
    one, first = old(house, "one", "10.0.0.1")
    old(house, "two", "10.0.0.2")
    house.hang_up(one)
    stranger = house.connect("10.0.0.3", "blackwhite")
    assert house.no(stranger, EnterRoom("den", NIM, name="one")) == "name_taken"
    other = house.connect("10.0.0.1", "fish")
    assert house.no(other, EnterRoom("den", NIM, name="one")) == "name_taken"
    house.wait(29)
    again, reply = old(house, "one", "10.0.0.1")
    assert (reply.player, reply.table, reply.token) == (first.player, 1, "")
    house.wait(60)
    house.do(again, Play(TableId(1), "0,1"))


def test_who_is_connected_cannot_be_taken_up(house: House) -> None:
    old(house, "one")
    old(house, "two")
    session = house.connect("10.0.0.1", "blackwhite")
    assert house.no(session, EnterRoom("den", NIM, name="one")) == "name_taken"


# -- restarts


def test_after_a_restart_the_running_game_of_a_room_is_found_again(house: House) -> None:
    _, first = old(house, "one")
    old(house, "two")
    house.restart()
    three, reply = old(house, "three")
    assert reply.table == 1
    assert [member.name for member in reply.members] == ["one", "two"]
    again, back = old(house, "one")
    assert (back.player, back.table) == (first.player, 1)
    house.heard(three)
    house.do(again, Play(TableId(1), "0,1"))
    assert len(house.news(three)) == 1


def test_after_a_restart_who_does_not_come_back_has_left_when_the_grace_is_over(
    house: House,
) -> None:
    old(house, "one")
    old(house, "two")
    house.restart()
    _, three = old(house, "three")
    _, two = old(house, "two")
    house.wait(60)
    assert status(house, 1) == "over"
    assert seats(house, 2) == (two.player, three.player)


def test_who_was_out_of_a_game_at_the_restart_is_not_in_its_room(house: House) -> None:
    a, b = house.enter("a"), house.enter("b")
    for guest in (a, b):
        house.ask(guest, EnterRoom("den", "fish rows=4 cols=4"), Roomed)
    house.do(a, LeaveRoom())
    assert status(house, 1) == "playing", "fish plays on"
    house.restart()
    a = house.back(a)
    come(house, a)


def test_a_room_whose_game_is_over_is_gone_after_a_restart(house: House) -> None:
    a, *_ = crowd(house)
    house.do(a, Resign(TableId(1)))
    house.restart()
    [reply] = come(house, house.back(a))
    assert (reply.members, reply.table) == ((), None)
