"""`rookery laws`: what holds is ticked, and what does not is shown so that it can be done again."""

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.plugins.toys import own_registries, toy


def test_every_law_is_told_in_a_sentence_with_how_much_was_looked_at() -> None:
    done = run("laws", "tictactoe", "--effort", "quick")
    assert done.exit_code == 0
    assert "✓ Every legal move is accepted. (" in done.output
    assert "The bot tictactoe" in done.output
    assert "laws, all hold, in " in done.output


def test_options_of_a_game_are_given_as_everywhere() -> None:
    done = run("laws", "nim", "-o", "sticks=3,2", "--only", "game", "--effort", "quick")
    assert done.exit_code == 0


def test_a_dialect_is_tried_too() -> None:
    done = run("laws", "othello", "--effort", "quick")
    assert done.exit_code == 0
    assert "✓ Input is read the same however it is cut. (40 speeches)" in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "There is no game or dialect 'chess'"),
        (["othello", "--only", "game"], "There is no game othello."),
        (["nim", "-o", "size=3"], "The game nim has no option 'size'"),
    ],
)
def test_what_there_is_not_is_refused_in_a_sentence(words: list[str], said: str) -> None:
    done = run("laws", *words)
    assert done.exit_code == 2
    assert said in done.output


def test_a_game_in_a_file_that_breaks_a_law_is_shown_with_what_breaks_it(tmp_path: Path) -> None:
    file = toy(tmp_path, ("range(1, min(2, state.heap) + 1)", "range(1, 3)"))
    with own_registries():
        done = run("laws", "heap", "--with", str(file), "--only", "game")
    assert done.exit_code == 1
    told = done.output[done.output.index("✗ Every legal move") :].splitlines()
    assert told[0] == "✗ Every legal move is accepted. It does not:"
    assert told[2].split() == ["seed:", "2"]
    assert told[3].split(None, 1)[1].startswith("near ")
    assert "legal_moves lists 2 for" in told[5]
    assert told[6].split(None, 1) == ["came:", "play said: One takes one or two."]
