"""The rescue: a store whose file was deleted saves what it holds open as it closes.

A file that was deleted is there until the last process that has it open lets go. So a server
whose log was deleted puts a copy beside where it was, before it goes. The copy does not take
the log's own place: the one who deleted the log may have meant to.
"""

import logging
import sqlite3
from pathlib import Path
from typing import Final

from rookery.store import StoreFailed
from rookery.store.file.copying import copy_log

log = logging.getLogger(__name__)

COPIES_MAX: Final = 100
_FOLDER_MODE: Final = 0o700


def rescue(connection: sqlite3.Connection, path: Path) -> Path | None:
    """Save what this connection sees in a file beside `path`; return that, or None if it failed."""
    try:
        path.parent.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
        target = _free(path)
        copy_log(connection, target)
    except (StoreFailed, OSError) as wrong:
        log.error("The log was deleted, and what was in it could not be saved: %s", wrong)  # noqa: TRY400
        return None
    log.warning(
        "The log %s was deleted or replaced; all that was in it is saved in %s: "
        "give it the log's name to go on from there.",
        path,
        target,
    )
    return target


def _free(path: Path) -> Path:
    """A name beside the log that no file has."""
    for n in range(1, COPIES_MAX):
        target = path.with_name(f"{path.stem}.rescued-{n}{path.suffix}")
        if not target.exists():
            return target
    raise StoreFailed(f"There are {COPIES_MAX} rescued logs beside {path} already.")
