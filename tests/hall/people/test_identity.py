"""Players, sessions and tokens: who may act for whom."""

import pytest

from rookery.core.events import PlayerMade
from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import (
    Enter,
    LegalMoves,
    ListPlayers,
    Open,
    Play,
    Reclaim,
    Rename,
    Seek,
    Show,
    Sit,
)
from rookery.core.messages import Done, Moves, News, Notice, Players, Refused, Welcome
from tests.hall.house import House, written


def test_players_are_numbered_from_one(house: House) -> None:
    assert [house.enter(name).player for name in "abc"] == [1, 2, 3]


def test_players_are_numbered_on_after_a_restart(house: House) -> None:
    house.enter("ann")
    house.restart()
    assert house.enter("bob").player == 2


def test_the_log_has_where_a_player_came_from_and_not_its_token(house: House) -> None:
    guest = house.enter("ann", house.connect("192.0.2.7"), "fish")
    made = house.log[0].event
    assert isinstance(made, PlayerMade)
    assert (made.player, made.name, made.host, made.dialect) == (1, "ann", "192.0.2.7", "fish")
    assert guest.token not in repr(house.log)


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "a\0", "\x1b[2J", "\ud800", "\u202eann"])
def test_a_name_can_be_printed_and_is_not_empty(house: House, name: str) -> None:
    session = house.connect()
    assert house.no(session, Enter(name)) == "bad_name"
    ann = house.enter("ann", session)
    assert house.no(ann, Rename(name)) == "bad_name"


@pytest.mark.parametrize("dialect", ["", "a\nb", "\0", "x" * 41])
def test_a_dialect_has_a_name_too(house: House, dialect: str) -> None:
    assert house.no(house.connect(), Enter("ann", dialect)) == "bad_dialect"


def test_a_player_can_take_another_name_and_keeps_it_after_a_restart(house: House) -> None:
    ann = house.enter("ann")
    house.do(ann, Rename("anna"))
    house.restart()
    welcome = house.ask(house.connect(), Reclaim(ann.player, ann.token), Welcome)
    assert welcome.name == "anna"


def test_who_has_no_player_is_asked_to_say_who_they_are(house: House) -> None:
    assert house.no(house.connect(), Open("nim")) == "no_player"


def test_a_session_cannot_act_for_a_player_of_another(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    for player in (ann.player, PlayerId(0), PlayerId(-1), PlayerId(10**30)):
        assert house.no(bob, Play(table, "4", player=player)) == "not_yours"
        assert house.no(bob, Rename("x", player=player)) == "not_yours"
        assert house.no(bob, Open("nim", player=player)) == "not_yours"
        assert house.no(bob, Show(table, player=player)) == "not_yours"
        assert house.no(bob, LegalMoves(table, player=player)) == "not_yours"


def test_two_players_of_one_session_play_each_other_and_say_which_they_are(house: House) -> None:
    ann = house.enter("ann")
    bob = house.enter("bob", ann.session)
    table = house.game("tictactoe", ann, bob)
    assert house.no(ann, Play(table, "4")) == "which_player"
    assert house.no(ann, Show(table)) == "which_player"
    house.do(ann, Play(table, "4", player=ann.player))
    house.do(ann, Play(table, "0", player=bob.player))
    assert house.show(bob, table).seat == 1
    assert len(house.news(ann)) == 5, "and the session hears everything once"


@pytest.mark.parametrize("token", ["", "wrong", "\ud800", "é" * 100_000])
def test_a_player_is_given_back_for_its_token_only(house: House, token: str) -> None:
    ann = house.enter("ann")
    stranger = house.connect()
    assert house.no(stranger, Reclaim(ann.player, token)) == "bad_token"
    assert house.no(stranger, Reclaim(PlayerId(99), ann.token)) == "bad_token"
    assert house.no(stranger, Reclaim(PlayerId(-1), ann.token)) == "bad_token"


def test_reclaiming_takes_a_player_over_and_the_old_session_is_told(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    house.heard(ann)
    here = house.connect()
    welcome = house.ask(here, Reclaim(ann.player, ann.token), Welcome)
    assert welcome == Welcome(ann.player, "ann", ann.token, (table,))
    assert [type(message) for message in house.heard(ann)] == [Notice]
    assert house.no(ann, Play(table, "4")) == "no_player"
    house.do(here, Play(table, "4"))
    assert house.news(ann) == [], "who is not at the table hears nothing of it"
    house.hang_up(ann)
    house.wait(1000)
    assert house.show(bob, table).line.status == "playing", "the player is still here"


def test_a_seat_at_an_open_table_is_taken_over_too(house: House) -> None:
    ann = house.enter("ann")
    house.do(ann, Open("tictactoe"))
    welcome = house.ask(house.connect(), Reclaim(ann.player, ann.token), Welcome)
    assert welcome.tables == (1,)
    house.hang_up(ann)
    assert house.ask(house.enter("bob"), Sit(TableId(1)), Done).seat == 1


def test_reclaiming_ones_own_player_twice_changes_nothing(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob, time="1m")
    house.heard(ann)
    for _ in range(2):
        house.wait(5)
        reclaimed = house.ask(ann, Reclaim(ann.player, ann.token), Welcome)
        assert reclaimed.tables == (table,)
    assert [type(message) for message in house.heard(ann)] == [Welcome, Welcome]
    house.do(ann, Play(table, "4"))
    assert house.show(ann, table).left == (50_000_000, 60_000_000), "its clock ran on"


def test_a_token_is_told_to_nobody_else(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.game("tictactoe", ann, bob)
    house.back(ann)
    house.ask(bob, ListPlayers(), Players)
    assert not any(ann.token in written(message) for message in house.heard(bob))


def test_what_a_session_asked_before_it_hung_up_is_not_answered(house: House) -> None:
    ann = house.enter("ann")
    house.hang_up(ann)
    batch = house.hall.receive(ann.session, Open("nim"), house.now)
    assert (batch.records, batch.deliveries) == ((), ())


def test_hanging_up_twice_is_hanging_up(house: House) -> None:
    ann = house.enter("ann")
    house.do(ann, Seek("nim"))
    house.hang_up(ann)
    before = len(house.log)
    house.hang_up(ann)
    assert len(house.log) == before


def test_who_is_connected_is_listed(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob", dialect="fish")
    house.hang_up(ann)
    listed = house.ask(bob, ListPlayers(), Players).players
    assert [(line.player, line.name, line.dialect) for line in listed] == [(2, "bob", "fish")]


def test_legal_moves_are_for_who_sits_there(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim rows=1 sticks=2", ann, bob)
    assert house.ask(ann, LegalMoves(table), Moves).moves == ("0,1", "0,2")
    assert house.ask(bob, LegalMoves(table), Moves).moves == ()
    assert house.no(house.enter("cleo"), LegalMoves(table)) == "not_seated"
    assert house.ask(house.connect(), LegalMoves(table), Refused).code == "not_seated"


def test_the_first_thing_a_session_hears_of_what_it_asked_is_the_reply(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.heard(ann)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "4"))
    told = house.heard(ann)
    assert [type(message) for message in told] == [Done, News, News, News, Done, News]
