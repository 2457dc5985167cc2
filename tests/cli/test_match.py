"""`rookery match` and `rookery strength`, as people type them.

Where games are played it is in processes that start warm, and so do those that think for them.
"""

import signal
from pathlib import Path

import msgspec
import pytest

from rookery.arena.summary import Summary
from tests.cli.processes import Process
from tests.cli.running import run, run_process

NIM = ("--game", "nim", "-o", "sticks=3,4,5", "--time", "30s")


def test_a_match_prints_the_score_and_what_it_means(tmp_path: Path) -> None:
    result = run_process("match", "level5", "1", *NIM, "--games", "8", "--out", str(tmp_path / "m"))
    assert result.returncode == 0
    assert "level 5" in result.stdout
    assert "8 of 8 games of nim sticks=3,4,5, 30s." in result.stdout
    assert "likelihood of superiority" in result.stdout
    assert "Pairs by its points: 0: " in result.stdout
    assert "8 of 8: level 5 " in result.stderr


def test_the_result_as_json_has_every_field(tmp_path: Path) -> None:
    words = ("--games", "4", "--sprt", "elo0=0", "elo1=20", "--out", str(tmp_path / "m"))
    result = run_process("match", "5", "1", *NIM, *words, "--json", "-")
    summary = msgspec.json.decode(result.stdout, type=Summary)
    assert (summary.played, summary.status) == (4, "played")
    assert summary.sprt is not None
    assert summary.sprt.bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert set(msgspec.json.decode(result.stdout)) == set(Summary.__struct_fields__)


