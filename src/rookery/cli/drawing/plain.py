"""Any game's view as text: its fields, a line each, and lists of lines as the boards they are."""

from collections.abc import Sequence

from msgspec.structs import asdict
from rich.text import Text

from rookery.core.game import AnyView, View


def draw_plain(view: AnyView, fields: Sequence[str] = ()) -> Text:
    """Draw the view's fields as lines, in the order the game has them; or only these fields."""
    assert isinstance(view, View), "what a game shows is a view"
    told = asdict(view)
    wanted = [name for name in fields or told if name in told]
    return Text("\n".join(_field(name, told[name]) for name in wanted))


def row_text(value: object) -> str:
    """A value as one line of text."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(str, value))
    return "-" if value is None else str(value)


def _field(name: str, value: object) -> str:
    if isinstance(value, Sequence) and value and not isinstance(value, str):
        rows = [row_text(one) for one in value]
        if all(isinstance(one, str) or len(row) > 1 for one, row in zip(value, rows, strict=True)):
            return "\n".join([f"{name}:", *(f"  {row}" for row in rows)])
    return f"{name}: {row_text(value)}"
