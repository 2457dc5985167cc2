"""What was answered over HTTP: it is in the log, was safe, and is for anyone to know."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from rookery.core.events import Ended, Played
from rookery.core.ids import TableId
from rookery.core.messages import Entry
from rookery_tools.sim.answers import Messages
from rookery_tools.sim.clients.person import WorldPerson
from rookery_tools.sim.machine.agenda import Nanos
from rookery_tools.sim.observer.clocks import Span, overlap
from rookery_tools.sim.observer.keeping import KEPT, SAFE, is_same
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.people.privacy import judge_rows
from rookery_tools.sim.observer.people.secrets import HIDING, UNTOLD
from rookery_tools.sim.observer.serving import AFTER, REFUSED
from rookery_tools.sim.observer.verdict import Failing

WELL: Final = ("200", "404")
NOT_AS_THINGS_STAND: Final = "409"  # what is written may come too late
BUSY: Final = "503"  # the disk fails, or the server goes down
DAMAGED: Final = "500"  # so it is said where the disk cannot be read
UNREAD: Final = b'"code":"damaged"'
STUDIED: Final = ("/tryout", "/analysis")  # of games that are over
FAILED: Final = b'"code":"failed"'  # the process that studies died over it, or could not

Seen = tuple[Nanos, str, bytes]  # when its last byte was there, the first line, the body


class _Log(msgspec.Struct):
    events: tuple[Entry, ...]


def judge_web(
    ledger: WorldLedger, person: WorldPerson, troubles: Sequence[Span], unread: Sequence[Span]
) -> Iterator[Failing]:
    """Judge every answer over HTTP to a person; in `unread` spans reading the log failed."""
    for line in person.lines:
        for asked, answer in zip(read_http(line.up), read_http(line.down), strict=False):
            at, status = answer[0], " ".join(answer[1].split()[1:2])
            method, path, _ = asked[1].split()
            studied = path.partition("?")[0].endswith(STUDIED)
            early = status == NOT_AS_THINGS_STAND and (method == "POST" or studied)
            fair = status in WELL or early or (studied and FAILED in answer[2])
            span = asked[0] - AFTER, at + 1
            busy = status == BUSY and overlap(span, troubles)
            damaged = status == DAMAGED and overlap(span, unread) and UNREAD in answer[2]
            if not (fair or busy or damaged):
                yield Failing(REFUSED, f"{person.name} asked for {path} and got {answer[1]}")
            yield from judge_rows(ledger, person.name, path, status, answer[2])
            if studied and status == "200":
                table = TableId(int(path.split("/")[3]))
                if not _is_over(ledger, table, at):
                    yield Failing(UNTOLD, f"{person.name} was told {path}, and the game runs")
            if status == "200" and path.endswith("/log"):
                table = TableId(int(path.split("/")[3]))
                for entry in msgspec.json.decode(answer[2], type=_Log).events:
                    yield from _judge_entry(ledger, person.name, table, entry, at)


def _judge_entry(
    ledger: WorldLedger, name: str, table: TableId, entry: Entry, at: Nanos
) -> Iterator[Failing]:
    record, event = ledger.at.get((table, entry.n)), entry.event
    what = f"{name} read {event} as event {entry.n} of table {table}"
    if record is None:
        yield Failing(SAFE, f"{what}, which is not in the log")
        return
    if not is_same(event, record.event):
        yield Failing(KEPT, f"{what}, and the log has {record.event}")
    if ledger.safe_at(record) > at:
        yield Failing(SAFE, f"{what}, before it was safe")
    hides = table in ledger.opened and ledger.opened[table].variant.startswith(HIDING)
    if hides and isinstance(event, Played) and event.move and not _is_over(ledger, table, at):
        yield Failing(UNTOLD, f"{what}, which is hidden until the end")


def _is_over(ledger: WorldLedger, table: TableId, at: Nanos) -> bool:
    there = (one for (number, _), one in ledger.at.items() if number == table)
    return any(isinstance(one.event, Ended) and ledger.safe_at(one) <= at for one in there)


def read_http(pieces: Iterable[tuple[Nanos, bytes]]) -> Iterator[Seen]:
    """Requests or answers that were there whole, and when the last byte of each was."""
    messages = Messages()
    for at, words in pieces:
        for first, body in messages.feed(words):
            yield at, first, body
