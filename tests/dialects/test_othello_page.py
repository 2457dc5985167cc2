"""The page for people who write othello clients says what is so, and the example plays."""

import runpy
from pathlib import Path

import msgspec

from rookery.core.chance import Chance
from rookery.dialects.othello import OthelloOptions
from rookery.dialects.othello import profile as othello_limits
from tests.transcripts.wired_hall import WiredHall

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dialects" / "othello.md").read_text(encoding="utf-8")
SESSION = ROOT / "tests" / "transcripts" / "othello" / "session.txt"


def test_the_session_on_the_page_is_a_transcript_that_is_tested() -> None:
    assert f"```\n{SESSION.read_text(encoding='utf-8')}```\n" in PAGE


def test_every_option_is_on_the_page_with_its_default() -> None:
    for field in msgspec.structs.fields(OthelloOptions):
        default = str(field.default).lower() if isinstance(field.default, bool) else field.default
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{field.name}` |"))
        assert row.split("|")[2].strip(" `") == str(default)


def test_the_limits_are_those_of_the_dialect() -> None:
    assert f"{othello_limits.FRAME_MAX:,} bytes" in PAGE


def test_two_of_the_example_play_a_game_to_its_end() -> None:
    player = runpy.run_path(str(ROOT / "examples" / "othello_client.py"))["Player"]
    chance, hall = Chance(1), WiredHall()
    players = {name: player(chance.choice) for name in ("ann", "bob")}
    for name in players:
        hall.connect(name, "othello")
        hall.send(name, b"1\n")
    talking = True
    while talking:
        talking = False
        for name, one in players.items():
            for frame in hall.take(name).decode().splitlines():
                answer = one.hear(frame)
                if answer is not None:
                    hall.send(name, f"{answer}\n".encode())
                    talking = True
    assert [one.colour for one in players.values()] == ["1", "2"]
    assert players["ann"].winner == players["bob"].winner is not None
