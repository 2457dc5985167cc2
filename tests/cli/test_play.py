"""Playing by processes against a real server: whole games, mistakes, and going away."""

import os
import pty
import re
import signal
import socket
import threading
from pathlib import Path

import pytest

from rookery.cli.connection.address import Address, parse_address
from rookery.cli.terminal.output import clean
from rookery.core.errors import Mistake
from tests.cli.conftest import Story
from tests.cli.processes import Process, serving
from tests.cli.running import run_process
from tests.ports import spare_port

LAST_BOARD = """
Table 1: tictactoe, 5m+3s
  X  ann     5:{ann}
  O  bob     5:{bob}

 X | X |[X]
---+---+---
 O | O | 5
---+---+---
 6 | 7 | 8
"""


def without_clocks(said: str) -> list[str]:
    """The lines without what depends on how quick the machine is."""
    return [line.partition("     5:")[0] for line in said.splitlines()]


def test_two_scripts_play_a_whole_game(story: Story) -> None:
    assert story.ann.endswith("ann (X) wins: X has three in a row.\n")
    assert story.bob.endswith("ann (X) wins: X has three in a row.\n")
    assert story.codes[:2] == (0, 0)


def test_the_last_board_has_names_clocks_and_the_last_move(story: Story) -> None:
    ann = without_clocks(story.ann)
    assert ann[-11:-2] == without_clocks(LAST_BOARD)[1:]
    assert "  X  ann     5:0" in story.ann.splitlines()[-10]
    assert story.ann.splitlines()[-10].endswith("  (you)")


def test_the_first_who_comes_is_told_to_wait_and_how_others_join(story: Story) -> None:
    waiting = "Waiting for somebody to play with; they can join with: "
    join = "rookery play tictactoe --table 1 --at 127.0.0.1:[0-9]+\n"
    assert re.search(waiting + join, story.ann)
    assert waiting not in story.bob


def test_an_illegal_move_gets_its_sentence_and_another_try(story: Story) -> None:
    assert (
        "Your move: 1 2 4 5 6 7 8\n"
        "Slot 9 is not on the board; slots are 0 to 8.\n"
        "Your move: 1 2 4 5 6 7 8\n"
        "ann (X) plays 1.\n"
    ) in story.ann


def test_a_killed_server_is_waited_for_and_the_game_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path, spare_port()) as (server, port):
        game = ("play", "tictactoe", "--at", f"127.0.0.1:{port}")
        with Process(*game, "--name", "ann") as ann, Process(*game, "--name", "bob") as bob:
            players = {"X": ann, "O": bob}
            if "as O" in ann.until("You sit at table 1"):
                players = {"X": bob, "O": ann}
            ann.until("Table 1: tictactoe")
            bob.until("Table 1: tictactoe")
            players["X"].type("0")
            players["O"].until("plays 0.")
            server.signal(signal.SIGKILL)
            ann.until("The connection is gone")
            bob.until("The connection is gone")
            with serving(tmp_path, port):
                ann.until("Connected again.")
                bob.until("Connected again.")
                players["O"].type_all("3", "4")
                players["X"].until("plays 3.")
                players["X"].type_all("1", "2")
                assert (ann.end(), bob.end()) == (0, 0)
    assert "(X) wins: X has three in a row." in ann.said
    assert "(X) wins: X has three in a row." in bob.said


def test_a_seat_lost_in_a_restart_before_the_game_is_looked_for_anew(tmp_path: Path) -> None:
    with (
        serving(tmp_path, spare_port()) as (server, port),
        Process("play", "nim", "--name", "ann", "--at", f"127.0.0.1:{port}") as ann,
    ):
        ann.until("Waiting")
        server.signal(signal.SIGKILL)
        ann.until("The connection is gone")
        with serving(tmp_path, port):
            ann.until("Your seat was given up meanwhile; looking for another.")
            ann.until("You sit at table 2 as home.")


