"""Warm workers end as cold ones do: with their input, by their exit code, and when killed."""

import signal
import subprocess

import pytest

from tests.warm import python

THINKER = ("-m", "rookery.server.worker_main", "think")
PIPE = subprocess.PIPE


def started(*words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([python(), *words], stdin=PIPE, stdout=PIPE, stderr=PIPE)


def test_a_worker_ends_with_its_input() -> None:
    with started(*THINKER, "512") as worker:
        assert worker.communicate(b"", timeout=60) == (b"", b"")
    assert worker.returncode == 0


def test_a_worker_that_fails_says_so_and_why() -> None:
    with started(*THINKER, "much") as worker:
        _, complaint = worker.communicate(timeout=60)
    assert worker.returncode == 1
    assert b"invalid literal for int() with base 10: 'much'" in complaint


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_who_kills_a_worker_kills_all_of_it(how: signal.Signals) -> None:
    with started("-m", "rookery.server.worker_main", "pair") as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"ready\n"
        worker.send_signal(how)
        assert worker.stdout.read() == b""  # nobody has it open any more
        assert worker.wait(60) == -how
