"""Snapshots under a server: made beside it when due, taken up, and never believed blindly."""

import asyncio
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from rookery.core.events import HALL_STREAM, PlayerMade, Record, ToldApart
from rookery.core.ids import PlayerId
from rookery.hall.hall_memory import VERSION
from rookery.plugins import load
from rookery.server import hall_log
from rookery.server.config import IN_MEMORY
from rookery.server.datadir import LOG_FILE
from rookery.server.hall_log import NOTHING, find, follow, make, make_at
from rookery.server.jobs import MakeSnapshot, Snapshots, snapshot_by_process
from rookery.store import Log
from rookery.store.snapshot import Snapshot, snapshot_of
from rookery.store.sqlite import SqliteStore, open_for_reading, open_source
from tests.cli.running import run
from tests.plugins.toys import own_registries
from tests.server.process import serving
from tests.server.web.looking import look
from tests.store.damage import change

PLAYERS = 30
HASH = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"


def people(count: int, first: int = 1) -> list[Record]:
    return [
        Record(
            n,
            HALL_STREAM,
            n,
            n,
            PlayerMade(PlayerId(n), f"p{n}", "127.0.0.1", HASH, "native"),
        )
        for n in range(first, first + count)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log of some players."""
    with closing(SqliteStore(tmp_path / LOG_FILE)) as store:
        store.append(people(PLAYERS))
    return tmp_path


def kept(folder: Path) -> Snapshot | None:
    with closing(open_for_reading(folder / LOG_FILE)) as log:
        return log.snapshot(VERSION)


def looked_after(
    folder: Path, covered: int, every: int, make: MakeSnapshot = snapshot_by_process, data: str = ""
) -> Snapshots:
    """What became of a snapshot after something was written once, and all that was due was made."""

    async def live() -> Snapshots:
        snapshots = Snapshots(data or str(folder), lambda: PLAYERS, covered, every, make)
        snapshots.wrote()
        making = snapshots._making  # noqa: SLF001 # which nobody else waits for
        if making is not None:
            await making
        await snapshots.close()
        return snapshots

    return asyncio.run(live())


def test_a_process_makes_one_when_enough_is_new(folder: Path) -> None:
    looked_after(folder, covered=0, every=PLAYERS)
    found = kept(folder)
    assert found is not None
    assert found.mark.seq == PLAYERS


@pytest.mark.parametrize(("covered", "data"), [(1, ""), (0, IN_MEMORY)])
def test_none_is_made_before_or_where_nothing_is_kept(
    folder: Path, covered: int, data: str
) -> None:
    looked_after(folder, covered, PLAYERS, data=data)
    assert kept(folder) is None


@pytest.mark.parametrize("code", ["", "print('rubbish', flush=True); input()", "raise SystemExit"])
def test_a_process_that_fails_is_named_and_tried_again_later(
    folder: Path, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    command = (sys.executable, "-c", f"input(); {code}")
    looked_after(folder, 0, PLAYERS, partial(snapshot_by_process, command=command))
    assert "a process that makes a snapshot" in caplog.text
    assert kept(folder) is None


def test_what_it_complains_of_is_in_the_servers_log(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    said = "sys.stderr.write('x' * 9000 + ' the disk smells\\n')"
    command = (sys.executable, "-c", f"import sys; input(); {said}")
    looked_after(folder, 0, PLAYERS, partial(snapshot_by_process, command=command))
    assert "a process that makes a snapshot said: xxx" in caplog.text
    assert "the disk smells" in caplog.text
    assert "a process that makes a snapshot died" in caplog.text
    assert len(caplog.text) < 5_000


def test_a_long_log_is_read_in_pieces_between_which_nothing_is_being_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_log, "PIECE", 7)
    with closing(SqliteStore(folder / LOG_FILE)) as store:
        store.append(people(PLAYERS, first=PLAYERS + 1))

    class Watched(Log):
        """Notes when reading begins, and whether it has ended."""

        began = reading = 0

        def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
            Watched.began += 1
            Watched.reading += 1
            assert Watched.reading == 1
            try:
                yield from super().read(after, stream)
            finally:
                Watched.reading -= 1

    with closing(Watched(open_source(folder / LOG_FILE))) as log:
        memory = follow(log)
        assert memory.seq == 2 * PLAYERS
        assert (Watched.began, Watched.reading) == (2 * PLAYERS // 7 + 1, 0)
        monkeypatch.undo()
        assert memory.written() == follow(log).written()


def test_a_process_that_hangs_is_ended_in_time_and_with_the_server(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    command = (sys.executable, "-c", "import time; time.sleep(3600)")
    looked_after(folder, 0, PLAYERS, partial(snapshot_by_process, command=command, timeout_s=0.2))
    assert "a process that makes a snapshot did not answer in 0 s" in caplog.text

    async def closed() -> None:
        snapshots = Snapshots(
            str(folder), lambda: PLAYERS, 0, PLAYERS, partial(snapshot_by_process, command=command)
        )
        snapshots.wrote()
        await asyncio.sleep(0)
        async with asyncio.timeout(60):
            await snapshots.close()

    asyncio.run(closed())


def test_a_process_that_cannot_be_started_is_named(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    looked_after(folder, 0, PLAYERS, partial(snapshot_by_process, command=("/nowhere/python",)))
    assert "could not be started: No such file" in caplog.text


class NoThreads(ThreadPoolExecutor):
    """Threads of a system that has no more."""

    def submit(self, *_: object, **__: object) -> NoReturn:
        raise RuntimeError("can't start new thread")


def test_where_there_is_no_thread_for_it_a_server_still_stops(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def live() -> None:
        asyncio.get_running_loop().set_default_executor(NoThreads())
        snapshots = Snapshots(str(folder), lambda: PLAYERS, 0, PLAYERS)
        snapshots.wrote()
        assert snapshots._making is not None  # noqa: SLF001 # as above
        await asyncio.wait([snapshots._making])  # noqa: SLF001
        await snapshots.close()

    asyncio.run(live())
    assert "could not be started: can't start new thread" in caplog.text


def test_what_cannot_be_made_is_said_and_breaks_nothing(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    change(folder / LOG_FILE, "UPDATE records SET at = at + 1 WHERE seq = 7")
    assert "Record 7 of the log is damaged" in make_at(str(folder)).why
    looked_after(folder, 0, PLAYERS)
    assert "no snapshot could be made: Record 7" in caplog.text


def test_the_next_begins_with_the_last_and_reads_what_came_after_it(folder: Path) -> None:
    assert make_at(str(folder)).seq == PLAYERS
    with closing(SqliteStore(folder / LOG_FILE)) as store:
        store.append(people(5, PLAYERS + 1))
        read: list[tuple[int, str | None]] = []
        plain = store.read

        def noted(after: int = 0, stream: str | None = None) -> object:
            read.append((after, stream))
            return plain(after, stream)

        store.read = noted  # type: ignore[method-assign, assignment]
        assert make(store) == PLAYERS + 5
    assert read == [(PLAYERS, HALL_STREAM)]
    found = kept(folder)
    assert found is not None
    shutil.copy(folder / LOG_FILE, folder / "again")
    with closing(SqliteStore(folder / "again")) as store:  # and by itself it comes out the same
        make(store)
        again = store.snapshot(VERSION)
    assert again is not None
    assert [bytes(part) for part in again.parts] == [bytes(part) for part in found.parts]


SHOUT = """
from msgspec import Struct
from rookery.sdk.dialects import Kind, Manners

class Options(Struct, frozen=True):
    loud: bool = True

manners = Manners(name="shout", tokens=True)
KIND = Kind(manners, Options, lambda options, directory: None, lambda said: False)
"""


def test_a_plug_in_dialect_says_who_is_who_in_a_snapshot_too(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = folder / "shout.py"
    file.write_text(SHOUT)
    # Of a name and a host, and three all the same: those of this dialect have tokens.
    alike = [PlayerMade(PlayerId(n), "Ann", "::1", HASH, "shout") for n in (31, 32, 33)]
    events: list[PlayerMade | ToldApart] = [*alike]
    events.insert(2, ToldApart(PlayerId(32), 2))
    with closing(SqliteStore(folder / LOG_FILE)) as store:
        store.append([Record(n, HALL_STREAM, n, n, one) for n, one in enumerate(events, 31)])
        with own_registries():
            load([file])
            whole = follow(store).written()
            looked_after(folder, 0, PLAYERS)
            mark, parts = find(store)
            assert mark.seq == PLAYERS + len(events)
            assert [msgspec.msgpack.encode(part) for part in parts] == whole
        assert find(store) == (NOTHING, [])  # here nobody knows such a dialect
    assert "The snapshot was made with other dialects. It is not used" in caplog.text
    assert run("verify", "--data", str(folder)).exit_code == 0


def spoilt(folder: Path) -> None:
    path = snapshot_of(folder / LOG_FILE)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def half(folder: Path) -> None:
    snapshot_of(folder / LOG_FILE).write_bytes(b"ROOKSNAP")


WRONG: dict[str, tuple[Callable[[Path], None], str]] = {
    "damaged": (spoilt, "The snapshot is damaged: its checksum is wrong."),
    "half": (half, "The snapshot is damaged, or is none."),
    "gone": (lambda folder: snapshot_of(folder / LOG_FILE).unlink(), ""),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_server_starts_without_one_that_is_of_no_use_and_says_so(folder: Path, how: str) -> None:
    make_at(str(folder))
    spoil, said = WRONG[how]
    spoil(folder)
    with serving(folder) as server:
        assert look(server, f"/api/players/{PLAYERS}")["line"]["name"] == f"p{PLAYERS}"
    complaints = (folder / "stderr.txt").read_text()
    assert said in complaints
    assert ("the whole log is read instead" in complaints) is bool(said)


def test_a_server_starts_with_one_and_what_came_after_it(folder: Path) -> None:
    make_at(str(folder))
    with closing(SqliteStore(folder / LOG_FILE)) as store:
        store.append(people(1, PLAYERS + 1))
    # What it covers is not read: a damaged record there is found by `verify`, not by a start.
    change(folder / LOG_FILE, "UPDATE records SET at = at + 1 WHERE seq = 7")
    with serving(folder) as server:
        for player in (1, PLAYERS, PLAYERS + 1):
            assert look(server, f"/api/players/{player}")["line"]["name"] == f"p{player}"
        new = server.enter("new")
        assert new.player == PLAYERS + 2
    assert run("verify", "--data", str(folder)).exit_code == 1


def test_verify_holds_it_against_the_log(folder: Path) -> None:
    make_at(str(folder))
    sound = run("verify", "--data", str(folder))
    assert (sound.exit_code, sound.stdout.splitlines()[-1]) == (0, "All is well.")
    found = kept(folder)
    assert found is not None
    with closing(SqliteStore(folder / LOG_FILE)) as store:
        short = [bytes(part) for part in found.parts][:-1]
        store.keep_snapshot(VERSION, PLAYERS, short)
    wrong = run("verify", "--data", str(folder))
    assert f"The snapshot says of the records up to {PLAYERS} what they do not" in wrong.stdout
    assert wrong.exit_code == 1
    with closing(SqliteStore(folder / LOG_FILE)) as store:
        store.keep_snapshot(VERSION + 1, PLAYERS, short)
    newer = run("verify", "--data", str(folder))
    assert "The next start reads the whole log instead." in newer.stdout
    assert newer.exit_code == 0


def test_a_backup_and_what_is_salvaged_do_without(folder: Path) -> None:
    make_at(str(folder))
    for command in ("backup", "salvage"):
        to = folder / command
        done = run(command, str(to), "--data", str(folder))
        assert done.exit_code == 0, done.output
        assert not snapshot_of(to / LOG_FILE).exists()
        assert run("verify", "--data", str(to)).exit_code == 0
