"""Coming and going: seats of games not begun, rematches with who went, restarts."""

from rookery.core.events import Closed, Ended, Left, Sat, Started
from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import Leave, Open, Play, Rematch, Resign, Seek, Show, Sit, Watch
from rookery.core.messages import Past, Shown
from rookery.core.policy import Begin, Gone, Policy
from rookery.hall.limits import TABLES_A_PLAYER
from tests.hall.house import Guest, House


def two(house: House) -> tuple[Guest, Guest]:
    return house.enter("ann"), house.enter("bob")


def test_a_seat_in_a_game_not_begun_is_given_up_when_its_connection_goes(house: House) -> None:
    guests = [house.enter(name) for name in "abc"]
    house.do(guests[0], Open("fish", 4))
    for guest in guests[1:]:
        house.do(guest, Sit(TableId(1)))
    house.hang_up(guests[1])
    assert house.last(TableId(1), Left).seat == 1
    assert [seat.player for seat in house.show(guests[0], TableId(1)).line.seats] == [
        1,
        None,
        3,
        None,
    ]


def test_a_full_table_that_waits_for_its_owner_loses_who_goes_too(house: House) -> None:
    ann, bob = two(house)
    house.do(ann, Open("nim", policy=Policy(begin=Begin.OWNER)))
    house.do(bob, Sit(TableId(1)))
    house.hang_up(bob)
    assert house.do(house.enter("cleo"), Sit(TableId(1))).seat == 1


def test_a_table_nobody_sits_at_is_closed_when_who_opened_it_goes(house: House) -> None:
    ann, bob = two(house)
    house.do(ann, Open("nim", sit=False))
    house.do(ann, Open("fish", 3, sit=False))
    house.do(bob, Sit(TableId(2)))
    house.hang_up(ann)
    assert house.show(bob, TableId(1)).line.status == "closed"
    assert house.show(bob, TableId(2)).line.status == "open", "somebody waits there"


def test_a_session_with_two_players_gives_both_seats_up(house: House) -> None:
    ann = house.enter("ann")
    bob = house.enter("bob", ann.session)
    house.game("fish", ann, bob)
    house.do(ann, Open("bughouse", player=ann.player))
    house.do(ann, Sit(TableId(2), player=bob.player))
    house.hang_up(ann)
    events = [type(event) for event in house.events(TableId(2))]
    assert events[-3:] == [Left, Left, Closed]
    house.wait(60)
    assert house.last(TableId(1), Ended).outcome.how == "abandoned"


def test_others_see_who_is_connected(house: House) -> None:
    ann, bob = two(house)
    table = house.game("nim", ann, bob)
    house.hang_up(ann)
    assert [seat.connected for seat in house.show(bob, table).line.seats] == [False, True]
    house.back(ann)
    assert [seat.connected for seat in house.show(bob, table).line.seats] == [True, True]


def test_who_wished_for_a_rematch_and_went_is_away_from_its_first_move(house: House) -> None:
    ann, bob = two(house)
    table = house.game("nim", ann, bob)
    house.do(ann, Resign(table))
    house.do(ann, Rematch(table))
    house.hang_up(ann)
    house.do(bob, Rematch(table))
    house.wait(59)
    assert house.show(bob, TableId(2)).line.status == "playing"
    house.wait(1)
    assert house.last(TableId(2), Ended).outcome.reason == "Away left the game."


def test_who_comes_back_to_a_rematch_plays_it(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Resign(table))
    house.do(ann, Rematch(table))
    house.hang_up(ann)
    house.do(bob, Rematch(table))
    ann = house.back(ann)
    house.wait(1000)
    house.do(bob, Play(TableId(2), "4"))
    house.do(ann, Play(TableId(2), "0"))


# -- restarts


def test_a_restart_clears_the_seats_of_games_not_begun(house: House) -> None:
    ann, bob = two(house)
    house.do(ann, Open("fish", 3))
    house.do(bob, Sit(TableId(1)))
    house.do(ann, Open("nim", sit=False))
    house.restart()
    assert [type(event) for event in house.events(TableId(1))][-3:] == [Left, Left, Closed]
    assert isinstance(house.events(TableId(2))[-1], Closed)
    assert house.do(house.back(ann), Seek("fish", 3)).table == 3


def test_a_restart_clears_them_once(house: House) -> None:
    ann, _ = two(house)
    house.do(ann, Open("fish", 3))
    house.restart()
    length = len(house.log)
    house.restart()
    assert len(house.log) == length


def test_who_sits_in_a_running_game_sits_there_after_a_restart(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "4"))
    house.restart()
    bob = house.back(bob)
    shown = house.show(bob, table)
    assert (shown.seat, shown.to_act, shown.line.n) == (1, (1,), 6)
    house.do(bob, Play(table, "0"))


def test_who_left_before_the_start_holds_no_seat_after_a_restart(house: House) -> None:
    ann, bob, cleo, dora = (house.enter(name) for name in "abcd")
    for n in range(1, TABLES_A_PLAYER + 1):
        house.do(ann, Open("fish", 3))
        house.do(cleo, Sit(TableId(n)))
        house.do(cleo, Leave(TableId(n)))
        house.do(bob, Sit(TableId(n)))
        house.do(dora, Sit(TableId(n)))
    house.restart()
    cleo = house.back(cleo)
    house.do(cleo, Open("nim"))
    assert house.no(house.back(bob), Open("nim")) == "too_many"


def test_a_session_from_before_the_restart_is_no_session(house: House) -> None:
    ann, _ = two(house)
    house.restart()
    assert house.hall.receive(ann.session, Open("nim"), house.now).deliveries == ()


def test_watching_ends_with_the_process(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    house.restart()
    house.heard(watcher)
    house.do(house.back(ann), Play(table, "4"))
    assert house.heard(watcher) == []


def test_a_game_on_hold_waits_after_a_restart_too(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob, policy=Policy(gone=Gone.HOLD))
    house.restart()
    house.wait(6 * 24 * 3600)
    house.do(house.back(ann), Play(table, "4"))
    assert house.ask(house.back(bob), Show(table), Shown).to_act == (1,)


def test_the_rest_of_a_game_is_the_same_whether_there_was_a_restart_or_not() -> None:
    told = []
    for restarts in (False, True):
        house = House()
        guests = [house.enter(name) for name in "abc"]
        table = house.game("fish rows=3 cols=4", *guests)
        for n, move in enumerate(("0,0", "0,1", "0,2", "1,0", "1,1", "1,2")):
            if restarts:
                house.restart()
                guests = [house.back(guest) for guest in guests]
            house.do(guests[n % 3], Play(table, move))
        told.append((house.events(table), house.show(guests[0], table).view))
    assert told[0] == told[1]


def test_a_finished_game_is_not_woken_by_a_restart(house: House) -> None:
    ann, bob = two(house)
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Resign(table))
    house.restart()
    assert house.hall.deadline() is None
    house.archive_reads.clear()
    ann, bob = house.back(ann), house.back(bob)
    assert house.archive_reads == [], "and nobody asks for it"
    for guest in (ann, bob):
        house.do(guest, Rematch(table))
    assert [type(event) for event in house.events(TableId(2))].count(Started) == 1
    assert house.last(TableId(2), Sat).player == PlayerId(1)
