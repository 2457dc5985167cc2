"""Laws of tags: no class can be renamed into other bytes, nor a byte change without being seen.

The golden file beside this one holds, of every kind of record, message and frame, its tag and its
fields in order, and whether it is written as an array. It names no class.
`python -m tests.laws.test_tag_laws` writes it anew.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import get_args

import msgspec.inspect as shapes
from msgspec import Struct

import rookery
from rookery.bots.programs.words import Answer, Begin, End, Quit, Turn
from rookery.clients import fish as fish_client
from rookery.clients.native import words as native_client
from rookery.core.clock import TimeControl
from rookery.core.events import LogEvent
from rookery.core.game import Effect, View
from rookery.core.intents import AnyIntent
from rookery.core.messages import Message
from rookery.core.presentation import AnyBoard
from rookery.core.tags import kinds_of
from rookery.dialects.fish import wire as fish
from rookery.dialects.native import speaking as native
from rookery.hall.hall_memory import AnyPart
from rookery.server.cluster.frames import DownItem, UpItem
from rookery.server.cluster.http_forward import HttpDown, HttpUp
from rookery.server.web.api_games import DialectList, GameList
from rookery.server.web.api_tours import FormatList

GOLDEN = Path(__file__).with_name("tags.txt")
# A plug-in's views and effects may state no tag, and have one by their names.
PLUGGED = (View, Effect)


def tagged() -> list[type[Struct]]:
    """Every class of ours that is written with a tag."""
    for module in walk_packages(rookery.__path__, "rookery."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    ours = dict.fromkeys(one for one in _below(Struct) if one.__module__.startswith("rookery."))
    return [one for one in ours if one.__struct_config__.tag is not None and one not in PLUGGED]


def _below(kind: type[Struct]) -> Iterator[type[Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def families() -> Mapping[str, tuple[type[Struct], ...]]:
    """What is read or written together, by what it is."""
    of_fish = [
        one for one in vars(fish).values() if getattr(one, "__module__", "") == fish.__name__
    ]
    return {
        "log": _kinds(LogEvent),
        "intents": _kinds(AnyIntent),
        "messages": kinds_of(Message),
        "time controls": _kinds(TimeControl),
        "boards": _kinds(AnyBoard),
        "views": _of_games(View),
        "effects": _of_games(Effect),
        "native, asked": _kinds(native.Request),
        "native, told": (native.Greeting, native.Pong),
        "native client, asks": _kinds(native_client.Request),
        "native client, hears": _kinds(native_client.Answer | native_client.Unasked),
        "fish": tuple(one for one in of_fish if _is_tagged(one)),
        "fish client": _kinds(fish_client.Message),
        "programs, told": (Begin, Turn, End, Quit),
        "programs, answer": _kinds(Answer),
        "hall's memory": _kinds(AnyPart),
        "edges, up": _kinds(UpItem),
        "edges, down": _kinds(DownItem),
        "edges, HTTP up": _kinds(HttpUp),
        "edges, HTTP down": _kinds(HttpDown),
        "API": (DialectList, GameList, FormatList),
    }


def _kinds(union: object) -> tuple[type[Struct], ...]:
    return tuple(one for one in get_args(union) if _is_tagged(one))


def _is_tagged(kind: object) -> bool:
    return (
        isinstance(kind, type)
        and issubclass(kind, Struct)
        and kind.__struct_config__.tag is not None
    )


def _of_games(kind: type[Struct]) -> tuple[type[Struct], ...]:
    return tuple(one for one in _below(kind) if one.__module__.startswith("rookery."))


def table() -> str:
    """A line for every kind of every family."""
    return "".join(
        f"{family}: {line}\n"
        for family, kinds in families().items()
        for line in sorted({_line(kind) for kind in kinds})
    )


def _line(kind: type[Struct]) -> str:
    config, shape = kind.__struct_config__, shapes.type_info(kind)
    assert isinstance(shape, shapes.StructType)
    field = "" if config.array_like or config.tag_field == "type" else f" in {config.tag_field}"
    return f"{config.tag}{field}{_written(shape, ())}"


def _written(shape: shapes.StructType, inside: tuple[type, ...]) -> str:
    """How a struct is written: its fields in order, `?` where one has a default."""
    config = shape.cls.__struct_config__
    around = "[]" if config.array_like else "{}"
    if shape.cls in inside:
        return "…"
    fields = (
        f"{one.encode_name}{'' if one.required else '?'}"
        f"{''.join(dict.fromkeys(_within(one.type, (*inside, shape.cls))))}"
        for one in shape.fields
    )
    omits = "" if config.omit_defaults or all(one.required for one in shape.fields) else " all"
    return f"{omits} {around[0]}{' '.join(fields)}{around[1]}"


def _within(shape: object, inside: tuple[type, ...]) -> Iterator[str]:
    """The structs within a field, as they are written; `<>` for those that have tags."""
    if isinstance(shape, shapes.StructType):
        yield " <>" if _is_tagged(shape.cls) else _written(shape, inside)
        return
    for part in getattr(shape, "__struct_fields__", ()):
        found = getattr(shape, part)
        for one in found if isinstance(found, Iterable) else (found,):
            if isinstance(one, shapes.Type):
                yield from _within(one, inside)


def test_every_tag_stands_in_its_own_class_statement() -> None:
    unsaid = [one.__qualname__ for one in tagged() if not _is_stated(one)]
    assert unsaid == []


def _is_stated(kind: type[Struct]) -> bool:
    """Whether the class statement has this tag, as it is."""
    stated = {word.arg: word.value for word in _statements(inspect.getfile(kind))[kind.__name__]}
    tag = stated.get("tag")
    return isinstance(tag, ast.Constant) and tag.value == kind.__struct_config__.tag


@cache
def _statements(file: str) -> dict[str, list[ast.keyword]]:
    nodes = ast.walk(ast.parse(Path(file).read_text("utf-8")))
    return {node.name: node.keywords for node in nodes if isinstance(node, ast.ClassDef)}


def test_every_tag_is_of_a_family() -> None:
    known = {kind for kinds in families().values() for kind in kinds}
    assert [one.__qualname__ for one in tagged() if one not in known] == []


def test_what_is_logged_and_told_keeps_its_bytes() -> None:
    assert table() == GOLDEN.read_text("utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(table(), "utf-8")
