"""The log of every transcript is, to the byte, what it was; and each event can still be read."""

from pathlib import Path

import msgspec
import pytest

from rookery.core.events import LogEvent
from tests.transcripts.golden import LOGS, TRANSCRIPTS, log_of

BY_NAME = {log.partition("\n")[0]: log for log in LOGS.read_text("utf-8").split("\n# ")}


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_log_is_what_it_was(path: Path) -> None:
    name, _, rest = log_of(path).removeprefix("# ").partition("\n")
    golden = BY_NAME.get(name) or BY_NAME[f"# {name}"]
    assert rest.splitlines() == golden.splitlines()[1:]


def test_every_transcript_has_a_golden_log_and_no_other_has() -> None:
    names = {f"{path.parent.name}/{path.stem}" for path in TRANSCRIPTS}
    assert {name.removeprefix("# ") for name in BY_NAME} == names


def test_every_event_of_a_golden_log_can_be_read_and_is_written_alike() -> None:
    events = [
        line[line.index("{") :] for line in LOGS.read_text("utf-8").splitlines() if "{" in line
    ]
    reader = msgspec.json.Decoder(LogEvent)
    assert [msgspec.json.encode(reader.decode(event)).decode() for event in events] == events
