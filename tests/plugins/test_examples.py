"""The games of `examples/games` in the hall: a whole tour of each is played, rated and stored."""

import re
from pathlib import Path

import pytest

from rookery.core.tour_values import Plan
from rookery.plugins import load
from rookery.verify.log import check_log
from tests.hall.contest import Contest, house_of_tours

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
LINES_MAX = 250


@pytest.mark.parametrize(
    ("game", "options", "seats", "form", "matches"),
    [
        ("connect_four", "", 2, "round_robin", 6),
        ("connect_four", "rows=4 cols=5", 2, "swiss rounds=2", 4),
        ("agram", "", 2, "round_robin legs=2", 12),
        ("agram", "", 4, "groups", 1),
        ("yavalath", "", 2, "round_robin", 6),
        ("yavalath", "side=4", 3, "groups", 3),
    ],
)
def test_a_tour_of_an_example_is_played_to_its_end(
    game: str, options: str, seats: int, form: str, matches: int
) -> None:
    (found,) = load([EXAMPLES / game / f"{game}.py"])
    assert not found.problem
    plan = Plan(f"{game} {options}".strip(), form, time="none", seats=seats)
    one = Contest(house_of_tours(), plan)
    one.join("ann", "bob", "cid", "dot", *(("eve", "fay") if seats == 3 else ()))
    one.start()
    one.play_on()
    assert one.status == "ended"
    assert len(one.results()) == matches
    assert sum(row.points for row in one.shown().standing) > 0
    assert list(check_log(one.house.log)) == []


@pytest.mark.parametrize("game", ["connect_four", "agram", "yavalath"])
def test_an_example_is_short_and_imports_nothing_of_rookery_but_the_kit(game: str) -> None:
    text = (EXAMPLES / game / f"{game}.py").read_text("utf-8")
    assert len(text.splitlines()) < LINES_MAX
    assert re.findall(r"^(?:from|import) rookery\S*", text, re.MULTILINE) == ["from rookery.sdk"]
