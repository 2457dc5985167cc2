"""Swiss: worked examples, and what holds in every round of many tours."""

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.tour_values import ABSENT, BYE, WITHDRAWN, Field, Fixture, Match, Result
from rookery.hall.tours.formats.dutch import LADDER, PairingCell, ask, pair_round
from rookery.hall.tours.formats.swiss import MOST, Swiss

FIRST, SECOND, DRAW, NOBODY = (1, 2), (2, 1), (1, 1), (2, 2)

Judge = Callable[[Fixture], Result]


def field_of(entrants: tuple[int, ...], matches: tuple[Match, ...] = ()) -> Field:
    return Field(entrants, matches, sides=2, seed=7)


def numbers(count: int) -> tuple[int, ...]:
    return tuple(range(1, count + 1))


def ended(places: tuple[int, ...], how: str = "won") -> Result:
    return Result(places, how)


def lower_wins(fixture: Fixture) -> Result:
    return ended(FIRST if fixture.sides[0] < fixture.sides[1] else SECOND)


def all_draw(fixture: Fixture) -> Result:
    return ended(DRAW)


def by_lot(seed: int) -> Judge:
    lots = random.Random(seed)
    return lambda _: ended(lots.choice((FIRST, SECOND, DRAW)))


def decided(fixture: Fixture, judge: Judge) -> Match:
    return Match(fixture, result=Result((1,), BYE) if len(fixture.sides) == 1 else judge(fixture))


def round_more(swiss: Swiss, field: Field, judge: Judge) -> Field:
    more = tuple(decided(fixture, judge) for fixture in swiss.next(field))
    return replace(field, matches=(*field.matches, *more))


def played_out(swiss: Swiss, count: int, judge: Judge) -> Field:
    field = field_of(numbers(count))
    while not swiss.done(field):
        field = round_more(swiss, field, judge)
    return field


def sides_of(swiss: Swiss, field: Field) -> list[tuple[int, ...]]:
    return [fixture.sides for fixture in swiss.next(field)]


def meetings(field: Field) -> list[frozenset[int]]:
    return [frozenset(m.fixture.sides) for m in field.matches if len(m.fixture.sides) == 2]


def byes(field: Field) -> list[int]:
    return [m.fixture.sides[0] for m in field.matches if len(m.fixture.sides) == 1]


def colours(field: Field, entrant: int) -> str:
    return "".join(
        "wb"[match.fixture.sides.index(entrant)]
        for match in field.matches
        if entrant in match.fixture.sides and len(match.fixture.sides) == 2
    )


def played(white: int, black: int, of_round: int, result: Result) -> Match:
    return Match(Fixture(of_round, (white, black)), result=result)


def bye(entrant: int, of_round: int) -> Match:
    return Match(Fixture(of_round, (entrant,)), result=Result((1,), BYE))


def white_won(*rounds: list[tuple[int, ...]]) -> tuple[Match, ...]:
    return tuple(
        decided(Fixture(number, sides), lambda _: ended(FIRST))
        for number, pairs in enumerate(rounds, 1)
        for sides in pairs
    )


