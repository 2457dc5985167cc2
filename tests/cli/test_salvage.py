"""Salvaging, by the real command: what is saved, what is listed, and that the result is sound."""

from pathlib import Path

import pytest

from rookery.core.ids import TableId
from rookery.core.intents import History, Play, Resign
from rookery.store.sqlite import SqliteStore
from tests.cli.running import run, run_process
from tests.server.games import sit_down
from tests.server.process import Client, serving
from tests.store.damage import change


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Client]:
    """A folder with three tables, two of them over, and one of those who played."""
    folder = tmp_path_factory.mktemp("played")
    with serving(folder) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        for _ in range(3):
            sit_down(ann, bob)
        for table in (1, 2):
            ann.done(Resign(TableId(table)))
        server.stop()
    return folder, ann


def copy_of(folder: Path, target: Path) -> Path:
    assert run("backup", str(target), "--data", str(folder)).exit_code == 0
    return target


def test_a_damaged_table_is_left_out_and_listed_and_all_else_is_saved(
    players: tuple[Path, Client], tmp_path: Path
) -> None:
    folder, ann = players
    data, saved = copy_of(folder, tmp_path / "data"), tmp_path / "saved"
    change(data / "rookery.db", "UPDATE records SET n = 9 WHERE stream = 'table/1' AND n = 4")
    result = run_process("salvage", str(saved), "--data", str(data))
    assert result.returncode == 1
    assert "table 1 is left out: Record 6 of the log is damaged" in result.stdout
    assert f"{saved} has 14 of 21 records." in result.stdout
    assert (saved / "left-out.jsonl").read_text().count("\n") == 6
    assert run("verify", "--data", str(saved)).stdout.endswith("All is well.\n")
    with serving(saved) as server:
        again = server.call().back(ann)
        assert again.ask(History(TableId(1))).code == "no_table"
        assert again.ask(History(TableId(2))).type == "past"
        again.done(Play(TableId(3), "0"))


def test_a_damaged_player_takes_along_what_is_about_it(
    players: tuple[Path, Client], tmp_path: Path
) -> None:
    data, saved = copy_of(players[0], tmp_path / "data"), tmp_path / "saved"
    change(data / "rookery.db", "UPDATE records SET at = 1 WHERE stream = 'hall' AND n = 2")
    result = run("salvage", str(saved), "--data", str(data))
    assert result.exit_code == 1
    assert "Nobody ever was player 2." in result.stdout
    assert run("verify", "--data", str(saved)).stdout.startswith("1 record, 1 player, 0 tables")


def test_a_file_that_no_database_can_open_is_a_sentence(
    players: tuple[Path, Client], tmp_path: Path
) -> None:
    data, saved = copy_of(players[0], tmp_path / "data"), tmp_path / "saved"
    file = data / "rookery.db"
    file.write_bytes(b"\xff" * 4096 + file.read_bytes()[4096:])
    result = run("salvage", str(saved), "--data", str(data))
    assert result.exit_code == 2
    assert (
        result.stderr == f"Error: {file} is damaged, or was never a log: file is not a database.\n"
    )
    assert not saved.exists()


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The folder of a server that was killed: all records lie beside the log."""
    data = tmp_path / "data"
    with serving(data) as server:
        sit_down(server.enter("ann"), server.enter("bob"))
        server.kill()
        assert (data / "rookery.db-wal").stat().st_size > 0
    return data


def test_what_a_crash_left_beside_the_log_is_salvaged_too(killed: Path, tmp_path: Path) -> None:
    result = run("salvage", str(tmp_path / "saved"), "--data", str(killed))
    assert result.stdout == f"{tmp_path / 'saved'} has 7 of 7 records.\n"
    assert result.exit_code == 0


def test_what_is_damaged_beside_the_log_is_missed(killed: Path, tmp_path: Path) -> None:
    beside = killed / "rookery.db-wal"
    content = bytearray(beside.read_bytes())
    content[32 + 2 * (24 + 4096) + 100] ^= 1
    beside.write_bytes(content)
    result = run("salvage", str(tmp_path / "saved"), "--data", str(killed))
    assert result.exit_code == 1
    assert f"{beside} is damaged: what was written last can no longer be read." in result.stdout
    assert run("verify", "--data", str(tmp_path / "saved")).exit_code == 0
    assert beside.read_bytes() == content


def test_a_running_server_is_left_alone(tmp_path: Path) -> None:
    with serving(tmp_path / "data"):
        result = run("salvage", str(tmp_path / "saved"), "--data", str(tmp_path / "data"))
    assert result.stderr.startswith("Error: Another process is writing to")
    assert not (tmp_path / "saved").exists()


def test_a_log_with_nothing_in_it_is_a_sentence(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "rookery.db").close()
    result = run("salvage", str(tmp_path / "saved"), "--data", str(tmp_path))
    assert result.stderr.startswith("Error: There is no record in")
    assert result.exit_code == 2
