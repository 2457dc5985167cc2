"""A game is declared in its own files: nothing else knows it by name, but for what stands here.

Whoever draws, lists, measures or arranges games asks the registry and what each declares, so a
game from outside has all that ours have.
"""

import ast
import re

import pytest

from rookery.games import GAMES
from tests.naming import before_examples, documentation, has_word, speaking
from tests.sources import hits, name_of, page_sources, parse, python_files

# Where a game may be named besides its own rules, bots and drawing, and why.
KNOWN = (
    "src/rookery/games/__init__.py",  # the registry
    "src/rookery/bots/__init__.py",  # the registry of bots
    "src/rookery/cli/drawing/__init__.py",  # the drawings by hand
    "src/rookery/dialects/",  # each was made for some game,
    "src/rookery/clients/",  # as were its clients,
    "src/rookery/cli/bot/",  # and the bots, with positions as it tells them
    "tools/rookery_tools/bench/",  # something has to be played; the plan has budgets for four games
    "tools/rookery_tools/sim/",  # … as in worlds that are made up
    "tools/rookery_tools/crashtest/",  # … and here: the judge knows what each client may see
    # Examples in the API's description, which is an answer that clients have.
    "src/rookery/server/web/api_tables.py",
    "src/rookery/server/web/api_tours.py",
)
HELP = re.compile(
    r"^(Like |What is played, like|Which game|Set an option|Say who"
    r"|Count the positions)|for example"  # one game alone counts halves of positions
)
BY_HAND = re.compile(
    r"^web/src/(boards/(index\.ts|(bughouse|fish|guess|nim|reversi|tictactoe|ice|tile|sticks"
    r"|fish-art|number-line)\.tsx|chess/)"
    r"|parts/tour/formats\.ts)"  # what a format is for
)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_named_by_itself_and_the_registries_alone(name: str) -> None:
    own = [f"src/rookery/{room}/{name}" for room in ("games", "bots", "cli/drawing")]
    files = [
        path
        for path in python_files("src", "tools")
        if not name_of(path).startswith((*KNOWN, *own))
    ]
    assert [
        f"{name_of(path)}:{line}: {said}"
        for path in files
        for line, said in mentions(parse(path), name)
    ] == []


@pytest.mark.parametrize("name", GAMES)
def test_the_page_names_a_game_only_where_its_board_is_drawn_by_hand(name: str) -> None:
    sources = [path for path in page_sources() if name_of(path).startswith("web/src/")]
    files = [path for path in sources if not BY_HAND.match(name_of(path))]
    said = re.compile(rf"""^(?!\s*(//|\*|/\*)).*["'`/]{name}\b""")
    assert hits(said, files) == []


def test_a_game_is_found_by_name_wherever_code_names_it() -> None:
    def found(code: str) -> list[str]:
        return [said for _, said in mentions(ast.parse(code), "nim")]

    assert found('"""Of nim."""\nBUDGETS = {"nim": 8}') == ["nim"]
    assert found("from rookery.games.nim import Nim") == ["rookery.games.nim"]
    assert found("_EXAMPLES = 'rookery play nim'") == []
    assert found("nimble = 'animal'") == []


def mentions(tree: ast.Module, game: str) -> list[tuple[int, str]]:
    """Where code imports this game or writes its name; help and examples may."""
    passed = documentation(tree)
    found = []
    for node in speaking(tree):
        match node:
            case ast.ImportFrom(module=str(said)):
                named = f"{said}.".startswith(f"rookery.games.{game}.")
            case ast.Constant(value=str(said)):
                shown = before_examples(said)
                named = node not in passed and has_word(shown, game) and not HELP.search(shown)
            case _:
                continue
        if named:
            found.append((node.lineno, said))
    return found
