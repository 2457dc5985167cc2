"""The rules of this house that a test can hold: sizes, names, words, links.

Every claim lists all offenders at once. Files are those that git knows or would add;
without git, all but the hidden and the built ones. Patterns are written so that this
file does not offend against itself (`TOD[O]`).
"""

import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rookery
from rookery.core.manners import OWN
from rookery.dialects import DIALECTS
from rookery.games import GAMES

ROOT = Path(__file__).parent.parent

LONGEST_FILE = 400
LONGEST_FUNCTION = 40
MOST_FILES = 15  # of Python, side by side in one package, besides its own
NEVER_IN_NAMES = {"manager", "handler", "service", "helper", "util", "data", "info", "context"}
# They wait for real processes.
MAY_SLEEP = (
    *("tests/server/", "tests/cli/", "tests/browser/"),
    *("tests/postgres.py", "tests/store/postgres/"),
)
ITSELF = ("core", "hall", "store", "runtime", "server")
BUILT = ("dist", "build", "htmlcov", "__pycache__", "node_modules")

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

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef
Speaking = ast.ImportFrom | ast.Constant | ast.Name | ast.Attribute | ast.FunctionDef

# Where a dialect may be called by its name: its folder, the registry, what says which is the
# house's own, and the clients, each of which speaks one.
OF_DIALECTS = ("src/rookery/dialects/__init__.py", "src/rookery/core/manners.py")
CLIENTS = (
    "src/rookery/bench/languages/",
    "src/rookery/cli/bot/",
    "src/rookery/cli/ordeal/clients/cast.py",
    "src/rookery/cli/by_hand/",
    "src/rookery/clients/",
    "src/rookery/sim/clients/",
    "src/rookery/sim/script.py",
    "src/rookery/sim/observer/",
)
EXAMPLES = "_EXAMPLES"  # lines to try, under a command's help

# Asyncio's words, for its protocols and its loops.
GIVEN_NAMES = {"data_received", "pipe_data_received"} | {
    f"{verb}_exception_handler" for verb in ("call", "default", "set")
}


@cache
def project_files() -> list[Path]:
    """Every file of the project that is there now."""
    git = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(git, capture_output=True, text=True, check=True).stdout
        found = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if not _hidden_or_built(path)]
    return sorted({path for path in found if path.is_file()})


def python_files(*folders: str) -> list[Path]:
    """The Python files under these folders of the root."""
    return [
        path
        for path in project_files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders
    ]


def pages() -> list[Path]:
    """What people read: README and its like, and everything under docs."""
    return [
        path
        for path in project_files()
        if path.suffix == ".md" and (path.parent == ROOT or (ROOT / "docs") in path.parents)
    ]


def test_there_are_files_to_look_at() -> None:
    assert python_files("src")
    assert Path(__file__) in python_files("tests")


def test_no_file_is_too_long_to_read_in_one_sitting() -> None:
    lengths = {path: len(_text(path).splitlines()) for path in python_files("src", "tests")}
    assert [f"{_name(p)}: {n} lines" for p, n in lengths.items() if n > LONGEST_FILE] == []


def test_no_package_has_more_files_side_by_side_than_one_can_look_over() -> None:
    rooms = Counter(path.parent for path in python_files("src") if path.stem != "__init__")
    assert {_name(room): n for room, n in rooms.items() if n > MOST_FILES} == {}


def test_in_the_house_itself_a_class_has_a_name_of_its_own() -> None:
    """Games, dialects, clients and commands are each a house for themselves."""
    named: dict[str, list[str]] = {}
    for path, node in _definitions():
        part = path.relative_to(ROOT / "src" / "rookery").parts[0]
        if part in ITSELF and isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            named.setdefault(node.name, []).append(_name(path))
    assert {name: where for name, where in named.items() if len(where) > 1} == {}


def page_sources() -> list[Path]:
    """What the page is written in, by people: the words of the server are made by a program."""
    return [
        path
        for path in project_files()
        if path.suffix in (".ts", ".tsx")
        and path.relative_to(ROOT).parts[0] == "web"
        and path.name != "wire.ts"
    ]


def test_no_source_of_the_page_is_too_long_and_each_says_what_it_is() -> None:
    sources = {_name(path): _text(path) for path in page_sources()}
    assert sources
    assert [name for name, text in sources.items() if len(text.splitlines()) > LONGEST_FILE] == []
    assert [name for name, text in sources.items() if not text.startswith("// ")] == []


