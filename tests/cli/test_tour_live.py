"""A tour as it goes on: lines in a pipe, a picture on a terminal, and servers that go away."""

import signal
from pathlib import Path

from tests.cli.entrants import Entrants
from tests.cli.processes import Process
from tests.cli.terminals import Terminal
from tests.cli.tours import venue
from tests.ports import spare_port


def test_start_live_tells_every_result_and_ends_with_the_standing(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "round_robin legs=2", "--not-rated")
        with (
            Entrants(there.port, code, "ann", "bob") as entrants,
            there.process("start", "1", "--live") as live,
        ):
            live.until("The tour runs.")
            entrants.play()
            assert live.end() == 0
    assert [line.rstrip() for line in live.said.splitlines()] == [
        "Tour 1: nim rows=1 sticks=1, round_robin legs=2; open, 2 in it",
        "The tour runs.",
        "Match 1, ann – bob: ann wins. Home took the last stick.",
        "Match 2, bob – ann: bob wins. Home took the last stick.",
        "No match begins any more: all is played.",
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
            watcher.until("ann joins as entrant 1.")
            there.does("withdraw", "1", "ann")
            watcher.until("ann is out of the tour (removed).")
            there.does("start", "1")
            watcher.until("The tour runs.")
            entrants.begin()
            there.does("pause", "1")
            watcher.until("The tour pauses.")
            there.does("cancel", "1")
            watcher.until("counts for nothing")
            watcher.until("No match begins any more: the tour is called off.")
            assert watcher.end() == 0
    assert watcher.said.endswith("Tour 1 was called off.\n")


def entering(watcher: Process, port: int, code: str) -> Entrants:
    """Three who join once somebody looks on."""
    watcher.until("; open, nobody in it yet")
    return Entrants(port, code, "ann", "bob", "cyd")


def test_a_killed_server_is_waited_for(tmp_path: Path) -> None:
    with venue(tmp_path, spare_port()) as there:
        code = there.create()
        with Entrants(there.port, code, "ann", "bob") as entrants:
            there.does("start", "1")
            entrants.begin()
            with there.process("show", "1", "--live") as live:
                live.until("; running, 2 in it")
                there.does("pause", "1")
                live.until("The tour pauses.")
                there.server.signal(signal.SIGKILL)
                live.until("The server is gone; going on as soon as it is back.")
                with venue(tmp_path, there.port) as again:
                    live.until("Connected again.")
                    live.until("; paused, 2 in it, 0 of 1 matches played")
                    again.does("end", "1")
                    live.until("No match begins any more: its owner ends the tour.")
                    again.does("cancel", "1")
                    assert live.end() == 0
    assert live.said.endswith("Tour 1 was called off.\n")


def test_what_was_missed_meanwhile_is_told(tmp_path: Path) -> None:
    with venue(tmp_path, spare_port()) as there:
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
                live.until("The tour runs.")
                live.signal(signal.SIGINT)
                assert live.end() == 130
            entrants.play()
        assert "; ended, 2 in it, 1 of 1 matches played" in there.does("show", "1")


# -- on a terminal


def test_on_a_terminal_a_picture_changes_until_it_is_over(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "round_robin legs=2")
        with (
            Entrants(there.port, code, "ann", "bob") as entrants,
            Terminal("tour", "start", "1", "--live", *there.flags) as live,
        ):
            before = live.until("Playing: ann – bob (table 1).")
            assert "0 %" in before
            assert "×    * ." in before
            entrants.play()
            after, exit_code = live.end()
    assert exit_code == 0
    assert "100 %" in after
    assert "ann   ×    1 0" in after
    assert after.rstrip().endswith("Tour 1 is over: ann and bob share first place.")
