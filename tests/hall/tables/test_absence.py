"""Empty chairs: who is found again by where it came from, without asking who else ever came."""

from rookery.core.events import Out, Played, table_stream
from rookery.core.ids import PlayerId, Seat, SessionId, TableId
from rookery.core.intents import Enter, ListTables, Open, Play, Show, Sit, Start, TakeUp
from rookery.core.messages import Done, Shown, Tables, Welcome
from rookery.core.policy import Begin, Policy
from rookery.hall.tables.away import Absence, Away
from tests.hall.house import House

ANN, BOB = PlayerId(1), PlayerId(2)
HOMES = {ANN: ("10.0.0.7", "othello", "ann"), BOB: ("10.0.0.7", "othello", "bob")}
FIRST, SECOND = TableId(1), TableId(2)


def absence() -> Absence:
    return Absence(HOMES.__getitem__)


def test_chairs_are_found_by_home_in_the_order_they_were_left() -> None:
    chairs = absence()
    chairs.begin(SECOND, Seat(0), Away(BOB, 0, 100))
    chairs.begin(FIRST, Seat(1), Away(ANN, 5, 100))
    assert list(chairs.left_from("10.0.0.7", "othello", None)) == [(SECOND, 0), (FIRST, 1)]
    assert list(chairs.left_from("10.0.0.7", "othello", "ann")) == [(FIRST, 1)]
    assert list(chairs.left_from("10.0.0.8", "othello", None)) == []
    assert list(chairs.left_from("10.0.0.7", "fish", "ann")) == []


def test_who_is_back_or_whose_game_is_over_has_left_no_chair() -> None:
    chairs = absence()
    for table in (FIRST, SECOND):
        chairs.begin(table, Seat(0), Away(ANN, 0, 100))
        chairs.begin(table, Seat(1), Away(BOB, 0, 100))
    chairs.end(FIRST, Seat(0))
    assert list(chairs.left_from("10.0.0.7", "othello", "ann")) == [(SECOND, 0)]
    chairs.forget(FIRST)
    chairs.forget(SECOND)
    assert list(chairs.left_from("10.0.0.7", "othello", None)) == []


def test_a_chair_whose_grace_begins_anew_keeps_its_place() -> None:
    chairs = absence()
    chairs.begin(FIRST, Seat(0), Away(ANN, 0, 10, restarted=True))
    chairs.begin(FIRST, Seat(1), Away(BOB, 0, 10, restarted=True))
    chairs.begin(FIRST, Seat(0), Away(ANN, 10, 20))
    assert list(chairs.left_from("10.0.0.7", "othello", None)) == [(FIRST, 0), (FIRST, 1)]


# -- in the hall


def sit_down(house: House, count: int, variant: str, time: str = "none") -> list[SessionId]:
    """So many players of one host and one old dialect, at one table."""
    sessions = [house.connect("10.0.0.7", "othello") for _ in range(count)]
    for n, session in enumerate(sessions):
        house.ask(session, Enter(f"p{n}", "othello"), Welcome)
    house.ask(sessions[0], Open(variant, count, time), Done)
    for session in sessions[1:]:
        house.do(session, Sit(TableId(1)))
    return sessions


def test_a_seat_lost_to_a_restart_is_taken_up_by_name(house: House) -> None:
    sit_down(house, 2, "tictactoe")
    house.restart()
    again = house.connect("10.0.0.7", "othello")
    welcome = house.ask(again, TakeUp("p1", variant="tictactoe", restarted=True), Welcome)
    assert (welcome.name, welcome.tables) == ("p1", (TableId(1),))
    other = house.connect("10.0.0.7", "othello")
    assert house.no(other, TakeUp("p1")) == "nothing_lost"
    assert house.no(other, TakeUp("p0", variant="nim")) == "nothing_lost"


def test_who_is_out_of_a_game_that_goes_on_has_lost_no_seat(house: House) -> None:
    sessions = sit_down(house, 3, "fish", time="1s/move")
    house.hang_up(sessions[0])
    house.wait(1.5)
    assert house.last(TableId(1), Out).seat == 0, "its flag fell, and two play on"
    assert house.no(house.connect("10.0.0.7", "othello"), TakeUp()) == "nothing_lost"


# -- a glance at tables that nobody has touched since the restart


def test_a_dormant_table_is_listed_as_it_is_once_it_is_awake(house: House) -> None:
    four = [house.enter(name) for name in ("ann", "bob", "cyd", "dee")]
    house.ask(four[0], Open("bughouse", policy=Policy(begin=Begin.OWNER)), Done)
    for guest in four[1:]:
        house.do(guest, Sit(TableId(1)))
    house.do(four[0], Start(TableId(1), order=(Seat(3), Seat(2), Seat(1), Seat(0))))
    house.do(four[3], Play(TableId(1), "1:e2e4"))
    house.restart()
    ann = house.back(four[1])
    dormant = house.ask(ann, ListTables(), Tables)
    house.ask(ann, Show(TableId(1)), Shown)
    assert house.ask(ann, ListTables(), Tables) == dormant
    assert [line.status for line in dormant.tables] == ["playing"]


def test_a_line_of_a_list_is_made_once_while_it_is_true_and_no_longer(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    first = house.ask(bob, ListTables(), Tables).tables[0]
    assert house.ask(bob, ListTables(), Tables).tables[0] is first
    house.do(ann, Play(table, "4"))
    played = house.ask(bob, ListTables(), Tables).tables[0]
    assert played.n == first.n + 1
    house.hang_up(ann)
    seats = house.ask(bob, ListTables(), Tables).tables[0].seats
    assert [seat.connected for seat in seats].count(False) == 1


def test_a_list_of_tables_replays_no_game(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "4"))
    played = house.streams[table_stream(table)][-1]
    # A replay would stumble over this.
    house.log[played.seq - 1] = type(played)(
        played.seq, played.stream, played.n, played.at, Played(Seat(1), "no move", 0)
    )
    house.restart()
    watcher = house.enter("cyd")
    listed = house.ask(watcher, ListTables("playing"), Tables).tables
    assert [(line.table, line.n) for line in listed] == [(table, played.n)]
    assert house.ask(watcher, ListTables("open"), Tables).tables == ()