TOURS = [(count, rounds) for count in (5, 6, 8, 9, 16) for rounds in (3, count // 2)]


def test_the_first_round_pairs_the_upper_half_with_the_lower_and_alternates_colours() -> None:
    assert sides_of(Swiss(), field_of(numbers(8))) == [(1, 5), (6, 2), (3, 7), (8, 4)]


def test_the_second_round_pairs_winners_with_winners() -> None:
    field = round_more(Swiss(), field_of(numbers(8)), lower_wins)
    assert sides_of(Swiss(), field) == [(4, 1), (2, 3), (5, 8), (7, 6)]


def test_draws_make_a_score_group_of_their_own() -> None:
    def judge(fixture: Fixture) -> Result:
        return ended(DRAW) if 1 in fixture.sides or 2 in fixture.sides else lower_wins(fixture)

    field = round_more(Swiss(), field_of(numbers(8)), judge)
    groups = [{3, 4}, {1, 2, 5, 6}, {7, 8}]
    assert all(any(set(pair) <= group for group in groups) for pair in sides_of(Swiss(), field))


def test_the_odd_one_out_of_the_first_round_is_the_last_seed() -> None:
    assert sides_of(Swiss(), field_of(numbers(5))) == [(1, 3), (4, 2), (5,)]


def test_a_bye_counts_as_a_win() -> None:
    field = round_more(Swiss(), field_of(numbers(5)), lower_wins)
    # 1, 2 and 5 have a point. 5 had no game, so it is another who meets a loser; not 1 but 2,
    # who is ranked lower, and not 4, whom 2 has beaten.
    assert sides_of(Swiss(), field) == [(5, 1), (2, 3), (4,)]


@pytest.mark.parametrize(("count", "rounds"), TOURS)
def test_no_two_meet_twice(count: int, rounds: int) -> None:
    for seed in range(5):
        met = meetings(played_out(Swiss(rounds), count, by_lot(seed)))
        assert len(met) == len(set(met)) == rounds * (count // 2)


@pytest.mark.parametrize(("count", "rounds"), TOURS)
def test_everyone_is_paired_once_a_round_and_has_at_most_one_bye(count: int, rounds: int) -> None:
    for seed in range(5):
        field = played_out(Swiss(rounds), count, by_lot(seed))
        for number in range(1, rounds + 1):
            there = [m.fixture.sides for m in field.matches if m.fixture.round == number]
            assert sorted(side for sides in there for side in sides) == list(numbers(count))
        assert len(byes(field)) == len(set(byes(field))) == rounds * (count % 2)


@pytest.mark.parametrize(("count", "rounds"), TOURS)
def test_colours_stay_within_two_of_each_other_and_never_come_thrice(
    count: int, rounds: int
) -> None:
    for seed in range(5):
        field = played_out(Swiss(rounds), count, by_lot(seed))
        for entrant in field.entrants:
            had = colours(field, entrant)
            assert abs(had.count("w") - had.count("b")) <= 2
            assert "www" not in had
            assert "bbb" not in had


@pytest.mark.parametrize(
    ("count", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5)]
)
def test_by_itself_it_has_as_many_rounds_as_a_knock_out(count: int, rounds: int) -> None:
    assert played_out(Swiss(), count, lower_wins).last_round == rounds


def test_whoever_wins_all_is_the_only_one_who_does() -> None:
    field = played_out(Swiss(), 13, lower_wins)
    losers = {max(pair) for pair in meetings(field)}
    assert [entrant for entrant in field.entrants if entrant not in losers] == [1]


def test_nothing_is_paired_while_a_match_is_on() -> None:
    fixtures = Swiss().next(field_of(numbers(4)))
    matches = (decided(fixtures[0], lower_wins), Match(fixtures[1]))
    assert Swiss().next(field_of(numbers(4), matches)) == ()
    assert not Swiss().done(field_of(numbers(4), matches))


def test_the_field_says_it_all() -> None:
    swiss = Swiss(5)
    field = played_out(swiss, 11, by_lot(3))
    for number in range(5):
        before = tuple(m for m in field.matches if m.fixture.round <= number)
        after = tuple(m.fixture for m in field.matches if m.fixture.round == number + 1)
        # Not from memory: what was said before is forgotten first.
        pair_round.cache_clear()
        assert swiss.next(field_of(field.entrants, before)) == after


def test_a_changed_result_changes_the_next_round() -> None:
    field = round_more(Swiss(), field_of(numbers(4)), lower_wins)
    upset = replace(field.matches[0], result=ended(SECOND))
    other = replace(field, matches=(upset, *tuple(field.matches)[1:]))
    assert set(map(frozenset, sides_of(Swiss(), field))) == {frozenset({1, 2}), frozenset({3, 4})}
    assert set(map(frozenset, sides_of(Swiss(), other))) == {frozenset({2, 3}), frozenset({1, 4})}


def test_who_joins_late_has_nothing_for_the_rounds_before() -> None:
    first = round_more(Swiss(3), field_of(numbers(6)), lower_wins)
    second = round_more(Swiss(3), first, lower_wins)
    # 1 and 3 have won twice. 2 and 5 have a point each and have met. 4, 6, 7 and 8 have none.
    late = replace(second, entrants=numbers(8))
    assert sides_of(Swiss(3), late) == [(1, 3), (7, 2), (5, 4), (8, 6)]


def test_who_joins_within_a_round_waits_for_the_next() -> None:
    fixtures = Swiss(2).next(field_of(numbers(4)))
    waiting = field_of(numbers(5), tuple(Match(fixture) for fixture in fixtures))
    assert Swiss(2).next(waiting) == ()
    done = tuple(decided(fixture, lower_wins) for fixture in fixtures)
    later = Swiss(2).next(field_of(numbers(5), done))
    assert sorted(side for fixture in later for side in fixture.sides) == [1, 2, 3, 4, 5]
    assert {fixture.round for fixture in later} == {2}


def test_who_is_out_is_not_paired() -> None:
    field = round_more(Swiss(), field_of(numbers(8)), lower_wins)
    left = replace(field, entrants=(1, 2, 4, 5, 6, 7, 8))
    paired = sorted(side for pair in sides_of(Swiss(), left) for side in pair)
    assert paired == [1, 2, 4, 5, 6, 7, 8]


def test_a_withdrawal_makes_it_no_shorter() -> None:
    field = round_more(Swiss(), field_of(numbers(5)), lower_wins)
    field = round_more(Swiss(), replace(field, entrants=(1, 2, 3, 4)), lower_wins)
    assert not Swiss().done(field)


def test_it_is_done_when_only_one_is_left() -> None:
    field = round_more(Swiss(), field_of(numbers(4)), lower_wins)
    assert Swiss().done(replace(field, entrants=(3,)))


@pytest.mark.parametrize(("count", "possible"), [(2, 1), (3, 3), (4, 3), (5, 5), (6, 5)])
def test_it_ends_early_when_nobody_is_left_to_meet(count: int, possible: int) -> None:
    for judge in (lower_wins, all_draw):
        field = played_out(Swiss(99), count, judge)
        assert field.last_round <= possible
        assert Swiss(99).next(field) == ()
        met = meetings(field)
        assert len(met) == len(set(met))


def test_colours_give_way_before_a_tour_ends_early() -> None:
    # 1 and 2 had white twice, and no two with the same wish should meet; but they must.
    matches = white_won([(1, 3), (2, 4)], [(1, 4), (2, 3)])
    pairs = sides_of(Swiss(4), field_of(numbers(4), matches))
    assert set(map(frozenset, pairs)) == {frozenset({1, 2}), frozenset({3, 4})}


def test_colours_give_way_before_anyone_has_a_second_bye() -> None:
    # 2 and 3 have had no bye. Without 3, only 1-4 and 2-5 is left, and 2 and 5 have both had
    # black twice running; without 2, 1-3 and 4-5, and 1 and 3 have both had white.
    matches = white_won([(2, 4), (3, 5), (1,)], [(3, 2), (1, 5), (4,)], [(3, 4), (1, 2), (5,)])
    assert sides_of(Swiss(5), field_of(numbers(5), matches)) == [(1, 3), (5, 4), (2,)]


def test_where_colours_gave_way_they_still_alternate_if_they_can() -> None:
    # 3 and 5 both had black the last two times, 4 and 6 white; each possible round has one of
    # these pairs. 2 had white, white, black and 4 black, white, white: so 2 has white.
    matches = white_won(
        [(2, 6), (5, 4), (1, 3)], [(2, 5), (4, 1), (6, 3)], [(4, 3), (6, 5), (1, 2)]
    )
    pairs = sides_of(Swiss(5), field_of(numbers(6), matches))
    assert pairs == [(1, 6), (2, 4), (3, 5)]


@pytest.mark.parametrize(("rounds", "leaders_meet"), [(3, True), (4, False)])
def test_in_the_last_round_the_leaders_meet_whatever_their_colours(
    rounds: int, leaders_meet: bool
) -> None:
    # 1 and 2 have won twice, both with white.
    matches = white_won([(1, 4), (2, 5), (6, 3)], [(1, 5), (2, 6), (3, 4)])
    pairs = sides_of(Swiss(rounds), field_of(numbers(6), matches))
    assert ({1, 2} in map(set, pairs)) is leaders_meet


def test_a_second_bye_is_given_only_when_all_have_had_a_free_point() -> None:
    matches = (
        played(1, 2, 1, Result(FIRST, ABSENT)),
        bye(3, 1),
        played(1, 3, 2, ended(FIRST)),
        bye(2, 2),
    )
    # 1 and 3 have played, so it is 3 again, who has fewer points than 1.
    assert sides_of(Swiss(3), field_of(numbers(3), matches)) == [(2, 1), (3,)]


def test_a_walkover_gives_no_colour_and_the_two_may_meet_again() -> None:
    matches = (played(1, 2, 1, Result(FIRST, ABSENT)),)
    assert sides_of(Swiss(2), field_of((1, 2), matches)) == [(1, 2)]


@pytest.mark.parametrize(("how", "odd"), [("won", 4), (ABSENT, 3), (WITHDRAWN, 3)])
def test_who_won_by_a_walkover_does_not_have_the_bye(how: str, odd: int) -> None:
    # 1, 3, 4 and 5 have a point each; 1 and 5 have theirs for a bye, and 4 is ranked last.
    matches = (
        played(1, 3, 1, ended(SECOND)),
        played(4, 2, 1, ended(SECOND)),
        bye(5, 1),
        played(2, 5, 2, ended(FIRST)),
        played(3, 4, 2, Result(SECOND, how)),
        bye(1, 2),
    )
    assert sides_of(Swiss(5), field_of(numbers(5), matches))[-1] == (odd,)


def test_a_match_nobody_won_is_lost_by_both_and_was_not_played() -> None:
    matches = (played(1, 3, 1, ended(NOBODY)), played(4, 2, 1, ended(FIRST)))
    # 4 has a point and nobody else: it meets 1, the best of the others it has not met.
    assert {1, 4} in map(set, sides_of(Swiss(2), field_of(numbers(4), matches)))
    assert sides_of(Swiss(2), field_of((1, 2), (played(1, 2, 1, ended(NOBODY)),))) == [(1, 2)]


def test_numbers_may_have_gaps() -> None:
    assert sides_of(Swiss(), field_of((2, 5, 9, 40))) == [(9, 2), (5, 40)]


@pytest.mark.parametrize("count", [*range(2, 24), 79, 80])
def test_the_library_pairs_the_first_round_as_we_do(count: int) -> None:
    lots = random.Random(count)
    for there in (numbers(count), tuple(sorted(lots.sample(range(1, 3 * count), count)))):
        rows: dict[int, list[PairingCell]] = {number: [] for number in there}
        for last in (False, True):
            ours = pair_round(there, (), last=last)
            assert ask(rows, frozenset(there), LADDER[0], last=last) == ours


def test_the_largest_tour_can_be_paired() -> None:
    fixtures = Swiss().next(field_of(numbers(MOST)))
    assert [set(f.sides) for f in fixtures] == [{n, n + MOST // 2} for n in numbers(MOST // 2)]


@pytest.mark.parametrize("rounds", [-1, 100])
def test_rounds_have_bounds(rounds: int) -> None:
    with pytest.raises(BadOption, match="from 0 to 99"):
        Swiss(rounds)
