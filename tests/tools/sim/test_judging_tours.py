"""What the judge of tours says of damaged ones: where it is, and what cannot have happened.

The tour that is damaged is a round robin of three at nim, and its log is short enough to
know by heart: in `tour/1` three join (3 to 5), it starts (6), is paired (7), and matches
2-3, 1-2 and 3-1 begin and end at tables 1, 2 and 3 (8 to 13); cid wins (14, 15).
"""

from collections import Counter

import pytest
from msgspec.structs import replace

from rookery.core.events import (
    HALL_STREAM,
    Ended,
    EntrantPaused,
    EntrantResumed,
    Joined,
    LogEvent,
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Opened,
    Paired,
    Partnered,
    PlayerMade,
    Record,
    Renamed,
    Returned,
    Sat,
    Seeded,
    TourClosing,
    TourDone,
    TourEnded,
    TourEvent,
    TourKeyed,
    TourOpened,
    TourPaused,
    TourSeeded,
    TourStarted,
    Withdrawn,
)
from rookery.core.game import Outcome
from rookery.core.ids import PlayerId, Seat, TableId, TourId
from rookery.core.intents import EnterResult, PauseTour, VoidMatch
from rookery.core.policy import Policy
from rookery.core.tour_values import Fixture, Plan, Rated, Result, Worth
from rookery.verify.log import LogProblem
from rookery_tools.sim.observer.tours.judging import tour_problems
from tests.cli.test_verify_tours import paused_for_a_while, seeded_by_rating
from tests.cli.tour_logs import changed, contest, judged, played, with_event
from tests.hall.contest import NIM
from tests.hall.house import SECOND

# -- damage in the tour's own stream

LOST = Result((1, 2), "last_stick", "Away took the last stick.")
WON = Result((2, 1), "last_stick", "Away took the last stick.")

IN_THE_TOUR: list[tuple[int, LogEvent, str]] = [
    (1, TourKeyed(1, ""), "A tour's first event opens it, and this one does not."),
    (1, TourOpened(Plan(NIM), PlayerId(9)), "Nobody ever was player 9."),
    (2, Joined(1, "ann", PlayerId(1)), "Nobody ever was player 1."),
    (2, TourStarted(), "Seed and code are a tour's second event, and no other."),
    (3, TourKeyed(1, ""), "Seed and code are a tour's second event, and no other."),
    (3, TourOpened(Plan(NIM)), "A tour is opened once."),
    (3, Joined(2, "ann", PlayerId(1)), "Entrant 2 joins, and there are 0."),
    (3, Joined(1, "ann", PlayerId(1), 1500), "Entrant 1 joins with a rating, which is kept at"),
    (3, Joined(1, "ann", PlayerId(9)), "Nobody ever was player 9."),
    (3, TourStarted(), "A tour like this needs 2 entrants, and has 0."),
    (4, Joined(2, "bob", PlayerId(1)), "Player 1 is in the tour already, or was."),
    (4, Partnered(1, PlayerId(2)), "Entrant 1 has its 1 players."),
    (4, Partnered(5, PlayerId(2)), "There is no entrant 5."),
    (4, Returned(1, PlayerId(7), PlayerId(2)), "Entrant 1 returns as if it had been player 7."),
    (4, Withdrawn(2, "withdrawn"), "There is no entrant 2."),
    (4, Renamed(2, "rob"), "There is no entrant 2."),
    (4, Renamed(1, ""), "Entrant 1 is to have no name."),
    (6, TourSeeded((3, 2, 1)), "Entrants 3, 2, 1 are no seeds of this tour."),
    (6, TourPaused(), "Tour 1 does not run."),
    (6, TourStarted(5), "The time it has left is not what it was."),
    (6, Paired((Fixture(1, (1, 2)),)), "This does not happen while a tour is open."),
    (6, TourStarted(ratings=((9, 1600),)), "Somebody has a rating who is no entrant."),
    (6, TourStarted(ratings=((1, 1600), (1, 1500))), "Somebody has two ratings."),
    (7, TourStarted(), "Tour 1 runs already."),
    (7, Joined(4, "dan", PlayerId(3)), "Tour 1 has begun, and takes nobody any more."),
    (7, Paired((Fixture(1, (1, 4)),)), "There is no entrant 4."),
    (7, Paired((Fixture(1, (1, 1)),)), "Entrants 1, 1 make no match of this tour."),
    (7, Paired((Fixture(1, (1, 2, 3)),)), "Entrants 1, 2, 3 make no match of this tour."),
    (7, Paired((Fixture(1, (1,), rest=Worth.HALF),)), "Entrant 1 has a bye in round 1 that"),
    (8, MatchBegun(4, TableId(1)), "There is no match 4."),
    (8, MatchEnded(1, WON), "It comes out by 'last_stick', and no game was played."),
    (8, MatchEnded(1, Result((1,), "bye")), "It comes out by 'bye', and no game was played."),
    (8, MatchEnded(1, Result((2, 1), "absent")), "Somebody did not come, and it is not said who."),
    (
        8,
        MatchEnded(1, Result((2, 1), "absent", "Somebody did not come.", (1,))),
        "It comes out 2-1 (absent: Somebody did not come.), sides 1 forfeit, and by the rules 1-2",
    ),
    (8, MatchVoided(1), "Match 1 has not begun."),
    (8, TourClosing("played", ()), "The tour closes as played, and there is more to play."),
    (8, TourClosing("tired", ()), "A tour is played, ended or cancelled, not 'tired'."),
    (8, TourEnded("ended", ()), "This does not happen while a tour is running."),
    (9, MatchBegun(1, TableId(1)), "Match 1 begins, and has begun or come out before."),
    (9, MatchEnded(1, LOST), "Match 1 comes out 1-2 (last_stick: Away took the last stick.), and"),
    (9, MatchEnded(2, WON), "It comes out by 'last_stick', and no game was played."),
    (9, TourClosing("cancelled", ()), "The tour is called off, and a match of it runs."),
    (10, MatchBegun(2, TableId(1)), "Match 2 begins at a table from before."),
    (10, MatchEnded(1, WON), "Match 1 comes out a second time."),
    (14, TourClosing("played", (1,)), "The winners are 1, and by the standing 3."),
    (14, TourEnded("played", (3,)), "This does not happen while a tour is running."),
    (15, TourEnded("cancelled", ()), "The tour closed as played, and ends as cancelled."),
    (15, TourEnded("played", (1, 3)), "The winners are 1, 3, and by the standing 3."),
    (15, MatchBegun(1, TableId(9)), "This does not happen while a tour is closing."),
    (15, TourClosing("ended", (3,)), "This does not happen while a tour is closing."),
    (15, Joined(4, "dan", PlayerId(3)), "Tour 1 is over."),
]


@pytest.mark.parametrize(("n", "event", "sentence"), IN_THE_TOUR)
def test_damage_in_a_tour_is_found_where_it_is(n: int, event: LogEvent, sentence: str) -> None:
    log = changed(played(), "tour/1", n, with_event(event))
    found = [p.sentence for p in tour_problems(log) if (p.stream, p.n) == ("tour/1", n)]
    assert any(said.startswith(sentence) for said in found), found


def test_one_wrong_result_is_one_problem() -> None:
    log = changed(played(), "tour/1", 9, with_event(MatchEnded(1, LOST)))
    (problem,) = tour_problems(log)
    assert problem == LogProblem(
        21,
        "tour/1",
        9,
        "Match 1 comes out 1-2 (last_stick: Away took the last stick.), "
        "and at table 1 2-1 (last_stick: Away took the last stick.).",
    )


def test_a_match_that_begins_in_a_pause_is_found() -> None:
    tour = contest()
    tour.start()
    tour.house.do(tour.organiser, PauseTour(tour.tour))
    last = tour.house.streams["tour/1"][-1]
    begun = replace(
        last, seq=tour.house.log[-1].seq + 1, n=last.n + 1, event=MatchBegun(2, TableId(2))
    )
    assert judged([*tour.house.log, begun]) == ["This does not happen while a tour is paused."]


def test_an_event_after_the_end_is_found() -> None:
    log = played()
    late = Record(47, "tour/1", 16, log[-1].at, Withdrawn(1, "withdrawn"))
    assert judged([*log, late]) == ["The tour is over, and nothing happens in it any more."]


# -- damage between a tour and its tables

AT_THE_TABLE: list[tuple[int, LogEvent, str]] = [
    (1, Opened(NIM, 1, 2, "5m", Policy(), tour=TourId(7)), "The table is for tour 7, and there"),
    (
        1,
        Opened(NIM, 1, 2, "9m", Policy(), tour=TourId(1)),
        "The table is not as the plan has it for match 1 of tour 1.",
    ),
    (2, Seeded(5), "The seed is not the one for match 1 of tour 1."),
    (3, Sat(Seat(0), PlayerId(1), "ann"), "Those who sit here do not play match 1 of tour 1."),
    (
        8,
        Ended(Outcome((2, 2), "voided", "The organiser voided the game.")),
        "The outcome is 2-2 (voided: The organiser voided the game.), and by the rules",
    ),
]


@pytest.mark.parametrize(("n", "event", "sentence"), AT_THE_TABLE)
def test_damage_at_a_match_is_found(n: int, event: LogEvent, sentence: str) -> None:
    found = judged(changed(played(), "table/1", n, with_event(event)))
    assert any(said.startswith(sentence) for said in found), found


def test_a_table_that_is_not_the_tours_leaves_its_match_without_a_game() -> None:
    log = changed(played(), "table/1", 1, with_event(Opened(NIM, 1, 2, "5m", Policy())))
    assert judged(log) == ["Match 1 begins at table 1, and no game starts there."]


def test_a_table_of_a_tour_that_begins_no_match_there_is_found() -> None:
    log = played()[:11]
    opened = Opened(NIM, 1, 2, "5m", Policy(), tour=TourId(1))
    stray = Record(12, "table/1", 1, log[-1].at, opened)
    assert judged([*log, stray]) == ["The table is for tour 1, which plays no match here."]


@pytest.mark.parametrize(
    ("records", "missing"),
    [
        (1, LogProblem(1, "tour/1", 1, "A tour has neither seed nor code.")),
        (12, LogProblem(12, "tour/1", 8, "Match 1 begins at table 1, and no game starts there.")),
        (
            20,
            LogProblem(
                20, "table/1", 8, "Match 1 of tour 1 ends here, and the tour does not say so."
            ),
        ),
        (45, LogProblem(45, "tour/1", 15, "The tour ends, and the hall does not say so.")),
    ],
)
def test_a_log_does_not_end_in_the_middle_of_a_batch(records: int, missing: LogProblem) -> None:
    assert list(tour_problems(played()[:records])) == [missing]


def test_what_is_missing_is_said_when_time_has_gone_on() -> None:
    log = played()[:20]
    came = PlayerMade(PlayerId(4), "dan", "", "", "native")
    later = Record(21, HALL_STREAM, 5, log[-1].at + 1, came)
    (missing,) = tour_problems([*log, later])
    assert missing.sentence == "Match 1 of tour 1 ends here, and the tour does not say so."


def test_a_game_that_goes_on_after_its_match_was_voided_is_found() -> None:
    tour = contest()
    tour.start()
    tour.house.do(tour.organiser, VoidMatch(tour.tour, 1))
    voided = next(r for r in tour.house.log if isinstance(r.event, MatchVoided))
    assert judged(tour.house.log[: voided.seq]) == [
        "Match 1 is voided, and the game at table 1 goes on."
    ]


def sentences_of_decided(intent: VoidMatch | EnterResult, *places: int) -> list[str]:
    """What is said of a log where a running match is decided so, and its game ends with these."""
    tour = contest()
    tour.start()
    tour.house.do(tour.organiser, intent)
    log = tour.house.log
    at, ended = next((n, r.event) for n, r in enumerate(log) if isinstance(r.event, Ended))
    log[at] = replace(log[at], event=Ended(replace(ended.outcome, places=places)))
    return judged(log)


def test_an_overruled_game_ends_with_what_was_entered() -> None:
    entered = EnterResult(TourId(1), 1, (2, 1))
    assert sentences_of_decided(entered, 2, 1) == []
    wrong = ["The game does not end as its match of the tour was decided."]
    for places in ((2, 2), (1, 2), (1, 1)):
        assert sentences_of_decided(entered, *places) == wrong
    longer = sentences_of_decided(entered, 2, 1, 3)
    assert longer[0] == "Not so: 2-1-3 (voided: The result was entered by hand.)."


def test_a_voided_game_has_no_winner() -> None:
    voided = VoidMatch(TourId(1), 1)
    assert sentences_of_decided(voided, 2, 2) == []
    wrong = ["The game does not end as its match of the tour was decided."]
    assert sentences_of_decided(voided, 1, 2) == wrong


# -- the hall's word about a tour


def done(log: list[Record]) -> TourDone:
    event = log[-1].event
    assert isinstance(event, TourDone)
    return event


def test_other_winners_are_found() -> None:
    log = played()
    line = replace(done(log).line, winners=("ann",))
    said = [*log[:-1], replace(log[-1], event=replace(done(log), line=line))]
    assert judged(said) == ["Tour 1 was won by cid, not by ann."]


def test_ratings_that_the_games_did_not_make_are_found() -> None:
    log = played()
    better = tuple(
        Rated(one.key, one.name, one.mu + 1, one.sigma, one.games) for one in done(log).rated
    )
    said = [*log[:-1], replace(log[-1], event=replace(done(log), rated=better))]
    assert judged(said) == ["The ratings after tour 1 are not what its games make of them."]


def test_a_tour_is_over_once_and_only_if_it_was() -> None:
    log = played()
    again = replace(log[-1], seq=47, n=log[-1].n + 1)
    assert judged([*log, again]) == ["Tour 1 is over a second time."]
    never = replace(log[-1], event=replace(done(log), tour=TourId(5)))
    assert "There never was a tour 5." in judged([*log[:-1], never])
    early = Record(12, HALL_STREAM, 5, log[10].at, done(log))
    assert judged([*log[:11], early]) == ["Tour 1 is not over, but running."]


# -- seeds, and who is paused


@pytest.mark.parametrize("swapped", range(4))
def test_seeds_that_do_not_follow_the_ratings_are_found(swapped: int) -> None:
    log = seeded_by_rating()
    (drawn,) = (record for record in log if isinstance(record.event, TourSeeded))
    assert isinstance(drawn.event, TourSeeded)
    wrong = list(drawn.event.order)
    wrong[swapped : swapped + 2] = reversed(wrong[swapped : swapped + 2])
    log = changed(log, drawn.stream, drawn.n, with_event(TourSeeded(tuple(wrong))))
    order = ", ".join(map(str, wrong))
    problem = next(iter(tour_problems(log)))
    assert (problem.stream, problem.n) == (drawn.stream, drawn.n + 1)
    assert problem.sentence == (
        f"Entrants {order} are not seeded by the ratings that they came with."
    )


def test_seeds_by_rating_are_held_against_the_ratings_that_were_kept() -> None:
    log = seeded_by_rating()
    (drawn,) = (record for record in log if isinstance(record.event, TourSeeded))
    log = changed(log, drawn.stream, drawn.n + 1, with_event(TourStarted()))
    assert judged(log)[0].startswith("Entrants ")


def without(log: list[Record], kind: type[TourEvent]) -> list[Record]:
    """The log without these words, and numbered anew."""
    kept = [record for record in log if not isinstance(record.event, kind)]
    count: Counter[str] = Counter()
    for at, record in enumerate(kept):
        count[record.stream] += 1
        kept[at] = replace(record, seq=at + 1, n=count[record.stream])
    return kept


def test_nobody_plays_while_paused() -> None:
    (first, *_) = judged(without(paused_for_a_while(), EntrantResumed))
    assert first == "Entrant 1 is away, and its match begins."


def test_nobody_loses_by_an_absence_who_is_not_paused() -> None:
    (first, *_) = judged(without(paused_for_a_while(), EntrantPaused))
    assert first == "Entrant 1 loses by its absence, and is not paused."


def test_nobody_resumes_who_was_not_paused() -> None:
    log = paused_for_a_while()
    (paused,) = (record for record in log if record.event == EntrantPaused(1))
    (first, *_) = judged(changed(log, "tour/1", paused.n, with_event(EntrantResumed(1))))
    assert first == "Entrant 1 resumes, and was not paused."


def test_nobody_is_paused_in_a_strict_tour() -> None:
    def strict(record: Record) -> Record:
        assert isinstance(record.event, TourOpened)
        return replace(record, event=replace(record.event, plan=STRICT))

    log = paused_for_a_while()
    (first, *_) = judged(changed(log, "tour/1", 1, strict))
    assert first == "In a strict tour nobody is paused, but removed."


STRICT = Plan(NIM, "joining", seats=2, time="none", absent=10 * SECOND, strict=True)
