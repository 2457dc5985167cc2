"""One whole game, played by processes over a real socket, that several tests look at."""

from pathlib import Path

import pytest
from msgspec import Struct

from tests.cli.processes import Process, serving, stop


class Story(Struct, frozen=True):
    """The folder of the server's log, and what everyone saw."""

    folder: Path
    ann: str
    bob: str
    watcher: str
    late: str  # one who came to watch when it was over
    replayed: str  # by asking the server
    codes: tuple[int, ...]


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """Ann wins at tic-tac-toe against bob, after a move that was none; somebody watches."""
    folder = tmp_path_factory.mktemp("story")
    with serving(folder) as (server, port):
        at = f"127.0.0.1:{port}"
        game = ("play", "tictactoe", "--time", "5m+3s", "--at", at)
        with Process(*game, "--name", "ann") as ann:
            ann.type_all("0", "9", "1", "2")
            ann.until("You sit at table 1 as X.")
            with Process("watch", "1", "--at", at) as watcher:
                watcher.until("O  (free)")
                with Process(*game, "--name", "bob") as bob:
                    bob.type_all("3", "4")
                    codes = (ann.end(), bob.end(), watcher.end())
        with (
            Process("watch", "1", "--at", at) as late,
            Process("replay", "1", "--at", at) as replayed,
        ):
            all_codes = (*codes, late.end(), replayed.end())
        stop(server)
    return Story(folder, ann.said, bob.said, watcher.said, late.said, replayed.said, all_codes)
