"""Verifying a server's folder: a sound one, and copies of it with planted damage."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Story
from tests.cli.processes import Process, serving
from tests.cli.running import run
from tests.server.games import sit_down
from tests.server.process import serving as served
from tests.store.damage import seal_anew


def damaged(story: Story, folder: Path, sql: str) -> Path:
    """A copy of the story's folder in which this was done to the records."""
    copy = folder / "copy"
    shutil.copytree(story.folder, copy)
    with sqlite3.connect(copy / "rookery.db") as connection:
        assert connection.execute(sql).rowcount == 1
    connection.close()
    return copy


def forged(story: Story, folder: Path, sql: str) -> Path:
    """The same with checksums that fit: what is left to object to is what it says."""
    copy = damaged(story, folder, sql)
    seal_anew(copy / "rookery.db")
    return copy


def test_a_sound_log_is_counted_and_all_is_well(story: Story) -> None:
    result = run("verify", "--data", str(story.folder))
    assert result.stdout == "14 records, 2 players, 1 table: 1 finished.\nAll is well.\n"
    assert (result.stderr, result.exit_code) == ("", 0)


WRONG = (
    "The outcome is 2-1 (line: X has three in a row.), "
    "and by the rules 1-2 (line: X has three in a row.)."
)
BROKEN = "14 records, 2 players, 1 table: 1 not to be followed to the end.\n1 problem.\n"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (
            "UPDATE records SET event = replace(event, '[1,2]', '[2,1]') WHERE seq = 13",
            f"table 1, event 11 (record 13): {WRONG}\n{BROKEN}",
        ),
        (
            """UPDATE records SET event = replace(event, '"move":"3"', '"move":"0"') WHERE n = 7""",
            f"table 1, event 7 (record 9): The move 0 is not legal: Slot 0 is taken.\n{BROKEN}",
        ),
    ],
)
def test_damage_is_said_with_its_place_and_exit_code_1(
    sql: str, said: str, story: Story, tmp_path: Path
) -> None:
    result = run("verify", "--data", str(forged(story, tmp_path, sql)))
    assert result.stdout == said
    assert result.exit_code == 1


def test_a_dropped_record_is_missed(story: Story, tmp_path: Path) -> None:
    folder = damaged(story, tmp_path, "DELETE FROM records WHERE stream = 'table/1' AND n = 8")
    result = run("verify", "--data", str(folder))
    first, second = "its checksum is wrong", "Record 11 follows record 9."
    assert f"Record 11 of the log is damaged: {first}.\n" in result.stdout
    assert second not in result.stdout, "one thing is said once"
    assert "1 table: 1 not to be followed to the end." in result.stdout
    assert result.exit_code == 1


def test_an_unknown_version_of_the_rules_is_reported(story: Story, tmp_path: Path) -> None:
    sql = """UPDATE records SET event = replace(event, '"rules":1', '"rules":9')
             WHERE stream = 'table/1' AND n = 1"""
    result = run("verify", "--data", str(forged(story, tmp_path, sql)))
    assert (
        "Table 1 was played by version 9 of the rules of tictactoe; this server knows version 1.\n1"
    ) in result.stdout
    assert result.exit_code == 1


def test_a_record_that_is_no_event_is_reported_and_the_rest_is_read(
    story: Story, tmp_path: Path
) -> None:
    sql = "UPDATE records SET event = '{' WHERE stream = 'table/1' AND n = 8"
    result = run("verify", "--data", str(damaged(story, tmp_path, sql)))
    assert result.stdout == (
        "Record 10 of the log is damaged: its checksum is wrong.\n"
        "13 records, 2 players, 1 table: 1 not to be followed to the end.\n1 problem.\n"
    )
    assert result.exit_code == 1


def test_a_damaged_table_cannot_be_replayed_and_says_from_where(
    story: Story, tmp_path: Path
) -> None:
    sql = """UPDATE records SET event = replace(event, '"move":"3"', '"move":"0"') WHERE n = 7"""
    result = run("replay", "1", "--data", str(forged(story, tmp_path, sql)))
    assert result.stderr == (
        "Error: Table 1 cannot be replayed from event 7 on: "
        "The move 0 is not legal: Slot 0 is taken.\n"
    )
    assert result.exit_code == 2


def test_a_file_that_is_no_log_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "rookery.db").write_bytes(b"not a database, but long enough to be one" * 100)
    result = run("verify", "--data", str(tmp_path))
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert result.exit_code == 2


def test_a_log_can_be_verified_while_its_server_runs(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as (_, port),
        Process("play", "nim", "--at", f"127.0.0.1:{port}") as ann,
    ):
        ann.until("Waiting")
        result = run("verify", "--data", str(tmp_path))
    assert result.stdout == "4 records, 1 player, 1 table: 1 open.\nAll is well.\n"


def test_what_nobody_can_read_beside_a_log_is_a_problem(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with served(data) as server:
        sit_down(server.enter("ann"), server.enter("bob"))
        server.kill()
    beside = data / "rookery.db-wal"
    content = bytearray(beside.read_bytes())
    content[17] ^= 1  # the head's
    beside.write_bytes(bytes(content))
    result = run("verify", "--data", str(data))
    assert result.exit_code == 1
    said = "rookery.db-wal is damaged: what was written last can no longer be read."
    assert said in result.stdout
    assert "1 problem." in result.stdout
