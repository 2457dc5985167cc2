"""Native: reversi, the lines as they are, at tables that the first of a pair opens."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rookery_tools.bench.figures import FigureBudget
from rookery_tools.bench.languages.language import BegunPairs, Language
from rookery_tools.bench.load.scripts import REVERSI
from rookery_tools.bench.load.seats import parties, seated


@contextmanager
def seat(port: int, tables: int) -> Iterator[list[BegunPairs]]:
    """Seat pairs at so many tables, one game at each."""
    with seated(port, parties(REVERSI, tables, 1)) as pairs:
        yield [BegunPairs((one,)) for one in pairs]


LANGUAGE: Final = Language("native", seat, FigureBudget(3.4, 2.8, bare=True), share=0.58)
