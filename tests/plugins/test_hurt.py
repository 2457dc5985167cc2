"""What rules give back that nobody can use: their own table ends, or does not open."""

from pathlib import Path

import msgspec
import pytest

from rookery.core.events import Ended, Erred, Played
from rookery.core.ids import Micros, PlayerId
from rookery.core.intents import LegalMoves, ListGames, ListTables, Open, Play, Resign, Show
from rookery.core.messages import Games, News, Refused, Tables, Welcome
from rookery.dialects.native import NativeDialect
from rookery.games import suspend
from rookery.games.absent_game import AbsentView
from rookery.plugins import load
from rookery.verify.log import check_log
from tests.hall.house import House
from tests.plugins.test_broken import ALONE, LATE, failed, others_go_on, table_of
from tests.plugins.toys import HEAP, own_registries, raising, toy

EFFECTS = "(Clacked(move),)"
SHOWN = "return HeapView(state.heap,"
ANY_VIEW = (
    "    heap: int\n    turn: sdk.Seat | None",
    "    heap: object\n    turn: sdk.Seat | None",
)
LAST = '"last", "The last pebble is taken."'


def first(word: str, line: str) -> tuple[str, str]:
    """The change that has this method begin with this line."""
    head = HEAP[HEAP.index(f"    def {word}(") :].partition(":\n")[0] + ":\n"
    return head, f"{head}        {line}\n"


@pytest.mark.parametrize(
    "change",
    [
        *(raising(word, when=LATE, what="SystemExit(3)") for word in ("play", "to_act", "phase")),
        raising("outcome", when=LATE, what="GeneratorExit"),
        (EFFECTS, "None"),
        (EFFECTS, "(1 / 0 for _ in 'a')"),
        (ALONE, f"        if {LATE}:\n            return frozenset({{7}})\n{ALONE}"),
        (ALONE, f"        if {LATE}:\n            return frozenset({{-1}})\n{ALONE}"),
        (ALONE, f"        if {LATE}:\n            return frozenset({{'a', None}})\n{ALONE}"),
        (ALONE, f"        if {LATE}:\n            return frozenset({{1.0}})\n{ALONE}"),
        (LAST, '"last", "\\ud800"'),
        (LAST, '"last", "x" * 5_000_000'),
        (LAST, '"la\\nst", "The last one."'),
        ("return str(move)", "return f'{move}\\n'"),
        first("format_move", "return '\\ud800'"),
    ],
)
def test_what_nobody_can_use_ends_its_own_table(
    house: House, tmp_path: Path, change: tuple[str, str]
) -> None:
    load([toy(tmp_path, change)])
    ann, bob, table = table_of(house)
    for n in range(12):
        house.reply((ann, bob)[n % 2], Play(table, "1"))
    assert failed(house, table)
    others_go_on(house)


@pytest.mark.parametrize("given", ["None", "(0,)", "(0, 'a')", "1 / 0", "(0, 1, 2)"])
def test_a_table_whose_teams_cannot_be_is_not_opened(tmp_path: Path, given: str) -> None:
    house = House()
    load([toy(tmp_path, first("teams", f"return {given}"))])
    assert house.no(house.enter("ann"), Open("heap")) == "rules_failed"
    others_go_on(house)


@pytest.mark.parametrize("shown", ["None", "7", "HeapView('\\ud800', None)"])
def test_a_view_that_nobody_can_write(house: House, tmp_path: Path, shown: str) -> None:
    load([toy(tmp_path, ANY_VIEW, first("view", f"return {shown}"))])
    ann, _, table = table_of(house)
    assert house.ask(ann, Show(table), Refused).code == "rules_failed"
    assert failed(house, table)


@pytest.mark.parametrize(
    "changes",
    [
        (ANY_VIEW, (SHOWN, "return HeapView('\\ud800',")),
        (ANY_VIEW, first("view", "a = []; a.append(a); return HeapView(a, None)")),
    ],
)
def test_news_that_nobody_can_write(
    house: House, tmp_path: Path, changes: tuple[tuple[str, str], ...]
) -> None:
    load([toy(tmp_path, *changes)])
    ann, bob, table = table_of(house)
    house.do(ann, Play(table, "1"))
    news = [one for one in house.heard(bob) if isinstance(one, News)][-1]
    reader = NativeDialect()
    reader.receive(b'{"type":"hello","version":1,"name":"eve","views":true}\n', Micros(0))
    reader.tell(Welcome(PlayerId(9), "eve", ""))
    reader.tell(news)
    assert msgspec.json.decode(reader.drain().splitlines()[-1])["type"] == "news"
    assert failed(house, table)


