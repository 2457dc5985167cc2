"""Where code names a dialect: which only its folder, the registry and its clients may do."""

import ast
import re
from collections.abc import Mapping
from functools import cache

from rookery.core.manners import OWN
from rookery.games import GAMES
from tests.sources import hits, name_of, nodes, page_sources, parse_text

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


def named_elsewhere(name: str, sources: Mapping[str, str]) -> list[str]:
    """Where these sources, by their names, name a dialect and may not."""
    known = (*OF_DIALECTS, *CLIENTS, f"src/rookery/dialects/{name}/")
    return [
        f"{source}:{line}: {said}"
        for source, text in sources.items()
        if not source.startswith(known) and name in text.lower()
        for line, said in mentions(parse_text(text), name)
        # Another language may have such a word of its own.
        if said.startswith("rookery.") or "/dialects/" not in source
    ]


def named_on_the_page(name: str) -> list[str]:
    """Where the page names a dialect, but in comments."""
    sources = [path for path in page_sources() if name_of(path).startswith("web/src/")]
    return hits(re.compile(rf"^(?!\s*(//|\*|/\*)).*\b{name}\b", re.IGNORECASE), sources)


def mentions(tree: ast.Module, dialect: str) -> list[tuple[int, str]]:
    """Where code names this dialect: imports, and where no game is called so names and texts."""
    inside = f"rookery.dialects.{dialect}"
    passed = documentation(tree)
    found = []
    for node in speaking(tree):
        match node:
            case ast.ImportFrom(module=str(said)):
                named = dialect != OWN and f"{said}.".startswith(f"{inside}.")
            case ast.Constant(value=str(said)):
                named = dialect not in GAMES and node not in passed and has_word(said, dialect)
            case ast.Name(id=said) | ast.Attribute(attr=said) | ast.FunctionDef(name=said):
                named = dialect not in GAMES and has_word(said, dialect)
            case _:
                continue
        if named:
            found.append((node.lineno, said))
    return found


@cache
def speaking(tree: ast.Module) -> tuple[Speaking, ...]:
    """Where it has a name or a text in it."""
    return tuple(node for node in nodes(tree) if isinstance(node, Speaking))


@cache
def documentation(tree: ast.Module) -> set[ast.AST]:
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


def has_word(said: str, word: str) -> bool:
    """Whether this is one of the words it is made of."""
    return word in _words(said)


@cache
def _words(said: str) -> frozenset[str]:
    return frozenset(re.split(r"[^a-z]+", said.lower()))
