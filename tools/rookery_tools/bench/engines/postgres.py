"""A PostgreSQL of our own, with its files in a folder that is not there afterwards."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from rookery_tools.bench.engines.programs import (
    NO_POSTGRES,
    NOBODY,
    NoEngine,
    postgres_programs,
    somebody,
    spare_port,
)

PATIENCE: Final = 60.0  # seconds for a server to start
DATABASE: Final = "hall"

_SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


class PostgresEngine:
    """A PostgreSQL server that runs as a process of ours, with an empty database."""

    def __init__(self, place: str | None = None, *, admits: Sequence[str] = ()) -> None:
        """Start a server with its files in this folder, if it can be reached. Raises NoEngine.

        `admits` are lines of pg_hba.conf that let others connect.
        """
        found = postgres_programs()
        if found is None:
            raise NoEngine(NO_POSTGRES)
        self._programs = found
        self._folder = Path(mkdtemp(prefix="rookery-postgres-", dir=_reached(place)))
        self.port = spare_port()
        self._process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            shutil.chown(self._folder, NOBODY)
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--no-locale")
        hba = self._folder / "files" / "pg_hba.conf"
        hba.write_text("".join(f"{line}\n" for line in (*admits, hba.read_text())))
        self.start()
        self.run(f"CREATE DATABASE {DATABASE}", "postgres")

    @property
    def pid(self) -> int:
        """The id of the process that has started all the others."""
        assert self._process is not None, "it runs"
        return self._process.pid

    def address(self, database: str = DATABASE, port: int = 0) -> str:
        """The address of a database; by another port, where a proxy stands in between."""
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"

    def run(self, statement: str, database: str = DATABASE) -> None:
        """Let the server do this statement."""
        import psycopg  # noqa: PLC0415 # where it is wanted

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    def start(self) -> None:
        """Start the server, and wait until it answers. Raises NoEngine."""
        import psycopg  # noqa: PLC0415 # where it is wanted

        options = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        words = [str(self._programs / "postgres"), "-D", str(self._folder / "files")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 # our own words, and no shell
                [*words, "-p", str(self.port), *options], stdout=log, stderr=log, user=somebody()
            )
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=10).close()
            except psycopg.OperationalError:
                said = (self._folder / "log").read_text()
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise NoEngine(f"PostgreSQL does not start: {said}") from None
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """Kill the server and all its processes at once."""
        assert self._process is not None, "it runs"
        children = self._children()
        self._process.kill()
        _signal(children, signal.SIGKILL)
        self._process.wait()
        self._process = None
        for child in children:
            while _runs(child):  # the next must find their memory free
                time.sleep(0.01)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stop all processes of the server within `with`; its connections stay open."""
        everyone = [self.pid, *self._children()]
        _signal(everyone, signal.SIGSTOP)
        try:
            yield
        finally:
            _signal(everyone, signal.SIGCONT)

    def remove(self) -> None:
        """Kill the server, if it runs, and remove its files."""
        if self._process is not None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _children(self) -> list[int]:
        there = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text("ascii")
        return [int(child) for child in there.split()]

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(  # noqa: S603 # our own words, and no shell
            [self._programs / program, *words, "-U", "postgres", "-D", self._folder / "files"],
            check=True,
            capture_output=True,
            user=somebody(),
        )


def _reached(place: str | None) -> str | None:
    """The folder, if the user who runs PostgreSQL can reach it; else None, for the usual place."""
    if place is None or somebody() is None:
        return place
    path = Path(place).resolve()
    return place if all(one.stat().st_mode & 0o001 for one in (path, *path.parents)) else None


def _signal(everyone: list[int], number: signal.Signals) -> None:
    for one in everyone:
        with suppress(ProcessLookupError):
            os.kill(one, number)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
