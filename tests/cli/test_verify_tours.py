"""What the doctor says of tours that a hall ran: nothing."""

import pytest
from msgspec.structs import replace

from rookery.core.events import Out, Record
from rookery.core.game import Forfeit
from rookery.core.intents import Resign
from rookery.core.tours.tour_events import (
    EntrantPaused,
    EntrantResumed,
    MatchEnded,
    Renamed,
    Returned,
    TourEvent,
    TourOpened,
    TourSeeded,
    TourStarted,
    Withdrawn,
)
from rookery.core.tours.tour_intents import (
    CancelTour,
    EndTour,
    EnterResult,
    Forsake,
    JoinTour,
    PauseTour,
    ReplaceEntrant,
    SeedTour,
    StartTour,
    VoidMatch,
    Withdraw,
)
from rookery.core.tours.tour_messages import TourJoined
from rookery.core.tours.values import Plan, Seeding
from rookery.doctor.replaying import Audit, Census, check_log
from tests.cli.tour_logs import changed, contest, played, sentences, with_event
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import SECOND
from tests.hall.tours.test_signup import crowd
from tests.laws.tour_stories import CASES, Case, Season


def test_a_tour_that_was_played_is_sound_and_counted() -> None:
    audit = Audit()
    log = played()
    assert [problem for record in log for problem in audit.take(record)] == []
    assert audit.close() == []
    assert audit.tally() == Census(
        records=46, players=3, finished=3, running=0, open=0, closed=0, broken=0, tours_over=1
    )


@pytest.mark.parametrize(
    ("variant", "form"),
    [
        (NIM, "round_robin legs=2"),
        (NIM, "joining"),
        (NIM, "swiss rounds=2"),
        (NIM, "knockout legs=2 third=true"),
        (NIM, "gauntlet"),
        ("fish rows=3 cols=4", "groups"),
    ],
)
def test_every_format_is_sound(variant: str, form: str) -> None:
    tour = contest(Plan(variant, form, fair=True, parallel=2))
    tour.join("dan", "eve")
    tour.start()
    tour.play_on()
    assert tour.status == "ended"
    assert sentences(tour.house.log) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_whole_season_with_restarts_and_people_who_come_and_go_is_sound(case: Case) -> None:
    assert sentences(Season(case, 5).live().house.log) == []


def test_an_arena_is_sound_until_its_time_is_up() -> None:
    tour = contest(Plan(NIM, "arena minutes=1"))
    tour.start()
    tour.play_on(20)
    tour.house.wait(200)
    assert sentences(tour.house.log) == []


def test_teams_of_two_are_sound() -> None:
    tour = Contest(house_of_tours(), Plan("bughouse", "round_robin", time="1m"))
    for name, team in (("ann", "A"), ("bob", "A"), ("cid", "B"), ("dan", "B")):
        guest = tour.house.enter(name)
        tour.house.ask(guest, JoinTour(tour.tour, team=team), TourJoined)
        tour.guests.append(guest)
    tour.start()
    tour.play_on(20)
    tour.house.wait(200)
    assert tour.status == "ended"
    assert sentences(tour.house.log) == []


def test_pausing_voiding_leaving_and_coming_late_are_sound() -> None:
    tour = contest(Plan(NIM, "joining", absent=10_000_000))
    house = tour.house
    tour.start()
    tour.play_on(3)
    house.do(tour.organiser, VoidMatch(tour.tour, 1))
    house.do(tour.organiser, PauseTour(tour.tour))
    tour.play_on()
    tour.join("dan")
    house.do(tour.organiser, StartTour(tour.tour))
    house.do(tour.organiser, VoidMatch(tour.tour, tour.matches()[0].match))
    house.do(tour.guests[0], Withdraw(tour.tour))
    house.hang_up(tour.guests[1])
    house.wait(70)
    tour.play_on()
    assert {line.result.how for line in tour.matches() if line.result} >= {"withdrawn", "absent"}
    assert sentences(house.log) == []


def test_results_by_hand_are_sound() -> None:
    tour = contest(Plan(NIM, stays=True))
    tour.start()
    for places in ((1, 2), (2, 1)):  # of a game that runs, then of a match that is over
        tour.house.do(tour.organiser, EnterResult(tour.tour, 1, places))
    tour.house.do(tour.organiser, EnterResult(tour.tour, 3, (2, 2), played=False))
    tour.play_on()
    tour.house.do(tour.organiser, EnterResult(tour.tour, 2, (1, 1), reason="Agreed."))
    tour.house.do(tour.organiser, EndTour(tour.tour))
    assert tour.status == "ended"
    assert sentences(tour.house.log) == []


def test_who_returns_without_a_token_is_sound() -> None:
    tour = Contest(house_of_tours(), Plan("reversi", "joining"), "DEN")
    house = tour.house
    for name in ("ann#DEN", "bob#DEN"):
        tour.guests.append(house.enter(name, house.connect(dialect="othello"), "othello"))
    house.hang_up(tour.guests[0])
    house.enter("ann#DEN", house.connect(dialect="othello"), "othello")
    assert any(isinstance(record.event, Returned) for record in house.log)
    assert sentences(house.log) == []


def test_a_tour_that_was_called_off_while_it_closed_is_sound() -> None:
    tour = contest(Plan(NIM, strict=True, farewell=True))
    tour.start()
    tour.house.do(tour.organiser, EndTour(tour.tour))
    tour.house.do(tour.organiser, CancelTour(tour.tour))
    assert tour.status == "cancelled"
    assert sentences(tour.house.log) == []


def test_who_resigns_in_a_strict_tour_is_out_and_that_is_sound() -> None:
    tour = contest(Plan(NIM, strict=True))
    tour.start()
    (table,) = tour.running()
    tour.house.do(tour.guests[1], Resign(table))
    tour.play_on()
    assert any(isinstance(record.event, Withdrawn) for record in tour.house.log)
    assert sentences(tour.house.log) == []


@pytest.mark.parametrize("why", [Forfeit.LATE, Forfeit.CHEATED])
def test_who_fails_its_dialect_and_not_the_table_is_out_and_that_is_sound(why: Forfeit) -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    house.do(guests[0], Forsake(why, guests[0].player))
    assert [record.event.why for record in house.log if isinstance(record.event, Out)] == [why]
    assert sentences(house.log) == []


def test_seeds_by_hand_and_a_replaced_player_are_sound() -> None:
    tour = contest(Plan(NIM, "knockout", seeding=Seeding.HAND))
    tour.house.do(tour.organiser, SeedTour(tour.tour, (3, 1)))
    tour.guests[1] = tour.house.enter("new")
    tour.house.do(tour.organiser, ReplaceEntrant(tour.tour, 2, tour.guests[1].player))
    tour.start()
    tour.play_on()
    assert tour.status == "ended"
    assert sentences(tour.house.log) == []


def seeded_by_rating() -> list[Record]:
    """Two tours: the first makes ratings; the second, of two more who have none, is seeded so."""
    one = contest(Plan(NIM, "round_robin legs=2", time="none"))
    house = one.house
    one.start()
    one.play_on()
    two = Contest(house, Plan(NIM, "knockout", time="none", seeding=Seeding.RATING))
    for guest in one.guests:
        house.ask(guest, JoinTour(two.tour), TourJoined)
    two.join("dan", "eve")
    two.start()
    return house.log


def test_seeds_by_rating_are_sound() -> None:
    log = seeded_by_rating()
    started = next(r.event for r in reversed(log) if isinstance(r.event, TourStarted))
    assert len(started.ratings) == 3
    assert sentences(log) == []


@pytest.mark.parametrize("swapped", range(4))
def test_seeds_that_do_not_follow_the_ratings_are_found(swapped: int) -> None:
    log = seeded_by_rating()
    (drawn,) = (record for record in log if isinstance(record.event, TourSeeded))
    assert isinstance(drawn.event, TourSeeded)
    wrong = list(drawn.event.order)
    wrong[swapped : swapped + 2] = reversed(wrong[swapped : swapped + 2])
    log = changed(log, drawn.stream, drawn.n, with_event(TourSeeded(tuple(wrong))))
    order = ", ".join(map(str, wrong))
    problem = next(iter(check_log(log)))
    assert (problem.stream, problem.n) == (drawn.stream, drawn.n + 1)
    assert problem.sentence == (
        f"Entrants {order} are not seeded by the ratings that they came with."
    )


def test_seeds_by_rating_in_a_log_that_kept_no_ratings_are_believed() -> None:
    log = seeded_by_rating()
    (drawn,) = (record for record in log if isinstance(record.event, TourSeeded))
    log = changed(log, drawn.stream, drawn.n, with_event(TourSeeded((5, 4, 3, 2, 1))))
    log = changed(log, drawn.stream, drawn.n + 1, with_event(TourStarted()))
    assert not any("seeded by" in sentence for sentence in sentences(log))


# -- who is paused


def paused_for_a_while() -> list[Record]:
    """A tour in which the first was away, lost a match by it, and came back."""
    tour = contest(Plan(NIM, "joining", time="none", absent=10 * SECOND))
    tour.join("dan")
    tour.house.hang_up(tour.guests[0])
    tour.start()
    tour.house.wait(10)
    tour.play_on(4)
    tour.guests[0] = tour.house.back(tour.guests[0])
    tour.play_on()
    return tour.house.log


def without(log: list[Record], kind: type[TourEvent]) -> list[Record]:
    """The log with this word renamed into one that changes nothing, so that its numbers stay."""
    return [
        replace(record, event=Renamed(1, "ann")) if isinstance(record.event, kind) else record
        for record in log
    ]


def test_a_tour_with_somebody_paused_is_sound() -> None:
    log = paused_for_a_while()
    words = [record.event for record in log if isinstance(record.event, TourEvent)]
    assert EntrantPaused(1) in words
    assert EntrantResumed(1) in words
    assert any(isinstance(word, MatchEnded) and word.result.how == "absent" for word in words)
    assert sentences(log) == []


def test_nobody_loses_by_an_absence_who_was_not_paused() -> None:
    log = without(without(paused_for_a_while(), EntrantPaused), EntrantResumed)
    (first, *_) = sentences(log)
    assert first == "Entrant 1 loses by its absence, and is not paused."


def test_nobody_plays_while_paused() -> None:
    (first, *_) = sentences(without(paused_for_a_while(), EntrantResumed))
    assert first == "Entrant 1 is away, and its match begins."


def test_nobody_resumes_who_was_not_paused() -> None:
    (first, *_) = sentences(
        [
            replace(record, event=EntrantResumed(1)) if record.event == EntrantPaused(1) else record
            for record in paused_for_a_while()
        ]
    )
    assert first == "Entrant 1 resumes, and was not paused."


def test_nobody_is_paused_in_a_strict_tour() -> None:
    def strict(record: Record) -> Record:
        assert isinstance(record.event, TourOpened)
        return replace(record, event=replace(record.event, plan=STRICT))

    log = paused_for_a_while()
    (first, *_) = sentences(changed(log, "tour/1", 1, strict))
    assert first == "In a strict tour nobody is paused, but removed."


STRICT = Plan(NIM, "joining", seats=2, time="none", absent=10 * SECOND, strict=True)
