"""The page for people who write blackwhite clients says what is so, and the example plays."""

import runpy
from pathlib import Path

import msgspec

from rookery.core.chance import Chance
from rookery.dialects.blackwhite import BlackWhiteOptions
from rookery.dialects.blackwhite import profile as blackwhite_limits
from tests.transcripts.wired_hall import WiredHall

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dialects" / "blackwhite.md").read_text(encoding="utf-8")
SESSION = ROOT / "tests" / "transcripts" / "blackwhite" / "session.txt"


def test_the_session_on_the_page_is_a_transcript_that_is_tested() -> None:
    assert f"```\n{SESSION.read_text(encoding='utf-8')}```\n" in PAGE


def test_every_option_is_on_the_page_with_its_default() -> None:
    for field in msgspec.structs.fields(BlackWhiteOptions):
        default = str(field.default).lower() if isinstance(field.default, bool) else field.default
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{field.name}` |"))
        assert row.split("|")[2].strip(" `") == str(default)


def test_the_limits_are_those_of_the_dialect() -> None:
    assert f"{blackwhite_limits.LINE_MAX:,} bytes" in PAGE


def test_two_of_the_example_play_a_game_to_its_end() -> None:
    player = runpy.run_path(str(ROOT / "examples" / "blackwhite_client.py"))["Player"]
    chance, hall = Chance(1), WiredHall()
    players = {name: player(name, chance.choice) for name in ("pl1", "pl2")}
    for name in players:
        hall.connect(name, "blackwhite")
        hall.send(name, f"ENTERROOM [{name}]\n".encode())
    talking = True
    while talking:
        talking = False
        for name, one in players.items():
            for line in hall.take(name).decode().splitlines():
                answer = one.hear(line)
                if answer is not None:
                    hall.send(name, f"{answer}\n".encode())
                    talking = True
    assert players["pl1"].result == players["pl2"].result is not None
