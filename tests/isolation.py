"""Tests see neither the folder they were started in, nor the user's environment, nor a home.

A server that ran in the checkout leaves `data/` behind, a shell has `ROOKERY_PORT` set, a home
has settings of its own: none of them may change what a test finds. So the whole run, and every
process it starts, gets the variables named here, an empty home and an empty working folder.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

# What people set for the tests themselves; each is read in one place.
KNOBS: Final = {
    *("ROOKERY_BROWSER", "ROOKERY_KILLS", "ROOKERY_LAWS", "ROOKERY_MUTATIONS"),
    *("ROOKERY_PICTURES", "ROOKERY_PYTHONS", "ROOKERY_WORLDS", "ROOKERY_SOURCES"),
}
# What the machine needs to run programs, to install packages and to count what ran.
KEPT: Final = {
    *("PATH", "TMPDIR", "LD_LIBRARY_PATH", "USER", "LOGNAME", "CI", "XDG_RUNTIME_DIR"),
    *("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "VIRTUAL_ENV"),
}
KEPT_PREFIXES: Final = ("PYTEST_", "PY_COLORS", "COV_", "COVERAGE_", "SSL_", "HYPOTHESIS_")


def clean_environment(home: Path) -> None:
    """Forget every variable that is not named above; the language and the home are fixed."""
    # Other sources may be tried on purpose, never by what somebody's shell has.
    kept = KNOBS | KEPT
    if os.environ.get("PYTHONPATH") == os.environ.get("ROOKERY_SOURCES"):
        kept |= {"PYTHONPATH"}
    for name in list(os.environ):
        if name not in kept and not name.startswith(KEPT_PREFIXES):
            del os.environ[name]
    os.environ |= {"HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb"}


class EmptyPlace:
    """A home and a working folder for one run, both empty, and gone with it."""

    def __init__(self) -> None:
        self._root = TemporaryDirectory(prefix="rookery-tests-")
        self.home = Path(self._root.name) / "home"
        self.folder = Path(self._root.name) / "folder"
        self.home.mkdir()
        self.folder.mkdir()

    def close(self) -> None:
        """Leave it, and remove it."""
        os.chdir("/")
        self._root.cleanup()
