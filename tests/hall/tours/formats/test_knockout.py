"""Knock-out by worked examples, and by whole tours in which a given side always wins.

A round is written as text: `1-8 4-5` is two matches, `1` alone is a bye.
"""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.tour_values import BYE, WITHDRAWN, Field, Fixture, Match, Result
from rookery.hall.tours.formats.knockout import DECIDERS_MOST, Knockout, bracket

Judge = Callable[[tuple[int, ...]], tuple[int, ...]]

WON, LOST, DRAWN, NOBODY = (1, 2), (2, 1), (1, 1), (2, 2)


def better_seed(sides: tuple[int, ...]) -> tuple[int, ...]:
    return WON if sides[0] < sides[1] else LOST


def worse_seed(sides: tuple[int, ...]) -> tuple[int, ...]:
    return LOST if sides[0] < sides[1] else WON


def first_seat(sides: tuple[int, ...]) -> tuple[int, ...]:
    return WON


def drawn(sides: tuple[int, ...]) -> tuple[int, ...]:
    return DRAWN


def entered(count: int) -> Field:
    return Field(tuple(range(1, count + 1)), (), 2, 7)


def paired(form: Knockout, field: Field) -> Field:
    return replace(field, matches=(*field.matches, *map(Match, form.next(field))))


def ended(field: Field, number: int, places: tuple[int, ...], how: str = "played") -> Field:
    matches = list(field.matches)
    matches[number - 1] = replace(matches[number - 1], result=Result(places, how))
    return replace(field, matches=tuple(matches))


def voided(field: Field, number: int) -> Field:
    matches = list(field.matches)
    matches[number - 1] = Match(matches[number - 1].fixture, voided=1)
    return replace(field, matches=tuple(matches))


def without(field: Field, *gone: int) -> Field:
    return replace(field, entrants=tuple(one for one in field.entrants if one not in gone))


def played(field: Field, judge: Judge) -> Field:
    """Every match that is open comes out as the judge says; a bye as the director says."""
    for number, match in enumerate(field.matches, start=1):
        sides = match.fixture.sides
        if match.result is None and len(sides) == 1:
            field = ended(field, number, (1,), BYE)
        elif match.result is None:
            field = ended(field, number, judge(sides))
    return field


def whole(form: Knockout, field: Field, judge: Judge) -> Field:
    for _ in range(200):
        more = paired(form, field)
        if more == field:
            return field
        field = played(more, judge)
    raise AssertionError("a knock-out ends")


def text(fixtures: tuple[Fixture, ...]) -> str:
    return " ".join("-".join(map(str, fixture.sides)) for fixture in fixtures)


def rounds(field: Field) -> list[str]:
    fixtures = [match.fixture for match in field.matches]
    return [
        text(tuple(fixture for fixture in fixtures if fixture.round == number))
        for number in range(1, field.last_round + 1)
    ]


def test_eight_are_seeded_in_a_folded_bracket() -> None:
    assert rounds(whole(Knockout(), entered(8), better_seed)) == [
        "1-8 4-5 2-7 3-6",
        "1-4 2-3",
        "1-2",
    ]


def test_five_give_the_best_three_seeds_a_bye() -> None:
    assert rounds(whole(Knockout(), entered(5), better_seed)) == ["1 4-5 2 3", "1-4 2-3", "1-2"]


def test_six_give_the_best_two_seeds_a_bye() -> None:
    assert rounds(whole(Knockout(), entered(6), better_seed)) == ["1 4-5 2 3-6", "1-4 2-3", "1-2"]


def test_seven_give_the_best_seed_a_bye() -> None:
    # 7 and 6 had the second seat in the first round, so 6, the better, has the first now;
    # 1 had a bye and 5 the second seat.
    assert rounds(whole(Knockout(), entered(7), worse_seed)) == ["1 4-5 2-7 3-6", "1-5 6-7", "5-7"]


def test_two_play_nothing_but_the_final() -> None:
    assert rounds(whole(Knockout(third=True), entered(2), worse_seed)) == ["1-2"]


def test_who_had_the_first_seat_less_often_has_it_next() -> None:
    field = played(paired(Knockout(), entered(4)), lambda sides: LOST if 4 in sides else WON)
    assert text(Knockout().next(field)) == "4-2"


def test_the_next_round_waits_for_the_whole_round() -> None:
    field = ended(paired(Knockout(), entered(4)), 1, WON)
    assert Knockout().next(field) == ()
    assert not Knockout().done(field)


