"""What is sound is registered; what is not is left out, and named in one sentence."""

import textwrap
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec
import pytest

from rookery import sdk
from rookery.bots import LEVELS
from rookery.dialects import DIALECTS, LANGUAGES
from rookery.dialects.detect import recognise
from rookery.games import GAMES, origin_of, parse_variant
from rookery.games.views import read_effect
from rookery.hall.tours.formats import FORMATS, parse_format
from rookery.plugins import Plugin, load, loading
from tests.plugins.toys import HEAP, ONCE, raising, toy

PHASES = '    phases: ClassVar[tuple[str, ...]] = ("play",)'


def problem(file: Path) -> str:
    """Why the one thing in this file is left out."""
    (found,) = load([file])[-1:]
    assert found.problem
    assert len(found.sentence().splitlines()) == 1
    assert found.sentence().isprintable()
    return found.sentence()


def test_a_game_in_a_file_is_like_any_other(tmp_path: Path) -> None:
    file = toy(tmp_path)
    assert [(one.kind, one.name, one.problem) for one in load([file])] == [("game", "heap", "")]
    assert parse_variant("heap pebbles=7").name == "heap"
    assert origin_of("heap").file == str(file)
    assert origin_of("nim").words() == "rookery itself"


def test_nothing_is_loaded_twice(tmp_path: Path) -> None:
    file = toy(tmp_path)
    assert len(load([file, file])) == 1
    assert load([file]) == ()


def test_what_was_given_is_handed_on_to_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = toy(tmp_path)
    monkeypatch.setenv(loading.GIVEN, str(file))
    assert [one.name for one in load()] == ["heap"]


def test_an_effect_of_its_file_is_read_from_json(tmp_path: Path) -> None:
    load([toy(tmp_path)])
    effect = read_effect({"type": "clacked", "pebbles": 2})
    assert msgspec.to_builtins(effect) == {"type": "clacked", "pebbles": 2}


def test_of_effects_called_alike_the_one_is_read_that_it_can_be(tmp_path: Path) -> None:
    load([toy(tmp_path, ("class Clacked", "class Flipped"), ("(Clacked(", "(Flipped("))])
    assert hasattr(read_effect({"type": "flipped", "pebbles": 2}), "pebbles")
    assert type(read_effect({"type": "flipped", "squares": []})) is not type(
        read_effect({"type": "flipped", "pebbles": 2})
    )
    assert type(read_effect({"type": "flipped", "neither": 1})) is sdk.Effect


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def (", "SyntaxError"),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("import sys; sys.exit(3)", "it ends the process when it is imported"),
        ("raise MemoryError", "MemoryError"),
        ("raise BaseException('well\\x1b[2J\\nthis')", "BaseException: well [2J this"),
        ("def f(): f()\nf()", "RecursionError"),
        ("x = 1", "it has no game, dialect, bot or format"),
        ("\0", "null bytes"),
    ],
)
def test_what_cannot_be_imported_is_left_out(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    assert words in problem(file)
    assert str(file) in problem_of(file)


def problem_of(file: Path) -> str:
    return next(one.sentence() for one in loading.loaded() if one.origin.file == str(file))


def test_ctrl_c_is_for_us(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load([file])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "there is no such file" in problem(tmp_path / "nowhere.py")


def test_one_that_never_ends_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "PATIENCE", 0.2)
    file = tmp_path / "endless.py"
    file.write_text("while True:\n    try:\n        pass\n    except Exception:\n        pass\n")
    assert "it took longer than 0 s to load" in problem(file)


def test_what_it_prints_is_not_on_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load([toy(tmp_path, more="print('hello')\n")])
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "hello\n")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"heap"\n', '"nim"\n', "there is a game 'nim' already, of rookery itself"),
        ('"heap"\n', '"a heap"\n', "small letters"),
        ('"heap"\n', '"heap\\x1b[2J"\n', "small letters"),
        ('"heap"\n', '"Heap"\n', "small letters"),
        ('"heap"\n', '""\n', "small letters"),
        ('"heap"\n', "7\n", "small letters"),
        ("rules: ClassVar = 1", "rules: ClassVar = 'x'", "its rules are a number"),
        ("rules: ClassVar = 1", "rules: ClassVar = True", "its rules are a number"),
        ("range(2, 3)", "range(0, 3)", "its seat_counts are a range"),
        ("range(2, 3)", "range(3, 3)", "its seat_counts are a range"),
        ("range(2, 3)", "(2, 3)", "its seat_counts are a range"),
        ("range(2, 3)", "range(2, 10**9)", "its seat_counts are a range"),
        ("can_draw: ClassVar = True", "can_draw: ClassVar = 1", "its can_draw is True or False"),
        ('= ("play",)', '= "play"', "its phases are a tuple of texts"),
        ("def forfeit(", "def forfeits(", "it has no forfeit"),
        ("class Heap(Struct, frozen=True)", "class Heap", "a class made of msgspec.Struct"),
        ("class Heap(Struct, frozen=True)", "class Heap(Struct)", "frozen"),
        (") -> HeapView:", "):", "its view does not say which kind of View"),
        (") -> HeapView:", ") -> int:", "its view does not say which kind of View"),
        ("sdk.View, frozen=True", "sdk.View, frozen=True, tag='nim_view'", "as that of nim is"),
        ("] = 10", "]", "it cannot be made without options"),
        ("pebbles, 1, 40)", "pebbles, 11, 40)", "it cannot be made without options"),
        ("Annotated[int, Meta", "Annotated[float, Meta", "it cannot be made without options"),
        (PHASES, f"{PHASES}\n    shown: ClassVar = 'red'", "it cannot be shown as it declares"),
        (PHASES, f"{PHASES}\n    shown: ClassVar = sdk.Showing(scores='points')", "'points'"),
        ("from rookery import sdk", "from rookery import sdk\nROOKERY_SDK = '2.0'", "version 2.0"),
        ("from rookery import sdk", "from rookery import sdk\nROOKERY_SDK = '1.999'", "1.999"),
        ("from rookery import sdk", "from rookery import sdk\nROOKERY_SDK = 1", "is a text like"),
    ],
)
def test_what_is_no_game_is_left_out(tmp_path: Path, old: str, new: str, words: str) -> None:
    before = dict(GAMES)
    assert words in problem(toy(tmp_path, (old, new)))
    assert before == GAMES


