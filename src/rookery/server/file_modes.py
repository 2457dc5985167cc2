"""Modes of files that are for their owner alone: whether others can read one, and mending it."""

import stat
from pathlib import Path
from typing import Final

_OTHERS: Final = 0o077


def restrict(path: Path, mode: int) -> int | None:
    """Give the file this mode if others can read it, and return its old one. Raises OSError."""
    was = stat.S_IMODE(path.stat().st_mode)
    if not was & _OTHERS:
        return None
    path.chmod(mode)
    return was
