"""Ratings: who goes up, who goes down, how sure it is, and what is not rated."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.tour_values import ABSENT, BYE, WITHDRAWN, Fixture, Match, Rating, Result
from rookery.hall.scoring.ratings import (
    START,
    RatedGame,
    by_the_model,
    played,
    rate,
    shown,
    shown_spread,
)

NAMES = {1: ("ann",), 2: ("bob",), 3: ("cyd",), 4: ("dan",)}

one_game = st.permutations(["ann", "bob", "cyd", "dan"]).flatmap(
    lambda names: st.sampled_from(
        [
            RatedGame(((names[0],), (names[1],)), (1, 2)),
            RatedGame(((names[0],), (names[1],)), (1, 1)),
            RatedGame((tuple(names[:2]), tuple(names[2:])), (2, 1)),
            RatedGame(tuple((name,) for name in names), (1, 2, 2, 4)),
        ]
    )
)
games = st.lists(one_game, max_size=8)


def duel(winner: str, loser: str) -> RatedGame:
    return RatedGame(((winner,), (loser,)), (1, 2))


def drawn(one: str, other: str) -> RatedGame:
    return RatedGame(((one,), (other,)), (1, 1))


def ended(fixture: Fixture, places: tuple[int, ...], how: str = "mate") -> Match:
    return Match(fixture, result=Result(places, how))


def test_the_first_game_moves_newcomers_as_the_model_says() -> None:
    # Both have μ 25 and σ² = (25/3)² + (25/300)² = 69.451; β² = (25/6)² = 17.361.
    # c² = 2 (69.451 + 17.361) = 173.625; each was expected to win half the time.
    # μ moves by σ²/c · ½ = 69.451 / 13.177 / 2 = 2.635; and
    # σ² shrinks by the factor 1 - (σ²/c²) · ¼ · (σ/c) = 1 - 0.4 · 0.25 · 0.6325 = 0.93675.
    after = rate({}, [duel("ann", "bob")])
    assert after["ann"].mu == pytest.approx(25 + 2.635, abs=0.001)
    assert after["bob"].mu == pytest.approx(25 - 2.635, abs=0.001)
    assert after["ann"].sigma == pytest.approx(math.sqrt(69.451 * 0.93675), abs=0.001)


some_rating = st.builds(
    Rating,
    st.integers(-60_000_000, 120_000_000).map(lambda n: n / 1e6),
    st.integers(1, 12_000_000).map(lambda n: n / 1e6),
)


@given(some_rating, some_rating, st.sampled_from([(1, 2), (2, 1)]))
def test_a_game_of_two_is_rated_as_openskill_rates_it_to_the_last_digit(
    ann: Rating, bob: Rating, places: tuple[int, ...]
) -> None:
    known, game = {"ann": ann, "bob": bob}, RatedGame((("ann",), ("bob",)), places)
    assert rate(known, [game]) == by_the_model(known, game)


def test_what_one_wins_the_other_loses_between_newcomers() -> None:
    after = rate({}, [duel("ann", "bob")])
    assert after["ann"].mu - START.mu == pytest.approx(START.mu - after["bob"].mu)
    assert after["ann"].sigma == after["bob"].sigma


def test_a_game_makes_newcomers_ratings_surer() -> None:
    after = rate({}, [duel("ann", "bob")])
    assert after["ann"].sigma < START.sigma
    assert after["bob"].sigma < START.sigma


def test_beating_a_favourite_brings_more_than_beating_an_outsider() -> None:
    ratings = {"strong": Rating(32.0, 3.0), "weak": Rating(18.0, 3.0), "ann": Rating(25.0, 3.0)}
    over_strong = rate(ratings, [duel("ann", "strong")])["ann"].mu
    over_weak = rate(ratings, [duel("ann", "weak")])["ann"].mu
    assert over_strong > over_weak > 25


def test_a_draw_lifts_the_weaker_and_lowers_the_stronger() -> None:
    ratings = {"strong": Rating(30.0, 4.0), "weak": Rating(20.0, 4.0)}
    after = rate(ratings, [drawn("strong", "weak")])
    assert after["strong"].mu < 30
    assert after["weak"].mu > 20


def test_a_draw_between_equals_only_makes_them_surer() -> None:
    after = rate({}, [drawn("ann", "bob")])
    assert [after["ann"].mu, after["bob"].mu] == [START.mu, START.mu]
    assert after["ann"].sigma < START.sigma


def test_partners_win_together_and_the_less_known_moves_more() -> None:
    ratings = {"known": Rating(25.0, 2.0)}
    after = rate(ratings, [RatedGame((("known", "new"), ("bob", "cyd")), (1, 2))])
    assert START.mu < after["known"].mu < after["new"].mu
    assert after["bob"] == after["cyd"]
    assert after["bob"].mu < START.mu


def test_a_free_for_all_orders_newcomers_by_place() -> None:
    after = rate({}, [RatedGame((("d",), ("a",), ("c",), ("b",)), (4, 1, 3, 2))])
    assert sorted(after, key=lambda name: -after[name].mu) == ["a", "b", "c", "d"]
    assert after["a"].mu > START.mu > after["d"].mu


def test_those_who_share_a_place_move_alike() -> None:
    after = rate({}, [RatedGame((("a",), ("b",), ("c",), ("d",)), (1, 2, 2, 4))])
    assert after["b"] == after["c"]


def test_a_game_nobody_won_changes_nothing() -> None:
    assert rate({}, [RatedGame((("ann",), ("bob",)), (2, 2))]) == {}


def test_a_game_against_ones_own_name_changes_nothing() -> None:
    assert rate({}, [duel("ann", "ann")]) == {}


def test_who_did_not_play_keeps_the_rating_there_was() -> None:
    before = {"cyd": Rating(31.5, 2.25)}
    assert rate(before, [duel("ann", "bob")])["cyd"] == before["cyd"]
    assert before == {"cyd": Rating(31.5, 2.25)}


@given(games, games)
def test_rating_on_from_what_was_stored_is_rating_all_at_once(
    first: list[RatedGame], then: list[RatedGame]
) -> None:
    assert rate(rate({}, first), then) == rate({}, first + then)


@given(games)
def test_a_stored_rating_has_six_decimals_at_most(some: list[RatedGame]) -> None:
    for rating in rate({}, some).values():
        assert (round(rating.mu, 6), round(rating.sigma, 6)) == (rating.mu, rating.sigma)


@given(games)
def test_seats_make_no_difference_to_a_rating(some: list[RatedGame]) -> None:
    turned = [RatedGame(game.teams[::-1], game.places[::-1]) for game in some]
    there, here = rate({}, some), rate({}, turned)
    for name, rating in there.items():
        assert rating.mu == pytest.approx(here[name].mu, abs=1e-4)


@pytest.mark.parametrize("how", [ABSENT, WITHDRAWN])
def test_a_match_somebody_did_not_come_to_is_not_rated(how: str) -> None:
    assert played(ended(Fixture(1, (1, 2)), (1, 2), how), NAMES) is None


def test_a_bye_is_not_rated() -> None:
    assert played(ended(Fixture(1, (3,)), (1,), BYE), NAMES) is None


def test_a_match_that_nobody_won_or_that_is_not_over_is_not_rated() -> None:
    assert played(ended(Fixture(1, (1, 2)), (2, 2)), NAMES) is None
    assert played(Match(Fixture(1, (1, 2))), NAMES) is None


def test_a_game_lost_on_time_is_rated() -> None:
    match = Match(Fixture(1, (1, 2)), result=Result((2, 1), "late", forfeits=(0,)))
    assert played(match, NAMES) == RatedGame((("ann",), ("bob",)), (2, 1))


def test_partners_of_a_fixture_are_rated_as_a_team() -> None:
    match = ended(Fixture(1, (1, 2, 3, 4), teams=(0, 1, 1, 0)), (2, 1, 1, 2))
    assert played(match, NAMES) == RatedGame((("ann", "dan"), ("bob", "cyd")), (2, 1))


def test_an_entrant_of_two_players_is_rated_as_a_team() -> None:
    teams = {1: ("ann", "dan"), 2: ("bob", "cyd")}
    match = ended(Fixture(1, (1, 2)), (1, 2))
    assert played(match, teams) == RatedGame((("ann", "dan"), ("bob", "cyd")), (1, 2))


def test_a_newcomer_is_shown_as_1500_give_or_take_250() -> None:
    assert (shown(START), shown_spread(START)) == (1500, 250)


def test_400_points_more_are_odds_of_about_ten_to_one() -> None:
    # Between settled players the model's odds are e to the difference over β√2, β = 25/6.
    difference = 400 / (shown(Rating(26.0, 1.0)) - shown(Rating(25.0, 1.0)))
    assert math.exp(difference / (25 / 6 * math.sqrt(2))) == pytest.approx(10, rel=0.05)
