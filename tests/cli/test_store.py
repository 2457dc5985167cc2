"""Logs in a database, as people type it: copied there and back, looked at, and refused."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from rookery.store.address import read_address
from tests.cli.conftest import Story
from tests.cli.running import run
from tests.ports import spare_port
from tests.postgres import PASSWORD, needs_postgres, server
from tests.server.process import serving

pytestmark = needs_postgres


def new_hall() -> str:
    address = server().hall()
    return f"{address.secret}?hall={address.hall}"


def test_a_log_goes_into_a_database_and_back_and_stays_the_same(
    story: Story, tmp_path: Path
) -> None:
    hall, back = new_hall(), str(tmp_path / "back")
    there = run("store", "copy", str(story.folder), hall)
    assert there.output.startswith(f"{hall} has a copy of {story.folder}, with ")
    again = run("store", "copy", hall, back)
    assert again.exit_code == 0
    assert {path.name for path in Path(back).iterdir()} == {"rookery.db", "organiser.token"}
    for words in (("log", "1"), ("log", "1", "--json"), ("replay", "1"), ("verify",)):
        said = [run(*words, "--data", place) for place in (str(story.folder), hall, back)]
        assert {one.exit_code for one in said} == {0}
        assert len({one.output for one in said}) == 1
    tokens = [Path(place) / "organiser.token" for place in (story.folder, back)]
    assert tokens[0].read_text() == tokens[1].read_text()
    assert tokens[1].stat().st_mode & 0o777 == 0o600


def test_a_server_goes_on_with_a_log_that_was_copied(story: Story, tmp_path: Path) -> None:
    hall = new_hall()
    run("store", "copy", str(story.folder), hall)
    with serving(tmp_path, "--data", hall) as here:
        here.enter("cid")
        backup = run("backup", str(tmp_path / "monday"), "--data", hall)
        assert backup.output.startswith(f"{tmp_path / 'monday'} has a copy of {hall}")
    assert run("verify", "--data", str(tmp_path / "monday")).exit_code == 0
    assert run("verify", "--data", hall).exit_code == 0


@pytest.mark.parametrize("target", ["a hall", "a folder"])
def test_nothing_is_copied_over_a_log(story: Story, tmp_path: Path, target: str) -> None:
    place = new_hall() if target == "a hall" else str(tmp_path / "copy")
    assert run("store", "copy", str(story.folder), place).exit_code == 0
    again = run("store", "copy", str(story.folder), place)
    assert again.exit_code == 2
    assert "already" in again.stderr


def test_nothing_is_copied_into_a_hall_that_is_led(story: Story, tmp_path: Path) -> None:
    hall = new_hall()
    with serving(tmp_path, "--data", hall):
        refused = run("store", "copy", str(story.folder), hall)
        assert refused.exit_code == 2
        assert "is writing to" in refused.stderr


def test_a_copy_that_fails_leaves_nothing(story: Story, tmp_path: Path) -> None:
    hall = new_hall()
    run("store", "copy", str(story.folder), hall)
    address = read_address(hall)
    with psycopg.connect(address.secret, autocommit=True) as other:
        other.execute(
            "UPDATE rookery.records SET event = event || ' ' WHERE hall = %s AND seq = 2",
            (address.hall,),
        )
    target = new_hall()
    failed = run("store", "copy", hall, target)
    assert failed.exit_code == 2
    assert "its checksum is wrong" in failed.stderr
    assert run("verify", "--data", target).exit_code == 2
    verified = run("verify", "--data", hall)
    assert verified.exit_code == 1
    assert "Record 2 of the log is damaged" in verified.output


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("DELETE FROM rookery.records WHERE hall = %s AND seq = 3", "Record 3 is missing in"),
        ("DELETE FROM rookery.running WHERE hall = %s", "The list of streams that run is not"),
        ("UPDATE rookery.halls SET seq = seq + 2 WHERE hall = %s", "are missing in the log."),
        ("UPDATE rookery.catalogue SET game = 'go' WHERE hall = %s", "The catalogue of tables"),
        ("DELETE FROM rookery.sitters WHERE hall = %s", "The list of who sat where is not"),
    ],
)
def test_what_somebody_changed_in_the_tables_is_found(
    story: Story, what: str, sentence: str
) -> None:
    hall = new_hall()
    run("store", "copy", str(story.folder), hall)
    address = read_address(hall)
    with psycopg.connect(address.secret, autocommit=True) as other:
        other.execute(what.encode(), (address.hall,))
    verified = run("verify", "--data", hall)
    assert verified.exit_code == 1
    assert sentence in " ".join(verified.output.split())


def test_what_is_wrong_with_an_address_is_said_without_its_password(tmp_path: Path) -> None:
    at = f"127.0.0.1:{server().port}"
    quoted = PASSWORD.replace("/", "%2F")
    for address, sentence in (
        (f"postgresql://locked:swordfish@{at}/hall", "refuses the password"),
        (f"postgresql://postgres:swordfish@{at}/nowhere", "There is no database at postgresql://"),
        (f"postgresql://nobody:swordfish@{at}/hall", "knows no such user"),
        (f"postgresql://postgres:swordfish@127.0.0.1:{spare_port()}/hall", "cannot be reached: "),
        (f"postgresql://postgres:sword/fish@{at}/hall", "in a password / is %2F"),
        (f"postgresql://postgres:swordfish@{at}/hall?hall=nobodys", "There is no hall nobodys"),
        (f"postgresql://postgres:swordfish@{at}/hall?hall=%20", "A hall has a name"),
        (f"postgresql://postgres:swordfish@{at}/template1", "There is no log at postgresql://"),
        (f"postgresql://postgres:swordfish@{at}/hall?nonsense=1", "cannot be reached: "),
    ):
        refused = run("verify", "--data", address)
        assert refused.exit_code == 2
        assert refused.stderr.startswith("Error: ")
        assert sentence in refused.stderr
        assert "fish" not in refused.stderr
        assert refused.stderr.count("\n") == 1
    run("store", "copy", str(tmp_path), new_hall())
    right = run("verify", "--data", f"postgresql://locked:{quoted}@{at}/hall?hall=nobodys")
    assert "There is no hall nobodys" in right.stderr
    assert "sesame" not in right.stderr


def test_without_the_extra_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError('not here')")
    words = ("--data", "postgresql://localhost/rookery")
    for command in (("verify",), ("serve", "--port", "0")):
        done = subprocess.run(
            [sys.executable, "-m", "rookery", *command, *words],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.endswith("one thing more: pip install 'rookery[postgres]'.\n")


def test_what_is_for_folders_says_so(tmp_path: Path) -> None:
    for words in (("salvage", str(tmp_path / "saved")), ("tour", "list")):
        refused = run(*words, "--data", "postgresql://ann:swordfish@db.example.org/rookery")
        assert refused.exit_code == 2
        assert "swordfish" not in refused.output
