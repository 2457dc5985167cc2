"""Who thinks for `rookery bot`: levels and programs, and what is heard while they think."""

import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from rookery.cli.bot import PILOTS
from rookery.cli.bot.mind import LevelMind, Mind, MindLost
from rookery.cli.bot.pilot import BotWish, Question
from rookery.cli.bot.playing import BotGames
from rookery.cli.connection.address import Address
from rookery.cli.terminal.output import Output
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games import parse_variant
from rookery.games.nim import NimView
from tests.cli.processes import Process, serving

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "bots"
NIM = Question(1, "nim", Seat(0), NimView((1, 2), Seat(0), misere=False), ("0,1", "1,1", "1,2"))
MATCH = "@PID:1\n@GAME:START:H:bob\n@GAME:STATE:0,2,1,2\n"


class Slow:
    """A mind that answers when the test says so, with what it says."""

    resigns = False

    def __init__(self, *answers: str | None) -> None:
        self._read, self._write = os.pipe()
        self._answers = list(answers)
        self.lost = 0

    def fileno(self) -> int:
        return self._read

    def ask(self, question: Question) -> float:  # noqa: ARG002 - it answers anything
        if not self._answers:
            self.let_answer()  # what it will answer is that it is lost
        return 60.0

    def let_answer(self) -> None:
        """Now."""
        os.write(self._write, b".")

    def answer(self) -> str | None:
        os.read(self._read, 1)
        if not self._answers:
            raise MindLost
        return self._answers.pop(0)

    def over(self) -> None:
        pass

    def restart(self) -> None:
        self.lost += 1

    def close(self) -> None:
        pass


class Line:
    """The server's end of a bot's connection."""

    def __init__(self, calls: socket.socket) -> None:
        self._calls = calls
        self._wire = calls.makefile()

    def say(self, words: str) -> None:
        """Send this."""
        self._calls.sendall(words.encode())

    def next(self) -> str:
        """The next line of the bot."""
        return self._wire.readline().rstrip("\n")


@contextmanager
def flying(mind: Mind) -> Iterator[Line]:
    """A bot in tourney that plays one match of nim with this mind, and its server."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(20)
        pilot = PILOTS["tourney"](BotWish(parse_variant("nim"), "ann"))
        flight = BotGames(Output(), pilot, mind, games=1)
        address = Address("127.0.0.1", door.getsockname()[1])
        thread = Thread(target=flight.run, args=(address,), daemon=True)
        thread.start()
        calls, _ = door.accept()
        with calls:
            calls.settimeout(20)
            yield Line(calls)
            calls.sendall(b"@GAME:RESULT:H\n")
            thread.join(20)
            assert not thread.is_alive(), "a match is over, and that was enough"
        flight.close()


def heard(line: Line, *lines: str) -> Sequence[str]:
    """As many lines as these."""
    return [line.next() for _ in lines]


def test_a_ping_is_answered_while_it_thinks() -> None:
    mind = Slow("1,1")
    with flying(mind) as line:
        assert (line.next(), line.next()) == ("@NEW PLAYER", "@NAME:ann")
        line.say(MATCH)
        assert line.next() == "@TOUR:JOIN"
        line.say("@PING\n")
        assert line.next() == "@PONG"
        mind.let_answer()
        assert line.next() == "@GAME:MOVE:1,1"


def test_a_move_that_comes_when_the_turn_has_passed_is_thrown_away() -> None:
    mind = Slow("1,1", "0,1")
    with flying(mind) as line:
        line.say(f"{MATCH}@PING\n")
        while line.next() != "@PONG":
            pass
        line.say("@GAME:STATE:0,2,1,0\n@PING\n")
        assert line.next() == "@PONG"
        mind.let_answer()  # to the first question
        mind.let_answer()
        assert line.next() == "@GAME:MOVE:0,1"


def test_a_mind_that_is_lost_is_started_afresh_and_anything_is_played() -> None:
    mind = Slow()
    with flying(mind) as line:
        line.say(MATCH)
        assert heard(line, "", "", "")[-1] == "@TOUR:JOIN"
        assert line.next() == "@GAME:MOVE:0,1"
    assert mind.lost == 1


def test_who_chose_to_wait_is_asked_again_after_a_while() -> None:
    mind = Slow(None, "1,2")
    mind.let_answer()
    mind.let_answer()
    with flying(mind) as line:
        line.say(MATCH)
        assert heard(line, "", "", "")[-1] == "@TOUR:JOIN"
        assert line.next() == "@GAME:MOVE:1,2"


def test_a_level_answers_with_one_of_its_moves_also_after_a_restart() -> None:
    mind = LevelMind(5, Chance(1))
    try:
        mind.ask(NIM)
        assert mind.answer() == "1,1"
        mind.restart()
        mind.ask(NIM)
        assert mind.answer() == "1,1"
    finally:
        mind.close()


def test_the_same_seed_draws_the_same_moves() -> None:
    drawn = []
    for _ in range(2):
        mind = LevelMind(1, Chance(7))
        for _ in range(8):
            mind.ask(NIM)
            drawn.append(mind.answer())
        mind.close()
    assert drawn[:8] == drawn[8:]
    assert len(set(drawn)) > 1


# -- programs


def test_a_program_plays_two_games_against_a_level(tmp_path: Path) -> None:
    command = f"{sys.executable} {EXAMPLES / 'nim_bot.py'}"
    with serving(tmp_path) as (_, port):
        words = ("--game", "nim", "--games", "2", "--at", f"127.0.0.1:{port}")
        with (
            Process("bot", "--program", command, *words, "--name", "mine") as mine,
            Process("bot", "1", *words) as level,
        ):
            assert (mine.end(), level.end()) == (0, 0), mine.said + level.said
    assert "2 games: " in mine.said
