"""Laws of tours: whatever happens in one, its log is the whole of it, and it comes to its end.

Each season is one tour lived through from a seed: see `tour_stories.py`, which looks at what
the hall shows while it lasts. Here its log is read when all is over.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain

import msgspec
import pytest
from msgspec.structs import replace

from rookery.core.events import (
    Ended,
    Joined,
    MatchBegun,
    MatchEnded,
    MatchRuled,
    MatchVoided,
    Opened,
    Out,
    Paired,
    Partnered,
    Played,
    Record,
    Returned,
    Sat,
    Started,
    TourClosing,
    TourEnded,
    TourPaused,
    TourStarted,
    table_of,
    table_stream,
)
from rookery.core.ids import Micros, PlayerId, Status, TableId
from rookery.hall.tables.replay import replay
from rookery.hall.tables.table import Table
from rookery.hall.tours.lines import standing_of
from rookery.hall.tours.running.match_starts import tour_seats
from rookery.hall.tours.tour import replay_tour
from rookery_tools.sim.observer.absences import judge_absences
from tests.laws.tour_stories import CASES, SEEDS, Case, Season


@cache
def season(case: Case, seed: int) -> Season:
    """A season that has been lived."""
    return Season(case, seed).live()


def calm(case: Case, seed: int, *, dies: bool) -> Season:
    return Season(case, seed, calm=True, dies=dies).live()


def tables_of(one: Season) -> Iterator[Table]:
    """Every table that was opened for the tour."""
    for stream, records in one.house.streams.items():
        opened, table = records[0].event, table_of(stream)
        if table is not None and isinstance(opened, Opened) and opened.tour == one.tour:
            yield replay(table, one.house.events(table))


def players(one: Season) -> dict[int, set[PlayerId]]:
    """Who was ever a player of which entrant."""
    found: dict[int, set[PlayerId]] = {}
    for record in one.records:
        match record.event:
            case Joined(number, _, player) | Partnered(number, player):
                found.setdefault(number, set()).add(player)
            case Returned(number, _, now):
                found[number].add(now)
            case _:
                pass
    return found


def a_tour_comes_to_its_end_and_shows_what_its_log_says(case: Case, seed: int) -> None:
    one = season(case, seed)
    one.look()
    ends = [record.event for record in one.records if record.ends]
    assert [type(event) for event in ends] == [TourEnded]
    assert one.records[-1].event == ends[0]


def replay_equals_play(case: Case, seed: int) -> None:
    one = season(case, seed)
    text = msgspec.json.encode(one.records)
    again = replay_tour(one.tour, msgspec.json.decode(text, type=list[Record]))
    assert again == one.value
    unrated = [replace(row, rating=None, uncertainty=None) for row in one.shown().standing]
    assert unrated == list(standing_of(again))


def when_everyone_has_gone_no_timer_waits_for_nothing(case: Case, seed: int) -> None:
    one = season(case, seed)
    for n in range(len(one.guests)):
        one.hang_up(n)
    one.house.wait(4000)
    assert one.house.hall.deadline() is None


def each_match_begins_before_it_ends_and_is_decided_once(case: Case, seed: int) -> None:
    running: dict[int, TableId] = {}
    decided: set[int] = set()
    paired = 0
    for record in season(case, seed).records:
        match record.event:
            case Paired(fixtures):
                paired += len(fixtures)
            case MatchBegun(number, table):
                assert number <= paired
                assert number not in running
                assert number not in decided
                running[number] = table
            case MatchEnded(number):
                assert number <= paired
                assert number not in decided
                running.pop(number, None)
                decided.add(number)
            case MatchRuled(number):
                assert number <= paired
                running.pop(number, None)
                decided.add(number)
            case MatchVoided(number):
                assert number in running or number in decided
                running.pop(number, None)
                decided.discard(number)
            case TourEnded():
                assert not running
            case _:
                pass


def no_match_begins_but_while_the_tour_runs(case: Case, seed: int) -> None:
    one = season(case, seed)
    running = False
    until: Micros | None = None
    for record in one.records:
        match record.event:
            case TourStarted(until=moment):
                running, until = True, moment
            case MatchBegun():
                assert running
                assert until is None or record.at < until
            case Paired() if not one.value.format.eager:
                assert running
            case TourPaused() | TourClosing():
                running = False
            case _:
                pass


def when_all_is_played_nothing_is_left_to_play(case: Case, seed: int) -> None:
    value = season(case, seed).value
    if value.how == "played" and value.format.lasts() is None:
        assert all(match.result is not None for match in value.matches)


def no_table_of_a_tour_runs_on_after_its_end(case: Case, seed: int) -> None:
    for table in tables_of(season(case, seed)):
        assert table.status is Status.OVER


def a_result_is_what_came_out_at_the_table(case: Case, seed: int) -> None:
    one = season(case, seed)
    value, were = one.value, players(one)
    for match in value.matches:
        if match.table is None or match.result is None or match.result.by_hand:
            continue
        table = replay(match.table, one.house.events(match.table))
        outcome = table.outcome
        assert outcome is not None
        for side, place in enumerate(match.result.places):
            for seat in tour_seats(value, side):
                assert outcome.places[seat] == place
                number = match.fixture.sides[side]
                assert table.seats[seat] in were[number]
        assert match.result.how == outcome.how


def a_table_counts_for_one_match_or_was_voided(case: Case, seed: int) -> None:
    one = season(case, seed)
    counted = [match.table for match in one.value.matches if match.table is not None]
    voided = [t.id for t in tables_of(one) if t.outcome is not None and t.outcome.how == "voided"]
    undone = {table for table in _begun(one) if table not in counted}
    assert len(set(counted)) == len(counted)
    assert {table.id for table in tables_of(one)} == set(counted) | undone
    assert set(voided) <= undone


def _begun(one: Season) -> list[TableId]:
    return [r.event.table for r in one.records if isinstance(r.event, MatchBegun)]


def a_match_begins_and_ends_in_one_batch_with_its_table(case: Case, seed: int) -> None:
    one = season(case, seed)
    tables: dict[int, TableId] = {}
    for batch in one.house.batches:
        for record in batch:
            match record.event:
                case MatchBegun(number, table):
                    tables[number] = table
                    at_table = [type(r.event) for r in batch if r.stream == table_stream(table)]
                    assert {Opened, Sat, Started} <= set(at_table)
                case MatchEnded(number) if number in tables:
                    assert _ends(batch, tables.pop(number))
                case MatchVoided(number) | MatchRuled(number) if number in tables:
                    assert _ends(batch, tables.pop(number))
                case _:
                    pass
    assert not tables


def _ends(batch: tuple[Record, ...], table: TableId) -> bool:
    stream = table_stream(table)
    return any(isinstance(r.event, Ended) for r in batch if r.stream == stream)


def nobody_plays_more_at_once_than_the_plan_and_its_dialect_allow(case: Case, seed: int) -> None:
    one = season(case, seed)
    playing: dict[int, tuple[int, ...]] = {}
    value, plan = one.value, case.plan
    for record in one.records:
        match record.event:
            case MatchBegun(number):
                playing[number] = value.match(number).fixture.sides
            case MatchEnded(number) | MatchVoided(number) | MatchRuled(number):
                playing.pop(number, None)
            case _:
                continue
        busy = list(chain.from_iterable(playing.values()))
        assert all(busy.count(entrant) <= plan.at_once for entrant in busy)
        assert not plan.parallel or len(playing) <= plan.parallel


def pairings_are_what_the_format_says_of_the_results_before(case: Case, seed: int) -> None:
    """Asked again of the log alone, it pairs the same; an arena is told who was free."""
    one = season(case, seed)
    value = one.value
    if value.format.lasts() is not None:
        return
    for at, record in enumerate(one.records):
        if isinstance(record.event, Paired):
            before = replay_tour(one.tour, one.records[:at])
            assert value.format.next(before.field()) == record.event.fixtures


def an_absence_costs_one_match_at_a_time(case: Case, seed: int) -> None:
    one = season(case, seed)
    assert list(judge_absences(one.records)) == []


LAWS = (
    a_tour_comes_to_its_end_and_shows_what_its_log_says,
    replay_equals_play,
    when_everyone_has_gone_no_timer_waits_for_nothing,
    each_match_begins_before_it_ends_and_is_decided_once,
    no_match_begins_but_while_the_tour_runs,
    when_all_is_played_nothing_is_left_to_play,
    no_table_of_a_tour_runs_on_after_its_end,
    a_result_is_what_came_out_at_the_table,
    a_table_counts_for_one_match_or_was_voided,
    a_match_begins_and_ends_in_one_batch_with_its_table,
    nobody_plays_more_at_once_than_the_plan_and_its_dialect_allow,
    pairings_are_what_the_format_says_of_the_results_before,
    an_absence_costs_one_match_at_a_time,
)


@pytest.mark.parametrize(
    ("case", "seed"),
    [
        pytest.param(case, seed, id=f"{case.title} {seed}")
        for case in CASES
        for seed in range(SEEDS)
    ],
)
def test_a_tour_keeps_the_laws(case: Case, seed: int) -> None:
    """All of them in one test: a season is lived once."""
    broken = []
    for law in LAWS:
        try:
            law(case, seed)
        except AssertionError as wrong:
            wrong.add_note(law.__name__)
            broken.append(wrong)
    if broken:
        raise ExceptionGroup(f"{case.title} {seed} breaks {len(broken)} laws", broken)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "othello" not in case.dialects], ids=lambda case: case.title
)
def test_a_restart_changes_nothing_but_presence(case: Case) -> None:
    restarted, quiet = calm(case, 5, dies=True), calm(case, 5, dies=False)
    assert restarted.restarts
    assert [_timeless(r) for r in restarted.house.log] == [_timeless(r) for r in quiet.house.log]


def _timeless(record: Record) -> Record:
    """What somebody thought before the server died is not charged."""
    if isinstance(record.event, Played | Out):
        return replace(record, event=replace(record.event, spent=0))
    return record


def test_seasons_have_everything_that_can_happen_in_a_tour() -> None:
    seasons = [season(case, seed) for case in CASES for seed in range(SEEDS)]
    kinds = {type(record.event).__name__ for one in seasons for record in one.records}
    assert kinds >= {
        "TourOpened", "TourKeyed", "Joined", "Partnered", "Returned", "Withdrawn", "TourStarted",
        "TourPaused", "Paired", "MatchBegun", "MatchEnded", "MatchVoided", "MatchRuled", "Renamed",
        "TourSeeded", "EntrantPaused", "EntrantResumed",
        "TourClosing", "TourEnded",
    }  # fmt: skip
    hows = {m.result.how for one in seasons for m in one.value.matches if m.result is not None}
    assert hows >= {"bye", "absent", "withdrawn", "gone", "resigned"}
    assert any(one.restarts > 3 for one in seasons)
