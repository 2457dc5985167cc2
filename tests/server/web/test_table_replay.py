"""Replays: a log that grows is told as one that was there at once, and long ones are kept."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import (
    Opened,
    Played,
    Record,
    Said,
    Sat,
    Seeded,
    Started,
    TableEvent,
    table_stream,
)
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import Play, Say
from rookery.core.policy import Policy
from rookery.hall.limits import CHATS_A_TABLE
from rookery.server.web.history import (
    EVENTS_MAX,
    REPLAYS_MAX,
    Moments,
    ReplayCache,
    TableReplay,
    moments_of,
)
from rookery.store.sqlite import SqliteStore
from tests.hall.house import House
from tests.server.web.stories import GAMES, guessing, play_on, records_of

EVERYTHING = 100_000
LONG = 100  # moves, more than a page of the native dialect has
LONGEST = 30 * 1_000 + CHATS_A_TABLE  # nim: all sticks one by one, with all that can be said


class CountedLog:
    """Tables 1 and on, of nim, with so many moves each; it notes what is read. It mutates."""

    def __init__(self, *moves: int, events_max: int = EVENTS_MAX) -> None:
        self.store = SqliteStore()
        for table, many in enumerate(moves, 1):
            self.store.append(nim(table, many, self.store.last_seq() + 1))
        self.handed = 0  # how many records were read
        self.replays = ReplayCache(self._read, events_max)

    def _read(self, after: int, stream: str) -> list[Record]:
        found = list(self.store.read(after, stream))
        self.handed += len(found)
        return found

    def page(self, table: int, since: int = 0, most: int = EVERYTHING) -> Moments:
        replay = self.replays.find(TableId(table))
        assert replay is not None
        return moments_of(replay, since, most)


def nim(table: int, moves: int, first: int) -> list[Record]:
    """A game that goes on, numbered from there."""
    players = [Sat(Seat(n), PlayerId(n + 1), "") for n in (0, 1)]
    opened = Opened("nim rows=30 sticks=1000", 1, 2, "5m+1s", Policy())
    begun: list[TableEvent] = [opened, *players, Seeded(1), Started()]
    played = [Played(Seat(k % 2), f"{k // 1000},1", 400) for k in range(moves)]
    events: list[TableEvent] = [*begun, *played]
    stream = table_stream(TableId(table))
    return [Record(first + n, stream, n + 1, 1000 * n, e) for n, e in enumerate(events)]


def replayed(records: Sequence[Record], stride: int = 7) -> TableReplay:
    replay = TableReplay(TableId(1), stride)
    replay.grow(records)
    return replay


def played(game: str, time: str) -> list[Record]:
    """A game with talk and thought in between, as far as it went."""
    house, chance = House(seed=5), Chance(7)
    guests = [house.enter(name) for name in ("ann", "bob", "cid", "dot")[: GAMES[game]]]
    table = house.game(game, *guests, time=time)
    for _ in range(40):
        house.do(guests[0], Say(table, "Well."))
        if not play_on(house, table, guests, chance):
            break
    return records_of(house, table)


@pytest.mark.parametrize("time", ["5m+2s", "9s/move first 30s"])
@pytest.mark.parametrize("game", GAMES)
def test_a_log_that_grows_is_told_as_one_that_was_there_at_once(game: str, time: str) -> None:
    records, chance = played(game, time), Chance(3)
    growing = TableReplay(TableId(1), 7)
    known = 0
    while known < len(records):
        more = chance.between(1, 9)
        growing.grow(records[known : known + more])
        known = min(known + more, len(records))
        at_once = moments_of(replayed(records[:known]), 0, EVERYTHING).moments
        for since in range(0, known, 5):
            later = tuple(moment for moment in at_once if moment.n > since)
            assert moments_of(growing, since, EVERYTHING).moments == later
    assert growing.stood(known) == replayed(records).stood(known)


def test_a_clock_that_began_later_than_it_seemed_is_told_so_once_its_move_is_there() -> None:
    begun = nim(1, 1, 1)
    n, at = begun[-1].n, begun[-1].at
    said = [talk(n + k, at + 1000 * k) for k in (1, 2, 3, 4)]
    move = Record(n + 5, begun[0].stream, n + 5, at + 5000, Played(Seat(1), "0,1", 1500))
    replay = replayed(begun, 2)
    replay.grow(said)
    assert away(replay, n + 2) == [300_000_000 - 1000 * k for k in (3, 4)]
    replay.grow([move])
    assert away(replay, n + 2) == [300_000_000, 300_000_000 - 500, 301_000_000 - 1500]


def talk(n: int, at: int) -> Record:
    """Something that is said at table 1, which is alone in its log."""
    return Record(n, table_stream(TableId(1)), n, at, Said(PlayerId(1), "", "Well."))


def away(replay: TableReplay, since: int) -> list[int]:
    """What the second seat had left."""
    told = moments_of(replay, since, EVERYTHING).moments
    return [moment.left[1] for moment in told if moment.left is not None]


@pytest.mark.parametrize("game", GAMES)
def test_it_does_not_matter_where_the_marks_are(game: str) -> None:
    records = played(game, "5m+2s")
    far = moments_of(replayed(records, 10_000), 0, EVERYTHING).moments
    near = replayed(records, 2)
    for since in range(len(records) + 2):
        later = tuple(moment for moment in far if moment.n > since)
        assert moments_of(near, since, EVERYTHING).moments == later


def test_a_guess_is_told_once_the_game_is_over_and_not_before() -> None:
    house, table, (ann, bob), secret = guessing(1)
    house.do(ann, Play(table, str(secret)))
    replay = replayed(records_of(house, table))
    assert guesses(replay) == [""]
    house.do(bob, Play(table, str(secret - 1)))
    replay.grow(records_of(house, table)[len(replay) :])
    assert guesses(replay) == [str(secret), str(secret - 1)]


def guesses(replay: TableReplay) -> list[str]:
    told = (moment.event for moment in moments_of(replay, 0, EVERYTHING).moments)
    return [event.move for event in told if isinstance(event, Played)]


def test_who_leafs_through_a_long_game_has_it_read_once() -> None:
    log = CountedLog(2 * LONG)
    since, more, told = 0, True, 0
    while more:
        found = log.page(1, since, 50)
        since, more, told = found.moments[-1].n, found.more, told + len(found.moments)
    assert told == 2 * LONG + 4  # the seed is not told
    assert log.handed == 2 * LONG + 5


def test_a_long_game_that_goes_on_is_told_to_its_end() -> None:
    log = CountedLog(LONG)
    before = log.page(1).moments
    n = before[-1].n + 1
    more = talk(n, 1000 * n)
    log.store.append([more])
    after = log.page(1).moments
    assert after[: len(before)] == before
    assert [moment.event for moment in after[len(before) :]] == [more.event]


def test_a_short_game_is_read_once_too() -> None:
    log = CountedLog(3)
    for _ in range(2):
        log.page(1)
    assert log.handed == 3 + 5


def test_so_many_are_kept_and_those_that_were_looked_at_last() -> None:
    log = CountedLog(*[LONG] * (REPLAYS_MAX + 1))
    for table in (*range(1, REPLAYS_MAX + 1), 1, REPLAYS_MAX + 1):
        log.page(table, most=1)
    assert len(log.replays) == REPLAYS_MAX
    log.handed = 0
    log.page(1, most=1)
    assert log.handed == 0
    log.page(2, most=1)
    assert log.handed == LONG + 5


def test_only_so_many_events_are_kept() -> None:
    log = CountedLog(*[LONG] * 3, events_max=2 * (LONG + 5))
    for table in (1, 2, 3):
        log.page(table, most=1)
    assert len(log.replays) == 2


def test_the_longest_game_can_be_kept() -> None:
    assert LONGEST < EVENTS_MAX


def test_a_table_of_other_rules_has_a_reel_and_one_without_records_has_none() -> None:
    store = SqliteStore()
    first, *rest = nim(1, 3, 1)
    assert isinstance(first.event, Opened)
    store.append([replace(first, event=replace(first.event, rules=99)), *rest])
    assert ReplayCache(store.read).find(TableId(1)) is not None
    assert ReplayCache(store.read).find(TableId(9)) is None
