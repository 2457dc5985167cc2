"""What a test can hold of the rules in CONTRIBUTING.md: that nothing is left undone, links, paths.

Every claim lists all offenders at once. Patterns are written so that this file does not
offend against itself (`TOD[O]`).
"""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import rookery
from rookery.core.manners import OWN
from rookery.dialects import DIALECTS
from rookery.games import GAMES
from tests.naming import mentions, named_elsewhere, named_on_the_page
from tests.sources import (
    ROOT,
    Function,
    definitions,
    hits,
    name_of,
    page_sources,
    parse,
    project_files,
    python_files,
    text_of,
)

LONGEST_FUNCTION = 40
# They wait for real processes.
MAY_SLEEP = (
    *("tests/server/", "tests/cli/", "tests/browser/"),
    *("tests/postgres.py", "tests/store/postgres/", "tests/tools/crashtest/"),
)
UNFINISHED = {
    "a note to finish later": r"\bTOD[O]\b|\bFIXM[E]\b|#\s*XX[X]\b",
    "an ignored type error without its code": r"type: ignor[e](?!\[)",
    "a function that is not written": r"NotImplementedErro[r]",
    # Only a program of another language may be missing, as where there is no `node`.
    "a test that does not run": r"pytest\.ski[p]\b|mark\.ski[p](?!if\(which\()|mark\.xfai[l]"
    r"|pytest\.xfai[l]",
}
MACHINE_PATH = re.compile(r"(?<![\w.~-])(?:/(?:home|root|work|Users)/|[A-Z]:\\Users\\)\w")
LINK = re.compile(r"\]\(<?([^)>\s]+)")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """What people read: README and its like, and everything under docs."""
    return [
        path
        for path in project_files()
        if path.suffix == ".md" and (path.parent == ROOT or (ROOT / "docs") in path.parents)
    ]


def test_there_are_files_to_look_at() -> None:
    assert python_files("src", "tools")
    assert Path(__file__) in python_files("tests")


def test_every_source_of_the_page_says_what_it_is() -> None:
    sources = {name_of(path): text_of(path) for path in page_sources()}
    assert sources
    assert [name for name, text in sources.items() if not text.startswith("// ")] == []


def test_the_page_never_takes_words_for_markup() -> None:
    assert hits(re.compile(r"innerHTM[L]|insertAdjacentHTM[L]|as an[y]\b"), page_sources()) == []


def test_every_function_fits_a_screen() -> None:
    assert [
        f"{name_of(path)}:{node.lineno} {node.name}: {_length(node)} lines"
        for path, node in definitions()
        if isinstance(node, Function) and _length(node) > LONGEST_FUNCTION
    ] == []


def test_every_module_opens_by_saying_what_it_is() -> None:
    assert [
        name_of(path) for path in python_files("src", "tools") if not ast.get_docstring(parse(path))
    ] == []


@pytest.mark.parametrize("what", UNFINISHED)
def test_nothing_is_left_unfinished(what: str) -> None:
    assert hits(re.compile(UNFINISHED[what]), python_files("src", "tools", "tests")) == []


def test_no_test_sleeps_unless_it_waits_for_a_process() -> None:
    files = [p for p in python_files("tests") if not name_of(p).startswith(MAY_SLEEP)]
    assert hits(re.compile(r"\bslee[p]\("), files) == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    assert hits(MACHINE_PATH, project_files()) == []


@pytest.mark.parametrize("folder", ["home", "root", "work", "Users"])
def test_a_machines_path_is_recognised(folder: str) -> None:
    assert MACHINE_PATH.search(f"see '/{folder}/someone'")
    assert not MACHINE_PATH.search(f"see example.org/{folder}/someone, or docs/{folder}/page")


def test_every_link_between_our_pages_leads_somewhere() -> None:
    assert [
        f"{name_of(page)}: {target}"
        for page in pages()
        for target in LINK.findall(CODE.sub("", text_of(page)))
        if not _leads_somewhere(page, target)
    ] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_page(name: str) -> None:
    assert (ROOT / "docs" / "games" / f"{name}.md").is_file(), f"docs/games/{name}.md is missing"


def test_every_game_is_held_to_know_no_other() -> None:
    linter = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]
    (held,) = (one["modules"] for one in linter["contracts"] if one["id"] == "games")
    modules = [".".join(game.__module__.split(".")[:3]) for game in GAMES.values()]
    assert sorted(held) == sorted(modules)


