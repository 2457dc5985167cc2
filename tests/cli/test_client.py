"""The native client when things go wrong: a server that hangs up early, and Ctrl-C at any time."""

import os
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
import pytest

from rookery.cli.connection.address import Address, parse_address, unanswered
from rookery.cli.connection.server import ServerConnection
from rookery.core.intents import ListGames
from rookery.core.messages import Done, Refused
from rookery.dialects.native import VERSION, Greeting, Pong
from tests.cli.running import run_process

PATIENCE = 60.0
GREETING = Greeting(VERSION)
NO = Refused("no_table", "There is no table 9.")


def serve(listening: socket.socket, lives: Sequence[Sequence[msgspec.Struct]]) -> None:
    """Answer each caller's lines with these, and hang up at the first that there is none for."""
    for answers in lives:
        caller, _ = listening.accept()
        with caller, caller.makefile("rb") as said:
            for answer in answers:
                said.readline()
                caller.sendall(msgspec.json.encode(answer) + b"\n")
            said.readline()


@contextmanager
def serving(*lives: Sequence[msgspec.Struct]) -> Iterator[int]:
    """A server that lives so often, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening, lives), daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(PATIENCE)
        assert not thread.is_alive(), "everyone called whom the server waited for"


@pytest.mark.parametrize("words", [("watch", "9"), ("play", "nim")])
def test_a_server_that_goes_while_one_comes_back_is_waited_for_again(
    words: tuple[str, ...],
) -> None:
    with serving([GREETING], [GREETING], [GREETING, NO]) as port:
        done = run_process(*words, "--at", f"127.0.0.1:{port}")
    assert (done.stderr, done.returncode) == ("Error: There is no table 9.\n", 2)
    assert done.stdout.count("The connection is gone") == 2


def test_where_no_server_is_at_the_usual_place_one_is_told_how_to_start_it() -> None:
    assert unanswered(Address("10.0.0.1", 99), "Why") == "No server answers at 10.0.0.1:99: Why."
    assert unanswered(parse_address(""), "Why") == (
        "No server answers at 127.0.0.1:7350: Why. Start one with: rookery serve; or say with --at "
        "where it is."
    )


def test_a_server_that_goes_in_the_middle_of_a_replay_is_one_sentence() -> None:
    with serving([GREETING]) as port:
        at = f"127.0.0.1:{port}"
        done = run_process("replay", "9", "--at", at)
    assert (done.stderr, done.returncode) == (f"Error: The server at {at} went away.\n", 2)


def test_after_ctrl_c_in_the_middle_of_a_question_the_next_has_its_own_answer() -> None:
    def answer(listening: socket.socket) -> None:
        caller, _ = listening.accept()
        with caller, caller.makefile("rb") as said:
            said.readline()  # it has asked, and waits
            os.kill(os.getpid(), signal.SIGINT)
            said.readline()
            for one in (Pong(), Done()):
                caller.sendall(msgspec.json.encode(one) + b"\n")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            thread = threading.Thread(target=answer, args=(listening,), daemon=True)
            thread.start()
            client = ServerConnection(Address("127.0.0.1", listening.getsockname()[1]))
            with pytest.raises(KeyboardInterrupt):
                client.ask(ListGames(), Pong)
            assert client.ask(ListGames(), Done) == Done()
            client.close()
            thread.join(PATIENCE)
    finally:
        signal.signal(signal.SIGINT, before)
