"""`rookery bot` with a program that fails: it costs one game, and neither the bot nor the tour."""

import json
import re
import signal
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec import Struct

from tests.cli.entrants import GAME, Entrants
from tests.cli.processes import Process
from tests.cli.test_bot import Place, place, squad
from tests.cli.tours import Venue, venue

# Plays the first of its moves, but for one turn (the first of the second game), in which it does
# what its second word says. The file that the first word names remembers that it has.
FAILS_ONCE = """\
import json, pathlib, sys, time
failed, games = pathlib.Path(sys.argv[1]), 0
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "begin":
        games += 1
        print('{"type":"ready"}', flush=True)
    elif told["type"] == "turn":
        if games > int(sys.argv[3]) and not failed.exists():
            failed.touch()
            match sys.argv[2]:
                case "raise":
                    raise KeyError("colour")
                case "exit":
                    sys.exit(0)
                case "babble":
                    print("thinking", flush=True)
                case "cheat":
                    print('{"type":"play","move":"99,99"}', flush=True)
                case "hang":
                    time.sleep(10_000)
        else:
            print(json.dumps({"type": "play", "move": told["moves"][0]}), flush=True)
"""

STOPS_AFTER_A_MOVE = """\
import json
input()
print('{"type":"ready"}', flush=True)
told = json.loads(input())
print(json.dumps({"type": "play", "move": told["moves"][0]}), flush=True)
"""

CANNOT_START = 'import sys; print("no board today", file=sys.stderr); sys.exit(3)\n'


class Standing(Struct):
    """A line of the standing, as it is exported."""

    name: str
    played: int
    wins: int
    forfeits: int
    out: str


def failing(folder: Path, how: str, games: int = 1) -> str:
    """The command of a program that fails so, once, after so many games."""
    file = folder / "fails_once.py"
    file.write_text(FAILS_ONCE)
    return f"{sys.executable} {file} {folder / 'failed'} {how} {games}"


def standing(there: Venue, name: str) -> Standing:
    """How this entrant of the only tour stands."""
    exported = json.loads(there.does("export", "1", "--as", "json"))
    (line,) = [line for line in exported["standing"] if line["name"] == name]
    return Standing(*(line[field] for field in Standing.__struct_fields__))


def played(there: Venue, program: str, *plan: str, dialect: str = "native") -> tuple[Standing, str]:
    """A double round robin of this program and four others; how it stands, what its bot said."""
    code = there.create("--format", "round_robin legs=2", *plan)
    words = ("--program", program, "--game", GAME, "--tour", code, "--dialect", dialect)
    at = ("--at", f"127.0.0.1:{there.port}", "--name", "mine")
    with (
        Entrants(there.port, code, "ann", "bob", "cyd", "dan") as others,
        Process("bot", *words, *at) as bot,
    ):
        bot.until("oined")
        there.does("start", "1")
        others.play()
        bot.until("over.")
        assert bot.end() == 0, bot.said
        return standing(there, "mine"), bot.said


