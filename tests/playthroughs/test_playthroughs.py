"""Whole games, move by move, are what they were when somebody last read them."""

from difflib import unified_diff

import pytest

from rookery.games import GAMES
from tests.playthroughs.games import Recorded, every_game
from tests.playthroughs.record import HERE, file_of, record

RECORDED = every_game()


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded.title)
def test_the_game_goes_as_it_is_written(recorded: Recorded) -> None:
    kept = file_of(recorded)
    written = kept.read_text(encoding="utf-8") if kept.exists() else ""
    difference = unified_diff(
        written.splitlines(), record(recorded).splitlines(), kept.name, "as played", lineterm=""
    )
    changed = "\n".join(difference)
    if changed:
        pytest.fail(
            f"{changed}\n\nIf the rules should have changed, run `make golden` and read it.",
            pytrace=False,
        )


def test_every_registered_game_has_one() -> None:
    assert {one.variant.split()[0] for one in RECORDED} == set(GAMES)


def test_every_file_is_of_a_game_still_played() -> None:
    assert set(HERE.glob("*.txt")) == {file_of(one) for one in RECORDED}
