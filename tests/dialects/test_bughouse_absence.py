"""A player who comes and goes every few milliseconds delays nothing of the others' game."""

from collections.abc import Sequence

import pytest

from rookery.core.ids import MICROS_A_SECOND, Micros
from tests.dialects.old_bughouse import NAMES, begun, plies
from tests.transcripts.wired_hall import WiredHall

SECOND = MICROS_A_SECOND
MILLI: Micros = 1_000
LATE_MAX: Micros = 200_000  # the page: at the worst


def pass_time(hall: WiredHall, length: Micros, restless: Sequence[str]) -> None:
    """Time goes by; these players hang up and come back every 3 ms."""
    end = hall.now + length
    while hall.now < end:
        for name in restless:
            if name in hall.lines:
                hall.hang_up(name)
            else:
                hall.connect(name, "bughouse")
                hall.send(name, f"ADD_PLAYER:{name}\n".encode())
        hall.advance(3 * MILLI)


def waited(hall: WiredHall, who: str, line: bytes, restless: Sequence[str]) -> Micros:
    """How long it takes until a client is told this line."""
    start, said = hall.now, hall.take(who)
    while line not in said and hall.now < start + 2 * SECOND:
        pass_time(hall, 3 * MILLI, restless)
        said += hall.take(who)
    return hall.now - start


@pytest.mark.parametrize("thought", [30 * MILLI, 200 * MILLI])
@pytest.mark.parametrize("restless", [["Bob"], ["Bob", "Cyd"]])
def test_a_turn_is_told_in_time_beside_who_comes_and_goes(
    restless: list[str], thought: Micros
) -> None:
    hall = WiredHall()
    begun(hall)
    late: list[Micros] = []
    for seat, line in plies(10, seed=6, board=1):
        pass_time(hall, thought, restless)
        other = NAMES[seat ^ 1]
        hall.take(other)
        hall.send(NAMES[seat], f"{line}\n".encode())
        late.append(waited(hall, other, b"BROADCAST:YOUR_TURN\n", restless))
    assert max(late) <= LATE_MAX


def test_the_end_is_told_in_time_and_nothing_of_absence_after_it() -> None:
    hall = WiredHall()
    begun(hall)
    pass_time(hall, 3 * SECOND, ["Bob"])
    hall.send("Ann", b"QUIT:1\n")
    assert waited(hall, "Dan", b"BROADCAST:GAME_OVER:1\t", ["Bob"]) <= LATE_MAX
    hall.take("Dan")
    pass_time(hall, SECOND, ["Bob"])
    assert b"NOTICE" not in hall.take("Dan")


@pytest.mark.parametrize("comings", [101, 102])
def test_of_who_comes_and_goes_the_newest_is_told(comings: int) -> None:
    hall = WiredHall()
    begun(hall)
    hall.advance(3 * SECOND)
    hall.take("Dan")
    pass_time(hall, comings * 3 * MILLI, ["Bob"])
    hall.advance(SECOND)
    told = hall.take("Dan").decode().splitlines()
    newest = "The connection of Bob is gone;" if comings % 2 else "Bob is back."
    assert newest in told[-1]
    assert len(told) <= comings * 3 // 60 + 2
