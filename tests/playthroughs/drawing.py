"""Any value of any game as short text that a person can check by eye.

A view is drawn field by field, a tuple of texts as a board of rows. What is new in a
game needs no code here.
"""

import msgspec
from msgspec import Struct

from rookery.core.game import Aside, Effect, View


def draw_view(view: View, beside: View | None = None) -> list[str]:
    """One line a field, a line a row for a board; only what differs from the one beside it."""
    lines = []
    known = msgspec.structs.asdict(beside) if beside is not None else {}
    fields = msgspec.structs.asdict(view)
    width = max(map(len, fields), default=0)
    for name, value in fields.items():
        if name in known and known[name] == value:
            continue
        first, *more = _rows(value) or ["-"]
        lines.append(f"    {name:<{width}}  {first}".rstrip())
        lines += [f"    {'':<{width}}  {row}".rstrip() for row in more]
    return lines


def draw_effects(effects: tuple[Effect | Aside, ...]) -> str:
    """All of them on one line, the same kinds together."""
    parts: list[str] = []
    last = ""
    for effect in effects:
        kind, value = _effect(effect)
        if kind == last:
            parts[-1] += f" {value}"
        else:
            parts.append(f"{kind} {value}".rstrip())
        last = kind
    return "; ".join(parts)


def _effect(effect: Effect | Aside) -> tuple[str, str]:
    if isinstance(effect, Aside):
        kind, value = _effect(effect.effect)
        return f"to seat {effect.seat}: {kind}", value
    value = ",".join(_short(part) for part in msgspec.structs.astuple(effect))
    return str(effect.__struct_config__.tag), value


def _rows(value: object) -> list[str]:
    match value:
        case tuple() if any(_is_row(part) for part in value):
            return [_short(part) for part in value]
        case dict():
            return [f"{_short(key)}: {_short(part)}" for key, part in value.items()]
        case _:
            return [_short(value)]


def _is_row(part: object) -> bool:
    return isinstance(part, tuple | Struct) or (isinstance(part, str) and len(part) > 1)


def _short(value: object) -> str:
    match value:
        case None | "":
            return "-"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return " ".join(_inner(part) for part in value) or "-"
        case frozenset():
            return " ".join(sorted(_inner(part) for part in value)) or "-"
        case Struct():
            return " ".join(_inner(part) for part in msgspec.structs.astuple(value)) or "-"
        case _:
            return str(value)


def _inner(value: object) -> str:
    """Inside a line of several, what has several parts itself goes in brackets."""
    text = _short(value)
    return f"[{text}]" if isinstance(value, tuple | frozenset | Struct) else text