def test_the_page_never_takes_words_for_markup() -> None:
    assert _hits(re.compile(r"innerHTM[L]|insertAdjacentHTM[L]|as an[y]\b"), page_sources()) == []


def test_every_function_fits_a_screen() -> None:
    assert [
        f"{_name(path)}:{node.lineno} {node.name}: {_length(node)} lines"
        for path, node in _definitions()
        if isinstance(node, Function) and _length(node) > LONGEST_FUNCTION
    ] == []


def test_every_module_opens_by_saying_what_it_is() -> None:
    assert [
        _name(path) for path in python_files("src") if not ast.get_docstring(_parse(path))
    ] == []


def test_no_module_class_or_function_has_a_name_that_says_nothing() -> None:
    modules = [(path, path.relative_to(ROOT / "src")) for path in python_files("src")]
    names = [(path, part) for path, inner in modules for part in inner.with_suffix("").parts]
    names += [(path, node.name) for path, node in _definitions() if node.name not in GIVEN_NAMES]
    assert sorted({f"{_name(p)}: {name}" for p, name in names if says_nothing(name)}) == []


@pytest.mark.parametrize(
    "name", ["TableManager", "utils", "parse_data", "HTTPHandler", "ContextVar", "_get_info"]
)
def test_an_empty_word_is_found_wherever_it_stands_in_a_name(name: str) -> None:
    assert says_nothing(name)


@pytest.mark.parametrize("name", ["database", "Informed", "serviced_by", "Utility", "play"])
def test_an_empty_word_inside_another_is_no_offence(name: str) -> None:
    assert not says_nothing(name)


@pytest.mark.parametrize("what", UNFINISHED)
def test_nothing_is_left_unfinished(what: str) -> None:
    assert _hits(re.compile(UNFINISHED[what]), python_files("src", "tests")) == []


def test_no_test_sleeps_unless_it_waits_for_a_process() -> None:
    files = [p for p in python_files("tests") if not _name(p).startswith(MAY_SLEEP)]
    assert _hits(re.compile(r"\bslee[p]\("), files) == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    assert _hits(MACHINE_PATH, project_files()) == []


@pytest.mark.parametrize("folder", ["home", "root", "work", "Users"])
def test_a_machines_path_is_recognised(folder: str) -> None:
    assert MACHINE_PATH.search(f"see '/{folder}/someone'")
    assert not MACHINE_PATH.search(f"see example.org/{folder}/someone, or docs/{folder}/page")


def test_every_link_between_our_pages_leads_somewhere() -> None:
    assert [
        f"{_name(page)}: {target}"
        for page in pages()
        for target in LINK.findall(CODE.sub("", _text(page)))
        if not _leads_somewhere(page, target)
    ] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_page(name: str) -> None:
    assert (ROOT / "docs" / "games" / f"{name}.md").is_file(), f"docs/games/{name}.md is missing"


def test_every_file_that_the_page_of_the_architecture_names_is_there() -> None:
    names = re.findall(r"`([\w/]+\.py)`", (ROOT / "docs" / "architecture.md").read_text())
    files = [f"/{_name(path)}" for path in project_files()]
    assert [name for name in names if not any(f.endswith(f"/{name}") for f in files)] == []


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_has_a_page(name: str) -> None:
    page = ROOT / "docs" / "dialects" / f"{name}.md"
    assert page.is_file(), f"docs/dialects/{name}.md is missing"


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_is_named_in_its_folder_and_the_registry_alone(name: str) -> None:
    known = (*OF_DIALECTS, *CLIENTS, f"src/rookery/dialects/{name}/")
    files = [path for path in python_files("src") if not _name(path).startswith(known)]
    assert [
        f"{_name(path)}:{line}: {said}"
        for path in files
        for line, said in mentions(_parse(path), name)
        # Another language may have such a word of its own.
        if said.startswith("rookery.") or "/dialects/" not in _name(path)
    ] == []


@pytest.mark.parametrize("name", sorted(set(DIALECTS) - set(GAMES) - {OWN}))
def test_the_page_is_told_of_a_dialect_and_does_not_name_it(name: str) -> None:
    sources = [path for path in page_sources() if _name(path).startswith("web/src/")]
    assert _hits(re.compile(rf"^(?!\s*(//|\*|/\*)).*\b{name}\b", re.IGNORECASE), sources) == []


