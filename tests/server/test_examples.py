"""The examples, run as the docs say: whole games over the one port of a real server."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which

import pytest

from rookery.core.intents import ListTables
from tests.server.process import NONE, Server, serving

EXAMPLES = Path(__file__).parents[2] / "examples"
LIMIT = 300  # seconds that no game here needs, on a busy machine

# What each client of a game is given after host and port.
GAMES = {
    "native": (("Ann", "tictactoe"), ("Bob", "tictactoe")),
    "othello": ((), ()),
    "blackwhite": (("pl1",), ("pl2",)),
    "fish": (("ann", "8"), ("bob", "9"), ("cyd", "10"), ("dan", "11")),
    "fishcom": tuple((f"player{n}",) for n in range(10)),  # so many start at once
    "bughouse": (("Ann",), ("Bob",), ("Cyd",), ("Dan",)),
    "tourney": (("Ann",), ("Bob",)),
}


def start(
    name: str, server: Server, words: tuple[str, ...], *, runs: str = sys.executable
) -> "subprocess.Popen[str]":
    """One client, as its page says."""
    script = EXAMPLES / f"{name}_client.{'py' if runs == sys.executable else 'js'}"
    return subprocess.Popen(
        [runs, script, "127.0.0.1", str(server.port), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Owner:
    """Whoever owns the tournament that the tourney clients play; no part of the example."""

    def __init__(self, port: int) -> None:
        self._calls = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self._wire = self._calls.makefile(encoding="utf-8")

    def ask(self, line: str) -> str:
        """Say a line, and read its answer."""
        self.say(line)
        return self._wire.readline().rstrip("\n")

    def say(self, line: str) -> None:
        """Say a line that has no answer."""
        self._calls.sendall(f"{line}\n".encode())

    def see_it_through(self) -> None:
        """Start when two have joined, and end it when all is played."""
        while "," not in self.ask("@TOUR:REPORT"):
            pass
        self.say("@TOUR:START")
        while " 0 matches" not in self.ask("@TOUR:MATCHES LEFT"):
            pass
        self.say("@TOUR:END")

    def close(self) -> None:
        """Hang up."""
        self._wire.close()
        self._calls.close()


@contextmanager
def owning(server: Server) -> Iterator[Owner]:
    """A tournament of nim, to be joined."""
    owner = Owner(server.port)
    try:
        assert owner.ask("@NEW PLAYER") == "@PID:1"
        assert owner.ask("@TOUR:CREATE:NIM") == "@TID:1"
        yield owner
    finally:
        owner.close()


@pytest.mark.parametrize("name", GAMES)
def test_the_example_plays_a_whole_game(name: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server, ExitStack() as stack:
        owner = stack.enter_context(owning(server)) if name == "tourney" else None
        first, *rest = GAMES[name]
        players = [start(name, server, first)]
        if name == "bughouse":  # whose first client creates the game that the others join
            looks_on = server.call()
            while looks_on.ask(ListTables()).tables == NONE:
                pass
        players += [start(name, server, words) for words in rest]
        try:
            if owner is not None:
                owner.see_it_through()
            results = [player.communicate(timeout=LIMIT) for player in players]
        finally:
            for player in players:
                player.kill()
    codes = [player.returncode for player in players]
    assert (codes, [errors for _, errors in results]) == ([0] * len(codes), [""] * len(codes))
    assert all(said.strip() for said, _ in results), "each says how it ended"


@pytest.mark.skipif(which("node") is None, reason="There is no node to run JavaScript with.")
def test_programs_in_two_languages_play_a_tournament(tmp_path: Path) -> None:
    with serving(tmp_path) as server, owning(server) as owner:
        players = [
            start("tourney", server, ("Ann",)),
            start("tourney", server, ("Bob",), runs="node"),
        ]
        try:
            owner.see_it_through()
            results = [player.communicate(timeout=LIMIT) for player in players]
        finally:
            for player in players:
                player.kill()
    assert [errors for _, errors in results] == ["", ""]
    assert [said.split()[1:] for said, _ in results] == [["of", "2", "won"]] * 2


def test_every_dialect_has_an_example_and_every_example_is_run() -> None:
    assert {path.name.removesuffix("_client.py") for path in EXAMPLES.glob("*.py")} == set(GAMES)
