"""What plug-ins import keeps its shape: the golden file beside this one holds all of it.

Where it changes, other people's packages may break. `python -m tests.plugins.test_sdk_shape`
writes the file anew.
"""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import msgspec
from msgspec import Struct

from rookery import sdk

GOLDEN = Path(__file__).with_name("sdk_shape.txt")
MODULES = ("rookery.sdk", "rookery.sdk.bots", "rookery.sdk.dialects", "rookery.sdk.formats")
WHAT_TO_DO = """
What plug-ins import has another shape than tests/plugins/sdk_shape.txt says. Where something was
added, raise the second number of rookery.sdk.VERSION; where something went or changed its
meaning, raise the first, and only after the changelog of an earlier version has said so
(docs/plugins.md, "What stays as it is"). Then: python -m tests.plugins.test_sdk_shape
"""


def shape() -> str:
    """All names, signatures and fields, one a line."""
    lines = [f"version {sdk.VERSION}", *(line for name in MODULES for line in _module(name))]
    return "".join(f"{line}\n" for line in lines)


def _module(name: str) -> Iterator[str]:
    module = import_module(name)
    for word in sorted(module.__all__):
        yield from _thing(f"{name}.{word}", getattr(module, word))


def _thing(name: str, value: object) -> Iterator[str]:
    if isinstance(value, type):
        yield f"{name}: class of {', '.join(base.__name__ for base in value.__bases__)}"
        if issubclass(value, Struct):
            for field in msgspec.structs.fields(value):
                optional = "" if field.required else " = ..."
                yield f"{name}.{field.name}: {_type(field.type)}{optional}"
        hints = {} if issubclass(value, Struct) else inspect.get_annotations(value)
        for word, hint in hints.items():
            yield f"{name}.{word}: {_type(hint)}"
        for word, member in sorted(vars(value).items()):
            if not word.startswith("_") and inspect.isfunction(member):
                yield f"{name}.{word}{_plain(str(inspect.signature(member)))}"
    elif inspect.isfunction(value):
        yield f"{name}{_plain(str(inspect.signature(value)))}"
    else:
        yield f"{name}: {type(value).__name__}"


def _type(kind: object) -> str:
    return _plain(kind.__name__ if inspect.isclass(kind) else str(kind))


def _plain(text: str) -> str:
    """Types as every Python writes them, wherever in the house they stand."""
    short = re.sub(r"\b(?:[A-Za-z_]\w*\.)+([A-Za-z_]\w*)", r"\1", text).replace("~", "")
    short = re.sub(r"Optional\[(\w+|Literal\[[^]]*\])\]", r"\1 | None", short)
    short = re.sub(r"Union\[\w+(?:, \w+){9,}\]", "any of many", short)
    return re.sub(r"\w+(?: \| \w+){9,}", "any of many", short)


def test_what_plug_ins_import_keeps_its_shape() -> None:
    assert shape() == GOLDEN.read_text("utf-8"), WHAT_TO_DO


def test_a_shape_says_names_signatures_and_fields() -> None:
    said = shape()
    for line in ("rookery.sdk.Step.effects: ", "rookery.sdk.Game.play(", "rookery.sdk.win("):
        assert f"\n{line}" in said


if __name__ == "__main__":
    GOLDEN.write_text(shape(), "utf-8")