def test_the_result_goes_into_a_file_beside_the_table(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    words = ("--games", "2", "--out", str(tmp_path / "m"), "--json", str(file))
    assert "2 of 2 games" in run_process("match", "2", "1", *NIM, *words).stdout
    assert msgspec.json.decode(file.read_bytes(), type=Summary).played == 2


def test_every_game_can_be_replayed_and_the_log_is_sound(tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    run_process("match", "2", "1", *NIM, "--games", "4", "--out", folder)
    for table in ("1", "4"):
        replayed = run("replay", table, "--data", folder)
        assert replayed.exit_code == 0
        assert "level 2" in replayed.stdout
    assert "4 tables: 4 finished; 1 tour: 1 over." in run("verify", "--data", folder).stdout


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_match_that_was_killed_goes_on_where_it_was(
    tmp_path: Path, number: signal.Signals
) -> None:
    folder = str(tmp_path / "m")
    words = ("match", "4", "3", "--game", "nim", "--games", "16", "--time", "30s", "--out", folder)
    with Process(*words) as killed:
        killed.until(" of 16: ")
        killed.signal(number)
        code = killed.end()
    if number is signal.SIGINT:
        assert code == 130, killed.said
        assert f"Stopped. Go on with: rookery match --resume {folder}" in killed.said
    assert "All is well." in run("verify", "--data", folder).stdout
    summary = msgspec.json.decode(run_process("match", "--resume", folder, "--json", "-").stdout)
    assert (summary["played"], summary["status"]) == (16, "played")
    verified = run("verify", "--data", folder).stdout
    assert "16 tables: 16 finished; 1 tour: 1 over." in verified


def test_the_same_command_again_says_the_same_again(tmp_path: Path) -> None:
    words = ("match", "5", "1", *NIM, "--games", "4", "--out", str(tmp_path / "m"), "--json", "-")
    assert run_process(*words).stdout == run_process(*words).stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("2", "1"), "Say who plays, and what: rookery match 3 4 --game nim, for example."),
        (("2", "1", "--game", "chess"), "There is no game 'chess'"),
        (("2", "9", "--game", "nim"), "A level is a whole number from 1 to 5, not 9."),
        (("./no-such-bot", "1", "--game", "nim"), "There is no program './no-such-bot' to run."),
        (("2", "1", "--game", "nim", "--time", "0s"), "A clock is longer than nothing"),
        (("2", "1", "--game", "nim", "--time", "fast"), "'fast' is no length of time"),
        (("2", "1", "--game", "nim", "--games", "3"), "a multiple of 2, and 3 is not."),
        (("2", "1", "--game", "nim", "--opening", "4"), "not in nim."),
        (("2", "1", "--game", "nim", "--sprt", "elo0=5", "elo1=0"), "elo0 below elo1"),
        (("2", "1", "--game", "nim", "--sprt", "elo=5"), "A test is written like elo0=0 elo1=20"),
        (("2", "1", "--game", "nim", "--sprt", "elo0=a"), "A test is written like elo0=0 elo1=20"),
        (("--resume", "nowhere"), "There is no match in nowhere."),
        (("2", "1", "--game", "nim", "--json", "nowhere/x"), "cannot be written to."),
        (("2", "1", "--game", "nim", "--json", "/"), "'/' is a folder"),
        (("--resume", "m", "--games", "4"), "A match goes on as it began"),
        (("--resume", "m", "--time", "5s"), "A match goes on as it began"),
    ],
)
def test_a_match_that_cannot_be_played_is_one_sentence_and_no_folder(
    tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    folder = tmp_path / "m"
    out = () if "--resume" in words else ("--out", str(folder))
    result = run("match", *words, *out)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert not folder.exists()


def test_a_match_that_could_not_begin_leaves_its_folder_for_another_try(tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    typo = run_process(
        "match", "python3 no-such-file.py", "1", *NIM, "--games", "2", "--out", folder
    )
    assert "The match cannot begin" in typo.stderr
    assert not Path(folder).exists()
    again = run_process("match", "2", "1", *NIM, "--games", "2", "--out", folder)
    assert "2 of 2 games" in again.stdout


def test_a_match_that_could_not_begin_leaves_everything_else_in_the_folder(tmp_path: Path) -> None:
    kept = tmp_path / "rookery.db.backup"
    kept.write_text("mine")
    run("match", "127.0.0.1:1", "1", *NIM, "--games", "2", "--out", str(tmp_path))
    assert list(tmp_path.iterdir()) == [kept]


def test_a_folder_with_another_match_is_left_alone(tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    run_process("match", "2", "1", *NIM, "--games", "2", "--out", folder)
    result = run_process("match", "2", "1", *NIM, "--games", "4", "--out", folder)
    assert "its games is 2, not 4." in result.stderr
    assert result.returncode == 2


def test_a_servers_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "rookery.db").write_bytes(b"")
    result = run("match", "2", "1", *NIM, "--games", "2", "--out", str(tmp_path))
    assert "has the log of something else" in result.stderr
    assert result.exit_code == 2


def test_strength_has_a_line_for_every_step_and_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "strength.md"
    words = ("--minutes", "10", "--most", "2", "--write", str(page))
    result = run_process("strength", "tictactoe", *words)
    assert result.returncode == 0
    for step in ("2 – 1", "3 – 2", "4 – 3", "5 – 4"):
        assert f"| tictactoe | {step} | 2 |" in result.stdout
    assert result.stdout in page.read_text(encoding="utf-8")


def test_strength_says_before_it_measures_that_its_page_cannot_be_written(tmp_path: Path) -> None:
    page = str(tmp_path / "nowhere" / "strength.md")
    result = run("strength", "tictactoe", "--minutes", "0.1", "--most", "2", "--write", page)
    assert result.exit_code == 2
    assert result.stderr == f"Error: The folder of {page!r} cannot be written to.\n"


def test_a_clock_without_units_says_what_it_was_taken_for(tmp_path: Path) -> None:
    words = ("match", "2", "1", "--game", "tictactoe", "--games", "2", "--out", str(tmp_path / "m"))
    result = run_process(*words, "--time", "5+3")
    assert "The clock 5+3 is taken for 5m+3s. Each player has 5 minutes" in result.stderr
    assert "2 of 2 games of tictactoe, 5m+3s." in result.stdout


@pytest.mark.parametrize(
    ("clock", "sentence"),
    [
        ("5m+", "half a clock"),
        ("10s/move first 30s of nosuchphase", "no phase 'nosuchphase' in tictactoe"),
    ],
)
def test_a_clock_that_is_none_is_refused_in_a_sentence(clock: str, sentence: str) -> None:
    result = run("match", "2", "1", "--game", "tictactoe", "--time", clock)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_players_have_the_names_they_were_given_and_the_log_shows_the_opening(
    tmp_path: Path,
) -> None:
    folder = str(tmp_path / "m")
    game = ("--game", "reversi", "-o", "size=4", "--opening", "2", "--games", "2")
    result = run_process("match", "ann=2", "bob=1", *game, "--time", "30s", "--out", folder)
    assert "ann" in result.stdout
    assert "bob" in result.stdout
    logged = run("log", "1", "--data", folder).stdout
    assert "It draws the opening " in logged


def test_the_score_is_on_the_screen_once(tmp_path: Path) -> None:
    words = ("--games", "8", "--sprt", "elo0=0", "elo1=20", "--out", str(tmp_path / "m"))
    result = run_process("match", "one=5", "two=1", *NIM, *words)
    (row,) = (line for line in result.stdout.splitlines() if line.startswith("one  "))
    score = row.split()[2]
    assert score.endswith("%")
    assert f"one: {score}" not in result.stdout
    assert "one by whole pairs: Elo " in result.stdout
