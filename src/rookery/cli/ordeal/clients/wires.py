"""What went over each caller's lines, the last of it: to be read where somebody complains."""

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros

KEPT: Final = 4_000  # pieces of each caller
PIECE_MAX: Final = 1_000  # bytes of each that are kept


class WireTape:
    """All lines of one caller, one after the other. It mutates."""

    def __init__(self, clock: Callable[[], Micros]) -> None:
        self._clock = clock
        self._pieces: deque[tuple[Micros, str, bytes]] = deque(maxlen=KEPT)

    def note(self, mark: str, words: bytes = b"") -> None:
        """This was said (`>`) or heard (`<`), or happened to the line."""
        self._pieces.append((self._clock(), mark, words[:PIECE_MAX]))

    def keep(self, file: Path) -> None:
        """Write it down."""
        with file.open("w", encoding="utf-8") as out:
            for at, mark, words in self._pieces:
                moment = datetime.fromtimestamp(at / MICROS_A_SECOND, UTC).time()
                out.write(f"{moment.isoformat('microseconds')} {mark} {words!r}\n")
