"""A new folder like a server's own, which appears when it is whole, or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rookery.core.errors import Mistake
from rookery.server.datadir import FOLDER_MODE, TOKEN_FILE
from rookery.store.file.lock import OWNER_ALONE


class BadTarget(Mistake):
    """The place of a new folder is taken."""


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder to be filled; it is at `target` once all went well. Raises BadTarget."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BadTarget(f"{target} is there already, and nothing is written over.")
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.new")
    if fresh.exists():
        raise BadTarget(f"{fresh} is there, of a copy that was cut short: delete it first.")
    fresh.mkdir(FOLDER_MODE)
    try:
        yield fresh
        fresh.replace(target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def keep_token(source: Path, target: Path) -> None:
    """Take the organiser's token along, where there is one."""
    token = source / TOKEN_FILE
    if token.is_file():
        number = os.open(target / TOKEN_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE)
        with os.fdopen(number, "wb") as file:
            file.write(token.read_bytes())
