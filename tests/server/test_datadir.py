"""Who can read what a server keeps, and how it is mended."""

import logging
from pathlib import Path

import pytest

from rookery.server.datadir import close_to_others, make_folder
from rookery.server.hall_log import open_store


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_folder_that_we_make_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "srv" / "rookery"
    open_store(str(folder)).close()
    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.iterdir()} == {
        "rookery.db": 0o600,
        "rookery.db.lock": 0o600,
    }


def test_what_others_could_read_is_mended_with_a_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "data"
    open_store(str(folder)).close()
    (folder / "organiser.token").write_text("secret\n")
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    with caplog.at_level(logging.WARNING):
        open_store(str(folder)).close()
    assert mode(folder) == 0o700
    assert {mode(path) for path in folder.iterdir()} == {0o600}
    assert f"{folder / 'rookery.db'} (0644)" in caplog.text
    assert f"{folder} (0755)" in caplog.text


def test_what_is_as_it_should_be_needs_no_word(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        open_store(str(tmp_path / "data")).close()
    assert caplog.text == ""


def test_a_folder_with_other_things_in_it_keeps_its_mode(tmp_path: Path) -> None:
    make_folder(tmp_path / "home")
    home = tmp_path / "home"
    home.chmod(0o755)
    for name in ("letter.txt", "rookery.db"):
        (home / name).write_text("Dear all")
        (home / name).chmod(0o644)
    close_to_others(home)
    assert mode(home) == 0o755
    assert mode(home / "letter.txt") == 0o644
    assert mode(home / "rookery.db") == 0o600
