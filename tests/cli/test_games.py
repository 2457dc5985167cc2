"""`rookery games` lists what is registered, for people and for programs."""

import os
import pty
import subprocess
import sys

import msgspec
import pytest

from rookery.cli.commands.games import Listed, seats_text
from rookery.core.options import options_of
from rookery.games import GAMES
from tests.cli.running import run, run_process


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_listed_with_its_seats_and_options(name: str) -> None:
    lines = run("games").output.splitlines()
    at = next(n for n, line in enumerate(lines) if line.split()[:1] == [name])
    assert seats_text(tuple(GAMES[name].seat_counts)) in lines[at]
    for below, option in enumerate(options_of(GAMES[name]), 1):
        setting, _, description = lines[at + below].strip().partition(" ")
        assert setting == f"{option.name}={option.default}"
        assert description.strip() == option.description


def test_every_game_says_in_a_sentence_what_it_is() -> None:
    games = msgspec.json.decode(run("games", "--json").output, type=tuple[Listed, ...])
    assert [game.name for game in games if not game.summary.endswith(".")] == []


def test_json_has_every_game_its_seats_and_its_options() -> None:
    games = msgspec.json.decode(run("games", "--json").output, type=tuple[Listed, ...])
    assert [game.name for game in games] == list(GAMES)
    reversi = next(game for game in games if game.name == "reversi")
    assert reversi.seats == (2,)
    assert [(option.name, option.default) for option in reversi.options] == [
        ("size", "8"),
        ("opening", "0"),
    ]


def test_a_pipe_gets_plain_text() -> None:
    assert "\x1b" not in run_process("games", env={"TERM": "xterm-256color"}).stdout


def test_a_terminal_gets_colours_unless_the_reader_wants_none() -> None:
    assert "\x1b" in _on_a_terminal({"NO_COLOR": ""})
    assert "\x1b" not in _on_a_terminal({"NO_COLOR": "1"})


def test_a_range_of_seats_is_written_as_one() -> None:
    assert seats_text((2,)) == "2 seats"
    assert seats_text((2, 3, 4)) == "2 to 4 seats"


def _on_a_terminal(env: dict[str, str]) -> str:
    """What `rookery games` writes to a terminal; little enough for its buffer."""
    ours, theirs = pty.openpty()
    plain = {"TERM": "xterm-256color", "COLUMNS": "80", "PATH": os.environ.get("PATH", "")}
    try:
        subprocess.run(
            [sys.executable, "-m", "rookery", "games"],
            stdin=theirs,
            stdout=theirs,
            env={**plain, **env},
            check=True,
        )
        return os.read(ours, 1 << 16).decode()
    finally:
        os.close(theirs)
        os.close(ours)
