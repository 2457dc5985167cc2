"""Gatherings: who waits, when they start, where they sit, and under which names."""

import pytest

from rookery.core.events import Ended, Opened, Sat, Started, TableEvent
from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import Gather, Open, Play, Rename, Resign, TakeUp, Ungather
from rookery.core.messages import Welcome
from rookery.core.policy import Errors, Gone, Policy
from rookery.hall.limits import TABLES_A_PLAYER
from tests.hall.house import SECOND, Guest, House

TABLE = TableId(1)
STRICT = Policy(gone=Gone.HOLD, errors=Errors(limit=1))


def fish(rank: int = 0, *, least: int = 2, most: int = 4, unique: bool = False) -> Gather:
    """A wish for fish: two to four, fifteen seconds after the second came."""
    clock = "10s/move first 30s"
    return Gather("fish", least, most, 15 * SECOND, rank, clock, STRICT, unique)


def gather(house: House, *names: str, dialect: str = "native") -> list[Guest]:
    """Players of these names who wait for fish."""
    guests = [house.enter(name, house.connect(dialect=dialect), dialect) for name in names]
    for guest in guests:
        house.do(guest, fish())
    return guests


def sitters(house: House, table: TableId = TABLE) -> list[str]:
    """Who sits at this table, from the first seat on."""
    return [event.name for event in house.events(table) if isinstance(event, Sat)]


# -- when


def test_the_most_players_start_at_once(house: House) -> None:
    gather(house, "ann", "bob", "cyd")
    assert house.events(TABLE) == []
    gather(house, "dan")
    assert sitters(house) == ["ann", "bob", "cyd", "dan"]
    assert isinstance(house.events(TABLE)[-1], Started)


def test_the_least_start_a_while_after_the_last_of_them_came(house: House) -> None:
    gather(house, "ann")
    house.wait(100)
    gather(house, "bob")
    house.wait(14.999)
    assert house.events(TABLE) == []
    house.wait(0.001)
    assert sitters(house) == ["ann", "bob"]


def test_who_comes_in_between_does_not_make_the_others_wait_longer(house: House) -> None:
    gather(house, "ann", "bob")
    house.wait(10)
    gather(house, "cyd")
    house.wait(5)
    assert sitters(house) == ["ann", "bob", "cyd"]


def test_one_alone_waits_for_ever(house: House) -> None:
    gather(house, "ann")
    assert house.hall.deadline() is None
    house.wait(100_000)
    assert house.events(TABLE) == []


def test_without_a_wait_the_least_start_at_once(house: House) -> None:
    for name in ("ann", "bob"):
        house.do(house.enter(name), Gather("nim", 2, 2))
    assert sitters(house) == ["ann", "bob"]
    for name in ("ann", "bob"):
        house.do(house.enter(name), Gather("fish", 2, 4))
    assert sitters(house, TableId(2)) == ["ann", "bob"]


def test_the_next_ones_gather_for_the_next_table(house: House) -> None:
    gather(house, "ann", "bob", "cyd", "dan", "eve")
    house.wait(100)
    gather(house, "fay")
    house.wait(15)
    assert sitters(house, TableId(2)) == ["eve", "fay"]


def test_a_table_has_just_as_many_seats_as_there_are_players(house: House) -> None:
    gather(house, "ann", "bob", "cyd")
    house.wait(15)
    opened = house.last(TABLE, Opened)
    assert (opened.seats, opened.time, opened.policy) == (3, "10s/move first 30s", STRICT)
    assert opened.by is None


# -- who


def test_the_lowest_rank_sits_first_and_equals_as_they_came(house: House) -> None:
    for name, age in (("ann", 30), ("bob", 8), ("cyd", 30), ("dan", 8)):
        house.do(house.enter(name), fish(age))
    assert sitters(house) == ["bob", "dan", "ann", "cyd"]


def test_everyone_hears_the_whole_beginning(house: House) -> None:
    guests = gather(house, "ann", "bob", "cyd", "dan")
    heard: list[list[type[TableEvent]]] = [
        [type(news.event) for news in house.news(guest)] for guest in guests
    ]
    assert heard == [[Opened, Sat, Sat, Sat, Sat, Started]] * 4


