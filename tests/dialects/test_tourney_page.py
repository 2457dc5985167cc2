"""The page for people who write tourney clients says what is so, and the example plays."""

import runpy
from pathlib import Path

import msgspec
import pytest

from rookery.core.chance import Chance
from rookery.core.ids import MICROS_A_SECOND
from rookery.dialects.tourney import TourneyOptions
from rookery.dialects.tourney import profile as tourney_limits
from rookery.dialects.tourney.games import TYPES, words_of
from rookery.dialects.tourney.tours import ASSIGNED, ERRORS, FAILED, NO_OWNER
from tests.transcripts.wired_hall import WiredHall

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dialects" / "tourney.md").read_text(encoding="utf-8")
SESSION = ROOT / "tests" / "transcripts" / "tourney" / "session.txt"


def test_the_session_on_the_page_is_a_transcript_that_is_tested() -> None:
    assert f"```\n{SESSION.read_text(encoding='utf-8')}```\n" in PAGE


def test_every_option_is_on_the_page_with_its_default() -> None:
    for field in msgspec.structs.fields(TourneyOptions):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{field.name}` |"))
        assert row.split("|")[2].strip() == str(field.default).lower()


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_and_every_text_of_a_game_is_on_the_page(kind: str) -> None:
    words = words_of(TYPES[kind])
    assert words is not None
    texts = [text.format(9) for text in words.refusals.values()]
    assert [text for text in (kind, *texts) if f"`{text}`" not in PAGE] == []


@pytest.mark.parametrize("text", [ASSIGNED, FAILED, NO_OWNER, *ERRORS.values()])
def test_every_error_about_tournaments_is_on_the_page(text: str) -> None:
    assert f"`@ERROR:{text}`" in PAGE


def test_the_limits_are_those_of_the_dialect() -> None:
    assert f"{tourney_limits.LINE_MAX:,} bytes" in PAGE
    assert f"{tourney_limits.SILENCE // MICROS_A_SECOND} seconds" in PAGE
    assert f"{tourney_limits.SILENT // MICROS_A_SECOND} seconds" in PAGE


def test_two_of_the_example_play_a_tournament_to_its_end() -> None:
    player = runpy.run_path(str(ROOT / "examples" / "tourney_client.py"))["Player"]
    chance, hall = Chance(1), WiredHall()
    hall.connect("olga", "tourney")
    hall.send("olga", b"@NEW PLAYER\n@TOUR:CREATE:NIM\n@TOUR:START\n")
    players = {name: player(name, pick=chance.choice) for name in ("Ann", "Bob")}
    for name, one in players.items():
        hall.connect(name, "tourney")
        hall.send(name, "".join(f"{line}\n" for line in one.first).encode())
    while said := [(name, line) for name in players for line in hall.take(name).splitlines()]:
        for name, line in said:
            for answer in players[name].hear(line.decode()):
                hall.send(name, f"{answer}\n".encode())
    hall.send("olga", b"@TOUR:END\n")
    for name, one in players.items():
        assert not one.over
        one.hear(hall.take(name).decode().rstrip("\n"))
        assert one.over
    assert [one.id for one in players.values()] == ["2", "3"]
    results = zip(players["Ann"].results, players["Bob"].results, strict=True)
    assert [sorted(result) for result in results] == [[False, True]] * 2


def test_the_example_plays_its_match_to_the_end_though_the_tournament_is_over() -> None:
    player = runpy.run_path(str(ROOT / "examples" / "tourney_client.py"))["Player"]("Ann")
    player.hear("@GAME:START:H:Bob")
    player.hear("@TOUR:END")
    assert not player.over
    player.hear("@GAME:RESULT:H")
    assert player.over
    assert player.results == [True]
