"""A server with a tour on it, and the commands that its organiser gives."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.entrants import GAME
from tests.cli.processes import Process, serving
from tests.cli.running import run


class Venue:
    """A running server, and the organiser at a shell on the same machine."""

    def __init__(self, server: Process, port: int, folder: Path) -> None:
        self.server = server
        self.port = port
        self.flags = ("--at", f"127.0.0.1:{port}", "--data", str(folder))

    def does(self, *words: str) -> str:
        """What `rookery tour WORDS` says, which must go well."""
        done = run("tour", *words, *self.flags)
        assert (done.stderr, done.exit_code) == ("", 0), done.stderr
        return done.stdout

    def fails(self, *words: str) -> str:
        """The one sentence of such a command, which must go wrong."""
        done = run("tour", *words, *self.flags)
        assert (done.stdout, done.exit_code) == ("", 2), done.stdout + done.stderr
        assert done.stderr.startswith("Error: ")
        assert done.stderr.count("\n") == 1
        return done.stderr.removeprefix("Error: ").rstrip("\n")

    def create(self, *words: str, game: str = GAME) -> str:
        """Open a tour; its code."""
        return code_in(self.does("create", "--game", game, *words))

    def process(self, *words: str) -> Process:
        """Such a command that goes on while the test does."""
        return Process("tour", *words, *self.flags)


@contextmanager
def venue(folder: Path, port: int = 0) -> Iterator[Venue]:
    """A server with its log in this folder."""
    with serving(folder, port) as (server, at):
        yield Venue(server, at, folder)


def code_in(said: str) -> str:
    """The join code that was printed."""
    found = re.search(r"Its code is (\w+)\.", said)
    assert found is not None, said
    return found[1]
