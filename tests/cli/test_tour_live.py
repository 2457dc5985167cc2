"""A tour as it goes on: lines in a pipe, a picture on a terminal, and servers that go away."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

from tests.cli.entrants import Entrants
from tests.cli.processes import Process
from tests.cli.tours import Venue, venue

WIDE, HIGH = 100, 24  # of the terminal


def test_start_live_tells_every_result_and_ends_with_the_standing(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "round_robin legs=2", "--not-rated")
        with (
            Entrants(there.port, code, "ann", "bob") as entrants,
            there.process("start", "1", "--live") as live,
        ):
            live.until("Tour 1 runs.")
            entrants.play()
            assert live.end() == 0
    assert [line.rstrip() for line in live.said.splitlines()] == [
        "Tour 1: nim rows=1 sticks=1, round_robin legs=2; open, 2 in it",
        "Tour 1 runs.",
        "Match 1, ann – bob: ann wins. Home took the last stick.",
        "Match 2, bob – ann: bob wins. Home took the last stick.",
        "All is played.",
        "Tour 1: nim rows=1 sticks=1, round_robin legs=2; ended, 2 in it, 2 of 2 matches played",
        "",
        "    name  1    2    points  played  won  drawn  lost",
        "1.  ann   ×    1 0  1       2       1    0      1",
        "1.  bob   0 1  ×    1       2       1    0      1",
        "Tour 1 is over: ann and bob share first place.",
    ]


def test_who_watches_hears_who_comes_and_goes(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "joining")
        with (
            there.process("watch", "1") as watcher,
            entering(watcher, there.port, code) as entrants,
        ):
            watcher.until("ann has joined.")
            there.does("withdraw", "1", "ann")
            watcher.until("ann is out of it: removed.")
            there.does("start", "1")
            watcher.until("Tour 1 runs.")
            entrants.begin()
            there.does("pause", "1")
            watcher.until("Tour 1 is paused.")
            there.does("cancel", "1")
            watcher.until("counts for nothing")
            watcher.until("It is called off.")
            assert watcher.end() == 0
    assert watcher.said.endswith("Tour 1 was called off.\n")


def entering(watcher: Process, port: int, code: str) -> Entrants:
    """Three who join once somebody looks on."""
    watcher.until("; open, nobody in it yet")
    return Entrants(port, code, "ann", "bob", "cyd")


def test_a_killed_server_is_waited_for(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create()
        with Entrants(there.port, code, "ann", "bob") as entrants:
            there.does("start", "1")
            entrants.begin()
            with there.process("show", "1", "--live") as live:
                live.until("; running, 2 in it")
                there.does("pause", "1")
                live.until("Tour 1 is paused.")
                there.server.signal(signal.SIGKILL)
                live.until("The server is gone; going on as soon as it is back.")
                with venue(tmp_path, there.port) as again:
                    live.until("Connected again.")
                    live.until("; paused, 2 in it, 0 of 1 matches played")
                    again.does("end", "1")
                    live.until("No more matches begin.")
                    again.does("cancel", "1")
                    assert live.end() == 0
    assert live.said.endswith("Tour 1 was called off.\n")


def test_what_was_missed_meanwhile_is_told(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create()
        with Entrants(there.port, code, "ann", "bob") as entrants:
            there.does("start", "1")
            entrants.begin()
            with there.process("watch", "1") as live:
                live.until("; running, 2 in it")
                live.signal(signal.SIGSTOP)  # it notices nothing until it may go on
                there.server.signal(signal.SIGKILL)
                there.server.end()
                with venue(tmp_path, there.port) as again:
                    again.does("withdraw", "1", "bob")
                    live.signal(signal.SIGCONT)
                    live.until("Connected again.")
                    assert live.until("Match 1, ").startswith("Match 1, ann – bob: ann wins. ")
                    assert live.end() == 0
    assert live.said.endswith("Tour 1 is over: ann wins.\n")


def test_ctrl_c_ends_looking_on_and_not_the_tour(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create()
        with Entrants(there.port, code, "ann", "bob") as entrants:
            with there.process("start", "1", "--live") as live:
                live.until("Tour 1 runs.")
                live.signal(signal.SIGINT)
                assert live.end() == 130
            entrants.play()
        assert "; ended, 2 in it, 1 of 1 matches played" in there.does("show", "1")


# -- on a terminal


def on_a_terminal(there: Venue, *words: str) -> "tuple[subprocess.Popen[bytes], int]":
    """A command whose output is a terminal; what it writes can be read there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HIGH, WIDE, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "rookery", "tour", *words, *there.flags],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(theirs)
    return process, ours


def drawn(terminal: int, until: bytes = b"") -> bytes:
    """What is written until these words come, or until the end."""
    seen = b""
    while not until or until not in seen:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # the other side is closed
            piece = b""
        if not piece:
            assert not until, seen
            break
        seen += piece
    return seen


def test_on_a_terminal_a_picture_changes_until_it_is_over(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "round_robin legs=2")
        with Entrants(there.port, code, "ann", "bob") as entrants:
            process, terminal = on_a_terminal(there, "start", "1", "--live")
            try:
                before = drawn(terminal, "Playing: ann – bob (table 1).".encode())
                assert b"0 %" in before
                assert "×    * .".encode() in before
                entrants.play()
                after = drawn(terminal)
                assert process.wait() == 0
            finally:
                process.kill()
                process.wait()
                os.close(terminal)
    assert b"100 %" in after
    assert "ann   ×    1 0".encode() in after
    assert after.rstrip().endswith(b"Tour 1 is over: ann and bob share first place.")