def test_those_who_want_something_else_are_not_among_them(house: House) -> None:
    gather(house, "ann")
    others = (
        fish(most=3),
        fish(least=3),
        Gather("fish", 2, 4, 14 * SECOND, 0, "10s/move first 30s", STRICT),
        Gather("fish", 2, 4, 15 * SECOND, 0, "10s/move", STRICT),
        Gather("fish", 2, 4, 15 * SECOND, 0, "10s/move first 30s"),
        Gather("fish rows=9", 2, 4, 15 * SECOND, 0, "10s/move first 30s", STRICT),
    )
    for other in others:
        house.do(house.enter("x"), other)
    house.wait(100)
    assert house.events(TABLE) == []


def test_those_who_say_the_same_in_other_words_are(house: House) -> None:
    gather(house, "ann")
    other = Gather("fish rows=15", 2, 4, 15 * SECOND, 0, "10/move first 0.5m", STRICT)
    house.do(house.enter("bob"), other)
    house.wait(15)
    assert sitters(house) == ["ann", "bob"]


def test_who_hangs_up_waits_no_more(house: House) -> None:
    ann, _ = gather(house, "ann", "bob")
    house.hang_up(ann)
    house.wait(100)
    assert house.events(TABLE) == []
    gather(house, "cyd")
    house.wait(14.999)
    assert house.events(TABLE) == []
    house.wait(0.001)
    assert sitters(house) == ["bob", "cyd"]


def test_who_goes_from_more_than_enough_does_not_make_the_others_wait_longer(house: House) -> None:
    ann, _, _ = gather(house, "ann", "bob", "cyd")
    house.wait(10)
    house.do(ann, Ungather())
    house.wait(5)
    assert sitters(house) == ["bob", "cyd"]


def test_one_waits_once_and_can_stop(house: House) -> None:
    [ann] = gather(house, "ann")
    assert house.no(ann, fish()) == "waiting"
    assert house.no(ann, Gather("nim", 2, 2)) == "waiting"
    house.do(ann, Ungather())
    assert house.no(ann, Ungather()) == "not_waiting"
    house.do(ann, fish())


def test_waiting_is_not_in_the_log_and_a_restart_ends_it(house: House) -> None:
    ann, _ = gather(house, "ann", "bob")
    assert len(house.log) == 2  # the two players
    house.restart()
    assert house.hall.deadline() is None
    ann = house.back(ann)
    house.do(ann, fish())
    house.wait(100)
    assert house.events(TABLE) == []


# -- names


def test_a_unique_name_is_nobody_elses_in_the_gathering_whatever_they_speak(house: House) -> None:
    ann, native = house.enter("ann", dialect="fish"), house.enter("ann")
    house.do(ann, fish(unique=True))
    assert house.no(native, fish()) == "name_taken"
    house.do(ann, Ungather())
    house.do(native, fish())
    assert house.no(ann, fish(unique=True)) == "name_taken"


def test_other_names_may_be_had_twice(house: House) -> None:
    gather(house, "ann", "ann")
    house.wait(15)
    assert sitters(house) == ["ann", "ann²"]


def test_a_name_of_ones_own_is_refused_while_another_waits_under_it(house: House) -> None:
    [ann] = gather(house, "ann", dialect="fish")
    other = house.enter("ann", house.connect(dialect="fish"), "fish")
    elsewhere = fish(least=3, unique=True)
    house.do(ann, Ungather())
    house.do(ann, fish(unique=True))
    assert house.no(other, elsewhere) == "name_taken"
    house.do(ann, Ungather())
    house.do(other, elsewhere)


def test_a_name_of_ones_own_is_refused_while_another_plays_under_it(house: House) -> None:
    gather(house, "ann", "bob", dialect="fish")
    house.wait(15)
    house.restart()
    other = house.enter("ann", house.connect("10.0.0.2", "fish"), "fish")
    assert house.no(other, fish(unique=True)) == "name_taken"
    house.do(house.enter("ann"), fish(unique=True))  # of another dialect