def test_every_file_that_the_page_of_the_architecture_names_is_there() -> None:
    names = re.findall(r"`([\w/]+\.py)`", (ROOT / "docs" / "architecture.md").read_text())
    files = [f"/{name_of(path)}" for path in project_files()]
    assert [name for name in names if not any(f.endswith(f"/{name}") for f in files)] == []


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_has_a_page(name: str) -> None:
    page = ROOT / "docs" / "dialects" / f"{name}.md"
    assert page.is_file(), f"docs/dialects/{name}.md is missing"


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_is_named_in_its_folder_and_the_registry_alone(name: str) -> None:
    sources = {name_of(path): text_of(path) for path in python_files("src", "tools")}
    assert named_elsewhere(name, sources) == []


@pytest.mark.parametrize("name", sorted(set(DIALECTS) - set(GAMES) - {OWN}))
def test_the_page_is_told_of_a_dialect_and_does_not_name_it(name: str) -> None:
    assert named_on_the_page(name) == []


def test_a_dialect_is_found_by_name_wherever_code_names_it() -> None:
    def found(code: str, name: str = "tourney") -> list[str]:
        return [said for _, said in mentions(ast.parse(code), name)]

    assert found('"""Of tourney."""\nPORTS = {"tourney": 1350}') == ["tourney"]
    assert found("def _tourney(game): return TOURNEY") == ["_tourney", "TOURNEY"]
    assert found("help = f'only {one} or tourney'") == [" or tourney"]
    assert found("_EXAMPLES = 'rookery bot 2 --dialect tourney'") == []
    assert found("journey = tourneys") == []
    assert found("class TourneyPort: ...") == ["TourneyPort"]
    assert found("async def to_tourney(tourney_port): ...") == ["to_tourney", "tourney_port"]
    assert found("open(tourney=1)") == ["tourney"]
    assert found("import x.tourney as it") == ["x.tourney"]
    assert found("from rookery.dialects import tourney") == ["rookery.dialects.tourney"]
    assert found("from x import y as tourney") == ["tourney"]
    assert found("HELLO = b'tourney 1'") == ["tourney 1"]
    assert found("class BlackWhiteRoom: ...", "blackwhite") == ["BlackWhiteRoom"]


def test_what_people_are_shown_names_no_dialect_but_in_examples() -> None:
    shown = '@click.command()\ndef command():\n    """{}"""'
    assert mentions(ast.parse(shown.format("Of tourney.")), "tourney") == [(3, "Of tourney.")]
    examples = "Play.\n\n    Examples:\n      rookery bot --dialect tourney\n    "
    assert mentions(ast.parse(shown.format(examples)), "tourney") == []
    assert mentions(ast.parse('def f():\n    """Of tourney."""'), "tourney") == []


def test_a_dialect_that_is_called_as_a_game_is_found_where_a_dialect_is_meant() -> None:
    def found(code: str) -> list[str]:
        return [said for _, said in mentions(ast.parse(code), "fish")]

    assert found("from rookery.dialects.fish import KIND") == ["rookery.dialects.fish"]
    assert found("from rookery.clients.fish import FishClient") == ["rookery.clients.fish"]
    assert found("from rookery.games.fish import Fish; name = 'fish'") == []
    assert found("begin(dialect='fish')") == ["fish"]
    assert found("if one.dialect in ('fish', 'native'): ...") == ["fish"]
    assert found("dialect: str = 'fish'") == ["fish"]
    assert found("def call(dialect='fish'): ...") == ["fish"]
    assert found("match dialect:\n    case 'fish': ...") == ["fish"]
    assert found("if game == 'fish': ...") == []


def test_the_version_is_the_same_everywhere() -> None:
    for folder in (ROOT, ROOT / "tools"):
        project = tomllib.loads(text_of(folder / "pyproject.toml"))["project"]
        assert project["version"] == rookery.__version__


def test_the_changelog_tells_users_about_this_version() -> None:
    heading = re.compile(rf"^## \[?v?{re.escape(rookery.__version__)}\b", re.MULTILINE)
    assert heading.search(text_of(ROOT / "CHANGELOG.md")), f"no section for {rookery.__version__}"


def _leads_somewhere(page: Path, target: str) -> bool:
    file = target.partition("#")[0]
    elsewhere = re.match(r"[a-z]+:", target) is not None
    return elsewhere or not file or (page.parent / file).exists()


def _length(node: Function) -> int:
    """Lines from `def` to the end, the docstring not counted."""
    assert node.end_lineno is not None
    lines = node.end_lineno - node.lineno + 1
    if ast.get_docstring(node) is None:
        return lines
    words = node.body[0]
    assert words.end_lineno is not None
    return lines - (words.end_lineno - words.lineno + 1)
