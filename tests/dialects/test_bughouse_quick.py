"""The quick way in which four hear of a move tells each of them what the plain way tells."""

import pytest

from rookery.core.ids import Micros
from rookery.dialects.bughouse import BughouseDialect, BughouseOptions
from tests.dialects.old_bughouse import NAMES, begun, plies
from tests.transcripts.wired_hall import WiredHall

PLIES = 120
HASTY = BughouseOptions(burst=200, gap=20)


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
@pytest.mark.parametrize("options", [BughouseOptions(), HASTY])
def test_all_four_hear_the_same_both_ways(
    options: BughouseOptions, seed: int, pause: Micros
) -> None:
    quick, plain = (told(options, seed, pause, quick=quick) for quick in (True, False))
    assert any(b"BROADCAST:MOVE:" in each for all_four in quick for each in all_four.values())
    assert quick == plain
