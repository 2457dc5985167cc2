"""The order of joining: for each earlier player o, (o home, p away) and (p home, o away)."""

from rookery.core.tour_values import Field, Fixture, Match, Result
from rookery.hall.tours.formats.round_robin import Joining


def ask(entrants: tuple[int, ...], before: tuple[Fixture, ...] = ()) -> tuple[Fixture, ...]:
    matches = tuple(Match(fixture) for fixture in before)
    return Joining().next(Field(entrants, matches, sides=2, seed=1))


def joined_one_by_one(count: int) -> tuple[Fixture, ...]:
    fixtures: tuple[Fixture, ...] = ()
    for number in range(1, count + 1):
        fixtures += ask(tuple(range(1, number + 1)), fixtures)
    return fixtures


def drawn(fixtures: tuple[Fixture, ...]) -> str:
    return " ".join(f"{home}/{away}" for home, away in (fixture.sides for fixture in fixtures))


def test_the_first_to_join_has_nobody_to_meet() -> None:
    assert ask((1,)) == ()


def test_who_joins_meets_everyone_before_it_at_home_second() -> None:
    assert drawn(joined_one_by_one(3)) == "1/2 2/1 1/3 3/1 2/3 3/2"


def test_the_fourth_meets_the_others_in_the_order_they_joined() -> None:
    three = joined_one_by_one(3)
    assert drawn(ask((1, 2, 3, 4), three)) == "1/4 4/1 2/4 4/2 3/4 4/3"


def test_it_is_the_same_whether_asked_after_each_or_after_all() -> None:
    assert ask((1, 2, 3, 4, 5)) == joined_one_by_one(5)


def test_who_joins_has_no_match_against_one_who_left() -> None:
    assert drawn(ask((1, 3, 4), joined_one_by_one(3))) == "1/4 4/1 3/4 4/3"


def test_who_was_alone_for_a_while_meets_the_next() -> None:
    assert drawn(ask((3, 4), joined_one_by_one(2))) == "3/4 4/3"


def test_the_legs_of_a_pair_have_a_start_of_their_own() -> None:
    assert [fixture.start for fixture in joined_one_by_one(3)] == [1, 1, 3, 3, 5, 5]


def test_rounds_are_what_can_be_played_side_by_side() -> None:
    rounds = [f"{f.round}: {drawn((f,))}" for f in joined_one_by_one(4) if f.round in (1, 2)]
    assert rounds == ["1: 1/2", "2: 2/1", "1: 3/4", "2: 4/3"]


def test_sixteen_have_240_matches_in_thirty_rounds() -> None:
    fixtures = joined_one_by_one(16)
    assert (len(fixtures), max(fixture.round for fixture in fixtures)) == (240, 30)


def test_it_is_done_until_somebody_joins() -> None:
    over = Result((1, 2), "played")
    matches = tuple(Match(fixture, result=over) for fixture in joined_one_by_one(2))
    assert Joining().done(Field((1, 2), matches, sides=2, seed=1))
    assert not Joining().done(Field((1, 2, 3), matches, sides=2, seed=1))
