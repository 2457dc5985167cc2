"""Seeding: by joining, by rating or by hand; and what the formats make of it."""

import pytest

from rookery.core.errors import BadOption
from rookery.core.events import TourSeeded, tour_stream
from rookery.core.intents import JoinTour, OpenTour, Resign, SeedTour, StartTour
from rookery.core.messages import TourJoined, TourMade
from rookery.core.tour_values import Plan, Seeding
from rookery.hall.tours.planning import read_plan
from rookery.hall.tours.tour import replay_tour
from rookery.verify.log import check_log
from tests.hall.contest import NIM, Contest, house_of_tours


def contest(form: str, seeding: Seeding = Seeding.HAND, players: int = 4) -> Contest:
    one = Contest(house_of_tours(), Plan(NIM, form, time="none", seeding=seeding))
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def seeds(one: Contest) -> list[tuple[int, ...]]:
    records = one.house.streams[tour_stream(one.tour)]
    return [record.event.order for record in records if isinstance(record.event, TourSeeded)]


def first_round(one: Contest) -> list[tuple[int, ...]]:
    return [line.sides for line in one.matches() if line.round == 1]


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("swiss rounds=2", [(4, 2), (1, 3)]),
        ("knockout", [(4, 1), (3, 2)]),
        ("round_robin", [(4, 1), (3, 2)]),
        ("groups", [(4, 3), (2, 1)]),
    ],
)
def test_formats_pair_by_seeds_given_by_hand(form: str, first: list[tuple[int, ...]]) -> None:
    one = contest(form)
    one.house.do(one.organiser, SeedTour(one.tour, (4, 3)))
    assert seeds(one) == [(4, 3, 1, 2)]
    one.house.do(one.organiser, SeedTour(one.tour, (4, 3, 2, 1)))
    one.start()
    assert first_round(one) == first
    one.play_on()
    assert one.status == "ended"
    assert not list(check_log(one.house.log))


def test_a_swiss_seeded_backwards_is_the_same_with_other_numbers() -> None:
    one, other = contest("swiss rounds=4", players=7), contest("swiss rounds=4", players=7)
    one.house.do(one.organiser, SeedTour(one.tour, (7, 6, 5, 4, 3, 2, 1)))
    other.house.do(other.organiser, SeedTour(other.tour, (1, 2, 3, 4, 5, 6, 7)))
    for some in (one, other):
        some.start()
        while tables := some.running():
            seats = some.house.show(some.organiser, tables[0]).line.seats
            loser = next(g for g in some.guests if g.player == seats[1].player)
            some.house.do(loser, Resign(tables[0]))
    turned = [tuple(8 - side for side in line.sides) for line in one.matches()]
    assert turned == [line.sides for line in other.matches()]


def test_the_strongest_are_the_first_seeds_and_the_log_keeps_the_order() -> None:
    house = house_of_tours()
    one = Contest(house, Plan(NIM, "round_robin", time="none"))
    one.join("a", "b", "c")
    one.start()
    one.play_on()
    best = [row.entrant for row in one.shown().standing]
    rated = {row.entrant: row.rating for row in one.shown().standing}
    by_rating = sorted(rated, key=lambda n: (-(rated[n] or 0), n))
    assert len(best) == 3
    plan = Plan(NIM, "knockout", time="none", seeding=Seeding.RATING, rated=False)
    tour = house.ask(one.organiser, OpenTour(plan, ""), TourMade).tour
    for guest in one.guests:
        house.ask(guest, JoinTour(tour), TourJoined)
    house.do(one.organiser, StartTour(tour))
    records = house.streams[tour_stream(tour)]
    drawn = [record.event for record in records if isinstance(record.event, TourSeeded)]
    assert drawn == [TourSeeded(tuple(by_rating))]
    assert replay_tour(tour, records).seeds == tuple(by_rating)
    assert not list(check_log(house.log))


def test_a_tour_by_hand_does_not_start_without_its_order() -> None:
    one = contest("knockout")
    assert one.house.no(one.organiser, StartTour(one.tour)) == "bad_seeds"
    one.house.do(one.organiser, SeedTour(one.tour, (2,)))
    one.start()
    assert one.status == "running"


def test_who_joins_after_the_order_was_given_comes_last() -> None:
    one = contest("swiss rounds=2", players=3)
    one.house.do(one.organiser, SeedTour(one.tour, (3, 2, 1)))
    one.join("late")
    one.start()
    assert first_round(one) == [(3, 1), (4, 2)]


def test_what_is_no_order_is_refused() -> None:
    one = contest("swiss")
    for order, code in (((1, 9), "no_entrant"), ((1, 1), "bad_seeds"), ((), "bad_seeds")):
        assert one.house.no(one.organiser, SeedTour(one.tour, order)) == code
    assert one.house.no(one.guests[0], SeedTour(one.tour, (1,))) == "not_owner"
    one.house.do(one.organiser, SeedTour(one.tour, (1,)))
    one.start()
    assert one.house.no(one.organiser, SeedTour(one.tour, (2,))) == "too_late"
    for seeding in (Seeding.JOINED, Seeding.RATING):
        other = contest("swiss", seeding)
        assert other.house.no(other.organiser, SeedTour(other.tour, (1,))) == "bad_seeds"


@pytest.mark.parametrize("form", ["arena", "joining", "gauntlet", "duel"])
def test_formats_without_seeds_refuse_the_plan(form: str) -> None:
    with pytest.raises(BadOption, match="has no seeds"):
        read_plan(Plan(NIM, form, seeding=Seeding.RATING))
