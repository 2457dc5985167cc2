"""What dialects call players and tables, and how their players come back without a token."""

from rookery.core.events import Numbered
from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import Enter, ListTables, Open, Seek, Sit, TakeUp
from rookery.core.messages import Refused, Tables, Welcome
from tests.hall.house import House


def test_the_first_player_a_dialect_hears_of_is_its_number_1(house: House) -> None:
    house.enter("ann")
    house.enter("bob")
    old = house.connect(dialect="bughouse")
    welcome = house.ask(old, Enter("cyd", "bughouse"), Welcome)
    directory = house.hall.directory
    assert welcome.player == 3
    assert directory.player_number("bughouse", welcome.player) == 1
    assert directory.player_at("bughouse", 1) == welcome.player
    assert directory.player_number("bughouse", PlayerId(1)) is None


def test_other_dialects_use_no_numbers_up_until_they_must_be_named(house: House) -> None:
    ann = house.enter("ann")
    house.do(ann, Open("bughouse"))
    house.do(ann, Open("bughouse"))
    directory = house.hall.directory
    assert directory.table_number("bughouse", TableId(1)) is None
    old = house.connect(dialect="bughouse")
    house.ask(old, ListTables(), Tables)
    assert directory.table_number("bughouse", TableId(2)) == 2
    assert directory.table_at("bughouse", 1) == 1
    assert directory.player_number("bughouse", ann.player) == 1


def test_numbers_are_in_the_log_and_outlive_a_restart(house: House) -> None:
    old = house.connect(dialect="bughouse")
    player = house.ask(old, Enter("cyd", "bughouse"), Welcome).player
    house.restart()
    assert house.hall.directory.player_number("bughouse", player) == 1
    assert [r.event for r in house.log if isinstance(r.event, Numbered)] == [
        Numbered("bughouse", "player", player, 1)
    ]


def test_a_host_takes_up_the_seat_it_lost_first(house: House) -> None:
    first, second = (house.connect("10.0.0.7", "othello") for _ in range(2))
    players = []
    for session in (first, second):
        players.append(house.ask(session, Enter("guest", "othello"), Welcome).player)
        table = house.do(session, Seek("tictactoe")).table
        assert table is not None
        house.do(house.enter("ann"), Sit(table))
    house.hang_up(second)
    house.wait(1)
    house.hang_up(first)
    elsewhere = house.connect("10.0.0.8", "othello")
    assert house.no(elsewhere, TakeUp()) == "nothing_lost"
    again = house.connect("10.0.0.7", "othello")
    assert house.ask(again, TakeUp(), Welcome).player == players[1]
    assert house.ask(again, TakeUp(), Welcome).player == players[0]
    assert house.no(again, TakeUp()) == "nothing_lost"


def test_a_name_picks_among_the_seats_a_host_has_lost(house: House) -> None:
    lost = []
    for name in ("eve", "fay"):
        session = house.connect("10.0.0.7", "blackwhite")
        lost.append(house.ask(session, Enter(name, "blackwhite"), Welcome).player)
        table = house.do(session, Seek("tictactoe")).table
        assert table is not None
        house.do(house.enter("ann"), Sit(table))
        house.hang_up(session)
    again = house.connect("10.0.0.7", "blackwhite")
    assert house.no(again, TakeUp("gus")) == "nothing_lost"
    assert house.ask(again, TakeUp("fay"), Welcome).player == lost[1]


def test_who_has_a_token_does_not_come_back_by_host(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.game("tictactoe", ann, bob)
    house.hang_up(ann)
    stranger = house.connect()
    assert isinstance(house.reply(stranger, TakeUp()), Refused)
