"""Judges a server whose processes follow each other: answers are up to date, connections stay.

A table that is shown has all events that were safe before the question came, whichever process
answers. A client may be hung up on because another hall leads, or an edge was cut off, only if
it had asked for something that may have been done or not, or has lost a seat meanwhile. And a
tour that is to start at a time of day starts by itself: not before, and soon after, where
enough have come and nothing was wrong.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from rookery.clients.native.words import TableShown
from rookery.core.events import Banned, Joined, Left, Record, TourOpened, TourStarted, table_of
from rookery.core.ids import Micros, TableId
from rookery.core.intents import JoinTour, Leave, LegalMoves, Show
from rookery.core.messages import Notice
from rookery_tools.sim.machine.agenda import MICRO, MILLI, Nanos
from rookery_tools.sim.machine.process import EPOCH
from rookery_tools.sim.observer.clocks import Span, overlap
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.serving import AFTER
from rookery_tools.sim.observer.transcript import Transcript
from rookery_tools.sim.observer.verdict import Failing

NOW: Final = "answers are of now"
APPOINTED: Final = "tours start at their time"
SOON: Final[Micros] = 1_000_000
ENOUGH: Final = 2  # entrants
STAYS: Final = "connections stay"
IN_DOUBT: Final = "The server was away and may not have heard you"
ASKS_ONLY: Final = (Show, LegalMoves)


def judge_shown(ledger: WorldLedger, transcripts: Sequence[Transcript]) -> Iterator[Failing]:
    """Judge that every table was shown with all events that were safe before the question."""
    safe: defaultdict[TableId, list[Nanos]] = defaultdict(list)  # of each event, in order
    for (table, _), record in sorted(ledger.at.items()):
        safe[table].append(ledger.safe_at(record))
    for read in transcripts:
        for one in read.exchanges:
            if isinstance(one.request, Show) and isinstance(one.answer, TableShown):
                table, n = one.request.table, one.answer.line.n
                least = bisect_left(safe[table], one.came)
                if n < least:
                    late = (one.came - safe[table][n]) / MILLI
                    said = f"event {n + 1} of table {table} was safe {late:.0f} ms before"
                    yield Failing(NOW, f"{read.name} was shown what was no more: {said}")


def judge_starting(records: Sequence[Record], troubles: Sequence[Span]) -> Iterator[Failing]:
    """Judge every tour that was to start by itself, in worlds where no clock was set."""
    streams: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        streams[record.stream].append(record)
    for stream, history in streams.items():
        first = history[0].event
        if isinstance(first, TourOpened) and first.plan.starts is not None:
            there = [one.at for one in history if isinstance(one.event, Joined)]
            yield from _judge_start(stream, history, there, first.plan.starts, troubles)


def _judge_start(
    stream: str,
    history: Sequence[Record],
    there: Sequence[Micros],
    starts: Micros,
    troubles: Sequence[Span],
) -> Iterator[Failing]:
    begun = next((one.at for one in history if isinstance(one.event, TourStarted)), None)
    over = next((one.at for one in history if one.ends), None)
    due = (starts - EPOCH) * MICRO
    if begun is not None and begun < starts:
        yield Failing(APPOINTED, f"{stream} was to start at {starts}, and did at {begun}")
    late = [at for at in (begun, over) if at is not None and at <= starts + SOON]
    enough = sum(at < starts for at in there) >= ENOUGH
    if enough and not late and not overlap((due - AFTER, due + 2 * AFTER), troubles):
        yield Failing(APPOINTED, f"{stream} was to start at {starts}, and did not ({begun})")


def judge_staying(ledger: WorldLedger, transcripts: Sequence[Transcript]) -> Iterator[Failing]:
    """Judge every client that was told to call again because of a hall, or of the link to it.

    Banned players are left out; so are players who lost a seat of a game that had not begun,
    which was given up while their edge was not heard.
    """
    banned = {one.event.player for one in ledger.records if isinstance(one.event, Banned)}
    for read in transcripts:
        if banned.intersection(read.players):
            continue
        if any(isinstance(one.request, JoinTour) for one in read.exchanges):
            continue  # a player who waits for others in a tour has to call again
        for heard in read.heard:
            message = heard.message
            if not isinstance(message, Notice) or not message.sentence.startswith(IN_DOUBT):
                continue
            asked = [one for one in read.exchanges if one.line == heard.line]
            began = min((one.came for one in asked), default=heard.at)
            if any(began <= lost <= heard.at for lost in _seats_lost(ledger, read)):
                continue
            if not any(
                one.came <= heard.at and one.answer is None
                for one in asked
                if not isinstance(one.request, ASKS_ONLY)
            ):
                yield Failing(STAYS, f"{read.name} was hung up on, and had asked for nothing")


def _seats_lost(ledger: WorldLedger, read: Transcript) -> Iterator[Nanos]:
    """The moments at which this player lost seats that it had not asked to leave by then."""
    asked = [
        (one.request.table, one.came) for one in read.exchanges if isinstance(one.request, Leave)
    ]
    for record in ledger.records:
        match record.event:
            case Left(player=player) if player in read.players:
                lost, table = ledger.safe_at(record), table_of(record.stream)
                if not any(left == table and came <= lost for left, came in asked):
                    yield lost
            case _:
                pass
