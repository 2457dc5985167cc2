"""Tapes of the last bytes over each caller's lines, to be read where a judge complains."""

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros

KEPT: Final = 4_000  # pieces of each caller
PIECE_MAX: Final = 1_000  # bytes of each that are kept


class WireTape:
    """The last pieces that went over all lines of one caller."""

    def __init__(self, clock: Callable[[], Micros]) -> None:
        self._clock = clock
        self._pieces: deque[tuple[Micros, str, bytes]] = deque(maxlen=KEPT)

    def note(self, mark: str, words: bytes = b"") -> None:
        """Note bytes that the caller sent (`>`) or heard (`<`), or what happened to its line."""
        self._pieces.append((self._clock(), mark, words[:PIECE_MAX]))

    def keep(self, file: Path) -> None:
        """Write the tape into a file."""
        with file.open("w", encoding="utf-8") as out:
            for at, mark, words in self._pieces:
                moment = datetime.fromtimestamp(at / MICROS_A_SECOND, UTC).time()
                out.write(f"{moment.isoformat('microseconds')} {mark} {words!r}\n")
