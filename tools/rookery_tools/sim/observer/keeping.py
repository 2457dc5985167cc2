"""Judges that all acknowledged moves are in the log once, in order, and safe before the answer."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rookery.clients.native.words import Told
from rookery.core.events import Left, Played, PublicEvent, Record, Said, Sat, Seeded
from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import Play, Say
from rookery.core.messages import Done
from rookery_tools.sim.observer.ledger import Move, WorldLedger
from rookery_tools.sim.observer.transcript import Exchange, ToldUnasked, Transcript
from rookery_tools.sim.observer.verdict import Failing

KEPT = "acknowledged is kept"
SAFE = "nobody hears what is not safe"
ORDER = "news come in order"


def judge_keeping(ledger: WorldLedger, transcripts: Sequence[Transcript]) -> Iterator[Failing]:
    """Judge every move and word that was acknowledged, and moves that nobody asked for."""
    for read in transcripts:
        if read.player is None:
            continue
        plays: defaultdict[TableId, list[Exchange]] = defaultdict(list)
        for one in read.exchanges:
            if isinstance(one.request, Play):
                plays[one.request.table].append(one)
            elif isinstance(one.request, Say):
                yield from _judge_words(ledger, read, one)
        yield from _judge_moves(ledger, read, read.player, plays)
        for strange in read.strange:
            yield Failing(KEPT, f"{read.name} was told what it cannot read: {strange}")


def _judge_moves(
    ledger: WorldLedger,
    read: Transcript,
    player: PlayerId,
    plays: dict[TableId, list[Exchange]],
) -> Iterator[Failing]:
    tables = {table for table, who in ledger.moves if who == player} | set(plays)
    for table in sorted(tables):
        there = list(ledger.moves.get((table, player), ()))
        for play, move in match_moves(plays.get(table, []), there):
            if play is None and move is not None:
                yield Failing(
                    KEPT, f"table {table} has {move.event.move} of {read.name}, who did not play it"
                )
            elif play is not None and move is None:
                yield Failing(KEPT, f"{read.name} was told that {play.request} is done; it is not")
            elif move is not None and play is not None and _is_early(ledger, play, move.record):
                yield Failing(SAFE, f"{read.name} heard that {play.request} is done too early")


def _is_early(ledger: WorldLedger, one: Exchange, record: Record) -> bool:
    """Whether a request was answered before its record was safe."""
    return one.answered is not None and one.answered < ledger.safe_at(record)


def match_moves(
    plays: Sequence[Exchange], there: Sequence[Move]
) -> Iterator[tuple[Exchange | None, Move | None]]:
    """Pair each move that was played with its record; None stands for one that is missing.

    A move that was asked for and never answered may have been played or not, so there is a
    choice: one is made by which all moves in the log were played, if there is one.
    """
    can = _explained(plays, there)
    n = 0
    for p, play in enumerate(plays):
        same = n < len(there) and _is_of(play, there[n])
        done = isinstance(play.answer, Done)
        if same and (done or (play.answer is None and not can[p + 1][n])):
            yield play, there[n]
            n += 1
        elif done:
            yield play, None
    for move in there[n:]:
        yield None, move


def _is_of(play: Exchange, move: Move) -> bool:
    assert isinstance(play.request, Play), "moves are matched with moves"
    return move.event.move == play.request.move


def _explained(plays: Sequence[Exchange], there: Sequence[Move]) -> list[list[bool]]:
    """A table by p and n: whether plays from p on can explain all moves from n on."""
    can = [[False] * (len(there) + 1) for _ in range(len(plays) + 1)]
    can[len(plays)][len(there)] = True
    for p in reversed(range(len(plays))):
        done = isinstance(plays[p].answer, Done)
        for n in range(len(there) + 1):
            follows = n < len(there) and can[p + 1][n + 1] and _is_of(plays[p], there[n])
            taken = follows and (done or plays[p].answer is None)
            can[p][n] = taken or (not done and can[p + 1][n])
    return can


def _judge_words(ledger: WorldLedger, read: Transcript, one: Exchange) -> Iterator[Failing]:
    assert isinstance(one.request, Say), "words are said"
    there = ledger.words.get(one.request.text, [])
    done = isinstance(one.answer, Done)
    if len(there) > 1 or (done and not there) or (one.answer is not None and not done and there):
        yield Failing(KEPT, f"{read.name}'s {one.request.text!r} is in the log {len(there)} times")
    if done and there and _is_early(ledger, one, there[0]):
        yield Failing(SAFE, f"{read.name} heard that {one.request.text!r} is said too early")


def judge_news(ledger: WorldLedger, transcripts: Sequence[Transcript]) -> Iterator[Failing]:
    """Judge that every piece of news is in the log, was safe, and came in its order."""
    for read in transcripts:
        last: dict[tuple[int, TableId], int] = {}
        for heard, told in read.news():
            yield from _judge_told(ledger, read, heard, told)
            before = last.get((heard.line, told.table))
            last[heard.line, told.table] = told.n
            if before is None:
                continue
            if told.n <= before:
                yield Failing(
                    ORDER, f"{read.name} heard {told.n} of table {told.table} after {before}"
                )
            missed = _missed(ledger, read.player, told.table, range(before + 1, told.n))
            if missed:
                yield Failing(ORDER, f"{read.name} did not hear {missed} of table {told.table}")


def _missed(
    ledger: WorldLedger, player: PlayerId | None, table: TableId, numbers: range
) -> list[int]:
    """Those of these events that the player should have heard, because it was at the table.

    A player who leaves a table before its game begins is told that it is done, and hears no more
    of the table until it sits down again.
    """
    missed, there = [], True
    for n in numbers:
        event = record.event if (record := ledger.at.get((table, n))) is not None else None
        if isinstance(event, Left) and event.player == player:
            there = False
        elif isinstance(event, Sat) and event.player == player:
            there = True
        if there and not _is_hidden(ledger, table, n):
            missed.append(n)
    return missed


def _judge_told(
    ledger: WorldLedger, read: Transcript, heard: ToldUnasked, told: Told
) -> Iterator[Failing]:
    record = ledger.at.get((told.table, told.n))
    if record is None:
        yield Failing(SAFE, f"{read.name} heard {told.event}, which is not in the log")
        return
    if not is_same(told.event, record.event):
        yield Failing(KEPT, f"{read.name} heard {told.event}, and the log has {record.event}")
    if ledger.safe_at(record) > heard.at:
        yield Failing(SAFE, f"{read.name} heard {told.event} before it was safe")


def _is_hidden(ledger: WorldLedger, table: TableId, n: int) -> bool:
    """Whether an event is not for everyone at the table: its seed, and what a team says."""
    record = ledger.at.get((table, n))
    if record is None:
        return False
    event = record.event
    return isinstance(event, Seeded) or (isinstance(event, Said) and event.team is not None)


def is_same(told: PublicEvent, logged: object) -> bool:
    """Whether a told event is the logged one, perhaps without its move."""
    if isinstance(told, Played) and isinstance(logged, Played) and not told.move:
        return (told.seat, told.spent) == (logged.seat, logged.spent)
    return told == logged
