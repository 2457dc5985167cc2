"""Logs to try a store with: short ones by hand, and hypothesis's own of every kind of event."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from hypothesis import strategies as st

from rookery.core.events import (
    HALL_STREAM,
    Closed,
    DrawDeclined,
    DrawOffered,
    Ended,
    Erred,
    Joined,
    Left,
    LogEvent,
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Opened,
    Out,
    Owned,
    Paired,
    Partnered,
    Played,
    PlayerMade,
    PlayerNamed,
    Record,
    Rematched,
    RematchWished,
    Returned,
    Said,
    Sat,
    Seeded,
    Started,
    Swapped,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    TakenOver,
    TourClosing,
    TourDone,
    TourEnded,
    TourKeyed,
    TourOpened,
    TourPaused,
    TourStarted,
    Withdrawn,
)
from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat, TableId, TourId
from rookery.core.policy import Begin, Errors, Gone, Policy
from rookery.core.tour_values import Fixture, Plan, Rated, Result, TourLine

NOON: Final = 1_700_000_000_000_000
MAX: Final = 2**63 - 1

Entry = tuple[str, LogEvent, bool]  # the stream, what happened, whether that ends the stream

SEATS = st.integers(0, 3).map(Seat)
PLAYERS = st.integers(1, MAX).map(PlayerId)
TABLES = st.integers(1, MAX).map(TableId)
TIMES = st.integers(0, MAX)
OUTCOMES = st.builds(
    Outcome,
    places=st.lists(st.integers(1, 4), max_size=4).map(tuple),
    how=st.text(),
    reason=st.text(),
    scores=st.none() | st.lists(st.integers(-MAX, MAX), max_size=4).map(tuple),
)
POLICIES = st.builds(
    Policy,
    begin=st.sampled_from(Begin),
    gone=st.sampled_from(Gone),
    grace=TIMES,
    errors=st.builds(Errors, st.integers(0, 9), st.booleans(), st.booleans()),
    only=st.text(),
)
TOURS = st.integers(1, MAX).map(TourId)
COUNTS = st.integers(1, 1000)
NUMBERS = st.lists(st.integers(0, MAX), max_size=4).map(tuple)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PLANS = st.builds(
    Plan,
    variant=st.text(),
    format=st.text(),
    name=st.text(),
    seats=st.none() | COUNTS,
    time=st.text(),
    policy=POLICIES,
    points=st.text(),
    ties=st.lists(st.text(), max_size=3).map(tuple),
    parallel=COUNTS,
    at_once=COUNTS,
    fair=st.booleans(),
    late=st.booleans(),
    absent=TIMES,
    strict=st.booleans(),
    farewell=st.booleans(),
    stays=st.booleans(),
    rated=st.booleans(),
)
LINES = st.builds(
    TourLine,
    tour=TOURS,
    name=st.text(),
    variant=st.text(),
    format=st.text(),
    status=st.text(),
    owner=st.none() | PLAYERS,
    coded=st.booleans(),
    entrants=COUNTS,
    matches=COUNTS,
    played=COUNTS,
    running=COUNTS,
    winners=st.lists(st.text(), max_size=2).map(tuple),
)

TABLE_EVENTS: st.SearchStrategy[LogEvent] = st.one_of(
    st.builds(
        Opened,
        variant=st.text(),
        rules=st.integers(0, MAX),
        seats=st.integers(1, 4),
        time=st.text(),
        policy=POLICIES,
        by=st.none() | PLAYERS,
        tour=st.none() | TOURS,
    ),
    st.builds(Seeded, seed=TIMES),
    st.builds(Sat, seat=SEATS, player=PLAYERS, name=st.text()),
    st.builds(Left, seat=SEATS, player=PLAYERS),
    st.builds(Owned, player=PLAYERS),
    st.builds(Swapped, one=SEATS, other=SEATS),
    st.builds(Started),
    st.builds(TakenOver, seat=SEATS, player=PLAYERS, name=st.text()),
    st.builds(Played, seat=SEATS, move=st.text(), spent=TIMES),
    st.builds(Erred, seat=SEATS, code=st.text()),
    st.builds(DrawOffered, seat=SEATS),
    st.builds(DrawDeclined, seat=SEATS),
    st.builds(TakebackAsked, seat=SEATS),
    st.builds(TakebackDeclined, seat=SEATS),
    st.builds(TakenBack, seat=SEATS, plies=st.integers(1, 4), thought=st.tuples(TIMES, TIMES)),
    st.builds(Out, seat=SEATS, why=st.sampled_from(Forfeit), spent=TIMES),
    st.builds(Ended, outcome=OUTCOMES),
    st.builds(Closed),
    st.builds(
        Said, player=PLAYERS, name=st.text(), text=st.text(), team=st.none() | st.integers(0, 3)
    ),
    st.builds(RematchWished, seat=SEATS),
    st.builds(Rematched, table=TABLES),
)
HALL_EVENTS: st.SearchStrategy[LogEvent] = st.one_of(
    st.builds(
        PlayerMade,
        player=PLAYERS,
        name=st.text(),
        host=st.text(),
        token_hash=st.text(),
        dialect=st.text(),
    ),
    st.builds(PlayerNamed, player=PLAYERS, name=st.text()),
    st.builds(
        TourDone,
        tour=TOURS,
        line=LINES,
        rated=st.lists(st.builds(Rated, st.text(), st.text(), FLOATS, FLOATS, COUNTS)).map(tuple),
        missed=st.lists(PLAYERS, max_size=3).map(tuple),
    ),
)
TOUR_EVENTS: st.SearchStrategy[LogEvent] = st.one_of(
    st.builds(TourOpened, plan=PLANS, by=st.none() | PLAYERS),
    st.builds(TourKeyed, seed=TIMES, code=st.text()),
    st.builds(Joined, entrant=COUNTS, name=st.text(), player=PLAYERS),
    st.builds(Partnered, entrant=COUNTS, player=PLAYERS),
    st.builds(Returned, entrant=COUNTS, player=PLAYERS, now=PLAYERS),
    st.builds(Withdrawn, entrant=COUNTS, why=st.text()),
    st.builds(TourStarted, until=st.none() | TIMES),
    st.builds(TourPaused, left=st.none() | TIMES),
    st.builds(
        Paired,
        fixtures=st.lists(
            st.builds(Fixture, COUNTS, NUMBERS, start=st.integers(0, 9), teams=NUMBERS), max_size=3
        ).map(tuple),
    ),
    st.builds(MatchBegun, match=COUNTS, table=TABLES),
    st.builds(
        MatchEnded,
        match=COUNTS,
        result=st.builds(
            Result, NUMBERS, st.text(), st.text(), forfeits=NUMBERS, scores=st.none() | NUMBERS
        ),
    ),
    st.builds(MatchVoided, match=COUNTS),
    st.builds(TourClosing, how=st.text(), winners=NUMBERS),
    st.builds(TourEnded, how=st.text(), winners=NUMBERS),
)

# Few tables and tours, so that most have several records, and some of them after the one that ends.
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.tuples(
        st.sampled_from(["table/1", "table/2", "table/10", "table/999"]),
        TABLE_EVENTS,
        st.sampled_from([False, False, False, True]),
    ),
    st.tuples(
        st.sampled_from(["tour/1", "tour/2", "tour/10"]),
        TOUR_EVENTS,
        st.sampled_from([False, False, False, True]),
    ),
    st.tuples(st.just(HALL_STREAM), HALL_EVENTS, st.sampled_from([False])),
)

# What the catalogue is about, and a move; few players and games, so that they meet again.
_SOMEBODY = st.integers(1, 3).map(PlayerId)
_SEATINGS: st.SearchStrategy[LogEvent] = st.one_of(
    st.builds(Sat, seat=SEATS, player=_SOMEBODY, name=st.just("Ann")),
    st.builds(Left, seat=SEATS, player=_SOMEBODY),
    st.builds(TakenOver, seat=SEATS, player=_SOMEBODY, name=st.just("nim-2")),
    st.builds(Ended, outcome=OUTCOMES),
    st.builds(Closed),
    st.builds(Played, seat=SEATS, move=st.text(), spent=TIMES),
    st.builds(Said, player=_SOMEBODY, name=st.text(), text=st.just('{"type":"ended"}')),
)
_OPENINGS = st.builds(
    Opened,
    variant=st.sampled_from(["nim", "nim misere=true", "reversi size=10"]),
    rules=st.just(1),
    seats=st.just(2),
    time=st.just("none"),
    policy=st.just(Policy()),
    tour=st.sampled_from([None, TourId(1), TourId(2)]),
)


def log(entries: Iterable[Entry]) -> list[Record]:
    """The records of these, numbered, a tenth of a second apart."""
    places: Counter[str] = Counter()
    records = []
    for seq, (stream, event, ends) in enumerate(entries, 1):
        places[stream] += 1
        at = NOON + seq * 100_000
        records.append(Record(seq, stream, places[stream], at, event, ends))
    return records


def split(records: Sequence[Record], cuts: Iterable[int]) -> list[Sequence[Record]]:
    """The records as batches, cut at these places."""
    inside = sorted(cut % (len(records) + 1) for cut in cuts)
    return [records[start:end] for start, end in pairwise([0, *inside, len(records)])]


@st.composite
def batches(draw: st.DrawFn) -> list[Sequence[Record]]:
    """A log as the batches it was written in; some may be empty."""
    records = log(draw(st.lists(ENTRIES, max_size=30)))
    return split(records, draw(st.lists(st.integers(0, 30), max_size=5)))


@st.composite
def seated_batches(draw: st.DrawFn) -> list[Sequence[Record]]:
    """A log of tables that are opened, filled, left and ended; each is opened first."""
    tables = [f"table/{number}" for number in range(1, 6)]
    events = draw(st.lists(st.tuples(st.sampled_from(tables), _SEATINGS), max_size=40))
    opened: set[str] = set()
    entries: list[Entry] = []
    for table, event in events:
        if table not in opened:
            opened.add(table)
            entries.append((table, draw(_OPENINGS), False))
        entries.append((table, event, isinstance(event, Ended | Closed)))
    return split(log(entries), draw(st.lists(st.integers(0, 40), max_size=5)))


def moves(count: int, *, table: int = 1, first: int = 1, size: int = 0) -> list[Record]:
    """So many moves at one table, numbered from `first`; `size` characters longer than needed."""
    return [
        Record(
            seq, f"table/{table}", seq, NOON + seq, Played(Seat(seq % 2), f"{seq}{'.' * size}", 7)
        )
        for seq in range(first, first + count)
    ]
