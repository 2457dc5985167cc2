"""What happens to a server besides kills: its disk fails, it stands still, its folder moves.

In each case the server may tell clients nothing that is not safe on disk, no clock may run
meanwhile, and games must go on afterwards.
"""

import asyncio
import shutil
import subprocess
from pathlib import Path
from typing import Final

from rookery.core.chance import Chance
from rookery.server.app import UNSAVED
from rookery_tools.crashtest.clients.calling import now
from rookery_tools.crashtest.machine.disk import TROUBLES, FailingDisk
from rookery_tools.crashtest.machine.machine import CrashtestMachine, CrashtestOutage

ROOM: Final = 48  # megabytes of a small disk
BALLAST: Final = "ballast"
FREEZE: Final = "SIGSTOP"
FULL: Final = "disk full"
MOVED: Final = "moved folder"


def mount_small(folder: Path) -> bool:
    """Have a small disk here, in memory; False where only root could."""
    folder.mkdir(parents=True, exist_ok=True)
    return _do("mount", "-t", "tmpfs", "-o", f"size={ROOM}m", "tmpfs", str(folder))


def unmount(folder: Path) -> None:
    """Let go of the small disk."""
    _do("umount", "-l", str(folder))


def _do(command: str, *words: str) -> bool:
    """Run a command; returns whether it is there and succeeded."""
    found = shutil.which(command)
    if found is None:
        return False
    done = subprocess.run([found, *words], capture_output=True, check=False)  # noqa: S603 - ours
    return done.returncode == 0


class Mishaps:
    """Draws the next mishap of a server, and lets it happen."""

    one_in = 6

    def __init__(
        self, machine: CrashtestMachine, disk: FailingDisk | None, chance: Chance, *, small: bool
    ) -> None:
        self._machine, self._disk, self._chance = machine, disk, chance
        self._small = small
        self._kinds = [FREEZE, *([FULL] if small else []), *(TROUBLES if disk else [])]

    async def happen(self) -> str:
        """Begin a mishap, and perhaps end it; returns its kind. A kill may come in the middle."""
        kind = self._chance.choice(self._kinds)
        seconds = self._chance.between(100, 800) / 1000
        if kind == FREEZE:
            await self._machine.freeze(seconds)
            return kind
        self._machine.outages.append(CrashtestOutage(kind, now()))
        if kind == FULL:
            _fill(self._machine.folder / BALLAST)
        elif self._disk is not None:
            self._disk.fail(kind)
        await asyncio.sleep(seconds)
        if self._chance.below(2):
            self.mend()
            await asyncio.sleep(seconds / 2)
        return kind

    async def happen_last(self) -> str | None:
        """Move the folder away under the server, and back; None on a small disk."""
        return None if self._small else await move_folder(self._machine)

    def mend(self) -> None:
        """End the mishap that goes on: empty the disk, let no call fail, note the time."""
        (self._machine.folder / BALLAST).unlink(missing_ok=True)
        if self._disk is not None:
            self._disk.mend()
        for outage in self._machine.outages:
            if outage.kind in (FULL, *TROUBLES):
                outage.until = outage.until or now()


def _fill(ballast: Path) -> None:
    """Leave no room on the disk."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            pass


async def move_folder(machine: CrashtestMachine) -> str:
    """Move the folder away under the server, stop the server, and move the folder back.

    Returns what is wrong, or nothing: a server that stops must say by its exit code that something
    was not written.
    """
    elsewhere = machine.folder.with_name("elsewhere")
    machine.outages.append(CrashtestOutage(MOVED, now()))
    machine.folder.rename(elsewhere)
    await asyncio.sleep(0.5)
    code = await machine.stop()
    elsewhere.rename(machine.folder)
    return "" if code in (0, UNSAVED) else f"It stopped with code {code}."
