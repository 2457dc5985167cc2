"""What an organiser decides by hand at the command line: seeds, and files of pairing programs."""

import json
from pathlib import Path

import pytest

from rookery.notation.trf_reading import read_trf
from tests.cli.entrants import Entrants
from tests.cli.tours import Venue, venue

NAMES = ("ann", "bob", "cyd", "dan")


def swiss(there: Venue, *words: str) -> str:
    return there.create("--format", "swiss rounds=2", "--not-rated", *words)


def plan_of(there: Venue, tour: int = 1) -> dict[str, object]:
    plan: dict[str, object] = json.loads(there.does("export", str(tour), "--as", "json"))["plan"]
    return plan


def paired(there: Venue) -> list[list[str]]:
    """The sides of every match, in the order of the matches."""
    said = there.does("export", "1", "--as", "csv", "--what", "matches")
    return [line.split(",")[4:6] for line in said.splitlines()[1:]]


def test_seeds_are_given_before_the_start(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--seeding", "hand", "--format", "knockout")
        assert plan_of(there)["seeding"] == "hand"
        with Entrants(there.port, code, *NAMES) as entrants:
            assert there.fails("start", "1") == ("Tour 1 is seeded by hand: give the order first.")
            assert there.fails("seed", "1", "zoe") == "Nobody in tour 1 is called 'zoe'."
            assert there.fails("seed", "1", "ann", "1") == "Entrant 1 is in that order twice."
            assert there.does("seed", "1", "dan", "3", "ann") == (
                "The seeds of tour 1 are dan, 3 and ann.\n"
            )
            there.does("start", "1")
            entrants.begin()
            assert paired(there) == [["dan", "bob"], ["cyd", "ann"]]
            assert there.fails("seed", "1", "ann").startswith("Tour 1 has begun")


@pytest.mark.parametrize("seeding", ["joined", "rating"])
def test_seeds_that_are_not_by_hand_are_not_given(seeding: str, tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--seeding", seeding)
        assert plan_of(there).get("seeding", "joined") == seeding
        with Entrants(there.port, code, "ann", "bob"):
            assert there.fails("seed", "1", "bob").startswith("The plan of tour 1 says to seed by")
            there.does("start", "1")


def test_a_format_without_seeds_is_one_sentence(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        words = ("--game", "nim", "--format", "arena", "--seeding", "hand")
        assert "has no seeds" in there.fails("create", *words)


def test_a_swiss_is_exported_as_trf_to_a_file_and_opened_again_from_it(tmp_path: Path) -> None:
    file = tmp_path / "club.trf"
    with venue(tmp_path / "server") as there:
        with Entrants(there.port, swiss(there, "--name", "Club"), *NAMES) as entrants:
            there.does("start", "1")
            entrants.play()
        assert there.does("export", "1", "--out", str(file)) == (f"Tour 1 is written to {file}.\n")
        assert file.read_text("utf-8") == there.does("export", "1", "--as", "trf")
        report = read_trf(file.read_text("utf-8"))
        assert [line.name for line in report.lines] == list(NAMES)
        assert len(report.pairings()) == 4
        said = there.does("create", "--game", "nim", "--from", str(file))
        assert "Tour 2 (Club) is open: nim, swiss rounds=2." in said
        assert said.endswith("   1. ann\n   2. bob\n   3. cyd\n   4. dan\n")


def test_a_tour_that_trf_has_no_room_for_is_one_sentence(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        code = there.create("--format", "groups", "--seats", "4", game="fish")
        with Entrants(there.port, code, *NAMES):
            there.does("start", "1")
            assert there.fails("export", "1", "--as", "trf").endswith(".")


def test_a_trf_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with venue(tmp_path) as there:
        assert there.fails("create", "--game", "nim", "--from", "none.trf") == (
            "none.trf cannot be read: No such file or directory."
        )