@pytest.mark.parametrize("name", ["None", "'x' * 1_000_000", "'\\ud800'", "'a\\nb'"])
def test_a_seat_that_nobody_can_name(house: House, tmp_path: Path, name: str) -> None:
    load([toy(tmp_path, first("seat_name", f"return {name}"))])
    ann, _, table = table_of(house)
    ((seat, _),) = (line.seats for line in house.ask(ann, ListTables(), Tables).tables)
    assert seat.name == "seat 1"
    assert failed(house, table)


@pytest.mark.parametrize("text", ["7", "'\\ud800'", "'x' * 9000"])
def test_moves_that_nobody_can_list(house: House, tmp_path: Path, text: str) -> None:
    load([toy(tmp_path, first("format_move", f"return {text}"))])
    ann, _, table = table_of(house)
    assert house.ask(ann, LegalMoves(table), Refused).code == "rules_failed"
    assert failed(house, table)


def test_what_the_rules_refuse_with_is_cut_to_what_can_be_told(
    house: House, tmp_path: Path
) -> None:
    load([toy(tmp_path, first("play", "raise sdk.IllegalMove('\\ud800' * 500, '\\ud800' * 5000)"))])
    ann, _, table = table_of(house)
    refused = house.ask(ann, Play(table, "1"), Refused)
    assert (refused.code, refused.sentence) == ("?" * 100, "?" * 1000)
    assert not [one for one in house.events(table) if isinstance(one, Ended | Erred)]


def test_effects_in_a_list_are_taken(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, (EFFECTS, "[Clacked(move)]"))])
    ann, bob, table = table_of(house)
    house.do(ann, Play(table, "1"))
    house.do(bob, Play(table, "1"))
    house.do(ann, Resign(table))


def test_a_game_that_is_out_of_use_is_not_listed(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path)])
    ann = house.enter("ann")
    assert "heap" in [one.name for one in house.ask(ann, ListGames(), Games).games]
    suspend("heap", "It is out of use.")
    assert "heap" not in [one.name for one in house.ask(ann, ListGames(), Games).games]


def test_a_table_whose_rules_are_others_now_is_read_as_text_and_not_called_damaged(
    house: House,
    tmp_path: Path,
) -> None:
    with own_registries():
        load([toy(tmp_path)])
        ann, bob, table = table_of(house)
        house.do(ann, Play(table, "1"))
        house.do(bob, Play(table, "2"))
    with own_registries():
        load([toy(tmp_path, raising("play"), name="two.py")])
        house.restart()
        ann = house.back(ann)
        view = house.show(ann, table).view
        assert isinstance(view, AbsentView)
        assert view.moves == ("1", "2")
        assert "The rules of heap, of the file two.py, fail" in view.why
        assert house.no(ann, Play(table, "1")) == "absent"
        before = house.events(table)
        house.wait(10_000)
        assert house.events(table) == before
    with own_registries():
        load([toy(tmp_path)])
        house.restart()
        house.do(house.back(ann), Play(table, "1"))
        moves = [one.move for one in house.events(table) if isinstance(one, Played)]
        assert moves == ["1", "2", "1"]
        assert list(check_log(house.log)) == []


@pytest.mark.parametrize("word", ["view", "legal_moves", "outcome", "to_act"])
def test_rules_that_refuse_where_nobody_asked_for_anything_have_failed(
    house: House, tmp_path: Path, word: str
) -> None:
    load([toy(tmp_path, raising(word, when=LATE, what="sdk.IllegalMove('no', 'No.')"))])
    ann, bob, table = table_of(house)
    for n in range(3):
        for wish in (LegalMoves(table), Show(table), Play(table, "1")):
            house.reply((ann, bob)[n % 2], wish)
    assert failed(house, table)


def test_an_outcome_of_lists_is_the_same_to_the_doctor(house: House, tmp_path: Path) -> None:
    load(
        [toy(tmp_path, first("outcome", "if not state.heap: return sdk.Outcome([1, 2], 'a', '')"))]
    )
    ann, bob, table = table_of(house)
    for n in range(10):
        house.do((ann, bob)[n % 2], Play(table, "1"))
    assert house.last(table, Ended).outcome.places == (1, 2)
    assert list(check_log(house.log)) == []


def test_a_start_that_refuses_some_seeds_leaves_a_sound_log(house: House, tmp_path: Path) -> None:
    seeds = "chance.below(999) != sdk.Chance(0).below(999)"
    load([toy(tmp_path, raising("start", when=seeds, what="sdk.BadOption('Not so.')"))])
    table_of(house)
    assert list(check_log(house.log)) == []
