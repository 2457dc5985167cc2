"""The log of every transcript, in one file: what must not change when code is rewritten.

`python -m tests.transcripts.golden` writes it again; a change to it is a change to the format of
logs, and wants a reason. A record is a line: its number, stream, place in the stream, whether it
ends the stream, and the event as the log has it.
"""

from pathlib import Path
from typing import Final

import msgspec

from rookery.core.events import Record
from tests.transcripts.runner import played

HERE: Final = Path(__file__).parent
LOGS: Final = HERE / "logs.txt"
TRANSCRIPTS: Final = sorted(HERE.glob("*/*.txt"))


def log_of(path: Path) -> str:
    """The records that this transcript leads to, a line each, under its name."""
    hall = played(path.read_text("utf-8"), path.parent.name)
    return "\n".join([f"# {path.parent.name}/{path.stem}", *map(line_of, hall.records), ""])


def line_of(record: Record) -> str:
    """A record as a line."""
    event = msgspec.json.encode(record.event).decode()
    ends = " ends" if record.ends else ""
    return f"{record.seq} {record.stream} {record.n} {record.at}{ends} {event}"


if __name__ == "__main__":
    LOGS.write_text("\n".join(map(log_of, TRANSCRIPTS)), "utf-8")
