"""Seats, alone and together."""

from rookery.core.ids import SEATS_MAX, Seat, alone


def test_every_seat_that_a_table_may_have_can_be_alone() -> None:
    assert all(alone(Seat(n)) == {n} for n in range(SEATS_MAX))
