"""The examples, run as the docs say: whole games over the one port of a real server."""

import subprocess
import sys
from pathlib import Path

import pytest

from rookery.core.intents import ListTables
from tests.server.process import NONE, Server, serving

EXAMPLES = Path(__file__).parents[2] / "examples"
LIMIT = 120  # seconds that no game here needs

# What each client of a game is given after host and port.
GAMES = {
    "native": (("Ann", "tictactoe"), ("Bob", "tictactoe")),
    "othello": ((), ()),
    "blackwhite": (("pl1",), ("pl2",)),
    "fish": (("ann", "8"), ("bob", "9"), ("cyd", "10"), ("dan", "11")),
    "fishcom": (("ann",), ("bob",), ("cyd",), ("dan",)),
    "bughouse": (("Ann",), ("Bob",), ("Cyd",), ("Dan",)),
}
WAITING = {"tourney"}  # its games are those of tournaments, which are not here yet


def start(name: str, server: Server, words: tuple[str, ...]) -> "subprocess.Popen[str]":
    """One client, as its page says."""
    script = EXAMPLES / f"{name}_client.py"
    return subprocess.Popen(
        [sys.executable, script, "127.0.0.1", str(server.port), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("name", GAMES)
def test_the_example_plays_a_whole_game(name: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first, *rest = GAMES[name]
        players = [start(name, server, first)]
        if name == "bughouse":  # whose first client creates the game that the others join
            looks_on = server.call()
            while looks_on.ask(ListTables()).tables == NONE:
                pass
        players += [start(name, server, words) for words in rest]
        try:
            results = [player.communicate(timeout=LIMIT) for player in players]
        finally:
            for player in players:
                player.kill()
    codes = [player.returncode for player in players]
    assert (codes, [errors for _, errors in results]) == ([0] * len(codes), [""] * len(codes))
    assert all(said.strip() for said, _ in results), "each says how it ended"


def test_every_dialect_has_an_example_and_every_example_is_run() -> None:
    assert {path.name.removesuffix("_client.py") for path in EXAMPLES.glob("*.py")} == set(
        GAMES
    ) | WAITING
