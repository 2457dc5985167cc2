"""The events of a table as lines, from the disk."""

import re
from pathlib import Path

import msgspec
import pytest

from rookery.cli.table.words import clock_words, event_words, outcome_words, spent_words
from rookery.clients.native.players import Players, seated
from rookery.core.events import (
    Closed,
    DrawDeclined,
    DrawOffered,
    Erred,
    Left,
    Out,
    Owned,
    Played,
    Record,
    Rematched,
    RematchWished,
    Said,
    Swapped,
    TableEvent,
    TakenOver,
)
from rookery.core.game import Forfeit, Outcome, draw, win
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.games.bughouse import Bughouse
from rookery.games.tictactoe import Tictactoe
from tests.cli.conftest import Story
from tests.cli.processes import serving
from tests.cli.running import run, run_process

PAIR = Players(Tictactoe(), ("ann", "bob"))
FOUR = Players(Bughouse(), ("ann", "bob", "cid", "dan"))


def lines_of(folder: Path) -> list[str]:
    done = run_process("log", "1", "--data", str(folder), env={"TZ": "UTC"})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def told(events: list[TableEvent], players: Players) -> list[str]:
    """The events in words, one after the other."""
    words = []
    for event in events:
        words.append(event_words(event, players))
        players = seated(players, event)
    return words


def test_the_other_sides_yes_to_a_draw_is_no_offer() -> None:
    ann, bob = DrawOffered(Seat(0)), DrawOffered(Seat(1))
    assert told([ann, bob], PAIR) == ["ann (X) offers a draw.", "bob (O) accepts the draw."]


@pytest.mark.parametrize("no", [DrawDeclined(Seat(1)), Played(Seat(1), "4", 0)])
def test_an_offer_after_one_that_was_declined_is_a_new_one(no: TableEvent) -> None:
    ann, bob = DrawOffered(Seat(0)), DrawOffered(Seat(1))
    assert told([ann, no, bob], PAIR)[-1] == "bob (O) offers a draw."


def test_a_move_of_the_side_that_offered_leaves_its_offer_open() -> None:
    events: list[TableEvent] = [DrawOffered(Seat(0)), Played(Seat(3), "e7e5", 0)]
    assert told([*events, DrawOffered(Seat(2))], FOUR)[-1].endswith("accepts the draw.")


def test_every_event_is_a_line_with_number_time_and_words(story: Story) -> None:
    day, *lines = lines_of(story.folder)
    assert re.fullmatch(r"\w+day, \d\d \w+ \d{4} \(UTC\)", day)
    words = [line.split("  ", 2) for line in lines]
    assert [re.sub(r"^ *(\d+)  \d\d:\d\d:\d\d .{9}  ", r"\1 ", line) for line in lines] == [
        "1 The table is opened: tictactoe, 2 seats, clock 5m+3s.",
        next(f"2 {line[26:]}" for line in lines if "The seed is" in line),
        "3 ann sits down as X.",
        "4 bob sits down as O.",
        "5 The game begins.",
        "6 ann (X) plays 0.",
        "7 bob (O) plays 3.",
        "8 ann (X) plays 1.",
        "9 bob (O) plays 4.",
        "10 ann (X) plays 2.",
        "11 ann (X) wins: X has three in a row.",
    ], words


def test_a_move_says_how_long_it_took(story: Story) -> None:
    took = r" (\d+ ms|\d+\.\d s)  \w+ \([XO]\) plays \d\.$"
    moves = [line for line in lines_of(story.folder) if " plays " in line]
    assert [line for line in moves if not re.search(took, line)] == []


def test_json_has_a_record_a_line(story: Story) -> None:
    result = run("log", "1", "--data", str(story.folder), "--json")
    records = [msgspec.json.decode(line, type=Record) for line in result.output.splitlines()]
    assert [record.n for record in records] == list(range(1, 12))
    assert {record.stream for record in records} == {"table/1"}


def test_it_reads_beside_a_running_server(tmp_path: Path) -> None:
    with serving(tmp_path):
        result = run("log", "1", "--data", str(tmp_path))
    assert (result.stderr, result.exit_code) == (f"Error: There is no table 1 in {tmp_path}.\n", 2)


@pytest.mark.parametrize("command", [["log", "1"], ["replay", "1"], ["verify"]])
def test_a_folder_without_a_log_is_one_sentence_and_exit_code_2(
    command: list[str], tmp_path: Path
) -> None:
    result = run(*command, "--data", str(tmp_path))
    assert result.stderr == (
        f"Error: There is no log at {tmp_path}/rookery.db: say with --data which folder is the "
        "server's.\n"
    )
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Played(Seat(0), "4", 0), "ann (X) plays 4."),
        (Played(Seat(0), "", 0), "ann (X) moves."),
        (Left(Seat(1), PlayerId(2)), "bob (O) gets up."),
        (Owned(PlayerId(2)), "The table is player 2's now."),
        (Swapped(Seat(0), Seat(1)), "ann (X) and bob (O) change places."),
        (TakenOver(Seat(1), PlayerId(9), "x-2"), "x-2 plays on for bob (O), who is gone."),
        (Erred(Seat(1), "taken"), "bob (O) makes an illegal move (taken)."),
        (DrawOffered(Seat(0)), "ann (X) offers a draw."),
        (DrawDeclined(Seat(1)), "bob (O) declines the draw."),
        (Out(Seat(0), Forfeit.LATE), "ann (X) ran out of time."),
        (Closed(), "The table is closed: nobody is left at it."),
        (Said(PlayerId(1), "eve", "hi"), "eve: hi"),
        (Said(PlayerId(1), "ann", "hi", 0), "ann to the team: hi"),
        (RematchWished(Seat(1)), "bob (O) would like to play again."),
        (Rematched(TableId(9)), "They play again at table 9."),
        (DrawOffered(Seat(7)), "seat 7 offers a draw."),
    ],
)
def test_an_event_is_a_sentence(event: TableEvent, words: str) -> None:
    assert event_words(event, PAIR) == words


@pytest.mark.parametrize(
    ("outcome", "players", "words"),
    [
        (win(2, Seat(0), "line", "Why."), PAIR, "ann (X) wins: Why."),
        (draw(2, "full", "Why."), PAIR, "A draw: Why."),
        (Outcome((2, 2), "aborted", "Why."), PAIR, "Nobody wins: Why."),
        (
            Outcome((1, 2, 2, 1), "mate", "Why."),
            FOUR,
            "ann (white on board 1) and dan (black on board 2) win: Why.",
        ),
    ],
)
def test_a_result_says_who_and_why(outcome: Outcome, players: Players, words: str) -> None:
    assert outcome_words(outcome, players) == words


@pytest.mark.parametrize(
    ("micros", "clock", "spent"),
    [
        (250_000, "0:00.2", "250 ms"),
        (9_999_999, "0:09.9", "10.0 s"),
        (10_000_000, "0:10", "10.0 s"),
        (125_400_000, "2:05", "2:05"),
        (3_723_000_000, "1:02:03", "1:02:03"),
    ],
)
def test_lengths_of_time_are_short(micros: int, clock: str, spent: str) -> None:
    assert clock_words(micros) == clock
    assert spent_words(micros) == spent
