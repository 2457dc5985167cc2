"""Rules that break while programs meet: that game ends, or the match does, with a sentence."""

from pathlib import Path

import pytest

from rookery.core.events import Ended
from rookery.plugins import load
from tests.arena.matches import log_of, play, setup
from tests.cli.running import run_process
from tests.plugins.test_broken import LATE
from tests.plugins.toys import raising, toy

FAILED = "The rules of heap failed, so this game is over and nobody has won."


@pytest.mark.parametrize("word", ["view", "legal_moves", "format_move"])
def test_rules_that_cannot_ask_a_player_end_that_game(tmp_path: Path, word: str) -> None:
    when = "move == 2" if word == "format_move" else LATE
    load([toy(tmp_path, raising(word, when=when))])
    found = play(setup("level1", "1", variant="heap", games=2), tmp_path)
    assert found.status == "played"
    ends = [one.event for one in log_of(tmp_path) if isinstance(one.event, Ended)]
    assert [end.outcome.reason for end in ends] == [FAILED] * 2


def test_a_board_that_the_rules_cannot_show_is_replayed_with_the_reason(tmp_path: Path) -> None:
    file = toy(tmp_path, raising("view", when=LATE))
    load([file])
    play(setup("level1", "1", variant="heap", games=2), tmp_path)
    done = run_process("replay", "1", "--with", str(file), "--data", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "The rules of heap failed to show this: ZeroDivisionError('oh')." in done.stdout


def test_rules_that_never_end_stop_the_match_and_not_its_command(tmp_path: Path) -> None:
    endless = toy(tmp_path, raising("play", when="any(iter(lambda: False, True))"))
    words = ("match", "1", "1", "--with", str(endless), "--game", "heap", "--games", "2")
    done = run_process(*words, "--out", str(tmp_path / "log"))
    assert done.returncode == 2
    assert (
        "The game heap is out of use: its rules did not come to an end at a table." in done.stderr
    )
