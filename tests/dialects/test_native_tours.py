"""The page about tours says what is so, and leaves nothing out."""

import re
from pathlib import Path

import pytest
from msgspec.structs import asdict

from rookery.core.options import options_of
from rookery.core.tour_values import DEFAULT_ABSENT, DEFAULT_TIES, Plan
from rookery.hall.scoring.ratings import START, shown, shown_spread
from rookery.hall.scoring.standing import TIE_BREAKS
from rookery.hall.tours.formats import FORMATS
from tests.dialects.by_heart import BY_HEART

PAGE = (Path(__file__).parents[2] / "docs" / "tours.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return PAGE.partition(f"\n{title}\n")[2].partition("\n## ")[0]


def row(of: str, name: str) -> list[str]:
    """The cells of the row about this."""
    (found,) = re.findall(rf"^\| `{name}` \|(.*)\|$", section(of), re.MULTILINE)
    return [cell.strip() for cell in found.split(" | ")]


@pytest.mark.parametrize("name", Plan.__struct_fields__)
def test_every_field_of_a_plan_is_there_with_its_default(name: str) -> None:
    default = row("## The plan", name)[0]
    value = asdict(Plan("nim"))[name]
    match value:
        case bool():
            assert default == ("yes" if value else "no")
        case int() if name != "absent":
            assert default == str(value)
        case str() if name not in ("variant", "name"):
            assert default == f"`{value}`"
        case _:
            pass


def test_the_defaults_that_are_said_in_words_are_so() -> None:
    assert row("## The plan", "absent")[0] == f"{DEFAULT_ABSENT // 60_000_000} minutes"
    assert row("## The plan", "ties")[0] == ", ".join(f"`{name}`" for name in DEFAULT_TIES)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_there_with_its_options_and_bounds(name: str) -> None:
    form = FORMATS[name]
    options, sides, entrants, late, _ = row("## Formats", name)
    for option in options_of(form):
        default = str(option.default).lower()
        assert f"`{option.name}` ({default}" in options
    assert options.count("`") == 2 * len(options_of(form))
    first, last = form.sides[0], form.sides[-1]
    assert sides.startswith(str(first) if first == last else f"{first} to {last}")
    assert entrants.endswith(f"to {form.most}")
    assert late == ("yes" if form.late else "no")


def test_every_tie_break_is_there() -> None:
    table = section("## The standing").partition("### Tie-breaks")[2]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(TIE_BREAKS)


def test_formats_that_take_late_entrants_are_those_of_the_text() -> None:
    said = section("## Joining late").partition(" one may join")[0]
    late = {name for name, form in FORMATS.items() if form.late}
    assert set(re.findall(r"`(\w+)`", said)) == late


def test_a_newcomers_rating_is_the_one_of_the_text() -> None:
    assert f"{shown(START):g} ± {shown_spread(START):g}" in section("## Ratings")


def test_every_language_that_is_known_by_heart_is_there() -> None:
    assert [
        name for name in BY_HEART if f"[{name}]" not in section("## How old clients join")
    ] == []
