"""`rookery sim`: many worlds, and what is told of them when one has had enough."""

import re
import signal
from collections.abc import Callable
from itertools import count

import pytest
from click.testing import CliRunner, Result

from rookery_tools.sim import many
from rookery_tools.sim.command import command
from rookery_tools.sim.many import WorldOutcome, run_worlds
from rookery_tools.sim.observer.verdict import Failing

WRONG = Failing("everything ends", "p1 could not finish")


def run(
    monkeypatch: pytest.MonkeyPatch, world: Callable[[int], WorldOutcome], *args: str
) -> Result:
    """Run with worlds that are these."""
    monkeypatch.setattr(many, "run_world", world)
    return CliRunner().invoke(command, args)


def timeless(words: str) -> str:
    """What was told, without how long it took: that is the machine's."""
    return re.sub(r" in \d+ s,", ",", words)


def outcome(seed: int, *failings: Failing) -> WorldOutcome:
    return WorldOutcome(seed, failings, {"moves": 7}, 0, 0, "")


def test_ctrl_c_ends_no_world_in_its_middle_and_tells_of_those_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def world(seed: int) -> WorldOutcome:
        if seed == 12:
            signal.raise_signal(signal.SIGINT)
        return outcome(seed)

    before = signal.getsignal(signal.SIGINT)
    done = run(monkeypatch, world, "--worlds", "50", "--jobs", "1")
    assert "13 of 50 worlds, 0 of them with something wrong" in timeless(done.output)
    assert "  moves: 91\n" in done.output
    assert done.exit_code == 130
    assert signal.getsignal(signal.SIGINT) is before


def test_what_was_wrong_is_said_as_it_comes_and_counts_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr("click.echo", lambda line="", **_: told.append(line))

    def world(seed: int) -> WorldOutcome:
        if seed == 3:
            assert told == ["seed 2: everything ends: p1 could not finish"]
            signal.raise_signal(signal.SIGINT)
        return outcome(seed, *([WRONG] if seed == 2 else []))

    done = run(monkeypatch, world, "--worlds", "50", "--jobs", "1")
    assert done.exit_code == 1
    assert "4 of 50 worlds, 1 of them with something wrong" in map(timeless, told)


def test_the_second_time_everything_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    def world(seed: int) -> WorldOutcome:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        return outcome(seed)

    done = run(monkeypatch, world, "--worlds", "50", "--jobs", "1")
    assert "worlds in" not in done.output
    assert done.exit_code != 0


def test_all_worlds_are_told_of_without_a_word_about_how_many_there_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = run(monkeypatch, outcome, "--worlds", "25", "--jobs", "1")
    assert timeless(done.output).startswith("25 worlds, 0 of them")
    assert done.exit_code == 0


def test_processes_end_with_the_world_they_are_at_and_it_is_counted() -> None:
    looks = count()
    found = [one.seed for one in run_worlds(range(100_000), jobs=2, ends=lambda: next(looks) > 1)]
    assert len(found) < 20, "each was given ten at a time"
    assert len(set(found)) == len(found)
