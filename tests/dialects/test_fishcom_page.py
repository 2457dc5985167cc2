"""The page about the dialect fishcom says what is so, and its example plays."""

import json
import runpy
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest
from msgspec import Meta

from rookery.core.chance import Chance
from rookery.core.ids import PlayerId
from rookery.core.intents import OpenTour
from rookery.dialects import read_options
from rookery.dialects.fishcom import FishcomOptions
from rookery.dialects.fishcom import profile as fishcom_limits
from rookery.dialects.fishcom.profile import NAME_MAX
from tests.laws.fishcom_speaker import CALLS, FishcomSpeaker, Somebody, State
from tests.transcripts.wired_hall import WiredHall

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dialects" / "fishcom.md").read_text(encoding="utf-8")
TRANSCRIPTS = ROOT / "tests" / "transcripts" / "fishcom"


def test_the_session_on_the_page_is_a_transcript_that_is_tested() -> None:
    text = (TRANSCRIPTS / "session.txt").read_text(encoding="utf-8")
    assert f"```\n{text}```\n" in PAGE


def test_every_call_and_every_field_of_a_state_is_there() -> None:
    assert [name for name in ("start", *CALLS) if f'| `["{name}",[' not in PAGE] == []
    fields = (*State.__struct_fields__, *Somebody.__struct_fields__)
    assert [field for field in fields if f"`{field}`" not in PAGE] == []


def test_every_option_is_there_with_its_default() -> None:
    hints = get_type_hints(FishcomOptions, include_extras=True)
    for field in msgspec.structs.fields(FishcomOptions):
        meta = next(part for part in get_args(hints[field.name]) if isinstance(part, Meta))
        text = json.dumps(field.default).replace('"', "`")
        assert f"| `{field.name}` | {text} | {meta.description} |" in PAGE


@pytest.mark.parametrize("bound", [fishcom_limits.KEPT_MAX, NAME_MAX])
def test_the_bounds_are_those_of_the_dialect(bound: int) -> None:
    assert str(bound) in PAGE.split()


def test_the_plan_on_the_page_is_that_of_the_tournaments_here() -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith('{"type":"open_tour"'))
    theirs = msgspec.json.decode(line, type=OpenTour).plan
    ours = FishcomOptions().wish(PlayerId(1)).plan
    assert msgspec.structs.replace(ours, name="") == theirs


@pytest.mark.parametrize("names", [("ann", "bob"), ("a", "b", "c", "d", "e"), tuple("abcdefghi")])
@pytest.mark.parametrize("ice", [{}, {"rows": 15, "cols": 4, "fish": 0}, {"holes": 9}])
def test_some_of_the_example_play_a_tournament_to_its_end(
    names: tuple[str, ...], ice: dict[str, int]
) -> None:
    player = runpy.run_path(str(ROOT / "examples" / "fishcom_client.py"))["Player"]
    chance, hall, speaker = Chance(1), WiredHall(), FishcomSpeaker()
    hall.options["fishcom"] = read_options("fishcom", {"least": 2, "most": len(names), **ice})
    players = {name: player(name, chance.choice) for name in names}
    for name in names:
        hall.connect(name, "fishcom")
        hall.send(name, json.dumps(name).encode())
    while any(not line.closed for line in hall.lines.values()):
        for name, one in players.items():
            for call in speaker.news(hall.take(name)):
                hall.send(name, json.dumps(one.hear(json.loads(call))).encode())
    assert {one.won for one in players.values()} <= {True, False}
    assert any(one.won for one in players.values())
