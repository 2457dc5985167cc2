"""`rookery connect` as processes: people at terminals who play on a real server."""

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.cli.processes import Process, serving
from tests.cli.running import run

SMALL_ICE = "[listen.fish]\nport = 0\nplayers = 2\nrows = 5\ncols = 2\nfish = 2\n"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all of them."""
    with serving(tmp_path_factory.mktemp("connect")) as (_, port):
        yield f"127.0.0.1:{port}"


@contextmanager
def people(dialect: str, at: str, *names: str) -> Iterator[tuple[Process, ...]]:
    """These people, all connected to this server."""
    with ExitStack() as stack:
        calls = [("connect", dialect, "--at", at, "--name", name) for name in names]
        yield tuple(stack.enter_context(Process(*words)) for words in calls)


def test_two_people_play_othello_and_one_leaves(at: str) -> None:
    with people("othello", at, "ann", "bob") as (ann, bob):
        ann_is_black = "black" in ann.until("You are")
        black, white = (ann, bob) if ann_is_black else (bob, ann)
        black.until("It's your turn.")
        black.type("d3")
        white.until("It's your turn.")
        assert " 3  . . . X . . . . 3" in white.said
        white.type("quit")
        assert black.until("win").endswith("You win.\n")


def test_two_people_play_blackwhite_and_one_resigns(at: str) -> None:
    with people("blackwhite", at, "pl1") as (pl1,):
        pl1.until("pl1 entered room")
        with people("blackwhite", at, "pl2") as (pl2,):
            pl1.until("it's your turn")
            pl2.until("it's pl1's turn")
            pl1.type("[5,6]")
            pl1.until("play f7 & reverse [5,5]")
            pl2.until("it's your turn")
            pl2.type("resign")
            pl1.until("pl1 wins")
            pl2.until("pl1 wins")


def test_two_people_play_a_whole_game_of_fish(tmp_path: Path) -> None:
    settings = tmp_path / "rookery.toml"
    settings.write_text(SMALL_ICE)
    with serving(tmp_path, 0, "--config", str(settings)) as (server, _):
        port = server.until("fish alone: ").rpartition(":")[2].strip()
        with (
            people("fish", f"127.0.0.1:{port}", "bob") as (bob,),
            Process("connect", "fish", "--at", f"127.0.0.1:{port}", "--age", "8") as ann,
        ):
            for row in range(4):
                for col, person in enumerate((ann, bob)):
                    person.until("It's your turn.")
                    person.type(f"{row},{col}")
            for move in ("3,0-4,1", "2,0-4,0"):
                ann.until("It's your turn.")
                ann.type(move)
            for person in (ann, bob):
                assert person.until("won.") == "guest won. guest has 4 fish. bob has 0 fish.\n"


def test_four_people_play_bughouse_until_one_leaves(at: str) -> None:
    with people("bughouse", at, "Ann", "Bob", "Cyd", "Dan") as (ann, bob, cyd, dan):
        for person in (ann, bob, cyd, dan):
            person.until("You are player")
        ann.type("create")
        found = re.search(r"game (\d+)", ann.until("You created game"))
        assert found is not None
        for person, team in ((bob, 1), (cyd, 2), (dan, 2)):
            person.type(f"join {found[1]} {team}")
            person.until(f"You joined game {found[1]} in team {team}.")
        ann.type("start")
        ann.until("You play white on board 1, with Bob, against Dan, Cyd.")
        ann.until("It's your turn")
        ann.type("e2e4")
        dan.until("It's your turn")
        assert "4  . . .[P]. . . ." in dan.said
        dan.type("quit")
        for person in (ann, bob, cyd):
            person.until("Ann and Bob won.")


def test_the_end_of_what_is_typed_hangs_up_and_may_be_a_files(at: str, tmp_path: Path) -> None:
    typed = tmp_path / "typed.txt"
    typed.write_text("?\n")
    with typed.open() as file, Process("connect", "tourney", "--at", at, stdin=file.fileno()) as me:
        assert me.end() == 0, me.said
        assert "Type: join [ID]" in me.said


def test_a_server_that_goes_away_is_noticed(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as (server, port),
        people("tourney", f"127.0.0.1:{port}", "ann") as (ann,),
    ):
        ann.until("You are player 1.")
        server.signal(signal.SIGKILL)
        ann.until("The server hung up.")
        assert ann.end() == 0


def test_an_age_that_nobody_has_and_a_language_that_nobody_speaks_are_refused() -> None:
    assert run("connect", "fish", "--age", "151").exit_code == 2
    assert run("connect", "klingon").exit_code == 2