@pytest.mark.parametrize("how", ["raise", "exit", "babble", "cheat"])
def test_a_program_that_fails_once_loses_one_match_of_a_tour(how: str, tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there:
        line, said = played(there, failing(tmp_path, how))
    assert (line.played, line.wins, line.forfeits, line.out) == (8, 3, 1, "")
    assert "The bot resigns this game." in said


def test_in_tourney_it_loses_one_match_by_bad_moves(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there:
        program = failing(tmp_path, "raise")
        line, said = played(there, program, "--policy", "errors=7", dialect="tourney")
    assert (line.played, line.wins, line.forfeits, line.out) == (8, 3, 1, "")
    assert "seven illegal moves, which lose this match alone" in said


@pytest.mark.parametrize("dialect", ["fish", "fishcom"])
def test_in_fish_it_loses_one_match_by_a_bad_answer(dialect: str, tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there, ExitStack() as stack:
        game = "fish rows=5 cols=5"
        code = there.create("--format", "round_robin legs=4", game=game)
        at = Place(there.server, {"native": there.port, dialect: there.port})
        words = ("--game", game, "--tour", code)
        (level,) = squad(stack, at, "native", 1, "1", *words)
        level.until("Joined")
        program = failing(tmp_path, "raise")
        mine = stack.enter_context(at.bot(dialect, "--program", program, *words, "--name", "mine"))
        while "2 in it" not in there.does("show", "1"):
            pass
        there.does("start", "1")
        assert (mine.end(), level.end()) == (0, 0), mine.said
        line = standing(there, "mine")
    assert (line.played, line.forfeits, line.out) == (4, 1, "")


def test_where_a_tour_forgives_bad_moves_it_plays_on(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there:
        line, _ = played(there, failing(tmp_path, "raise"), dialect="tourney")
    assert (line.played, line.wins, line.forfeits, line.out) == (8, 4, 0, "")


def test_its_author_is_shown_what_it_wrote_to_standard_error(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there:
        _, said = played(there, failing(tmp_path, "raise"))
    assert "mine stopped with exit code 1; its last words: KeyError: 'colour'\n" in said
    assert "  Traceback (most recent call last):\n" in said
    assert "The program is started again for the next game" in said


def test_a_program_that_stops_after_each_game_loses_none_by_it(tmp_path: Path) -> None:
    file = tmp_path / "stops.py"
    file.write_text(STOPS_AFTER_A_MOVE)
    with venue(tmp_path / "server") as there:
        line, _ = played(there, f"{sys.executable} {file}")
    assert (line.played, line.wins, line.forfeits, line.out) == (8, 4, 0, "")


def test_a_program_that_never_starts_is_tried_again_after_pauses_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "never.py"
    file.write_text(CANNOT_START)
    with venue(tmp_path / "server") as there:
        line, said = played(there, f"{sys.executable} {file}")
    assert (line.played, line.wins, line.forfeits, line.out) == (8, 0, 4, "")
    pauses = re.findall(r"next game, ([0-9.]+) s from now", said)
    assert pauses == ["0.2", "0.5", "1", "2"]
    assert said.count("  no board today\n") == 4
    assert "it has failed 4 times without a move" in said


def test_only_ctrl_c_withdraws(tmp_path: Path) -> None:
    with venue(tmp_path / "server") as there:
        code = there.create("--format", "round_robin")
        words = ("bot", "1", "--game", GAME, "--tour", code, "--at", f"127.0.0.1:{there.port}")
        for name, number, exit_code, out in (
            ("ann", signal.SIGTERM, -signal.SIGTERM, ""),
            ("bob", signal.SIGHUP, -signal.SIGHUP, ""),
            ("cyd", signal.SIGINT, 130, "withdrawn"),
        ):
            with Process(*words, "--name", name) as bot:
                bot.until("Joined tour 1")
                bot.signal(number)
                assert bot.end() == exit_code, bot.said
            assert standing(there, name).out == out


MATCH = "@GAME:START:H:bob\n@GAME:STATE:0,2,1,2\n"


def test_a_program_that_hangs_holds_up_no_match_but_its_own(tmp_path: Path) -> None:
    program = failing(tmp_path, "hang", games=0)
    with socket.create_server(("127.0.0.1", 0)) as door:
        at = f"127.0.0.1:{door.getsockname()[1]}"
        words = ("--program", program, "--game", "nim", "--dialect", "tourney", "--at", at)
        with Process("bot", *words) as bot:
            server, _ = door.accept()
            with server, server.makefile() as lines:
                server.settimeout(30)  # less than the minute that a move may take
                assert lines.readline() == "@NEW PLAYER\n"
                server.sendall(f"@PID:1\n{MATCH}".encode())
                while not (tmp_path / "failed").exists():
                    server.sendall(b"@PING\n")
                    while lines.readline() != "@PONG\n":
                        pass
                server.sendall(f"@GAME:RESULT:A\n{MATCH}".encode())
                while (line := lines.readline()) and not line.startswith("@GAME:MOVE"):
                    pass
                assert line == "@GAME:MOVE:0,1\n"
            bot.signal(signal.SIGINT)
            assert bot.end() == 130


@pytest.mark.parametrize(
    ("dialect", "game", "players", "cost"),
    [
        ("native", "tictactoe", 2, "The bot resigns this game."),
        ("othello", "reversi", 2, "The bot resigns this game."),
        ("blackwhite", "reversi", 2, "The bot resigns this game."),
        ("fish", "fish", 2, "The bot answers badly, which removes its penguins: this game is lost"),
        ("fishcom", "fish", 2, "and from the whole tournament unless"),
        ("bughouse", "bughouse", 4, "The bot resigns this game for its team"),
    ],
)
def test_it_plays_the_next_game_in_every_language(
    dialect: str, game: str, players: int, cost: str, tmp_path: Path
) -> None:
    program = failing(tmp_path, "raise", games=0)
    with ExitStack() as stack:
        at: Place = stack.enter_context(place(tmp_path / "server"))
        words = ("--game", game, "--games", "2")
        squad(stack, at, dialect, players - 1, "1", *words)
        mine = stack.enter_context(at.bot(dialect, "--program", program, *words, "--name", "mine"))
        assert mine.end() == 0, mine.said
    assert cost in mine.said
    assert "Game 1: lost." in mine.said
    assert "A game begins.\nGame 2: " in mine.said
