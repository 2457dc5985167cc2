"""The events of a tour as lines, from the disk; and a log with a tour in it, verified."""

import re
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from rookery.cli.tours.words import LoggedNames, tour_words
from rookery.core.events import (
    Joined,
    MatchBegun,
    MatchEnded,
    MatchRuled,
    MatchVoided,
    Paired,
    Parted,
    Partnered,
    Record,
    Renamed,
    Returned,
    TourClosing,
    TourEnded,
    TourEvent,
    TourKeyed,
    TourOpened,
    TourPaused,
    TourSeeded,
    Withdrawn,
)
from rookery.core.ids import PlayerId, TableId
from rookery.core.tour_values import Fixture, Plan, Result
from rookery.store.sqlite import SqliteStore
from tests.cli.running import run, run_process
from tests.cli.tour_logs import played

FIXTURES = (Fixture(1, (1, 2)), Fixture(1, (3,)), Fixture(2, (1, 2, 3)))
NAMES = LoggedNames(("ann", "bob", "cid"), FIXTURES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's folder with the log of a tour of three."""
    found = tmp_path_factory.mktemp("tour")
    with closing(SqliteStore(found / "rookery.db")) as store:
        store.append(played())
    return found


def test_every_event_of_a_tour_is_a_line(folder: Path) -> None:
    done = run_process("log", "--tour", "1", "--data", str(folder), env={"TZ": "UTC"})
    day, *lines = done.stdout.splitlines()
    assert day == "Tuesday, 14 November 2023 (UTC)"
    said = [re.sub(r"^ *(\d+)  22:13:\d\d {12}", r"\1 ", line) for line in lines]
    assert said[0] == "1 The tour is opened: nim sticks=1,2, round_robin, clock 5m."
    assert re.fullmatch(r"2 The seed is \d+, and one joins with DEN\.", said[1])
    assert said[2:] == [
        "3 ann joins as entrant 1.",
        "4 bob joins as entrant 2.",
        "5 cid joins as entrant 3.",
        "6 The tour runs.",
        "7 Matches 1 to 3 are paired: bob – cid, ann – bob, cid – ann.",
        "8 Match 1 begins at table 1: bob – cid.",
        "9 Match 1, bob – cid: cid wins. Away took the last stick.",
        "10 Match 2 begins at table 2: ann – bob.",
        "11 Match 2, ann – bob: ann wins. Home took the last stick.",
        "12 Match 3 begins at table 3: cid – ann.",
        "13 Match 3, cid – ann: cid wins. Home took the last stick.",
        "14 No match begins any more: all is played.",
        "15 The tour is over: cid wins.",
    ]


def test_json_has_a_record_of_the_tour_a_line(folder: Path) -> None:
    result = run("log", "--tour", "1", "--data", str(folder), "--json")
    records = [msgspec.json.decode(line, type=Record) for line in result.output.splitlines()]
    assert [record.n for record in records] == list(range(1, 16))
    assert {record.stream for record in records} == {"tour/1"}


def test_a_tour_that_is_not_there_is_one_sentence(folder: Path) -> None:
    result = run("log", "--tour", "2", "--data", str(folder))
    assert (result.stderr, result.exit_code) == (f"Error: There is no tour 2 in {folder}.\n", 2)


@pytest.mark.parametrize("words", [(), ("1", "--tour", "1")])
def test_it_is_either_a_table_or_a_tour(words: tuple[str, ...], folder: Path) -> None:
    result = run("log", *words, "--data", str(folder))
    assert "Say which TABLE, or which --tour." in result.stderr
    assert result.exit_code == 2


def test_verify_counts_tours_where_there_are_any(folder: Path) -> None:
    result = run("verify", "--data", str(folder))
    assert result.stdout == (
        "46 records, 3 players, 3 tables: 3 finished; 1 tour: 1 over.\nAll is well.\n"
    )


def test_verify_names_the_tour_of_a_problem(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "rookery.db")) as store:
        store.append(played()[:45])
    result = run("verify", "--data", str(tmp_path))
    assert result.stdout == (
        "tour 1, event 15 (record 45): The tour ends, and the hall does not say so.\n"
        "45 records, 3 players, 3 tables: 3 finished; 1 tour: 1 not over.\n1 problem.\n"
    )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            TourOpened(Plan("nim", "swiss rounds=5", "Class 7", time="none")),
            "The tour 'Class 7' is opened: nim, swiss rounds=5, no clock.",
        ),
        (TourKeyed(5, ""), "The seed is 5, and anyone may join."),
        (Joined(4, "dan", PlayerId(9)), "dan joins as entrant 4."),
        (Renamed(2, "rob"), "bob is called rob from now on."),
        (Partnered(1, PlayerId(9)), "Player 9 joins ann."),
        (Returned(1, PlayerId(2), PlayerId(9)), "ann is back: player 2 is player 9 now."),
        (Withdrawn(2, "late"), "bob is out of the tour (late)."),
        (Withdrawn(9, "late"), "entrant 9 is out of the tour (late)."),
        (TourPaused(), "The tour pauses."),
        (TourPaused(90_000_000), "The tour pauses, with 1:30 left."),
        (Paired((Fixture(3, (2,)),)), "Match 4 is paired: bob has a bye."),
        (
            Paired((Fixture(3, (1, 2)),) * 8),
            f"Matches 4 to 11 are paired: {', '.join(['ann – bob'] * 6)}, and 2 more.",
        ),
        (MatchBegun(9, TableId(4)), "Match 9 begins at table 4: nobody."),
        (MatchEnded(1, Result((1, 1), "agreed", "Why.")), "Match 1, ann – bob: a draw. Why."),
        (MatchEnded(1, Result((2, 2), "nobody", "Why.")), "Match 1, ann – bob: nobody wins. Why."),
        (MatchEnded(1, Result((1, 2), "absent")), "Match 1, ann – bob: ann wins. (absent)"),
        (MatchEnded(2, Result((1,), "bye")), "Match 2: cid has a bye."),
        (
            MatchEnded(3, Result((1, 1, 3), "fish", "Why.")),
            "Match 3, ann – bob – cid: ann and bob win. Why.",
        ),
        (
            MatchRuled(1, Result((2, 1), "by_hand", "Agreed.", by_hand=True)),
            "By hand: Match 1, ann – bob: bob wins. Agreed.",
        ),
        (TourSeeded((2, 1)), "The seeds are bob and ann."),
        (MatchVoided(1), "Match 1 counts for nothing, and is to be played again."),
        (TourClosing("ended", ()), "No match begins any more: its owner ends the tour."),
        (Parted(1), "ann has taken the end of the tour."),
        (TourEnded("ended", (1, 3)), "The tour is over: ann and cid share first place."),
        (TourEnded("ended", ()), "The tour is over; nobody has won it."),
        (TourEnded("cancelled", ()), "The tour was called off."),
    ],
)
def test_an_event_of_a_tour_is_a_sentence(event: TourEvent, words: str) -> None:
    assert tour_words(event, NAMES) == words