def test_the_end_of_a_script_leaves_a_running_game(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        game = ("play", "nim", "-o", "sticks=3,4", "--at", f"127.0.0.1:{port}")
        with Process(*game, "--name", "ann") as ann:
            ann.until("Waiting")
            ann.type_all("0,1")
            with Process(*game, "--name", "bob") as bob:
                bob.type_all("1,1")
                assert (ann.end(), bob.end()) == (0, 0)
    assert ann.said.endswith("You left the table.\n")
    assert bob.said.endswith("bob (away) wins: Home left the game.\n")


def test_who_asks_for_a_bot_plays_one_at_once(tmp_path: Path) -> None:
    with serving(tmp_path, 0, "--house", "on,wait=3600") as (_, port):
        game = ("play", "nim", "-o", "rows=1", "-o", "sticks=1", "--at", f"127.0.0.1:{port}")
        with Process(*game, "--name", "ann", "--bot", "3") as ann:
            ann.type_all("0,1")
            assert ann.end() == 0
    assert "Bot, level 3" in ann.said
    assert "ann (home) wins" in ann.said


def test_who_wants_no_bots_waits_for_another_who_does_not(tmp_path: Path) -> None:
    with serving(tmp_path, 0, "--house", "on,wait=0") as (_, port):
        game = ("play", "nim", "-o", "rows=1", "-o", "sticks=1", "--at", f"127.0.0.1:{port}")
        with Process(*game, "--no-bots", "--name", "ann") as ann:
            ann.until("Waiting for somebody to play with")
            with Process(*game, "--no-bots", "--name", "bob") as bob:
                ann.until("bob sits down as away.")
                ann.type_all("0,1")
                bob.type_all()
                assert (ann.end(), bob.end()) == (0, 0)


def test_a_server_without_bots_says_so(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        done = run_process("play", "nim", "--bot", "3", "--at", f"127.0.0.1:{port}")
    assert done.stderr == "Error: This server has no bots for nim.\n"
    assert done.returncode == 2


def test_ctrl_c_leaves_politely(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        game = ("play", "nim", "--at", f"127.0.0.1:{port}")
        with Process(*game, "--name", "ann") as ann, Process(*game, "--name", "bob") as bob:
            ann.until("Table 1: nim")
            ann.signal(signal.SIGINT)
            assert ann.end() == 130
            assert ann.said.endswith("You left the table.\n")
            bob.until("wins: ")


def test_the_players_can_talk_and_play_again_with_seats_exchanged(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        game = ("play", "nim", "-o", "rows=1", "-o", "sticks=1", "--at", f"127.0.0.1:{port}")
        with Process(*game, "--name", "ann") as ann:
            ann.until("Waiting")
            with Process(*game, "--name", "bob") as bob:
                bob.until("> home  ann")
                ann.type("say hello bob", "0,1", "rematch")
                bob.until("ann: hello bob")
                bob.until("ann (home) would like to play again.")
                bob.type("rematch")
                bob.until("They play again at table 2.")
                bob.until("> home  bob")
                ann.until("  away  ann")


def test_somebody_at_a_terminal_is_prompted_and_heard_out_of_turn(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with serving(tmp_path) as (_, port):
        game = ("play", "nim", "-o", "rows=1", "-o", "sticks=1", "--at", f"127.0.0.1:{port}")
        with Process(*game, "--name", "ann") as ann:
            ann.until("Waiting")
            with Process(*game, "--name", "bob", stdin=theirs) as bob:
                bob.until("> home  ann")
                os.write(ours, b"?\nsay thinking?\nmoves\n")
                bob.until("quit            leave; a running game is lost by it")
                bob.until("There is nothing to list now.")
                ann.until("bob: thinking?")
                ann.type_all("0,1")
                bob.until("wins")
                os.write(ours, b"quit\n")
                assert bob.end() == 0
    os.close(ours)
    os.close(theirs)


def test_a_secret_move_is_told_to_its_seat_alone(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        words = ("play", "guess", "-o", "rounds=1", "--at", f"127.0.0.1:{port}")
        with Process(*words, "--name", "ann") as ann:
            ann.until("Waiting")
            with Process(*words, "--name", "bob") as bob:
                bob.until("> home  ann")
                ann.type_all("0")
                bob.type_all("101")
                assert (ann.end(), bob.end()) == (0, 0)
    assert "\nann (home) plays 0: too low.\n" in ann.said
    assert "\nann (home) moves: too low.\n" in bob.said
    assert "You tried 101 too high.\n" in bob.said
    assert bob.said.endswith("in 1 rounds.\n")


def test_no_server_is_one_sentence_and_exit_code_2() -> None:
    at = f"127.0.0.1:{spare_port()}"
    done = run_process("play", "nim", "--at", at)
    assert done.stderr == f"Error: No server answers at {at}: Connection refused.\n"
    assert (done.stdout, done.returncode) == ("", 2)


def test_a_server_of_something_else_is_one_sentence_and_exit_code_2() -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        at = f"127.0.0.1:{stranger.getsockname()[1]}"

        def greet() -> None:
            with stranger.accept()[0] as caller:
                caller.sendall(b"SSH-2.0-OpenSSH\r\n")
                caller.recv(1024)

        thread = threading.Thread(target=greet)
        thread.start()
        done = run_process("watch", "1", "--at", at)
        thread.join()
    assert done.stderr == f"Error: What answers at {at} does not speak as this Rookery does.\n"
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "There is no game 'chess'; there are bughouse, fish,"),
        (["reversi", "-o", "size=7"], "A board is an even size from 4 to 26, not 7."),
        (["nim", "--time", "soon"], "'soon' is no length of time;"),
        (["nim", "--table", "1", "--seats", "2"], "A table has its own options:"),
        (["nim", "--table", "1", "--bot", "2"], "A table has its own options:"),
        (["nim", "--table", "1", "--no-bots"], "A table has its own options:"),
        (["nim", "--bot", "2", "--no-bots"], "Either a bot or no bots:"),
        (["nim", "--bot", "6"], "Invalid value for '--bot'"),
        (["nim", "--at", "here:there"], "A server is written HOST:PORT, and 'here:there' is not."),
        (["nim", "--table", "0"], "Invalid value for '--table'"),
    ],
)
def test_a_wrong_wish_is_one_sentence_and_exit_code_2(words: list[str], sentence: str) -> None:
    done = run_process("play", *words)
    assert f"Error: {sentence}" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


def test_what_the_server_refuses_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        at = f"127.0.0.1:{port}"
        with Process("play", "nim", "--at", at) as waiting:
            waiting.until("Waiting")
            for words, sentence in (
                (["nim", "--table", "7"], "There is no table 7."),
                (["fish", "--table", "1"], "Table 1 plays nim, not fish."),
                (["fish", "--seats", "5"], "A game of fish has 2 or 3 or 4 seats, not 5."),
                (["nim", "--name", "x" * 41], "A name has at most 40 characters."),
            ):
                done = run_process("play", *words, "--at", at)
                assert (done.stderr, done.returncode) == (f"Error: {sentence}\n", 2)


def test_what_a_terminal_would_obey_is_shown_as_a_question_mark() -> None:
    assert clean("ann\x1b[2J\r\u202e\x9b") == "ann?[2J???"
    assert clean("[bold]é 漢\n") == "[bold]é 漢\n"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("games.example.org:99", Address("games.example.org", 99)),
        ("games.example.org", Address("games.example.org", 7350)),
        (":99", Address("127.0.0.1", 99)),
        ("[::1]:99", Address("::1", 99)),
        ("[::1]", Address("::1", 7350)),
    ],
)
def test_an_address_may_leave_out_host_or_port(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize("text", ["host:", "host:0", "host:65536", "host:1e3", "a:²"])
def test_an_address_with_a_port_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Mistake):
        parse_address(text)
