"""The page about the dialect fish says what is so, and its example plays."""

import json
import runpy
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec import Meta

from rookery.core.chance import Chance
from rookery.core.ids import PlayerId
from rookery.core.intents import Gather
from rookery.dialects import read_options
from rookery.dialects.fish import FishOptions
from rookery.dialects.fish import profile as fish_limits
from rookery.dialects.fish.wire import ID_MAX, OLDEST
from tests.laws.fish_speaker import FishSpeaker, Heard, Ice, Somebody
from tests.transcripts.wired_hall import WiredHall

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dialects" / "fish.md").read_text(encoding="utf-8")
TRANSCRIPTS = ROOT / "tests" / "transcripts" / "fish"

# Any: the members of a union, and what the example has, are looked at by name alone.
MESSAGES: tuple[Any, ...] = get_args(Heard)


def test_the_session_on_the_page_is_a_transcript_that_is_tested() -> None:
    text = (TRANSCRIPTS / "session.txt").read_text(encoding="utf-8")
    assert f"```\n{text}```\n" in PAGE


def test_every_message_and_every_field_of_one_is_there() -> None:
    words = {kind.__struct_config__.tag for kind in MESSAGES}
    words |= {field for kind in (*MESSAGES, Ice, Somebody) for field in kind.__struct_fields__}
    assert sorted(word for word in words if f"`{word}`" not in PAGE) == []


def test_every_option_is_there_with_its_default() -> None:
    hints = get_type_hints(FishOptions, include_extras=True)
    for field in msgspec.structs.fields(FishOptions):
        meta = next(part for part in get_args(hints[field.name]) if isinstance(part, Meta))
        default = json.dumps(field.default).replace('"', "`")
        assert f"| `{field.name}` | {default} | {meta.description} |" in PAGE


@pytest.mark.parametrize("bound", [fish_limits.LINE_MAX, ID_MAX, OLDEST])
def test_the_bounds_are_those_of_the_dialect(bound: int) -> None:
    assert f" {bound} " in PAGE.replace(";", " ")


def test_the_gathering_for_native_players_is_the_one_that_fish_players_join() -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith('{"type":"gather"'))
    theirs = msgspec.json.decode(line, type=Gather)
    ours = FishOptions().gather(8, PlayerId(1))
    assert msgspec.structs.replace(ours, unique=False, player=None) == theirs


@pytest.mark.parametrize("ids", [("ann", "bob"), ("ann", "bob", "cyd"), ("a", "b", "c", "d")])
@pytest.mark.parametrize("ice", [{}, {"rows": 4, "cols": 3, "fish": 2}, {"holes": 20}])
def test_some_of_the_example_play_a_game_to_its_end(
    ids: tuple[str, ...], ice: dict[str, int]
) -> None:
    player = runpy.run_path(str(ROOT / "examples" / "fish_client.py"))["Player"]
    chance, hall, speaker = Chance(1), WiredHall(), FishSpeaker()
    hall.options["fish"] = read_options("fish", {"players": len(ids), **ice})
    players = {name: player(name, age, chance.choice) for age, name in enumerate(ids)}
    for name, one in players.items():
        hall.connect(name, "fish")
        hall.send(name, msgspec.json.encode(one.hello) + b"\n")
    talking = True
    while talking:
        talking = False
        for name, one in players.items():
            said = hall.take(name)
            assert speaker.answers(said) == []
            for line in speaker.news(said):
                request = one.hear(msgspec.json.decode(line))
                if request is not None:
                    hall.send(name, msgspec.json.encode(request) + b"\n")
                    talking = True
    for one in players.values():
        assert one.end == players[ids[0]].end
        assert one.end["cheaters"] == []
        assert sorted(one.end["winners"] + one.end["losers"]) == sorted(ids)
