"""Modes of files that are for their owner alone: whether others can read one, and mending it."""

import stat
from pathlib import Path
from typing import Final

_OTHERS: Final = 0o077


def restrict(path: Path, mode: int) -> int | None:
    """Give this the mode where others can read it; the one it had then. Raises OSError."""
    was = stat.S_IMODE(path.stat().st_mode)
    if not was & _OTHERS:
        return None
    path.chmod(mode)
    return was
