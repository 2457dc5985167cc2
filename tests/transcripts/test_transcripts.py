"""Every transcript plays as it is written."""

from pathlib import Path

import pytest

from rookery.dialects import DIALECTS
from tests.dialects.by_heart import BY_HEART
from tests.transcripts.runner import Differs, play

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("*/*.txt"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_transcript_plays_as_it_is_written(path: Path) -> None:
    try:
        play(path.read_text(encoding="utf-8"), path.parent.name)
    except Differs as differs:
        pytest.fail(f"{path.name}, {differs}", pytrace=False)


def test_who_is_known_by_heart_has_transcripts_and_every_folder_is_a_dialect() -> None:
    assert BY_HEART <= {path.parent.name for path in TRANSCRIPTS} <= set(DIALECTS)


def test_a_wrong_line_is_shown_beside_the_right_one() -> None:
    with pytest.raises(Differs) as differs:
        play('ann > {"type":"ping"}\nann < {"type":"ping"}', "native")
    assert str(differs.value).splitlines() == [
        'line 1: ann > {"type":"ping"}',
        '! ann should hear {"type":"ping"}',
        '! ann does hear  {"type":"pong"}',
    ]


def test_a_line_that_nobody_expected_is_found() -> None:
    with pytest.raises(Differs, match=r"ann should hear \(nothing\)"):
        play('ann > {"type":"ping"}', "native")


def test_a_line_that_never_came_is_found() -> None:
    with pytest.raises(Differs, match=r"bob does hear  \(nothing\)"):
        play('ann > {"type":"ping"}\nann < {"type":"pong"}\nbob < {"type":"pong"}', "native")


def test_a_transcript_can_say_that_the_server_hangs_up() -> None:
    too_long = f"ann > {'x' * 16385}"
    refused = '{"type":"refused","code":"too_long",'
    refused += '"sentence":"A line has at most 16384 bytes.","table":null}'
    play(f"{too_long}\nann < {refused}\nann <!", "native")
    with pytest.raises(Differs, match="ann does hear  <!"):
        play(f"{too_long}\nann < {refused}", "native")
