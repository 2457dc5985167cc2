"""The table of how strong the levels are."""

from rookery_tools.strength.levels import LevelStep, MeasuredStep, markdown


def test_the_games_in_the_table_are_those_that_its_score_is_of() -> None:
    row = markdown([MeasuredStep(LevelStep("nim", 2), (1, 0, 2, 0, 4))]).splitlines()[-1]
    assert row.startswith("| nim | 2 – 1 | 14 | 71% |")
