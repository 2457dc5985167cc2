"""How hard the tests try: few examples of everything, or many with `ROOKERY_LAWS=deep`."""

import os
import shutil
from typing import Final

DEEP: Final = os.environ.get("ROOKERY_LAWS") == "deep"
EXAMPLES: Final = 1000 if DEEP else 60  # of hypothesis, for each law

_SHARED: Final = "/dev/shm"
_ROOM: Final = 1 << 30  # bytes; a whole run needs a tenth, and some machines have less


def _memory() -> str | None:
    try:
        roomy = shutil.disk_usage(_SHARED).free >= _ROOM
    except OSError:
        return None
    return _SHARED if roomy and os.access(_SHARED, os.W_OK) else None


MEMORY: Final = _memory()  # a folder that is no disk, or None for wherever folders are made
