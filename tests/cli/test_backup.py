"""Backups, by the real command: of a running server, of a stopped one, and refusals."""

from pathlib import Path

from rookery.core.intents import History, Say
from tests.cli.conftest import Story
from tests.cli.running import run, run_process
from tests.server.games import sit_down
from tests.server.process import serving
from tests.store.damage import change


def test_a_backup_of_a_running_server_has_what_was_acknowledged_and_goes_on(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "data") as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        for n in range(50):
            ann.done(Say(table, str(n)))
        copied = run_process("backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data"))
        assert copied.stderr == ""
        assert copied.returncode == 0
        assert copied.stdout.endswith(" records.\n")
        ann.done(Say(table, "after the backup"))
        server.stop()
    assert run("verify", "--data", str(tmp_path / "copy")).exit_code == 0
    with serving(tmp_path / "copy") as server:
        past = server.call().back(ann).ask(History(table)).events
        said = [text for entry in past if (text := getattr(entry.event, "text", None)) is not None]
        assert said == [str(n) for n in range(50)]


def test_a_backup_taken_while_moves_are_written_is_sound(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        for n in range(5):
            ann.say(*(Say(table, f"{n} {m}") for m in range(200)))
            copy = str(tmp_path / f"copy-{n}")
            assert run("backup", copy, "--data", str(tmp_path / "data")).exit_code == 0
            assert run("verify", "--data", copy).exit_code == 0


def test_only_its_owner_can_read_a_backup(story: Story, tmp_path: Path) -> None:
    run("backup", str(tmp_path / "copy"), "--data", str(story.folder))
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o700
    files = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "copy").iterdir()}
    assert files == {"rookery.db": 0o600, "organiser.token": 0o600}


def test_nothing_is_written_over(story: Story, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "letter.txt").write_text("Dear all")
    result = run("backup", str(tmp_path / "copy"), "--data", str(story.folder))
    copy = tmp_path / "copy"
    assert result.stderr == f"Error: {copy} is there already, and nothing is written over.\n"
    assert result.exit_code == 2
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["letter.txt"]


def test_of_a_damaged_log_no_copy_is_kept_that_passes_for_a_sound_one(
    story: Story, tmp_path: Path
) -> None:
    run("backup", str(tmp_path / "data"), "--data", str(story.folder))
    change(tmp_path / "data" / "rookery.db", "UPDATE records SET at = at + 1 WHERE seq = 5")
    result = run("backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data"))
    assert "The log is damaged, and no copy was kept: Record 5 of the log" in result.stderr
    assert result.exit_code == 2
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_where_there_is_no_log_there_is_a_sentence(tmp_path: Path) -> None:
    result = run("backup", str(tmp_path / "copy"), "--data", str(tmp_path / "nowhere"))
    assert result.stderr.startswith(f"Error: There is no log at {tmp_path / 'nowhere'}")
    assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == []
