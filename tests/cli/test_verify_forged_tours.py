"""What `rookery verify` says of forged tours: where, and what the hall decides there.

The tour that is forged is a round robin of three at nim, and its log is short enough to
know by heart: in `tour/1` three join (3 to 5), it starts (6), is paired (7), and matches
2-3, 1-2 and 3-1 begin and end at tables 1, 2 and 3 (8 to 13); cid wins (14, 15). What no
replay finds, the judge of made-up worlds does: `tests/sim/test_judging_tours.py`.
"""

import pytest
from msgspec.structs import replace

from rookery.core.events import (
    HALL_STREAM,
    Ended,
    Joined,
    LogEvent,
    MatchBegun,
    MatchEnded,
    MatchRuled,
    MatchVoided,
    Numbered,
    Opened,
    Paired,
    Parted,
    Partnered,
    Record,
    RematchWished,
    Sat,
    Seeded,
    TourClosing,
    TourDone,
    TourEnded,
    TourKeyed,
    TourOpened,
    TourPaused,
    TourSeeded,
    TourStarted,
    Withdrawn,
)
from rookery.core.game import Outcome
from rookery.core.ids import PlayerId, Seat, TableId, TourId
from rookery.core.policy import Policy
from rookery.core.tour_values import Fixture, Plan, Result
from rookery.verify.log import Audit, LogProblem, check_log
from tests.cli.tour_logs import changed, contest, played, sentences, with_event
from tests.hall.contest import NIM, house_of_tours

LOST = Result((1, 2), "last_stick", "Away took the last stick.")
WON = Result((2, 1), "last_stick", "Away took the last stick.")
GONE = Result((2, 1), "absent", "Somebody did not come.", (1,))
HALL = "As tour 1 stands, the hall decides "
PAIRED = HALL + '{"type":"paired","fixtures":[{"round":1,"sides":[2,3]},'

IN_THE_TOUR: list[tuple[int, LogEvent, str]] = [
    (1, TourKeyed(1, ""), "A tour's first event opens it, and this one does not."),
    (1, TourOpened(Plan(NIM), PlayerId(9)), "Nobody ever was player 9."),
    (2, TourStarted(), "Seed and code are a tour's second event, and no other."),
    (3, TourKeyed(1, ""), "Seed and code are a tour's second event, and no other."),
    (3, TourOpened(Plan(NIM)), "A tour is opened once."),
    (3, Joined(2, "ann", PlayerId(1)), HALL + '{"type":"joined","en'),
    (3, Joined(1, "ann", PlayerId(9)), "Nobody ever was player 9."),
    (3, TourStarted(), "A tour like this needs 2 entrants, and has 0."),
    (4, Joined(2, "bob", PlayerId(1)), "You are in tour 1 already, or were."),
    (4, Partnered(1, PlayerId(2)), "Tour 1 has no teams."),
    (4, Withdrawn(2, "withdrawn"), "Tour 1 has no entrant 2."),
    (5, TourSeeded((3, 2, 1)), "These are no seeds of tour 1."),
    (6, TourPaused(), "Tour 1 does not run."),
    (6, TourStarted(5), HALL + '{"type":"tour_started"}.'),
    (6, Parted(1), "Tour 1 has no end to take yet."),
    (6, Paired((Fixture(1, (1, 2)),)), "Nothing is to be paired in tour 1 now."),
    (7, TourStarted(), "Tour 1 runs already."),
    (7, Joined(4, "dan", PlayerId(3)), "Tour 1 has begun, and takes nobody any more."),
    (7, Paired((Fixture(1, (1, 4)),)), PAIRED),
    (7, Paired((Fixture(1, (3, 2)), Fixture(2, (1, 2)), Fixture(3, (3, 1)))), PAIRED),
    (8, Paired((Fixture(1, (2, 3)),)), "Nothing is to be paired in tour 1 now."),
    (8, MatchBegun(4, TableId(1)), "There is no match 4."),
    (8, MatchEnded(0, WON), "There is no match 0."),
    (8, MatchEnded(1, WON), "Match 1 of tour 1 has not come out yet."),
    (
        8,
        MatchEnded(1, GONE),
        HALL + '{"type":"match_ended","match":1,"result":{"places":[1,2],"how":"absent",',
    ),
    (8, MatchVoided(1), "Match 1 has not begun."),
    (8, MatchRuled(1, Result((1, 3), "by_hand")), "A place is one more than there are before it"),
    (8, TourClosing("played", ()), "Tour 1 is not played to its end."),
    (8, TourEnded("ended", ()), "Tour 1 does not end yet."),
    (9, MatchBegun(1, TableId(1)), "Match 1 does not begin now, at table 1."),
    (10, MatchBegun(2, TableId(1)), "Match 2 does not begin now, at table 1."),
    (10, MatchEnded(1, WON), "Match 1 has come out before."),
    (
        14,
        TourClosing("played", (1,)),
        HALL + '{"type":"tour_closing","how":"played","winners":[3]}.',
    ),
    (
        15,
        TourEnded("cancelled", ()),
        HALL + '{"type":"tour_ended","how":"played","winners":[3]}.',
    ),
    (15, MatchBegun(1, TableId(9)), "Match 1 does not begin now, at table 9."),
    (15, TourClosing("ended", (3,)), "Tour 1 is over."),
]


@pytest.mark.parametrize(("n", "event", "sentence"), IN_THE_TOUR)
def test_a_forged_event_of_a_tour_is_found_where_it_is(
    n: int, event: LogEvent, sentence: str
) -> None:
    log = changed(played(), "tour/1", n, with_event(event))
    found = [p.sentence for p in check_log(log) if (p.stream, p.n) == ("tour/1", n)]
    assert any(said.startswith(sentence) for said in found), found


def test_a_forged_result_is_one_problem_which_says_what_the_table_says() -> None:
    log = changed(played(), "tour/1", 9, with_event(MatchEnded(1, LOST)))
    (problem,) = check_log(log)
    assert problem == LogProblem(
        21,
        "tour/1",
        9,
        HALL + '{"type":"match_ended","match":1,"result":'
        '{"places":[2,1],"how":"last_stick","reason":"Away took the last stick."}}.',
    )


def test_events_of_a_tour_that_changed_places_are_found() -> None:
    log = played()
    (one, other) = (record for record in log if (record.stream, record.n) in PLACES)
    log = changed(log, "tour/1", one.n, with_event(other.event))
    log = changed(log, "tour/1", other.n, with_event(one.event))
    (problem, *_) = check_log(log)
    assert (problem.stream, problem.n) == ("tour/1", one.n)


PLACES = (("tour/1", 6), ("tour/1", 7))  # the start, and the pairing


@pytest.mark.parametrize(
    ("form", "parallel"), [("swiss rounds=2", 0), ("knockout", 0), ("arena minutes=1", 1)]
)
def test_a_pairing_that_the_format_does_not_make_is_found(form: str, parallel: int) -> None:
    tour = contest(Plan(NIM, form, parallel=parallel))
    tour.join("dan")
    tour.start()
    tour.play_on(4)
    log = tour.house.log
    pairings = [record for record in log if isinstance(record.event, Paired)]
    for record in pairings[:2]:
        assert isinstance(record.event, Paired)
        first, *others = record.event.fixtures
        turned = replace(first, sides=first.sides[::-1])
        forged = changed(log, "tour/1", record.n, with_event(Paired((turned, *others))))
        (problem, *_) = check_log(forged)
        assert (problem.stream, problem.n) == ("tour/1", record.n)


def test_what_another_version_of_a_plug_in_paired_is_believed() -> None:
    def brought(record: Record) -> Record:
        assert isinstance(record.event, TourOpened)
        return replace(record, event=replace(record.event, package="ladder 1.0"))

    turned = tuple(Fixture(1, sides) for sides in ((3, 2), (2, 1), (1, 3)))
    log = changed(played()[:11], "tour/1", 7, with_event(Paired(turned)))
    assert sentences(log) == [PAIRED + REST]
    assert sentences(changed(log, "tour/1", 1, brought)) == []


REST = '{"round":2,"sides":[1,2]},{"round":3,"sides":[3,1]}]}.'


@pytest.mark.parametrize(
    ("plan", "what"),
    [(Plan("chess"), "The game chess is"), (Plan(NIM, "ladder"), "The format ladder is")],
)
def test_a_tour_of_what_nobody_has_is_not_judged_and_that_is_said(plan: Plan, what: str) -> None:
    audit = Audit()
    for record in changed(played(), "tour/1", 1, with_event(TourOpened(plan))):
        audit.take(record)
    assert any(sentence.startswith(what) for sentence in audit.tally().absent)


def test_a_tours_record_in_another_stream_is_found() -> None:
    stray = Record(47, "table/9", 1, played()[-1].at, TourStarted())
    assert sentences([*played(), stray]) == ["A tour's record is in the stream 'table/9'."]


def test_an_event_after_the_end_is_found() -> None:
    log = played()
    late = Record(47, "tour/1", 16, log[-1].at, Withdrawn(1, "withdrawn"))
    assert sentences([*log, late]) == ["Tour 1 is over."]


def test_an_end_that_is_not_marked_is_found() -> None:
    log = changed(played(), "tour/1", 15, lambda record: replace(record, ends=False))
    assert sentences(log) == ["It is marked as its stream's last, or is so and is not marked."]


def test_a_missing_event_of_a_tour_is_missed() -> None:
    log = changed(played(), "tour/1", 4, lambda _: None)
    assert sentences(log) == ["Record 8 follows record 6.", "Event 5 follows event 3."]


# -- between a tour and its tables

