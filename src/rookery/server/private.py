"""What is for its owner alone: seeing whether others can read it, and mending that."""

import stat
from pathlib import Path
from typing import Final

_OTHERS: Final = 0o077


def close(path: Path, mode: int) -> int | None:
    """Give this the mode where others can read it; the one it had then. Raises OSError."""
    was = stat.S_IMODE(path.stat().st_mode)
    if not was & _OTHERS:
        return None
    path.chmod(mode)
    return was