def test_fewer_than_two_are_not_paired() -> None:
    assert Knockout().next(entered(1)) == ()
    assert Knockout().next(entered(0)) == ()


def test_both_legs_of_a_tie_exchange_colours_and_share_a_start_of_their_own() -> None:
    first = Knockout(legs=2).next(entered(3))
    assert first == (Fixture(1, (1,)), Fixture(1, (2, 3), 2), Fixture(1, (3, 2), 2))
    field = played(paired(Knockout(legs=2), entered(3)), better_seed)
    assert Knockout(legs=2).next(field) == (Fixture(2, (1, 2), 4), Fixture(2, (2, 1), 4))


def test_a_win_and_a_draw_over_two_legs_win_the_tie() -> None:
    field = paired(Knockout(legs=2), entered(4))
    field = ended(ended(field, 1, DRAWN), 2, WON)  # 1-4 drawn, 4-1 won by 4
    field = ended(ended(field, 3, WON), 4, DRAWN)
    assert text(Knockout(legs=2).next(field)) == "2-4 4-2"


def test_a_leg_that_nobody_won_counts_for_neither() -> None:
    field = paired(Knockout(legs=2), entered(2))
    field = ended(ended(field, 1, NOBODY), 2, WON)
    assert Knockout(legs=2).done(field)
    level = ended(field, 2, NOBODY)
    assert text(Knockout(legs=2).next(level)) == "1-2"


def test_a_drawn_match_is_followed_by_one_with_colours_exchanged() -> None:
    field = ended(paired(Knockout(), entered(4)), 1, DRAWN)
    assert Knockout().next(field) == (Fixture(1, (4, 1)),)


def test_the_first_deciding_match_that_is_won_decides() -> None:
    field = played(paired(Knockout(), entered(2)), drawn)
    field = ended(paired(Knockout(), field), 2, DRAWN)
    field = paired(Knockout(), field)
    assert rounds(field) == ["1-2 2-1 1-2"]
    assert Knockout().done(ended(field, 3, LOST))


def test_a_decider_of_a_tie_is_not_held_up_by_other_ties_nor_paired_twice() -> None:
    field = paired(Knockout(), ended(paired(Knockout(), entered(4)), 1, DRAWN))
    assert text(Knockout().next(ended(field, 2, DRAWN))) == "3-2"
    assert Knockout().next(field) == ()


def test_the_better_seed_goes_on_after_six_deciders_that_decided_nothing() -> None:
    field = whole(Knockout(), entered(4), drawn)
    assert len(field.matches) == 3 * (1 + DECIDERS_MOST)
    assert set(field.matches[-1].fixture.sides) == {1, 2}
    assert DECIDERS_MOST == 6


def test_a_play_off_for_third_place_is_the_round_before_the_final() -> None:
    field = whole(Knockout(third=True), entered(8), better_seed)
    assert rounds(field)[1:] == ["1-4 2-3", "3-4", "1-2"]


def test_final_and_play_off_are_paired_together() -> None:
    field = played(paired(Knockout(third=True), entered(4)), better_seed)
    assert Knockout(third=True).next(field) == (Fixture(2, (3, 4)), Fixture(3, (1, 2)))


def test_a_drawn_play_off_is_decided_beside_the_final() -> None:
    form = Knockout(third=True)
    field = paired(form, played(paired(form, entered(4)), better_seed))
    assert form.next(ended(field, 3, DRAWN)) == (Fixture(2, (4, 3)),)


def test_three_have_nobody_to_play_with_for_third_place() -> None:
    assert rounds(whole(Knockout(third=True), entered(3), better_seed)) == ["1 2-3", "1-2"]


def test_who_is_beaten_by_one_who_then_leaves_still_plays_for_third_place() -> None:
    form = Knockout(third=True)
    field = without(played(paired(form, entered(4)), better_seed), 1)
    assert form.next(field) == (Fixture(2, (3, 4)), Fixture(3, (2,)))


def test_third_place_is_a_bye_where_the_other_has_left() -> None:
    form = Knockout(third=True)
    field = without(played(paired(form, entered(4)), better_seed), 4)
    assert form.next(field) == (Fixture(2, (3,)), Fixture(3, (1, 2)))


def test_the_opponent_of_one_who_leaves_during_a_tie_goes_on() -> None:
    field = played(paired(Knockout(), entered(4)), better_seed)
    field = ended(without(field, 1), 1, LOST, WITHDRAWN)
    assert text(Knockout().next(field)) == "4-2"