def test_a_class_that_raises_when_it_is_compared_is_left_out(tmp_path: Path) -> None:
    change = (
        "    def seat_name",
        "    def __eq__(self, other):\n        return 1 / 0\n\n    def seat_name",
    )
    assert "ZeroDivisionError" in problem(toy(tmp_path, change))


def test_the_kit_that_it_asks_for_is_there(tmp_path: Path) -> None:
    change = ("from rookery import sdk", f"from rookery import sdk\nROOKERY_SDK = {sdk.VERSION!r}")
    (found,) = load([toy(tmp_path, change)])
    assert not found.problem


def test_of_two_games_of_a_name_the_first_is_taken(tmp_path: Path) -> None:
    first, second = toy(tmp_path, name="one.py"), toy(tmp_path, name="two.py")
    one, two = load([first, second])
    assert not one.problem
    assert f"there is a game 'heap' already, of {first}" in two.sentence()


def test_a_file_may_have_a_game_and_the_bots_for_it(tmp_path: Path) -> None:
    more = """
from rookery.sdk.bots import Level

class First:
    def choose(self, sight, chance, nodes, halt):
        return sight.moves[0]

LEVELS = tuple(Level(First(), 1) for _ in range(5))
"""
    found = load([toy(tmp_path, more=more)])
    assert [(one.kind, one.name, one.problem) for one in found] == [
        ("game", "heap", ""),
        ("bot", "heap", ""),
    ]
    assert len(LEVELS["heap"]) == 5


@pytest.mark.parametrize("many", [0, 4, 6])
def test_bots_are_five(tmp_path: Path, many: int) -> None:
    more = (
        "from rookery.sdk.bots import Level\nclass B:\n    def choose(self): ...\n"
        f"LEVELS = {{'heap': tuple(Level(B(), 1) for _ in range({many}))}}\n"
    )
    assert "bots are 5 of" in problem(toy(tmp_path, more=more))


def test_a_format_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "once.py"
    file.write_text(ONCE)
    (found,) = load([file])
    assert (found.kind, found.name, found.problem) == ("format", "once", "")
    assert "once" in FORMATS
    assert parse_format("once").sides == range(2, 3)


def test_a_dialect_in_a_file_is_recognised_by_its_first_bytes(tmp_path: Path) -> None:
    file = tmp_path / "shout.py"
    file.write_text(
        textwrap.dedent('''
        """A dialect."""
        from msgspec import Struct
        from rookery.sdk.dialects import Kind, Manners, first_word

        class Options(Struct, frozen=True):
            loud: bool = True

        def opens_with(said: bytes):
            found = first_word(said)
            return found if found is None or isinstance(found, bool) else found[0] == b"SHOUT"

        KIND = Kind(Manners(name="shout"), Options, lambda options, directory: None, opens_with)
        ''')
    )
    (found,) = load([file])
    assert (found.kind, found.name, found.problem) == ("dialect", "shout", "")
    assert "shout" in DIALECTS
    assert "shout" in [one.name for one in LANGUAGES]
    assert recognise(b"SHOUT hello\n") == "shout"


def test_packages_are_found_by_their_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "heap_game"
    package.mkdir()
    (package / "__init__.py").write_text(HEAP)
    info = tmp_path / "heap_game-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: heap-game\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(
        "[rookery.games]\nheap = heap_game:Heap\nlost = heap_game:Lost\ngone = nowhere:Gone\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(loading, "_found", [])
    found = {one.name: one for one in load() if one.origin.package == "heap-game"}
    assert found["heap"] == Plugin("game", "heap", origin_of("heap"))
    assert origin_of("heap").words() == "heap-game 1.2"
    assert origin_of("heap").file == str(package / "__init__.py")
    assert "AttributeError" in found["lost"].problem
    assert found["gone"].sentence() == (
        "Left out the game gone of heap-game 1.2: ModuleNotFoundError: No module named 'nowhere'."
    )


def test_entry_points_come_in_the_same_order_always() -> None:
    assert loading.points() == loading.points()
    assert all(isinstance(point, EntryPoint) for _, point in loading.points())


def test_raising_is_a_change_of_the_toy() -> None:
    old, new = raising("play")
    assert old in HEAP
    assert "ZeroDivisionError" in new
