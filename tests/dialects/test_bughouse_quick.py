"""The quick way in which four hear of a move tells each of them what the plain way tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.ids import MICROS_A_SECOND, Micros, Seat
from rookery.dialects.bughouse import BughouseDialect, BughouseOptions
from rookery.dialects.bughouse.broadcasts.clocks import Clocks
from tests.dialects.old_bughouse import NAMES, begun, plies
from tests.transcripts.wired_hall import WiredHall

PLIES = 120
CLOCKS = BughouseOptions(clocks=True, time="3m")
HASTY = BughouseOptions(clocks=True, burst=200, gap=20)


def told(
    options: BughouseOptions, seed: int, pause: Micros, *, quick: bool
) -> list[dict[str, bytes]]:
    """What each of four was told after each move of a lively game, and nonsense between them."""
    hall = WiredHall()
    hall.options["bughouse"] = options
    begun(hall)
    for line in hall.lines.values():
        assert isinstance(line.dialect, BughouseDialect)
        line.dialect.quick = quick
    heard = []
    for n, (seat, said) in enumerate(plies(PLIES, seed)):
        more = "GET_NAME:1\n" if n % 5 == 0 else "MOVE:1\t0\t0\t0\t0\n" if n % 7 == 0 else ""
        hall.send(NAMES[seat], f"{said}\n{more}".encode())
        hall.advance(pause)
        heard.append({name: hall.take(name) for name in NAMES})
    return heard


@pytest.mark.parametrize("pause", [0, 1_000, 30_000, 1_500_000])
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("options", [BughouseOptions(), CLOCKS, HASTY])
def test_all_four_hear_the_same_both_ways(
    options: BughouseOptions, seed: int, pause: Micros
) -> None:
    quick, plain = (told(options, seed, pause, quick=quick) for quick in (True, False))
    assert any(b"BROADCAST:MOVE:" in each for all_four in quick for each in all_four.values())
    assert quick == plain


@given(
    left=st.tuples(*[st.integers(0, 70 * MICROS_A_SECOND)] * 4),
    at=st.none() | st.integers(0, 10),
    running=st.sets(st.integers(0, 3)),
    after=st.integers(0, 70 * MICROS_A_SECOND),
)
def test_the_first_mark_of_clocks_is_the_first_of_all_marks(
    left: tuple[int, ...], at: int | None, running: set[int], after: int
) -> None:
    clocks = Clocks(left, at, tuple(Seat(one) for one in sorted(running)))
    assert clocks.due(after) == min((when for when, _ in clocks.marks(after)), default=None)
