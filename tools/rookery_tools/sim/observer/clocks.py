"""Judges what each move was charged: no more than it took, and no less than that minus a beat.

A move takes from the moment its turn was written to the connection to the moment the answer
lay at the server's socket. Time in which the server was away, or could not write its log, is
not the player's. Only turns are judged that were told and taken on one connection. A process
that is stopped (SIGSTOP) while a move lies at its socket cannot know since when, and may charge
a beat more; people at an edge hear that clocks stood still when its link has brought the news.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from rookery.clients.native.words import Told
from rookery.core.clock import Budget, parse_time_control
from rookery.core.events import Played, TakenBack
from rookery.core.ids import Micros, Seat, TableId
from rookery.core.intents import Play
from rookery.core.messages import Notice
from rookery.server.fairtime import BEAT
from rookery_tools.sim.machine.agenda import MICRO, MILLI, NEVER, Nanos
from rookery_tools.sim.machine.process import NO_HALL, WorldOutage
from rookery_tools.sim.observer.keeping import match_moves
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.transcript import Exchange, Transcript
from rookery_tools.sim.observer.verdict import Failing

CLOCK: Final = "clocks are fair"
GRAIN: Final = MILLI  # times are whole microseconds, and a few of them are lost
EDGE: Final = BEAT * MICRO
LINKS: Final = ("nats", "edge kept", "edge frozen")  # outages in which an edge is not heard
WAY: Final = 4 * MILLI  # what a link takes at most to say that clocks stand, and that they do not
NOTICED: Final = 400 * MILLI  # until it is noticed that the log hangs, or an edge is silent
UNREAD: Final = 1_000 * MILLI  # what came so long before may still be on its way
NO_DISK: Final = ("no_disk",)
STANDING: Final = (*NO_DISK, "no_hall")  # what one is told when no clock runs

Span = tuple[Nanos, Nanos]


def judge_clocks(
    ledger: WorldLedger,
    transcripts: Sequence[Transcript],
    outages: Sequence[WorldOutage],
    doubts: Sequence[Span] = (),
    *,
    linked: bool = False,
    hung: Sequence[Span] = (),
    outages_of_all: Sequence[Span] = (),
) -> Iterator[Failing]:
    """Judge every charge of which both ends were seen; `linked`: over links to a hall elsewhere.

    While the log is `hung` no clock runs, nor while nobody can be heard (`outages_of_all`).

    In `doubts` a turn may have been given anew, as by another hall, and only counts from then on.
    Where a link is bad, a hall's notice of its disk may come late: such moves are not judged.
    """
    lost = [one for one in outages if one.kind in LINKS]
    silent = [(one.since - UNREAD, (one.until or one.since) + UNREAD) for one in lost]
    away = [(one.since, one.until or one.since) for one in outages]
    without = [span for span, one in zip(away, outages, strict=True) if one.kind == NO_HALL]
    away += hung
    frozen = [(one.since, one.until or one.since) for one in outages if one.kind.endswith("frozen")]
    for read in transcripts:
        standing, by_halls = _standing(read, STANDING), _standing(read, NO_DISK)
        turns = _turns(ledger, read)
        for play, spent, key in _charges(ledger, read):
            began = turns.get(key)
            if began is None or began > play.came:
                continue
            span, stood, by_hall = (began, play.came), standing[play.line], by_halls[play.line]
            took = play.came - began - covered(span, (*stood, *without, *outages_of_all))
            unread = (began, play.answered or play.came)
            most = took + GRAIN + (EDGE if overlap(unread, frozen) else 0)
            most += WAY if linked and overlap(span, by_hall) else 0
            most += NOTICED if overlap(span, outages_of_all) else 0
            least = took - overlap(span, away) - EDGE - GRAIN
            if overlap(unread, doubts):  # or was, when the move had come and was not decided
                least = 0
            if spent > most and not (overlap(span, silent) and overlap(span, by_hall)):
                said = f"{spent / MILLI:.3f} ms, and took {took / MILLI:.3f} ms"
                yield Failing(CLOCK, f"{read.name} was charged {said} for {play.request}")
            if spent < least:
                said = f"only {spent / MILLI:.3f} ms, and took {took / MILLI:.3f} ms"
                yield Failing(CLOCK, f"{read.name} was charged {said} for {play.request}")


def judge_left(ledger: WorldLedger, transcripts: Sequence[Transcript]) -> Iterator[Failing]:
    """Judge that the clock a mover is told of is what the charges in the log leave."""
    for read in transcripts:
        for _, told in read.news():
            event = told.event
            if not isinstance(event, Played) or told.left is None:
                continue
            due = _left(ledger, told.table, event.seat, told.n)
            if due is not None and told.left[event.seat] != due:
                said = f"{told.left[event.seat]} µs are left, and it must be {due}"
                yield Failing(CLOCK, f"{read.name} was told at table {told.table} that {said}")


def _left(ledger: WorldLedger, table: TableId, seat: Seat, n: int) -> Micros | None:
    opened = ledger.opened.get(table)
    control = None if opened is None else parse_time_control(opened.time)
    if not isinstance(control, Budget) or control.delay or seat not in ledger.seats[table]:
        return None
    left, paid, movers = control.base, 0, list[Seat]()
    for record in ledger.histories[table][:n]:
        match record.event:
            case Played(mover, spent=spent):
                movers.append(mover)
                if mover == seat:
                    left = max(0, left - spent) + (0 if paid else control.increment)
                    paid = max(0, paid - 1)
            case TakenBack(_, plies, thought):
                left = max(0, left - thought[seat])
                paid += movers[-plies:].count(seat)
                del movers[-plies:]
            case _:
                pass
    return left


def covered(span: Span, others: Sequence[Span]) -> Nanos:
    """How many nanoseconds of this span lie in any of the others."""
    found, end = 0, span[0]
    for since, until in sorted(others):
        found += max(0, min(until, span[1]) - max(since, end))
        end = max(end, min(until, span[1]))
    return found


def overlap(span: Span, others: Sequence[Span]) -> Nanos:
    """How many nanoseconds of this span lie in the others."""
    return sum(max(0, min(span[1], until) - max(span[0], since)) for since, until in others)


def _standing(read: Transcript, codes: tuple[str, ...]) -> defaultdict[int, list[Span]]:
    """The spans in which no clock ran, by the notices on each line: no log, or no hall.

    On a line that was hung up meanwhile no second notice comes: there the span has no end.
    """
    spans: defaultdict[int, list[Span]] = defaultdict(list)
    since: dict[int, Nanos] = {}
    for heard in read.heard:
        if isinstance(heard.message, Notice):
            if heard.message.code in codes:
                since.setdefault(heard.line, heard.at)
            elif heard.message.code == "resumed" and heard.line in since:
                spans[heard.line].append((since.pop(heard.line), heard.at))
    for line, began in since.items():
        spans[line].append((began, NEVER))
    return spans


Key = tuple[int, TableId, int]  # the line, the table, and which of the player's moves there


def _turns(ledger: WorldLedger, read: Transcript) -> dict[Key, Nanos]:
    """When the player was told of each turn, by the number of the move that answers it."""
    began: dict[Key, Nanos] = {}
    acting: dict[tuple[int, TableId], bool] = {}
    for heard, told in read.news():
        seat = _seat(ledger, read, told.table)
        place = heard.line, told.table
        before, now = acting.get(place), seat in told.to_act
        acting[place] = now
        moved = isinstance(told.event, Played) and told.event.seat == seat
        moved = moved or isinstance(told.event, TakenBack)  # and turns are given anew
        if now and before is not None and (moved or not before):
            done = sum(1 for move in _moves(ledger, read, told) if move <= told.n)
            began[heard.line, told.table, done] = heard.at
    return began


def _moves(ledger: WorldLedger, read: Transcript, told: Told) -> list[int]:
    assert read.player is not None, "who is judged is a player"
    return [move.record.n for move in ledger.moves.get((told.table, read.player), ())]


def _seat(ledger: WorldLedger, read: Transcript, table: TableId) -> Seat | None:
    seats = ledger.seats.get(table, {})
    return next((seat for seat, player in seats.items() if player == read.player), None)


def _charges(ledger: WorldLedger, read: Transcript) -> Iterator[tuple[Exchange, Nanos, Key]]:
    """Every move that the player was seen to make, with the time that it was charged."""
    if read.player is None:
        return
    plays: dict[TableId, list[Exchange]] = {}
    for one in read.exchanges:
        if isinstance(one.request, Play):
            plays.setdefault(one.request.table, []).append(one)
    for table, there in plays.items():
        moves = ledger.moves.get((table, read.player), [])
        for play, move in match_moves(there, moves):
            if play is not None and move is not None:
                key = play.line, table, moves.index(move)
                yield play, move.event.spent * MICRO, key
