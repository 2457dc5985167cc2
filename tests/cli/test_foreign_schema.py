"""Logs with a schema that is not ours, by the real commands: refused at once, and not changed."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rookery.core.intents import Resign
from rookery.store.sqlite import Bookmark, write_bookmark
from tests.cli.running import run_process
from tests.server.games import sit_down
from tests.server.process import serving

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
ENDLESS_RECORDS = (
    f"{ENDLESS} SELECT x AS seq, 'hall' AS stream, 1 AS n, 1 AS at, 0 AS ends, 0 AS before, "
    "'{}' AS event, 1 AS sum FROM c WHERE x < 0"
)
ENDLESS_BOOKMARK = (
    f"{ENDLESS} SELECT x AS seq, 0 AS last_table, '' AS running, 1 AS sum FROM c WHERE x < 0"
)
CHECKED = "replace(sql, 'tip INTEGER', 'tip INTEGER CHECK (abs(tip))')"
COMMANDS = ("verify", "salvage", "backup", "serve", "log", "replay", "store")

FOREIGN = {
    "endless view": (
        "DROP VIEW young",
        "ALTER TABLE records RENAME TO others",
        f"CREATE VIEW records AS {ENDLESS_RECORDS}",
    ),
    "endless young": ("DROP VIEW young", f"CREATE VIEW young AS {ENDLESS_RECORDS}"),
    "endless bookmark": (
        "DROP VIEW young",
        "DROP TABLE bookmark",
        f"CREATE VIEW bookmark AS {ENDLESS_BOOKMARK}",
    ),
    "trigger": ("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM finished; END",),
    "table": ("CREATE TABLE mine (x)",),
    "index": ("CREATE INDEX mine ON records (stream)",),
    "virtual table": ("CREATE VIRTUAL TABLE mine USING fts5(x)",),
    "generated column": ("ALTER TABLE records ADD COLUMN g AS (length(event)) VIRTUAL",),
    "column": ("ALTER TABLE catalogue RENAME COLUMN tour TO whose",),
    "constraint": (
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = {CHECKED} WHERE name = 'finished'",
    ),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log of one game."""
    folder = tmp_path_factory.mktemp("played")
    with serving(folder) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        ann.done(Resign(sit_down(ann, bob)))
        server.stop()
    return folder


def changed(played: Path, folder: Path, *script: str) -> Path:
    """A copy of that folder, with a log to which this was done."""
    shutil.copytree(played, folder)
    with closing(sqlite3.connect(folder / "rookery.db", isolation_level=None)) as connection:
        for line in script:
            connection.execute(line)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


def words(command: str, folder: Path, target: Path) -> tuple[str, ...]:
    """The command as it is typed, about the log in this folder."""
    match command:
        case "salvage" | "backup":
            return (command, str(target), "--data", str(folder))
        case "store":
            return ("store", "copy", str(folder), str(target))
        case "log" | "replay":
            return (command, "1", "--data", str(folder))
        case "serve":
            return ("serve", "--data", str(folder), "--port", "0")
        case _:
            return (command, "--data", str(folder))