def test_a_dialect_is_found_by_name_wherever_code_names_it() -> None:
    def found(code: str, name: str = "tourney") -> list[str]:
        return [said for _, said in mentions(ast.parse(code), name)]

    assert found('"""Of tourney."""\nPORTS = {"tourney": 1350}') == ["tourney"]
    assert found("def _tourney(game): return TOURNEY") == ["_tourney", "TOURNEY"]
    assert found("help = f'only {one} or tourney'") == [" or tourney"]
    assert found("_EXAMPLES = 'rookery bot 2 --dialect tourney'") == []
    assert found("from rookery.dialects.fish import KIND", "fish") == ["rookery.dialects.fish"]
    assert found("from rookery.games.fish import Fish; name = 'fish'", "fish") == []
    assert found("journey = tourneys") == []


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]
    assert project["version"] == rookery.__version__


def test_the_changelog_tells_users_about_this_version() -> None:
    heading = re.compile(rf"^## \[?v?{re.escape(rookery.__version__)}\b", re.MULTILINE)
    assert heading.search(_text(ROOT / "CHANGELOG.md")), f"no section for {rookery.__version__}"


def mentions(tree: ast.Module, dialect: str) -> list[tuple[int, str]]:
    """Where code names this dialect: imports, and where no game is called so names and texts."""
    inside = f"rookery.dialects.{dialect}"
    passed = _documentation(tree)
    found = []
    for node in speaking(tree):
        match node:
            case ast.ImportFrom(module=str(said)):
                named = dialect != OWN and f"{said}.".startswith(f"{inside}.")
            case ast.Constant(value=str(said)):
                named = dialect not in GAMES and node not in passed and _has_word(said, dialect)
            case ast.Name(id=said) | ast.Attribute(attr=said) | ast.FunctionDef(name=said):
                named = dialect not in GAMES and _has_word(said, dialect)
            case _:
                continue
        if named:
            found.append((node.lineno, said))
    return found


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All there is in it, looked for once for all who ask."""
    return tuple(ast.walk(tree))


@cache
def speaking(tree: ast.Module) -> tuple[Speaking, ...]:
    """Where it has a name or a text in it."""
    return tuple(node for node in nodes(tree) if isinstance(node, Speaking))


@cache
def _documentation(tree: ast.Module) -> set[ast.AST]:
    """The texts that are for readers: docstrings, and the examples of commands."""
    found: set[ast.AST] = set()
    for node in nodes(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                found.add(text)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as text):
                found |= {text} if name == EXAMPLES else set()
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant() as text):
                found |= {text} if name == EXAMPLES else set()
            case _:
                pass
    return found


def _has_word(said: str, word: str) -> bool:
    return word in _words(said)


@cache
def _words(said: str) -> frozenset[str]:
    return frozenset(re.split(r"[^a-z]+", said.lower()))


def says_nothing(name: str) -> bool:
    """Whether one of the words this name is made of is an empty one, or its plural."""
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    return any({word, word.removesuffix("s")} & NEVER_IN_NAMES for word in words)


def _hits(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    return [
        f"{_name(path)}:{number}: {line.strip()[:80]}"
        for path in files
        for number, line in enumerate(_text(path).splitlines(), 1)
        if pattern.search(line)
    ]


def _leads_somewhere(page: Path, target: str) -> bool:
    file = target.partition("#")[0]
    elsewhere = re.match(r"[a-z]+:", target) is not None
    return elsewhere or not file or (page.parent / file).exists()


def _definitions() -> Iterator[tuple[Path, Definition]]:
    for path in python_files("src"):
        for node in nodes(_parse(path)):
            if isinstance(node, Definition):
                yield path, node


def _length(node: Function) -> int:
    """Lines from `def` to the end, the docstring not counted."""
    assert node.end_lineno is not None
    lines = node.end_lineno - node.lineno + 1
    if ast.get_docstring(node) is None:
        return lines
    words = node.body[0]
    assert words.end_lineno is not None
    return lines - (words.end_lineno - words.lineno + 1)


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(_text(path), str(path))


@cache
def _text(path: Path) -> str:
    """What stands in the file; nothing if it is gone, or is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _hidden_or_built(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return any(part.startswith(".") or part in BUILT for part in parts)
