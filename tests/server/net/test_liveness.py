"""Seats of those who are connected: nobody else is given them, and a dead line is found out."""

import ctypes
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from rookery.server.net.liveness import Sent, is_gone, read
from tests.server.callers import Caller, Party
from tests.server.process import PATIENCE, serving

SO_ATTACH_FILTER = 26  # which Python's socket module does not name
DROP_ALL = struct.pack("HBBI", 6, 0, 0, 0)  # one instruction: of every packet keep 0 bytes
SILENT = 3.2  # seconds
AT_ONCE = 1.0  # seconds; who is asked after is waited for three times as long
TAKEN = b"@ERROR:Player already connected to another client."


def ask(caller: Caller, words: bytes) -> bytes:
    """Send a line of tourney, and hear the next that is no ping or pong."""
    caller.say(words)
    while (line := caller.hear()) in (b"@PING", b"@PONG"):
        pass
    return line


def pull_the_cable(caller: Caller) -> None:
    """Nothing that is sent to it arrives from now on, nor is it acknowledged."""
    program = ctypes.create_string_buffer(DROP_ALL)
    given = struct.pack("HxxxxxxP", 1, ctypes.addressof(program))
    caller.line.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, given)


def owner(party: Party) -> tuple[Caller, bytes]:
    """Somebody new who owns a tour."""
    ann = party.call()
    number = ask(ann, b"@NEW PLAYER").removeprefix(b"@PID:")
    assert ask(ann, b"@TOUR:CREATE:TTT").startswith(b"@TID:")
    return ann, number


Owners = list[tuple[Caller, bytes]]


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    with serving(tmp_path_factory.mktemp("reach")) as server, ExitStack() as calls:
        yield Party(server, calls)


@pytest.fixture(scope="module")
def silent(party: Party) -> Owners:
    """One for each test, who has said nothing for longer than 3 seconds of the server's time.

    That stands still while a busy machine leaves the server none. So somebody asks for one who
    came last, until the answer has to wait for what comes of asking.
    """
    *owners, (last, number) = [owner(party) for _ in range(4)]
    assert last.hear(SILENT) == b""
    eve = party.call()
    eve.say(b"@PLAYER:%b" % number)
    ends = monotonic() + PATIENCE
    while eve.hear(AT_ONCE) == TAKEN:
        assert monotonic() < ends, "nobody asks after who is silent"
        eve.say(b"@PLAYER:%b" % number)
    return owners


def test_nobody_is_given_the_player_of_a_connection_that_stands_and_says_nothing(
    party: Party, silent: Owners
) -> None:
    ann, number = silent.pop()
    eve = party.call()
    assert ask(eve, b"@PLAYER:%b" % number) == TAKEN
    assert ask(eve, b"@TOUR:END") == b"@ERROR:No player set yet (to own the command)."
    assert ask(ann, b"@TOUR:REPORT") == b"@REPORT:"


def test_who_has_lost_its_line_comes_back_though_the_server_had_not_noticed(
    party: Party, silent: Owners
) -> None:
    ann, number = silent.pop()
    pull_the_cable(ann)
    back = party.call()
    assert ask(back, b"@PLAYER:%b" % number) == b"@PID:%b" % number
    assert ask(back, b"@TOUR:REPORT") == b"@REPORT:"


def test_who_waits_to_come_back_is_answered_its_pings(party: Party, silent: Owners) -> None:
    _, number = silent.pop()
    eve = party.call()
    eve.say(b"@PLAYER:%b" % number)
    eve.say(b"@PING")
    assert eve.hear() == b"@PONG"
    assert eve.hear() == TAKEN


def test_what_was_sent_lately_and_is_under_way_proves_nothing() -> None:
    assert not is_gone(Sent(0, 10), Sent(0, 16))
    assert not is_gone(Sent(0, 10), Sent(1, 16))  # it took the ping, and more is on its way
    assert not is_gone(Sent(0, 10), Sent(0, 10))  # it reads nothing, and its system answers
    assert is_gone(Sent(0, 10), Sent(1, 10))


def test_a_system_that_does_not_say_is_not_believed_anything() -> None:
    assert read(b"") is None
    assert read(b"\0" * 104) is None
    assert read(b"\0" * 128) == Sent(0, 0)


def test_to_a_port_of_those_who_never_return_nobody_does(tmp_path: Path) -> None:
    with serving(tmp_path, "--return", "never") as server, ExitStack() as calls:
        party = Party(server, calls)
        ann = party.call()
        assert ask(ann, b"@NEW PLAYER") == b"@PID:1"
        ann.line.close()
        assert ask(party.call(), b"@PLAYER:1") == b"@ERROR:ID was not recognized."
