"""The archivist: reads back from the log what left the hall's memory.

If a stream is damaged, or the disk cannot read it, the archivist says so once in the server's
own log, with all that is known; the one who asked is told no more than that it is so.
"""

import logging
from collections.abc import Sequence

from rookery.core.errors import Damaged
from rookery.core.events import Record
from rookery.store import Log

log = logging.getLogger(__name__)


class Archivist:
    """Reads one stream at a time. It mutates: it remembers of which damage it has told."""

    def __init__(self, store: Log) -> None:
        self._store = store
        self._said: set[str] = set()

    def read(self, stream: str) -> Sequence[Record]:
        """Return all records of one stream; none if there is no such stream. Raises Damaged."""
        try:
            return self._store.read_stream(stream)
        except Damaged as wrong:
            if stream not in self._said:
                self._said.add(stream)
                log.error("%s cannot be read back: %s", stream, wrong)  # noqa: TRY400 # no mistake
            raise
