"""Judges that no muted player speaks, and that no banned player speaks or moves.

By the log alone: it has who was muted and banned, when that ended, and who moved and spoke, in
the one order in which all of it was decided. And by the wires: each ruling that the organiser was
told is done is in the log, and was safe by then; and only banned or muted players are refused
as such.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from rookery.core.events import (
    BanLifted,
    Banned,
    Muted,
    Played,
    Record,
    Said,
    Sat,
    Swapped,
    TakenOver,
    Unmuted,
)
from rookery.core.ids import Micros, PlayerId, Seat
from rookery.core.intents import Ban, LiftBan, Mute, Unmute
from rookery.core.messages import Done, Refused
from rookery_tools.sim.observer.ledger import WorldLedger, put_down
from rookery_tools.sim.observer.transcript import Transcript
from rookery_tools.sim.observer.verdict import Failing

CONDUCT: Final = "who may not, does not"
SANCTIONS: Final = ("banned", "muted")  # the codes of their refusals
Act = Banned | BanLifted | Muted | Unmuted
Ruling = Ban | LiftBan | Mute | Unmute

Ends = dict[PlayerId, Micros]  # when it ends for each, by the time of day; 0: never


def judge_conduct(
    ledger: WorldLedger, transcripts: Sequence[Transcript], *, timed: bool = True
) -> Iterator[Failing]:
    """Judge the whole log, every ruling, and every refusal.

    A ban that ends at a time of day is over once a clock said so, and stays over where the clock
    is set back: in such worlds that is not judged (`timed`).
    """
    yield from _judge_log(ledger.records, timed=timed)
    acts = [
        (ledger.safe_at(one), one.event) for one in ledger.records if isinstance(one.event, Act)
    ]
    for read in transcripts:
        for one in read.exchanges:
            answered = one.answered or one.came
            if isinstance(one.request, Ruling) and isinstance(one.answer, Done):
                there = [safe for safe, act in acts if _is_done_by(act, one.request)]
                if not any(one.came <= safe <= answered for safe in there):
                    yield Failing(CONDUCT, f"{read.name} was told that {one.request} is done")
            if isinstance(one.answer, Refused) and one.answer.code in SANCTIONS:
                before = [act for safe, act in acts if safe <= answered]
                lifted = [act for safe, act in acts if safe < one.came]
                if not _may_be(one.answer.code, before, lifted, read.players):
                    yield Failing(CONDUCT, f"{read.name} asked {one.request} and got {one.answer}")


def _judge_log(records: Sequence[Record], *, timed: bool) -> Iterator[Failing]:
    banned: Ends = {}
    muted: Ends = {}
    seats: defaultdict[str, dict[Seat, PlayerId]] = defaultdict(dict)
    for record in records:
        match record.event:
            case Banned(player=int(player), home="", until=until) if timed or not until:
                banned[player] = until
            case Banned(player=int(player), home=""):
                banned.pop(player, None)
            case BanLifted(player=int(player)):
                banned.pop(player, None)
            case Muted(player=player, until=until) if timed or not until:
                muted[player] = until
            case Muted(player=player) | Unmuted(player=player):
                muted.pop(player, None)
            case Sat() | TakenOver() | Swapped():
                put_down(seats[record.stream], record.event)
            case Said(player) if _holds(muted, player, record) or _holds(banned, player, record):
                yield Failing(CONDUCT, f"{record.stream} has {record.event}, who may say nothing")
            case Played(seat) if _holds(banned, seats[record.stream].get(seat), record):
                yield Failing(CONDUCT, f"{record.stream} has {record.event}, who is banned")
            case _:
                pass


def _holds(ends: Ends, player: PlayerId | None, record: Record) -> bool:
    until = None if player is None else ends.get(player)
    return until is not None and (until == 0 or record.at < until)


def _is_done_by(act: Act, ruling: Ruling) -> bool:
    match ruling:
        case Ban(whom):
            return isinstance(act, Banned) and act.player == whom
        case LiftBan(whom):
            return isinstance(act, BanLifted) and act.player == whom
        case Mute(whom):
            return isinstance(act, Muted) and act.player == whom
        case Unmute(whom):
            return isinstance(act, Unmuted) and act.player == whom


def _may_be(
    code: str, until_answered: Sequence[Act], until_asked: Sequence[Act], mine: Sequence[PlayerId]
) -> bool:
    """Whether one of these players was banned or muted by the answer, and not freed before."""
    begins, ends = (Banned, BanLifted) if code == "banned" else (Muted, Unmuted)
    for player in mine:
        begun = [n for n, act in enumerate(until_answered) if _is_of(act, begins, player)]
        ended = [n for n, act in enumerate(until_asked) if _is_of(act, ends, player)]
        if begun and begun[-1] > max(ended, default=-1):
            return True
    return False


def _is_of(act: Act, kind: type[Act], player: PlayerId) -> bool:
    return isinstance(act, kind) and act.player == player
