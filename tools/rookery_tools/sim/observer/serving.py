"""An honest client is answered, soon, and never refused for what others do."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from rookery.core import intents
from rookery.core.events import TakenBack
from rookery.core.ids import TableId
from rookery.core.intents import Ban, EndTour, JoinTour, LiftBan, Mute, OpenTour, StartTour, Unmute
from rookery.core.messages import Notice, Refused
from rookery_tools.sim.machine.agenda import MILLI, SECOND, Nanos
from rookery_tools.sim.machine.wires import WorldLine
from rookery_tools.sim.observer.clocks import Span, overlap
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.people.conduct import SANCTIONS
from rookery_tools.sim.observer.transcript import Transcript
from rookery_tools.sim.observer.verdict import Failing

REFUSED: Final = "an honest client is served"
SOON: Final = "answers come soon"
BOUND: Final[Nanos] = 500 * MILLI  # for an answer, when nothing is wrong with the machine
AFTER: Final[Nanos] = SECOND  # and as long after it was: what queued is dealt with
OUT: Final = "out"  # of a game that goes on: nobody else's doing, where one has left it
DAMAGED: Final = "damaged"  # so it is said where the disk cannot be read
# What can be refused though nobody is to blame: the game ended, or went on, meanwhile; a tour
# has begun or is over, or too few came. Nothing else may be refused to who is honest.
AT_A_TABLE: Final = frozenset(
    (
        *("over", "game_over", "not_playing", "not_your_turn", "not_to_act", "no_table"),
        *("started", "no_draws", "not_seated"),
    )
)
# Where moves are not taken back, or have been already; and who was asked to a table has gone, or
# comes when another who was has sat down.
ABOUT_MOVES: Final = AT_A_TABLE | frozenset(
    ("no_takebacks", "out", "nothing_played", "too_many", "asked_before", "no_request")
)
TOGETHER: Final = AT_A_TABLE | frozenset(
    ("not_there", "wrong_dialect", "asked_before", "full", "not_open")
)
IN_A_TOUR: Final = frozenset(
    (
        "bad_code",
        "too_few",
        "too_late",
        "not_in_tour",
        "started",
        "running",
        "over",
        "not_your_turn",
    )
)
RULING: Final = frozenset(("no_such_player", "nothing_to_lift", "protected"))
TABLE_REQUESTS: Final = (
    *(intents.Play, intents.LegalMoves, intents.Resign, intents.OfferDraw),
    *(intents.Say, intents.Leave, intents.Show),
)
TOUR_REQUESTS: Final = (JoinTour, StartTour, EndTour)


def is_fair(request: object, code: str) -> bool:
    """Whether an honest client may be refused this with that code."""
    if code in SANCTIONS:
        return True  # whether it is so is judged elsewhere
    if isinstance(request, Ban | LiftBan | Mute | Unmute):
        return code in RULING
    if isinstance(request, intents.TakeBack | intents.DeclineTakeBack):
        return code in ABOUT_MOVES
    if isinstance(request, intents.Challenge | intents.Sit):
        return code in TOGETHER
    if isinstance(request, OpenTour):  # for a time that is past already, by the server's clock
        return code == "bad_option" and request.plan.starts is not None
    if isinstance(request, TABLE_REQUESTS):
        return code in AT_A_TABLE
    return isinstance(request, TOUR_REQUESTS) and code in IN_A_TOUR


def judge_serving(
    ledger: WorldLedger,
    transcripts: Sequence[Transcript],
    lines: Sequence[WorldLine],
    troubles: Sequence[Span],
    unread: Sequence[Span],
) -> Iterator[Failing]:
    """Judge every request of an honest client; in `unread` spans reading the log failed."""
    ends = {line.number: line.closed for line in lines}
    back = _taken_back(ledger)
    for read in transcripts:
        shown_out = {
            heard.line
            for heard in read.heard
            if isinstance(heard.message, Notice) and heard.message.code == "banned"
        }  # what is asked there is not heard any more
        left: set[TableId] = set()  # whose games it has gone from itself
        for one in read.exchanges:
            if isinstance(one.answer, Refused) and not is_fair(one.request, one.answer.code):
                span = (one.came - AFTER, one.answered or one.came)
                move = one.request if isinstance(one.request, intents.Play) else None
                moved = move is not None and overlap(span, back[move.table])
                damaged = one.answer.code == DAMAGED and overlap(span, unread)
                is_out = one.answer.code == OUT and one.answer.table in left
                if not moved and not damaged and not is_out:
                    yield Failing(REFUSED, f"{read.name} asked {one.request} and got {one.answer}")
            if isinstance(one.request, intents.Leave | intents.Resign):
                left.add(one.request.table)
            until = one.answered or ends[one.line]
            wait = until - one.came if until else 0
            span = (one.came - AFTER, until)
            if wait > BOUND and one.line not in shown_out and not overlap(span, troubles):
                yield Failing(SOON, f"{read.name} waited {wait / MILLI:.0f} ms for {one.request}")


def _taken_back(ledger: WorldLedger) -> defaultdict[TableId, list[Span]]:
    """The spans, by table, in which a mover may not know yet that a move was taken back."""
    found: defaultdict[TableId, list[Span]] = defaultdict(list)
    for table, history in ledger.histories.items():
        for record in history:
            if isinstance(record.event, TakenBack):
                found[table].append((ledger.safe_at(record) - AFTER, ledger.safe_at(record) + 1))
    return found


def longest_wait(transcripts: Sequence[Transcript]) -> Nanos:
    """The longest that an honest client waited for an answer, whatever was wrong."""
    waits = (
        one.answered - one.came for read in transcripts for one in read.exchanges if one.answered
    )
    return max(waits, default=0)
