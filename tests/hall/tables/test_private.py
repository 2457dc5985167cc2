"""Private tables: for who has the code, and for everybody else as if they were not there."""

from rookery.core.events import Seeded
from rookery.core.ids import TableId
from rookery.core.intents import (
    AnyIntent,
    History,
    LegalMoves,
    ListTables,
    Open,
    Play,
    Rematch,
    Resign,
    Say,
    Seek,
    Show,
    Sit,
    Survey,
    TakeBack,
    Watch,
    WatchLobby,
)
from rookery.core.messages import Past, Shown, Surveyed, Tables
from rookery.hall import limits
from tests.hall.house import Guest, House

CODE = "wonderland7"


def opened(house: House) -> tuple[Guest, TableId]:
    ann = house.enter("ann")
    table = house.do(ann, Open("tictactoe", code=CODE)).table
    assert table is not None
    return ann, table


def test_a_private_table_is_not_there_for_others_whatever_they_ask(house: House) -> None:
    _, table = opened(house)
    eve = house.enter("eve")
    asked: list[AnyIntent] = [
        Sit(table), Sit(table, code="wonderland8"), Watch(table), Watch(table, code="x"),
        Show(table), History(table), LegalMoves(table), Say(table, "hi"), Play(table, "4"),
        Resign(table), TakeBack(table), Rematch(table),
    ]  # fmt: skip
    assert {house.no(eve, intent) for intent in asked} == {"no_table"}
    assert house.ask(eve, ListTables(), Tables).tables == ()
    assert house.ask(eve, Survey("tictactoe"), Surveyed).tables == ()
    assert house.do(eve, Seek("tictactoe")).table == table + 1, "nobody who seeks is sent there"


def test_who_has_the_code_sits_down_or_looks_on(house: House) -> None:
    ann, table = opened(house)
    bob, cyd = house.enter("bob"), house.enter("cyd")
    assert house.ask(cyd, Show(table, code=CODE), Shown).line.table == table
    house.ask(cyd, Watch(table, code=CODE), Past)
    house.do(bob, Sit(table, code=CODE))
    assert house.show(cyd, table).line.status == "playing"
    assert [line.table for line in house.ask(ann, ListTables(), Tables).tables] == [table]
    house.do(ann, Play(table, "4"))
    assert house.news(cyd)[-1].table == table


def test_its_code_is_told_to_nobody_and_is_not_in_the_log(house: House) -> None:
    ann, table = opened(house)
    past = house.ask(ann, History(table), Past)
    assert [entry.n for entry in past.events] == [1, 3], "the second is the seed, and the lock"
    assert house.last(table, Seeded).lock
    assert CODE not in str(house.events(table))


def test_a_lobby_hears_nothing_of_it(house: House) -> None:
    eve = house.enter("eve")
    house.do(eve, WatchLobby("tictactoe"))
    opened(house)
    assert house.news(eve) == []


def test_a_rematch_is_as_private(house: House) -> None:
    ann, table = opened(house)
    bob, eve = house.enter("bob"), house.enter("eve")
    house.do(bob, Sit(table, code=CODE))
    house.do(ann, Resign(table))
    for guest in (ann, bob):
        house.do(guest, Rematch(table))
    again = TableId(table + 1)
    assert house.no(eve, Show(again)) == "no_table"
    assert house.ask(eve, Show(again, code=CODE), Shown).line.table == again
    house.restart()
    stranger = house.connect()
    assert house.no(stranger, Show(again)) == "no_table"
    assert house.ask(stranger, Show(again, code=CODE), Shown).line.table == again


def test_a_code_is_long_enough_and_plain(house: House) -> None:
    ann = house.enter("ann")
    for code in ("short", "x" * 41, "with spaces", "ünicode8"):
        assert house.no(ann, Open("nim", code=code)) == "bad_option"


def test_private_code_min(house: House) -> None:
    ann = house.enter("ann")
    house.do(ann, Open("nim", code="x" * limits.PRIVATE_CODE_MIN))
    assert house.no(ann, Open("nim", code="x" * (limits.PRIVATE_CODE_MIN - 1))) == "bad_option"


def test_private_code_max(house: House) -> None:
    ann = house.enter("ann")
    house.do(ann, Open("nim", code="x" * limits.PRIVATE_CODE_MAX))
    assert house.no(ann, Open("nim", code="x" * (limits.PRIVATE_CODE_MAX + 1))) == "bad_option"


def test_who_guesses_codes_is_slowed_down_like_who_guesses_those_of_tours(house: House) -> None:
    _, table = opened(house)
    eve = house.enter("eve")
    said = [house.no(eve, Watch(table, code=f"wrong{n:05}")) for n in range(200)]
    assert said[0] == "no_table"
    assert said[-1] == "too_fast"
    assert house.no(eve, Sit(table, code=CODE)) == "too_fast", "the right one has to wait too"
    assert house.no(eve, Sit(table)) == "no_table", "who gives no code guesses none"
    house.wait(600)
    house.ask(eve, Watch(table, code=CODE), Past)
