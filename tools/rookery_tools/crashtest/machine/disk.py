"""A disk that fails when it is told to: a library between the server and its files (`shim.c`).

The library is compiled when it is needed, so there is no failing disk without a C compiler.
"""

import errno
import mmap
import shutil
import struct
import subprocess
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

WISH: Final = struct.Struct("6i")  # as `struct wish` in the library
FAILED: Final = 20  # where it counts
RECORDING: Final = 16

# What may happen to the disk: the errors of writes, syncs and reads, and how many in a hundred.
TROUBLES: Final = {
    "EIO on write": (errno.EIO, 0, 0, 100),
    "EIO on some writes": (errno.EIO, 0, 0, 30),
    "ENOSPC on write": (errno.ENOSPC, 0, 0, 100),
    "EIO on sync": (0, errno.EIO, 0, 100),
    "EIO on some syncs": (0, errno.EIO, 0, 50),
    "EIO on read": (0, 0, errno.EIO, 60),
}


class FailingDisk:
    """Tells the library which calls are to fail, and counts those that did."""

    def __init__(self, folder: Path) -> None:
        self._library = folder / "shim.so"
        self._control = folder / "control"
        self.trace = folder / "trace"
        self._control.write_bytes(bytes(WISH.size))
        with self._control.open("r+b") as file:
            self._wish = mmap.mmap(file.fileno(), WISH.size)

    def compile(self) -> bool:
        """Make the library; False where that cannot be."""
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            return False
        with as_file(files("rookery_tools.crashtest.machine") / "shim.c") as source:
            words = [compiler, "-shared", "-fPIC", "-O1", "-o", str(self._library), str(source)]
            words += ["-ldl", "-lpthread"]
            done = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - ours
        return done.returncode == 0

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that put the library between a server and its files."""
        return {
            "LD_PRELOAD": str(self._library),
            "CRASHTEST_CONTROL": str(self._control),
            "CRASHTEST_TRACE": str(self.trace),
        }

    def fail(self, trouble: str) -> None:
        """Let the server's calls fail in this way from now on."""
        self._wish[:RECORDING] = struct.pack("4i", *TROUBLES[trouble])

    def mend(self) -> int:
        """Let no call fail any more; returns how many did."""
        self._wish[:RECORDING] = bytes(RECORDING)
        failed = int.from_bytes(self._wish[FAILED:], "little")
        self._wish[FAILED:] = bytes(4)
        return failed

    def record(self) -> None:
        """Write down every write and sync from now on."""
        self._wish[RECORDING:FAILED] = struct.pack("i", 1)
