"""TRF files by command: a tour that was played is written, and one is opened from a file."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rookery.notation.trf_reading import read_trf
from tests.cli.entrants import Entrants
from tests.cli.tours import Venue, venue


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Venue]:
    """A server where tour 1 is over."""
    with venue(tmp_path_factory.mktemp("played")) as there:
        with Entrants(there.port, there.create(), "ann", "bob", "cyd") as entrants:
            there.does("start", "1")
            entrants.play()
        yield there


def test_the_export_as_trf_is_read_back(played: Venue) -> None:
    report = read_trf(played.does("export", "1", "--format", "trf"))
    standing = json.loads(played.does("export", "1", "--as", "json"))["standing"]
    assert {line.name: line.points for line in report.lines} == {
        row["name"]: row["points"] for row in standing
    }


def test_a_tour_is_opened_from_a_trf_file(played: Venue, tmp_path: Path) -> None:
    file = tmp_path / "club.trf"
    row = f"001    1      Ek, Åsa{' ' * 26} 1612 {' ' * 26}  0.0    1"
    file.write_text(f"012 Club evening\n092 Swiss\nXXR 5\n{row}\n", "utf-8")
    said = played.does("create", "--game", "nim", "--from", str(file))
    assert "(Club evening) is open: nim, swiss rounds=5." in said
    assert "   1. Ek, Åsa (1612)\n" in said
    file.write_text("001    x", "utf-8")
    assert played.fails("create", "--game", "nim", "--from", str(file)) == (
        f"{file}: Line 1: The number of the player is a whole number up to 9999, not 'x'."
    )
