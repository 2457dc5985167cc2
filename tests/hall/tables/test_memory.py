"""What leaves memory and when, how it is read back, and that nothing is left behind."""

from msgspec.structs import replace

from rookery.core.events import Closed, Ended, Opened, Record, Seeded, table_stream
from rookery.core.ids import TableId
from rookery.core.intents import (
    AnyIntent,
    History,
    Leave,
    ListTables,
    Open,
    Play,
    Rematch,
    Resign,
    Say,
    Seek,
    Show,
    Sit,
    Watch,
)
from rookery.core.messages import Done, Past, Refused, Shown
from rookery.core.messages import Tables as Listed
from rookery.core.policy import Policy
from rookery.dialects import LANGUAGES
from rookery.games.absent_game import AbsentView
from rookery.hall.hall import Hall
from rookery.hall.limits import LINGER
from rookery.hall.tables.registry import TableRegistry
from rookery.hall.tables.table import evolve, open_table
from rookery.hall.tables.wakeups import SPARE, Wakeups
from tests.hall.house import SECOND, Guest, House


def finished(house: House) -> tuple[Guest, Guest, TableId]:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "4"))
    house.do(bob, Resign(table))
    return ann, bob, table


def listed(house: House, who: Guest) -> list[TableId]:
    return [line.table for line in house.ask(who, ListTables(), Listed).tables]


def test_a_finished_table_stays_at_hand_and_then_leaves_memory(house: House) -> None:
    ann, _, table = finished(house)
    house.wait(LINGER / SECOND - 0.000001)
    assert listed(house, ann) == [table]
    assert house.archive_reads == []
    house.wait(0.000001)
    assert listed(house, ann) == []
    assert house.hall.deadline() is None


def test_a_table_that_left_memory_is_read_back_from_the_log(house: House) -> None:
    ann, _, table = finished(house)
    before = house.show(ann, table), house.ask(ann, History(table), Past)
    house.wait(100)
    assert (house.show(ann, table), house.ask(ann, History(table), Past)) == before
    assert set(house.archive_reads) == {table_stream(table)}


def test_a_question_or_a_refusal_does_not_bring_a_table_back_to_memory(house: House) -> None:
    ann, _, table = finished(house)
    house.wait(100)
    asked: list[AnyIntent] = [
        Show(table),
        History(table),
        Watch(table),
        Play(table, "0"),
        Sit(table),
    ]
    for intent in asked:
        house.reply(ann, intent)
    assert listed(house, ann) == []
    assert house.hall.deadline() is None


def test_a_rematch_and_a_word_bring_it_back_for_a_while(house: House) -> None:
    ann, bob, table = finished(house)
    house.wait(100)
    house.do(ann, Rematch(table))
    assert listed(house, ann) == [table]
    past = house.ask(ann, History(table), Past).events
    assert len(past) == len(house.events(table)) - 1, "all of it but the seed"
    house.wait(100)
    assert listed(house, ann) == []
    house.do(bob, Say(table, "with pleasure"))
    house.do(bob, Rematch(table))
    assert house.show(ann, TableId(2)).line.status == "playing"
    house.wait(100)
    assert listed(house, ann) == [2]


def test_a_closed_table_leaves_memory_too_and_nothing_brings_it_back(house: House) -> None:
    ann = house.enter("ann")
    for n in range(1, 4):
        house.do(ann, Seek("nim"))
        house.do(ann, Leave(TableId(n)))
    house.wait(100)
    assert house.no(ann, Sit(TableId(1))) == "not_open"
    assert listed(house, ann) == []
    assert house.hall.deadline() is None


def test_a_table_leaves_memory_only_when_all_of_it_is_in_the_log(house: House) -> None:
    """Else it would be read back as it was before its last events."""
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Open("nim"))
    house.slow = True
    house.do(ann, Leave(TableId(1)))
    assert house.ask(bob, Sit(TableId(1)), Refused).code == "not_open"
    house.wait(1000)
    assert house.ask(bob, Sit(TableId(1)), Refused).code == "not_open"
    house.catch_up()
    house.wait(1000)
    assert listed(house, bob) == []


def test_a_finished_game_holds_no_seat(house: House) -> None:
    ann, bob, _ = finished(house)
    for _ in range(200):
        table = house.game("tictactoe", ann, bob)
        house.do(ann, Resign(table))
    assert house.do(ann, Open("nim")).seat == 0


def test_the_hall_counts_the_tables_that_are_not_finished_and_no_others() -> None:
    tables = TableRegistry(lambda _: ())
    opened = open_table(TableId(1), Opened("nim", 1, 2, "none", Policy()))
    tables.remember(Record(1, "table/1", 1, 0, opened.opened), opened.id)
    tables.put(opened)
    assert tables.unfinished() == 1
    tables.put(evolve(opened, Closed()))
    assert tables.unfinished() == 0
    tables.forget(opened.id)
    assert tables.unfinished() == 0
    assert opened.id not in tables


