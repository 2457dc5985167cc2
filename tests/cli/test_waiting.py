"""Who waits is woken by Ctrl-C for certain, also where it came a moment before the waiting."""

import os
import signal
import sys
import threading
import time

import pytest

from rookery.cli.connection.server import ready
from tests.warm import LIMIT


def test_a_signal_that_the_system_did_not_wake_us_for_is_seen_at_once() -> None:
    seen = threading.Event()
    late: list[str] = []
    waiter = threading.get_ident()

    def interrupt() -> None:
        while sys._current_frames()[waiter].f_code is not ready.__code__:  # noqa: SLF001
            time.sleep(0.001)
        time.sleep(0.1)  # it waits by now; if it does not yet, nothing is shown, nor fails
        # Heard in this thread it wakes no other: just as if it came before the waiting began.
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        if not seen.wait(LIMIT):
            late.append("something else had to come")
            os.write(writer, b"\n")

    reader, writer = os.pipe()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 # it may come as soon as this
            thread.start()
            ready([reader])
    finally:
        signal.signal(signal.SIGINT, before)
        seen.set()
        thread.join()
        os.close(reader)
        os.close(writer)
    assert late == []


def test_what_can_be_read_is_told_and_nothing_after_a_while() -> None:
    reader, writer = os.pipe()
    assert ready([reader], 0) == []
    os.write(writer, b"\n")
    assert ready([reader]) == [reader]
    os.close(reader)
    os.close(writer)
    assert signal.set_wakeup_fd(-1) == -1
