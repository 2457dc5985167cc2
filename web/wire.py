"""Writes `src/wire.ts`: the types of the server's own words, as the page reads them.

They are taken from the structs that the server writes its answers from, so that the page and
the server cannot mean different things by one word. `make page` runs this first; a test says
when the file is older than the structs. `python wire.py` writes it, `--print` shows it.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

from msgspec import Struct, inspect

from rookery.core.events import PublicEvent, PublicTourEvent
from rookery.core.game import AnyEffect, AnyView, Effect, View
from rookery.core.ids import Status, TourStatus
from rookery.core.manners import Words
from rookery.core.messages import (
    Blocks,
    Happened,
    LobbyCleared,
    LobbyHeard,
    LobbySaid,
    MatchLine,
    Notice,
    PlayerLine,
    Refused,
    Shown,
    TableLine,
    TourNews,
    TourShown,
)
from rookery.core.options import Option
from rookery.core.presentation import AnyBoard
from rookery.core.tour_values import Row, TourLine
from rookery.dialects.native.speaking import Greeting
from rookery.server.web.api_games import ListedDialect, ListedGame
from rookery.server.web.api_positions import Analysis, Taught, TaughtPosition, Tryout
from rookery.server.web.api_tours import ListedFormat
from rookery.server.web.history import Moment
from rookery.server.web.openapi import called

FILE: Final = Path(__file__).with_name("src") / "wire.ts"

HEAD: Final = """\
// The words of the server: what the native dialect and the API say, as far as the page reads it.
// Times are microseconds, seats count from 0. Written by web/wire.py from the server's own types:
// what is changed here is lost at the next `make page`.

/** A board as a viewer may see it, in its game's own words. */
export interface View {
  type: string;
}

/** What a move did besides, likewise. */
export interface Effect {
  type: string;
  [field: string]: unknown;
}
"""

# What the page reads; what these speak of follows.
ROOTS: Final[tuple[type[Struct], ...]] = (
    TableLine,
    Moment,
    Happened,
    Notice,
    Refused,
    ListedGame,
    ListedDialect,
    ListedFormat,
    PlayerLine,
    Shown,
    Greeting,
    TourShown,
    TourNews,
    MatchLine,
    Analysis,
    Tryout,
    Taught,
    LobbyHeard,
    LobbySaid,
    LobbyCleared,
    Blocks,
)

# What the page calls by a name of its own.
CALLED: Final[dict[type, str]] = {
    Happened: "TableNews",
    ListedGame: "GameLine",
    ListedDialect: "DialectLine",
    ListedFormat: "FormatLine",
    Greeting: "Hello",
    Option: "GameOption",
    Row: "StandingRow",
    Status: "Status",
    TourStatus: "TourStatus",
    Words: "DialectWords",
    View: "View",
    AnyView: "View",
    Effect: "Effect",
    AnyEffect: "Effect",
}

# Any: a union of structs is no type of Python's.
UNIONS: Final[dict[str, Any]] = {
    "TableEvent": PublicEvent,
    "TourEvent": PublicTourEvent,
    "DeclaredBoard": AnyBoard,
}

# Fields that the server writes as they come from a game, or adds to a struct as it writes it.
OPEN: Final[dict[tuple[type, str], type | str]] = {
    (TableLine, "status"): Status,
    (TourLine, "status"): TourStatus,
    (Moment, "effects"): "Effect[]",
    (Moment, "view"): "View | null",
    (Happened, "view"): "View | null",
    (Tryout, "view"): "View",
    (TaughtPosition, "view"): "View",
    (TaughtPosition, "after"): "Record<string, View>",
}


class Writer:
    """The types in the order in which they are first spoken of."""

    def __init__(self) -> None:
        self._written: dict[str, str] = {}
        self._unions = {frozenset(get_args(union)): name for name, union in UNIONS.items()}

    def file(self) -> str:
        """The whole of it."""
        for root in ROOTS:
            self._text(inspect.type_info(root))
        return "\n".join([HEAD, *self._written.values()])

    def _named(self, kind: type, told: inspect.Type) -> str:
        """What a struct or an enum is called here; it is written when it is first asked for."""
        name = CALLED.get(kind) or called(kind.__name__)
        if name not in self._written and name not in ("View", "Effect"):
            self._written[name] = ""  # before its fields: a struct may speak of itself
            said = f"/** {(kind.__doc__ or '').strip().partition(chr(10))[0]} */"
            match told:
                case inspect.StructType():
                    lines = [f"export interface {name} {{", *self._fields(kind, told), "}"]
                case _:
                    values = " | ".join(f'"{one.value}"' for one in kind)  # type: ignore[attr-defined]
                    lines = [f"export type {name} = {values};"]
            self._written[name] = "\n".join([said, *lines, ""])
        return name

    def _fields(self, kind: type, told: inspect.StructType) -> Iterator[str]:
        """A line a field, and a line for each that is added as it is written."""
        if told.tag is not None:
            yield f'  {told.tag_field}: "{told.tag}";'
        omits = kind.__struct_config__.omit_defaults  # type: ignore[attr-defined]
        fields = {field.encode_name: field for field in told.fields}
        for name, field in fields.items():
            left_out = "?" if omits and not field.required else ""
            yield f"  {name}{left_out}: {self._opened(kind, name) or self._text(field.type)};"
        for whose, name in OPEN:
            if whose is kind and name not in fields:
                yield f"  {name}: {self._opened(kind, name)};"

    def _opened(self, kind: type, field: str) -> str:
        found = OPEN.get((kind, field), "")
        return found if isinstance(found, str) else self._named(found, inspect.type_info(found))

    def _union(self, types: tuple[inspect.Type, ...]) -> str:
        """A union by its name, where it has one."""
        name = self._unions.get(frozenset(getattr(one, "cls", None) for one in types))
        if name in self._written:
            return name
        if name is not None:
            self._written[name] = ""
        text = " | ".join(dict.fromkeys(self._text(one) for one in types))
        if name is None:
            return text
        self._written[name] = f"export type {name} = {text};\n"
        return name

    def _text(self, told: inspect.Type) -> str:
        match told:
            case inspect.StructType(cls=kind) | inspect.CustomType(cls=kind):
                return self._named(kind, told)
            case inspect.EnumType(cls=kind):
                return self._named(kind, told)
            case inspect.UnionType(types=types):
                return self._union(types)
            case inspect.LiteralType(values=values):
                return " | ".join(map(json.dumps, values))
            case inspect.TupleType(item_types=items):
                return f"[{', '.join(self._text(one) for one in items)}]"
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                text = self._text(item)
                return f"({text})[]" if "|" in text else f"{text}[]"
            case inspect.DictType(value_type=value):
                return f"Record<string, {self._text(value)}>"
            case _:
                return _PLAIN[type(told)]


_PLAIN: Final[dict[type[inspect.Type], str]] = {
    inspect.AnyType: "unknown",
    inspect.BoolType: "boolean",
    inspect.FloatType: "number",
    inspect.IntType: "number",
    inspect.NoneType: "null",
    inspect.StrType: "string",
}


if __name__ == "__main__":
    if "--print" in sys.argv:
        sys.stdout.write(Writer().file())
    else:
        FILE.write_text(Writer().file(), encoding="utf-8")