def is_refused(command: str, folder: Path, target: Path) -> str:
    """The one sentence with which the command refuses this log, which stays as it is."""
    before = (folder / "rookery.db").read_bytes()
    for file in folder.iterdir():
        file.chmod(0o600)  # else a server says that others could read them
    done = run_process(*words(command, folder, target))
    assert done.returncode == 2, (command, done.stdout, done.stderr)
    assert done.stderr.startswith("Error: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert (folder / "rookery.db").read_bytes() == before
    assert not target.exists()
    return done.stderr


@pytest.mark.parametrize("what", FOREIGN)
def test_a_schema_that_is_not_ours_is_refused_in_one_sentence(
    what: str, played: Path, tmp_path: Path
) -> None:
    folder = changed(played, tmp_path / "data", *FOREIGN[what])
    for command in COMMANDS:
        said = is_refused(command, folder, tmp_path / "target")
        assert "is not one that Rookery makes" in said, command


@pytest.mark.parametrize("command", COMMANDS)
def test_one_that_lies_only_beside_the_log_is_refused_too(
    command: str, played: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(played, folder)
    file, beside = folder / "rookery.db", folder / "rookery.db-wal"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("DROP VIEW young")
        connection.execute(f"CREATE VIEW young AS {ENDLESS_RECORDS}")
        kept = (file.read_bytes(), beside.read_bytes())
    file.write_bytes(kept[0])
    beside.write_bytes(kept[1])
    is_refused(command, folder, tmp_path / "target")


@pytest.mark.parametrize(
    "pragma", ["user_version = -1", "user_version = 0", "user_version = 2", "application_id = 7"]
)
def test_a_number_that_does_not_fit_the_schema_is_refused(
    pragma: str, played: Path, tmp_path: Path
) -> None:
    folder = changed(played, tmp_path / "data", f"PRAGMA {pragma}")
    for command in ("verify", "backup", "serve"):
        is_refused(command, folder, tmp_path / "target")


def test_texts_in_another_encoding_are_refused(played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(played, folder)
    file = folder / "rookery.db"
    with closing(sqlite3.connect(file)) as connection:
        script = "\n".join(connection.iterdump())
    file.unlink()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.executescript(f"PRAGMA encoding = 'UTF-16'; {script}")
        connection.execute("PRAGMA application_id = 0x524F4F4B")
        connection.execute("PRAGMA user_version = 1")
    for command in ("verify", "salvage", "backup", "serve"):
        is_refused(command, folder, tmp_path / "target")


def damage(file: Path, old: bytes, new: bytes) -> None:
    """Change these bytes, which stand in the file once or more."""
    content = file.read_bytes()
    assert old in content
    file.write_bytes(content.replace(old, new, 1))


def test_a_schema_that_is_only_damaged_is_refused_too(played: Path, tmp_path: Path) -> None:
    folder = changed(played, tmp_path / "data")
    damage(folder / "rookery.db", b"the stream's last record", b"the stream's lost record")
    for command in COMMANDS:
        is_refused(command, folder, tmp_path / "target")


HUGE = 17_000_000  # bytes, a little more than is read


def with_long_event(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE records SET event = ? WHERE seq = 3", ("x" * HUGE,))


def with_long_bookmark(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE bookmark SET running = ?", ("x" * HUGE,))


@pytest.mark.parametrize("change", [with_long_event, with_long_bookmark])
def test_a_value_longer_than_any_of_ours_is_damage_and_is_not_read(
    change: Callable[[sqlite3.Connection], None], played: Path, tmp_path: Path
) -> None:
    folder, saved = changed(played, tmp_path / "data"), tmp_path / "saved"
    with closing(sqlite3.connect(folder / "rookery.db", isolation_level=None)) as connection:
        change(connection)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    done = run_process("salvage", str(saved), "--data", str(folder))
    assert done.returncode in (0, 1), done.stderr
    assert run_process("verify", "--data", str(saved)).returncode == 0
    done = run_process("verify", "--data", str(folder))
    assert done.returncode == 1
    assert "too big" in done.stdout or "bookmark of the log is damaged" in done.stdout


def test_a_bookmark_that_tells_of_any_number_of_records_is_salvaged(
    played: Path, tmp_path: Path
) -> None:
    folder, saved = changed(played, tmp_path / "data"), tmp_path / "saved"
    with closing(sqlite3.connect(folder / "rookery.db", isolation_level=None)) as connection:
        write_bookmark(connection, Bookmark(10**15, 1, {"table/9": 10**15}))
    done = run_process("salvage", str(saved), "--data", str(folder))
    assert done.returncode == 1, done.stderr
    assert "-1000000000000000." in done.stdout