AT_THE_TABLE: list[tuple[int, LogEvent, str]] = [
    (
        1,
        Opened(NIM, 1, 2, "9m", Policy(), tour=TourId(1)),
        'The table of match 1 of tour 1 is {"type":"opened","variant":"nim sticks=1,2",',
    ),
    (
        1,
        Opened(NIM, 1, 2, "5m", Policy()),
        'The table of match 1 of tour 1 is {"type":"opened","variant":"nim sticks=1,2",',
    ),
    (2, Seeded(5), "In match 1 of tour 1 sit players 2, 3, and its seed is "),
    (3, Sat(Seat(0), PlayerId(1), "ann"), "In match 1 of tour 1 sit players 2, 3, and its seed"),
]


@pytest.mark.parametrize(("n", "event", "sentence"), AT_THE_TABLE)
def test_a_forged_table_of_a_match_is_found(n: int, event: LogEvent, sentence: str) -> None:
    found = sentences(changed(played(), "table/1", n, with_event(event)))
    assert found[0].startswith(sentence), found


@pytest.mark.parametrize("tour", [1, 7])
def test_a_table_of_a_tour_that_begins_no_match_there_is_found(tour: int) -> None:
    log = played()[:11]
    opened = Opened(NIM, 1, 2, "5m", Policy(), tour=TourId(tour))
    stray = Record(12, "table/1", 1, log[-1].at, opened)
    assert sentences([*log, stray]) == [f"The table is for tour {tour}, which plays no match here."]


@pytest.mark.parametrize(
    ("records", "sentence"),
    [
        (12, "Match 1 runs, and the game at table 1 does not."),
        (20, "Match 1 runs, and the game at table 1 does not."),
        (45, "The tour ends, and the hall does not say so."),
    ],
)
def test_a_log_that_ends_between_a_tour_and_its_tables_is_not_whole(
    records: int, sentence: str
) -> None:
    (missing,) = check_log(played()[:records])
    assert (missing.stream, missing.sentence) == ("tour/1", sentence)


def test_a_game_is_voided_by_a_tour_alone() -> None:
    house = house_of_tours()
    ann, bob = house.enter("ann"), house.enter("bob")
    house.game("nim", ann, bob)
    last = house.log[-1]
    outcome = Outcome((2, 2), "voided", "The organiser voided the game.")
    ended = Record(last.seq + 1, last.stream, last.n + 1, last.at, Ended(outcome), ends=True)
    assert sentences([*house.log, ended]) == ["Only a tour's organiser voids a game."]


def test_players_of_a_tour_neither_call_off_nor_play_again() -> None:
    log = played()
    wished = Record(47, "table/3", 10, log[-1].at, RematchWished(Seat(0)))
    assert sentences([*log, wished]) == ["The players of a tour play no game again."]
    aborted = Ended(Outcome((2, 2), "aborted", "Home called the game off."))
    log = [*log[:17], Record(18, "table/1", 6, log[16].at, aborted, ends=True)]
    assert sentences(log) == ["The players of a tour call no game off."]


# -- the hall's word about a tour


def done(log: list[Record]) -> TourDone:
    event = log[-1].event
    assert isinstance(event, TourDone)
    return event


def test_other_winners_are_found() -> None:
    log = played()
    line = replace(done(log).line, winners=("ann",))
    (said,) = sentences([*log[:-1], replace(log[-1], event=replace(done(log), line=line))])
    assert said.startswith('As tour 1 ended, its line is {"tour":1,')
    assert said.endswith('"winners":["cid"]}.')


def test_a_rating_that_the_games_did_not_make_is_found() -> None:
    log = played()
    first, *others = done(log).rated
    better = (replace(first, mu=first.mu + 1), *others)
    (said,) = sentences([*log[:-1], replace(log[-1], event=replace(done(log), rated=better))])
    assert said.startswith(f'By the games of tour 1 the ratings are [{{"key":"{first.key}",')


def test_a_tour_is_over_once_and_only_if_it_was() -> None:
    log = played()
    again = replace(log[-1], seq=47, n=log[-1].n + 1)
    assert sentences([*log, again]) == ["Tour 1 is over a second time."]
    never = replace(log[-1], event=replace(done(log), tour=TourId(5)))
    assert "There never was a tour 5." in sentences([*log[:-1], never])
    early = Record(12, HALL_STREAM, 5, log[10].at, done(log))
    assert sentences([*log[:11], early]) == ["Tour 1 is not over, but running."]


def test_numbers_are_of_players_tables_and_tours_that_were() -> None:
    log = played()
    wrong = Numbered("tourney", "tour", 9, 2), Numbered("tourney", "stool", 1, 1)
    last = log[-1]
    more = [
        replace(last, seq=last.seq + n, n=last.n + n, event=event)
        for n, event in enumerate(wrong, 1)
    ]
    assert sentences([*log, *more]) == [
        "The dialect tourney numbers tour 9, which is none.",
        "The dialect tourney numbers a 'stool'.",
    ]
