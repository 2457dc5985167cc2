"""Looking on at a table of a running server."""

import signal
from contextlib import ExitStack
from pathlib import Path

from tests.cli.conftest import Story
from tests.cli.processes import Process, serving
from tests.cli.running import run_process
from tests.cli.terminals import HIGH, WIDE, Terminal
from tests.cli.windows import Window
from tests.ports import spare_port

FIRST_MOVE = """\
ann (X) plays 0.

Table 1: tictactoe, 5m+3s
  X  ann     5:
> O  bob     5:

[X]| 1 | 2
---+---+---
 3 | 4 | 5
---+---+---
 6 | 7 | 8
"""


def test_every_move_is_told_and_drawn(story: Story) -> None:
    lines = [line.partition("     5:") for line in story.watcher.splitlines()]
    assert FIRST_MOVE in "".join(f"{start}{clock}\n" for start, clock, _ in lines)
    assert story.watcher.count("Table 1: tictactoe") == 7  # on coming, at the start, five moves


def test_it_ends_with_the_game(story: Story) -> None:
    assert story.watcher.endswith("ann (X) wins: X has three in a row.\n")
    assert story.codes[2] == 0


def test_who_comes_late_sees_the_last_board_and_the_result(story: Story) -> None:
    assert " X | X |[X]\n" in story.late
    assert story.late.endswith("ann (X) wins: X has three in a row.\n")
    assert story.codes[3] == 0


def test_a_table_that_is_not_there_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        done = run_process("watch", "9", "--at", f"127.0.0.1:{port}")
    assert (done.stderr, done.returncode) == ("Error: There is no table 9.\n", 2)


def test_it_comes_back_after_the_server_and_follows_to_the_next_game(tmp_path: Path) -> None:
    with serving(tmp_path, spare_port()) as (server, port):
        at = f"127.0.0.1:{port}"
        game = ("play", "nim", "-o", "rows=1", "-o", "sticks=2", "--at", at)
        with Process(*game, "--name", "ann") as ann:
            ann.until("Waiting")
            with (
                Process("watch", "1", "--follow", "--at", at) as watcher,
                Process(*game, "--name", "bob") as bob,
            ):
                watcher.until("Table 1: nim")
                ann.until("Table 1: nim")  # bob has sat down, and the game begun
                bob.until("Table 1: nim")  # … and he knows where he sits, to come back there
                ann.type("0,1")
                watcher.until("ann (home) plays 0,1.")
                server.signal(signal.SIGKILL)
                watcher.until("The connection is gone")
                with serving(tmp_path, port):
                    for guest in (ann, bob, watcher):
                        guest.until("Connected again.")
                        guest.until("1 taken")  # it is back at the table
                    bob.type("0,1", "rematch")
                    watcher.until("bob (away) wins: Away took the last stick.")
                    ann.type("rematch")
                    watcher.until("They play again at table 2.")
                    watcher.until("Table 2: nim rows=1 sticks=2")


def test_on_a_terminal_bughouse_is_read_while_four_people_move(tmp_path: Path) -> None:
    """What was played stays above; the boards stay below, with names, and each clock at its own."""
    with serving(tmp_path) as (_, port), ExitStack() as guests:
        at = f"127.0.0.1:{port}"
        game = ("play", "bughouse", "--time", "5m", "--at", at, "--name")
        players = []
        for name in ("Ann", "Bob", "Cyd", "Dan"):
            players.append(guests.enter_context(Process(*game, name)))
            players[-1].until("You sit at table 1")
        window = Window(WIDE, HIGH)
        with Terminal("watch", "1", "--at", at) as watcher:
            watcher.wait_for(window, "white Ann holds -  to move")
            for seat, move, told in (
                (0, "e4", "1. e4"),
                (1, "d5", "1... d5"),
                (2, "Nf3", "1. Nf3"),
                (0, "exd5", "2. exd5"),
                (3, "@e6", "1... @e6"),
            ):
                players[seat].until("Your move")
                players[seat].type(move)
                watcher.wait_for(window, told)
            watcher.wait_for(window, "white on board 2  Cyd     4:5")
            shown = window.shown
    plays = [row.partition(" plays ")[2] for row in shown if " plays " in row]
    taken = "2. exd5: Dan (black on board 2) gets a pawn."
    written = ["1. e4.", "1... d5.", "1. Nf3.", taken, "1... @e6."]
    assert plays == written[-len(plays) :]
    assert any(row.startswith("black Bob holds -  to move") for row in shown)
    assert sum(row.startswith("Table 1: bughouse") for row in shown) == 1, "drawn in its place"
