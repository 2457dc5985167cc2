"""`rookery new`: packages that work at once (installed: `tests/browser/test_outside.py`)."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rookery.cli.commands import new
from rookery.plugins import load
from tests.cli.running import run
from tests.plugins.toys import own_registries
from tests.transcripts.wired_hall import WiredHall


def made(folder: Path, kind: str, name: str, game: str = "") -> Path:
    new.write_package(kind, name, folder, game)
    return folder / name / "src" / name / "__init__.py"


@pytest.mark.parametrize(("kind", "name"), [("game", "three_rows"), ("dialect", "telegraph")])
def test_what_is_new_keeps_its_laws_at_once(kind: str, name: str, tmp_path: Path) -> None:
    with own_registries():
        done = run("laws", name, "--with", str(made(tmp_path, kind, name)), "--effort", "quick")
    assert done.exit_code == 0, done.output


def test_a_new_dialect_plays_a_new_game_in_a_real_hall(tmp_path: Path) -> None:
    with own_registries():
        load([made(tmp_path, "game", "mine"), made(tmp_path, "dialect", "telegraph")])
        stage = WiredHall()
        for who in ("ann", "bob"):
            stage.connect(who, "telegraph")
            stage.send(who, f"HELLO {who}\nSEEK mine\n".encode())
        for who, move in (("ann", 0), ("bob", 1), ("ann", 1), ("ann", 2)):
            stage.send(who, b"MOVE %d\n" % move)
        heard = stage.take("ann").decode().splitlines()
    assert heard[:3] == ["OK", "OK", "NEWS Sat"]
    assert heard[-6:] == [
        "NEWS Played", "NEWS Played", "NO Square 1 is taken.", "OK", "NEWS Played", "NEWS Ended",
    ]  # fmt: skip


def test_a_new_bot_plays_a_game_that_has_none(tmp_path: Path) -> None:
    game, bot = made(tmp_path, "game", "mine"), made(tmp_path, "bot", "clever", "mine")
    point = tomllib.loads((tmp_path / "clever" / "pyproject.toml").read_text())["project"]
    assert point["entry-points"] == {"rookery.bots": {"mine": "clever:LEVELS"}}
    bot.write_text(bot.read_text() + '\nLEVELS = {"mine": LEVELS}\n')  # as a file has it
    with own_registries():
        words = ["--with", str(game), "--with", str(bot), "--only", "bot", "--effort", "quick"]
        done = run("laws", "mine", *words)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("kind", ["game", "dialect"])
def test_a_package_has_all_that_a_repository_needs(kind: str, tmp_path: Path) -> None:
    made(tmp_path, kind, "mine")
    there = {str(p.relative_to(tmp_path / "mine")) for p in tmp_path.rglob("*") if p.is_file()}
    assert there == {
        ".github/workflows/tests.yml",
        ".gitignore",
        "LICENCE.md",
        "README.md",
        "pyproject.toml",
        "src/mine/__init__.py",
        "tests/test_mine.py",
    }
    assert all("@name@" not in p.read_text() for p in tmp_path.rglob("*") if p.is_file())


@pytest.mark.parametrize("kind", ["game", "bot", "dialect"])
def test_what_is_written_is_tidy(kind: str, tmp_path: Path) -> None:
    made(tmp_path, kind, "mine", "nim")
    for words in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *words, "--isolated", "--line-length", "100"]
        subprocess.run([*ruff, "."], cwd=tmp_path / "mine", check=True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["game", "4x"], "A game is called by small letters, digits and _"),
        (["game", "class"], "A game is called by small letters"),
        (["game", "Chess"], "A game is called by small letters"),
        (["game", "nim"], "There is a game nim already; take another name."),
        (["dialect", "othello"], "There is a dialect othello already"),
        (["game", "rookery"], "Python has something else called rookery"),
        (["bot", "clever"], "Which game does it play? Say --game GAME."),
        (["bot", "clever", "--game", "nim"], "The game nim has bots of its own"),
        (["bot", "clever", "--game", "chess"], "There is no game 'chess'"),
        (["game", "mine", "--game", "nim"], "Only a bot is for a game"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_a_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new", *words)
    assert done.exit_code == 2
    assert said in done.output
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert "There is a mine here already; nothing was written." in run("new", "game", "mine").output
    assert list((tmp_path / "mine").iterdir()) == []
