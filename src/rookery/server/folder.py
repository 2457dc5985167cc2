"""The server's folder: what is in it is for its owner alone.

A log has everything in it, hidden numbers and join codes too. So the folder is made for
its owner alone, and so is every file. Where others could read a file it is mended, and
said so. A folder that was there before us is only mended where nothing but our own files
is in it: it may be somebody's home.
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rookery.core.errors import Mistake
from rookery.server.file_modes import restrict
from rookery.server.organiser import TOKEN_FILE
from rookery.store.file.lock import OWNER_ALONE

log = logging.getLogger(__name__)

LOG_FILE: Final = "rookery.db"
FOLDER_MODE: Final = 0o700

_OURS: Final = (LOG_FILE, TOKEN_FILE)  # and what begins with them


class BadFolder(Mistake):
    """The folder cannot be made."""


def make_folder(path: Path) -> None:
    """Make this folder, for its owner alone, if there is none. Raises BadFolder."""
    try:
        path.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFolder(f"The folder {path} cannot be made: {wrong.strerror}.") from None


def close_to_others(folder: Path) -> None:
    """See that nobody but the owner can read what the server keeps here."""
    try:
        found = list(folder.iterdir())
    except OSError:
        return  # what is wrong is said when the log is opened
    ours = [path for path in found if path.name.startswith(_OURS)]
    files = [path for path in ours if path.is_file() and not path.is_symlink()]
    mended = list(_mended(files, OWNER_ALONE))
    if ours and len(ours) == len(found):
        mended += _mended([folder], FOLDER_MODE)
    if mended:
        log.warning("others could read %s: from now on only the owner can", ", ".join(mended))


def _mended(paths: list[Path], mode: int) -> Iterator[str]:
    """Restrict these to their owner; yield those that others could read, with the old mode."""
    for path in paths:
        try:
            was = restrict(path, mode)
        except OSError as wrong:
            log.warning("others may be able to read %s: %s", path, wrong.strerror)
        else:
            if was is not None:
                yield f"{path} ({was:04o})"