def test_who_is_out_or_over_needs_its_name_no_more(house: House) -> None:
    ann, bob, _ = gather(house, "ann", "bob", "cyd", dialect="fish")
    house.wait(15)
    house.do(ann, Resign(TABLE))
    again = house.enter("ann", house.connect(dialect="fish"), "fish")
    house.do(again, fish(unique=True))
    other = house.enter("bob", house.connect(dialect="fish"), "fish")
    assert house.no(other, fish(unique=True)) == "name_taken"
    house.wait(1000)  # nobody moves, so everyone is late
    assert isinstance(house.events(TABLE)[-1], Ended)
    house.do(other, fish(unique=True))
    assert house.no(bob, fish(least=3, unique=True)) == "name_taken"


def test_one_sits_under_the_name_one_came_with(house: House) -> None:
    ann, _ = gather(house, "ann", "bob")
    house.do(ann, Rename("bob"))
    house.wait(15)
    assert sitters(house) == ["ann", "bob²"]


def test_a_seat_lost_by_the_servers_own_fault_can_be_asked_for(house: House) -> None:
    ann, _ = gather(house, "ann", "bob", dialect="fish")
    house.wait(15)
    wish = TakeUp("ann", restarted=True)
    house.hang_up(ann)
    assert house.no(house.connect(dialect="fish"), wish) == "nothing_lost"
    house.restart()
    house.wait(59)
    assert house.ask(house.connect(dialect="fish"), wish, Welcome).player == ann.player


def test_the_servers_fault_is_forgotten_after_the_grace_period(house: House) -> None:
    gather(house, "ann", "bob", dialect="fish")
    house.wait(15)
    house.restart()
    house.wait(61)
    assert house.no(house.connect(dialect="fish"), TakeUp("ann", restarted=True)) == "nothing_lost"


def test_who_is_out_has_lost_no_seat_to_take_up(house: House) -> None:
    ann, bob = gather(house, "ann", "bob", dialect="fish")
    house.wait(15)
    house.hang_up(ann)
    house.wait(29.999)
    again = house.connect(dialect="fish")
    house.ask(again, TakeUp("ann"), Welcome)
    house.hang_up(again)
    house.wait(0.001)
    assert house.no(house.connect(dialect="fish"), TakeUp("ann")) == "nothing_lost"
    house.do(bob, Play(TABLE, "0,0"))


# -- bounds


@pytest.mark.parametrize(
    "wrong",
    [
        Gather("fish", 3, 2),
        Gather("fish", 1, 4),
        Gather("fish", 2, 5),
        Gather("fish", -5, 4),
        Gather("fish", 2, 10**30),
        Gather("bughouse", 2, 4),
        Gather("fish rows=2 cols=4", 2, 4),  # eight tiles, and three players need nine
        Gather("go", 2, 2),
        Gather("nim", 2, 2, time="soon"),
        Gather("nim", 2, 2, policy=Policy(grace=-1)),
    ],
)
def test_what_could_not_be_played_is_refused(house: House, wrong: Gather) -> None:
    assert house.no(house.enter("ann"), wrong) == "bad_option"


def test_only_those_of_the_right_dialect_gather_where_one_is_named(house: House) -> None:
    closed = Gather("nim", 2, 2, policy=Policy(only="fish"))
    assert house.no(house.enter("ann"), closed) == "wrong_dialect"
    house.do(house.enter("ann", dialect="fish"), closed)


def test_who_has_all_the_seats_one_may_have_cannot_wait_for_another(house: House) -> None:
    ann = house.enter("ann")
    for _ in range(TABLES_A_PLAYER - 1):
        house.do(ann, Open("nim"))
    house.do(ann, fish())
    house.do(ann, Ungather())
    house.do(ann, Open("nim"))
    assert house.no(ann, fish()) == "too_many"


def test_a_session_with_several_players_says_for_whom_it_gathers(house: House) -> None:
    ann = house.enter("ann")
    bob = house.enter("bob", ann.session)
    assert house.no(ann, Gather("nim", 2, 2)) == "which_player"
    house.do(ann, Gather("nim", 2, 2, player=ann.player))
    house.do(bob, Gather("nim", 2, 2, player=bob.player))
    assert sitters(house) == ["ann", "bob"]
    assert house.no(ann, Ungather(player=PlayerId(99))) == "not_yours"