def test_tables_are_numbered_on_after_a_restart_though_all_are_finished(house: House) -> None:
    ann, _, table = finished(house)
    house.restart()
    ann = house.back(ann)
    assert house.do(ann, Open("nim")).table == table + 1
    assert house.show(ann, table).line.status == "over"


def test_records_are_numbered_on_after_a_restart(house: House) -> None:
    ann, bob, _ = finished(house)
    house.do(ann, Open("nim"))
    house.restart()
    house.enter("cleo")
    house.back(bob)
    assert [record.seq for record in house.log] == list(range(1, len(house.log) + 1))
    hall = [record.n for record in house.streams["hall"]]
    assert hall == list(range(1, len(hall) + 1))


def test_a_running_table_is_taken_up_after_many_restarts(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    for guest, move in ((0, "0"), (1, "3"), (0, "1"), (1, "4"), (0, "2")):
        house.restart()
        ann, bob = house.back(ann), house.back(bob)
        house.do((ann, bob)[guest], Play(table, move))
    assert house.last(table, Ended).outcome.reason == "X has three in a row."


def test_a_table_of_rules_that_nobody_knows_any_more_is_shown_as_text(house: House) -> None:
    ann, _, table = finished(house)
    running = house.do(ann, Open("nim")).table
    for name in (table_stream(TableId(1)), f"table/{running}"):
        opened = house.streams[name][0]
        assert isinstance(opened.event, Opened)
        old = replace(opened, event=replace(opened.event, rules=99))
        house.streams[name][0] = old
        house.log[opened.seq - 1] = old
    house.restart()
    ann = house.back(ann)
    shown = house.show(ann, table)
    assert isinstance(shown.view, AbsentView)
    assert "version 99 of the rules of tictactoe" in shown.view.why
    assert house.no(ann, Sit(table)) == "absent"
    house.wait(1000)
    assert house.do(ann, Open("nim")).table == 3


def test_a_hall_without_a_log_waits_for_nothing() -> None:
    hall = Hall(languages=LANGUAGES, seeds=lambda: 1, tokens=lambda: "t", archive=lambda _: ())
    assert hall.deadline() is None
    assert hall.restore((), 5).records == ()
    assert hall.tick(10**18).records == ()


def test_the_archive_is_asked_only_for_tables_there_were(house: House) -> None:
    ann = house.enter("ann")
    for table in (0, -1, 1, 10**30):
        house.no(ann, Show(TableId(table)))
    assert house.archive_reads == []


def test_a_restored_log_is_read_and_not_written(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.game("tictactoe", ann, bob)
    before = list[Record](house.log)
    house.restart()
    assert house.log == before


# -- timers


def test_a_timer_is_due_once_and_earlier_wins() -> None:
    timers: Wakeups[TableId] = Wakeups()
    timers.look(TableId(1), 50)
    timers.look(TableId(1), 20)
    timers.look(TableId(1), 30)
    timers.look(TableId(2), 25)
    assert timers.deadline() == 20
    assert timers.due(19) == []
    assert timers.due(25) == [1, 2]
    assert timers.due(1000) == []
    assert timers.deadline() is None


def test_a_forgotten_timer_does_not_ring() -> None:
    timers: Wakeups[TableId] = Wakeups()
    timers.look(TableId(1), 20)
    timers.forget(TableId(1))
    assert timers.deadline() is None


def test_timers_of_years_do_not_pile_up() -> None:
    timers: Wakeups[TableId] = Wakeups()
    for n in range(10_000):
        timers.look(TableId(n), 10**15 - n)
        timers.look(TableId(n), 10**14 - n)
        timers.forget(TableId(n))
    assert len(timers) <= SPARE + 2


def test_a_stale_moment_is_looked_at_and_the_next_one_is_right(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob, time="1m")
    start = house.now
    house.now += 30 * SECOND
    house.do(ann, Play(table, "4"))
    assert house.hall.deadline() == start + 60 * SECOND, "a hint: ann's flag would have fallen"
    house.now = start + 60 * SECOND
    assert house.tick().records == ()
    assert house.hall.deadline() == start + 90 * SECOND, "bob's"


def test_the_seed_of_a_table_is_drawn_once_and_kept(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.game("guess", ann, bob, policy=Policy())
    house.do(ann, Open("guess"))
    seeds = [record.event.seed for record in house.log if isinstance(record.event, Seeded)]
    assert len(set(seeds)) == 2


def test_done_says_where_one_sits_and_a_show_of_it_agrees(house: House) -> None:
    ann = house.enter("ann")
    done = house.ask(ann, Open("fish", 3, seat=None), Done)
    assert done.table is not None
    assert house.ask(ann, Show(done.table), Shown).seat == done.seat == 0
