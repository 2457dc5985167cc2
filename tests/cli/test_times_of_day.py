"""Times of day as they are typed for a tour's start."""

from datetime import datetime

import pytest

from rookery.cli.tours.sheet import parse_time_of_day
from rookery.core.errors import BadOption

NOW = datetime(2026, 11, 17, 12, 0)  # noqa: DTZ001 # of whoever types, wherever that is


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("18:30", datetime(2026, 11, 17, 18, 30)),  # noqa: DTZ001
        ("09:00", datetime(2026, 11, 18, 9, 0)),  # noqa: DTZ001
        ("2026-12-24 20:00", datetime(2026, 12, 24, 20, 0)),  # noqa: DTZ001
    ],
)
def test_a_time_is_the_next_there_is_and_a_date_is_that_day(typed: str, meant: datetime) -> None:
    assert parse_time_of_day(typed, NOW) == round(meant.timestamp()) * 1_000_000


@pytest.mark.parametrize("typed", ["", "noon", "25:00", "2026-13-01 10:00"])
def test_what_is_no_time_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(BadOption, match="write 18:30"):
        parse_time_of_day(typed, NOW)
