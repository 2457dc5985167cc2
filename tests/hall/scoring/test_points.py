"""What a result is worth, for two sides, four, and partners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.errors import BadOption
from rookery.core.tour_values import BYE, Fixture, Result
from rookery.hall.scoring.scores import Points, encounters, parse_points, shares

CHESS = Points(1, 0.5, 0)
FOOTBALL = Points(3, 1, 0)

PAIR = Fixture(1, (7, 4))
FOUR = Fixture(1, (1, 2, 3, 4))
PARTNERS = Fixture(1, (1, 2, 3, 4), teams=(0, 1, 1, 0))

halves = st.integers(0, 200).map(lambda n: n / 2)
measures = (
    st.tuples(halves, halves, halves)
    .map(lambda three: tuple(sorted(three, reverse=True)))
    .filter(lambda three: three[0] > three[2])
    .map(lambda three: Points(*three))
)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1-0.5-0", CHESS),
        ("1-½-0", CHESS),
        (" 1.0-.5-0 ", CHESS),
        ("3-1-0", FOOTBALL),
        ("2-1-0", Points(2, 1, 0)),
        ("2½-1½-0.5", Points(2.5, 1.5, 0.5)),
        ("100-0-0", Points(100, 0, 0)),
    ],
)
def test_points_are_read_as_people_write_them(text: str, points: Points) -> None:
    assert parse_points(text) == points


@pytest.mark.parametrize(
    "text", ["", "1", "1-0", "1-0.5-0-0", "a-b-c", "1-0.25-0", "1--0", "3 1 0", "-1-0-1", "٣-١-٠"]
)
def test_what_is_not_three_numbers_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadOption, match=r"win-draw-loss .* like 1-0\.5-0 or 3-1-0"):
        parse_points(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("100.5-1-0", "from 0 to 100"),
        ("1-2-0", "A draw is worth no more than a win"),
        ("1-0-0.5", "no less than a loss"),
        ("1-1-1", "A win is worth more than a loss"),
    ],
)
def test_points_that_would_reward_losing_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        parse_points(text)


def test_points_are_written_as_short_as_they_can_be() -> None:
    assert [str(CHESS), str(FOOTBALL), str(Points(2.5, 1, 0))] == ["1-0.5-0", "3-1-0", "2.5-1-0"]


@given(measures)
def test_points_are_read_as_they_were_written(points: Points) -> None:
    assert parse_points(str(points)) == points


@pytest.mark.parametrize(
    ("places", "points", "got"),
    [
        ((1, 2), CHESS, (1, 0)),
        ((2, 1), CHESS, (0, 1)),
        ((1, 1), CHESS, (0.5, 0.5)),
        ((1, 2), FOOTBALL, (3, 0)),
        ((1, 1), FOOTBALL, (1, 1)),
    ],
)
def test_two_sides_get_what_the_plan_says(
    places: tuple[int, ...], points: Points, got: tuple[float, ...]
) -> None:
    assert shares(Result(places, "played"), PAIR, points) == got


@pytest.mark.parametrize(
    ("places", "got"),
    [
        ((1, 2, 3, 4), (3, 2, 1, 0)),
        ((4, 1, 3, 2), (0, 3, 1, 2)),
        ((1, 2, 2, 4), (3, 1.5, 1.5, 0)),  # the two in the middle drew with each other
        ((1, 1, 3, 3), (2.5, 2.5, 0.5, 0.5)),
        ((1, 1, 1, 1), (1.5, 1.5, 1.5, 1.5)),
    ],
)
def test_four_players_are_scored_as_if_each_had_met_each(
    places: tuple[int, ...], got: tuple[float, ...]
) -> None:
    assert shares(Result(places, "played"), FOUR, CHESS) == got


def test_partners_get_their_teams_points_each_in_full() -> None:
    assert shares(Result((1, 2, 2, 1), "mate"), PARTNERS, CHESS) == (1, 0, 0, 1)


def test_partners_do_not_meet_each_other() -> None:
    met = encounters(Result((1, 2, 2, 1), "mate"), PARTNERS, CHESS)
    assert [[one.opponents for one in side] for side in met] == [
        [(2, 3)],
        [(1, 4)],
        [(1, 4)],
        [(2, 3)],
    ]


def test_where_nobody_is_first_everybody_has_lost() -> None:
    points = Points(3, 2, 1)
    assert shares(Result((2, 2), "absent"), PAIR, points) == (1, 1)
    assert shares(Result((2, 2, 2, 2), "gone"), FOUR, points) == (3, 3, 3, 3)


def test_a_bye_is_worth_one_win() -> None:
    assert shares(Result((1,), BYE), Fixture(2, (5,)), FOOTBALL) == (3,)


@given(st.sampled_from([(1, 2), (2, 1), (1, 1)]))
def test_two_sides_share_one_point_where_a_draw_is_half_a_win(places: tuple[int, ...]) -> None:
    assert sum(shares(Result(places, "played"), PAIR, CHESS)) == 1


@given(measures, st.permutations([1, 2, 3, 4]))
def test_a_better_place_never_brings_fewer_points(points: Points, places: list[int]) -> None:
    got = shares(Result(tuple(places), "played"), FOUR, points)
    by_place = [share for _, share in sorted(zip(places, got, strict=True))]
    assert by_place == sorted(by_place, reverse=True)