def test_who_leaves_before_the_last_leg_loses_a_tie_that_was_won() -> None:
    form = Knockout(legs=3)
    field = played(paired(form, entered(4)), better_seed)
    field = ended(without(field, 1), 3, LOST, WITHDRAWN)
    # 4 had the first seat in one leg of three, 2 in two.
    assert text(form.next(field)) == "4-2 2-4 4-2"


def test_a_level_tie_needs_no_decider_when_one_has_left() -> None:
    form = Knockout(legs=2)
    field = played(paired(form, entered(4)), better_seed)
    field = ended(without(field, 1), 2, WON, WITHDRAWN)  # 4-1: one win each
    assert text(form.next(field)) == "2-4 4-2"


def test_who_leaves_after_winning_leaves_a_bye_to_the_next_opponent() -> None:
    field = without(played(paired(Knockout(), entered(8)), better_seed), 1)
    assert text(Knockout().next(field)) == "4 2-3"
    assert rounds(whole(Knockout(), field, better_seed))[1:] == ["4 2-3", "4-2"]


def test_nobody_goes_on_from_a_tie_that_both_have_left() -> None:
    field = without(played(paired(Knockout(), entered(8)), better_seed), 1, 8)
    assert text(Knockout().next(field)) == "4 2-3"
    field = without(field, 4, 5)
    assert rounds(whole(Knockout(), field, better_seed))[1:] == ["2-3", "2"]


def test_it_is_over_when_everybody_has_left() -> None:
    field = without(played(paired(Knockout(), entered(4)), better_seed), 1, 2, 3, 4)
    assert Knockout().next(field) == ()
    assert Knockout().done(field)


def test_a_voided_match_is_waited_for_and_its_new_result_counts() -> None:
    field = voided(played(paired(Knockout(), entered(4)), better_seed), 1)
    assert Knockout().next(field) == ()
    assert not Knockout().done(field)
    assert text(Knockout().next(ended(field, 1, LOST))) == "4-2"


def test_a_leg_played_anew_outweighs_the_decider_it_made_needless() -> None:
    form = Knockout(legs=2)
    field = played(paired(form, entered(2)), drawn)
    field = voided(ended(paired(form, field), 3, LOST), 2)
    assert not form.done(field)
    over = ended(field, 2, LOST)  # 2-1: 1 wins the legs
    assert form.next(over) == ()
    assert form.done(over)


@pytest.mark.parametrize("size", [2, 4, 8, 16, 1024])
def test_a_full_bracket_pairs_every_seed_with_its_mirror(size: int) -> None:
    order = bracket(size)
    assert sorted(order) == list(range(size))
    assert {a + b for a, b in zip(order[::2], order[1::2], strict=True)} == {size - 1}


def lost_ties(field: Field) -> dict[int, int]:
    lost = dict.fromkeys(field.entrants, 0)
    for match in field.matches:
        assert match.result is not None
        for side, place in zip(match.fixture.sides, match.result.places, strict=True):
            lost[side] += place != 1
    return lost


@pytest.mark.parametrize("judge", [better_seed, worse_seed, first_seat])
def test_everyone_but_one_loses_exactly_once(judge: Judge) -> None:
    for count in range(2, 41):
        field = whole(Knockout(), entered(count), judge)
        assert Knockout().done(field)
        assert sorted(lost_ties(field).values()) == [0] + [1] * (count - 1)


def test_there_are_as_many_rounds_and_byes_as_the_bracket_needs() -> None:
    for count in range(2, 41):
        field = whole(Knockout(), entered(count), worse_seed)
        byes = [match for match in field.matches if len(match.fixture.sides) == 1]
        assert field.last_round == (count - 1).bit_length()
        assert count + len(byes) == 1 << field.last_round
        assert all(match.fixture.round == 1 for match in byes)
        assert len(field.matches) - len(byes) == count - 1


def test_the_best_two_seeds_meet_in_the_final_only() -> None:
    for count in range(2, 41):
        field = whole(Knockout(), entered(count), better_seed)
        together = [match for match in field.matches if {1, 2} == set(match.fixture.sides)]
        assert together == [field.matches[-1]]


@pytest.mark.parametrize("legs", [0, -1, 11, True])
def test_a_number_of_legs_that_makes_no_sense_is_refused(legs: int) -> None:
    with pytest.raises(BadOption, match="legs"):
        Knockout(legs=legs)
