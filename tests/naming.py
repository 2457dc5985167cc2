"""Where code names a dialect: which only its folder, the registry and its clients may do."""

import ast
import re
from collections.abc import Mapping
from functools import cache

from rookery.core.manners import OWN
from rookery.games import GAMES
from tests.sources import Function, hits, name_of, nodes, page_sources, parse_text

Speaking = (
    *(ast.ImportFrom, ast.Import, ast.Constant, ast.Name, ast.Attribute, ast.arg, ast.keyword),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
)

# Where a dialect may be called by its name: its folder, the registry, what says which is the
# house's own, and the clients, each of which speaks one.
OF_DIALECTS = ("src/rookery/dialects/__init__.py", "src/rookery/core/manners.py")
CLIENTS = (
    "tools/rookery_tools/bench/hostile/floods.py",
    "tools/rookery_tools/bench/languages/",
    "src/rookery/cli/bot/",
    "tools/rookery_tools/crashtest/clients/player_groups.py",
    "src/rookery/clients/",
    "tools/rookery_tools/sim/clients/",
    "tools/rookery_tools/sim/script.py",
    "tools/rookery_tools/sim/observer/",
)
# Modules of these are called by a dialect.
ROOMS = ("rookery.dialects", "rookery.clients", "rookery.cli.bot")
# What anybody may have of the house's own language: its client, and its words.
HOUSES_OWN = (f"rookery.dialects.{OWN}", f"rookery.clients.{OWN}", f"{OWN.capitalize()}Client")
EXAMPLES = "_EXAMPLES"  # lines to try, under a command's help
UNDER_HELP = "\n    Examples:\n"  # … or at the end of it


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
    """Where code names this dialect; if a game is called so too, where that cannot be meant."""
    found: list[tuple[int, str]] = []
    for node in speaking(tree):
        match node:
            case ast.ImportFrom(module=str(said), names=aliases):
                names = [f"{said}.{one.name}" for one in aliases if one.name == dialect]
                names += [said, *(one.asname for one in aliases if one.asname)]
            case ast.Import(names=aliases):
                names = [name for one in aliases for name in (one.name, one.asname) if name]
            case ast.Constant(value=str() | bytes() as value):
                said = value.decode(errors="replace") if isinstance(value, bytes) else value
                names = [before_examples(said)] if node not in documentation(tree) else []
            case ast.Name(id=said) | ast.Attribute(attr=said) | ast.arg(arg=said):
                names = [said]
            case ast.keyword(arg=str(said)):
                names = [said]
            case ast.FunctionDef(name=said) | ast.AsyncFunctionDef(name=said):
                names = [said]
            case ast.ClassDef(name=said):
                names = [said]
            case _:
                continue
        spoken = node in of_dialects(tree)
        found += [(node.lineno, one) for one in names if _names(one, dialect, spoken=spoken)]
    return found


def _names(said: str, dialect: str, *, spoken: bool) -> bool:
    """Whether this names the dialect: a module of it, or a word where no game is meant by it."""
    if dialect == OWN and said.startswith(HOUSES_OWN):
        return False
    if f"{said}.".startswith(tuple(f"{room}.{dialect}." for room in ROOMS)):
        return True
    return (dialect not in GAMES or spoken) and has_word(said, dialect)


@cache
def speaking(tree: ast.Module) -> tuple[ast.expr | ast.stmt | ast.arg | ast.keyword, ...]:
    """Where it has a name or a text in it."""
    return tuple(node for node in nodes(tree) if isinstance(node, Speaking))


@cache
def of_dialects(tree: ast.Module) -> set[ast.AST]:
    """The texts that are given, kept or compared as a dialect."""
    found: set[ast.AST] = set()
    for node in nodes(tree):
        match node:
            case ast.keyword(arg="dialect", value=value):
                found |= _texts(value)
            case ast.Assign(targets=[target], value=value) if _is_dialect(target):
                found |= _texts(value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_dialect(target):
                found |= _texts(value)
            case ast.Compare(left=left, comparators=sides) if any(map(_is_dialect, (left, *sides))):
                found |= _texts(left).union(*map(_texts, sides))
            case ast.Match(subject=subject, cases=cases) if _is_dialect(subject):
                found |= set().union(*(_texts(case.pattern) for case in cases))
            case ast.arguments(args=args, defaults=defaults):
                pairs = zip(args[len(args) - len(defaults) :], defaults, strict=True)
                found |= set().union(*(_texts(at) for one, at in pairs if one.arg == "dialect"))
            case _:
                pass
    return found


def _is_dialect(node: ast.AST) -> bool:
    match node:
        case ast.Name(id="dialect") | ast.Attribute(attr="dialect"):
            return True
        case _:
            return False


def _texts(node: ast.AST) -> set[ast.AST]:
    """The texts in it: one, or those of a tuple, a set or a choice."""
    return {one for one in ast.walk(node) if isinstance(one, ast.Constant)}


@cache
def documentation(tree: ast.Module) -> set[ast.AST]:
    """The texts that are for readers of the code, and the examples of commands."""
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
    return found - _help(tree)


def _help(tree: ast.Module) -> set[ast.AST]:
    """The docstrings that people are shown: those of commands."""
    functions = [node for node in nodes(tree) if isinstance(node, Function)]
    commands = [one for one in functions if any(map(_makes_command, one.decorator_list))]
    return {first.value for one in commands if isinstance(first := one.body[0], ast.Expr)}


def _makes_command(decorator: ast.expr) -> bool:
    made = decorator.func if isinstance(decorator, ast.Call) else decorator
    match made:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in ("command", "group")
        case _:
            return False


def before_examples(said: str) -> str:
    """A text without the lines to try at its end, which may name anything."""
    return said.partition(UNDER_HELP)[0]


def has_word(said: str, word: str) -> bool:
    """Whether this is one of the words it is made of."""
    return word in _words(said)


@cache
def _words(said: str) -> frozenset[str]:
    """The words of a text or a name, and each two of a `CamelCase` name as one."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", said)
    words = re.split(r"[^a-z]+", said.lower()) + [part.lower() for part in parts]
    camel = re.findall(r"(?=([A-Z][a-z]+)([A-Z][a-z]+))", said)
    return frozenset([*words, *("".join(pair).lower() for pair in camel)])
