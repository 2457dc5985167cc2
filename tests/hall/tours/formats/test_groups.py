"""Groups by worked examples: how tables are dealt, who goes on, and when it ends.

A round is written as text: `1-2-3 4-5` is a table of three and one of two.
"""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from rookery.core.tour_values import Field, Fixture, Match, Result
from rookery.hall.tours.formats.knockout import Groups, table_sizes

Judge = Callable[[tuple[int, ...]], frozenset[int]]  # who of the sides comes first

FORM = Groups()


def nobody(sides: tuple[int, ...]) -> frozenset[int]:
    return frozenset()


def the_first(sides: tuple[int, ...]) -> frozenset[int]:
    return frozenset(sides[:1])


def the_last(sides: tuple[int, ...]) -> frozenset[int]:
    return frozenset(sides[-1:])


def everyone(sides: tuple[int, ...]) -> frozenset[int]:
    return frozenset(sides)


def entered(count: int, sides: int = 4) -> Field:
    return Field(tuple(range(1, count + 1)), (), sides, 7)


def without(field: Field, *gone: int) -> Field:
    return replace(field, entrants=tuple(one for one in field.entrants if one not in gone))


def a_round(field: Field, judge: Judge) -> Field:
    """The field after one more round, in which those came first whom the judge names."""
    more = []
    for fixture in FORM.next(field):
        first = judge(fixture.sides)
        places = tuple(1 if side in first else 2 for side in fixture.sides)
        more.append(Match(fixture, result=Result(places, "played")))
    return replace(field, matches=(*field.matches, *more))


def whole(field: Field, judge: Judge) -> Field:
    for _ in range(20):
        more = a_round(field, judge)
        if more == field:
            return field
        field = more
    raise AssertionError("it ends")


def text(fixtures: tuple[Fixture, ...]) -> str:
    return " ".join("-".join(map(str, fixture.sides)) for fixture in fixtures)


def rounds(field: Field) -> list[str]:
    fixtures = [match.fixture for match in field.matches]
    return [
        text(tuple(fixture for fixture in fixtures if fixture.round == number))
        for number in range(1, field.last_round + 1)
    ]


# "Games of 4; if fewer than 2 would remain, the last game is taken back and dealt with one
# fewer a game (5 → 3+2, 9 → 4+3+2, 13 → 4+4+3+2)."
SIZES = """
 2 → 2
 3 → 3
 4 → 4
 5 → 3+2
 6 → 4+2
 7 → 4+3
 8 → 4+4
 9 → 4+3+2
10 → 4+4+2
11 → 4+4+3
12 → 4+4+4
13 → 4+4+3+2
14 → 4+4+4+2
15 → 4+4+4+3
16 → 4+4+4+4
17 → 4+4+4+3+2
18 → 4+4+4+4+2
19 → 4+4+4+4+3
20 → 4+4+4+4+4
"""


@pytest.mark.parametrize("line", SIZES.strip().splitlines())
def test_tables_of_four_are_dealt_as_the_course_deals_them(line: str) -> None:
    players, sizes = line.split("→")
    assert "+".join(map(str, table_sizes(int(players), 4))) == sizes.strip()


@pytest.mark.parametrize(
    ("players", "sizes"), [(4, (2, 2)), (5, (3, 2)), (6, (3, 3)), (7, (3, 2, 2)), (8, (3, 3, 2))]
)
def test_tables_of_three_are_dealt_alike(players: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players, 3) == sizes


def test_no_table_of_three_or_four_has_one_player_and_nobody_is_left_over() -> None:
    for most in (3, 4):
        for players in range(2, 200):
            sizes = table_sizes(players, most)
            assert sum(sizes) == players
            assert all(2 <= size <= most for size in sizes)


def test_the_last_of_an_odd_number_has_a_bye_where_tables_are_for_two() -> None:
    assert rounds(whole(entered(5, sides=2), the_first)) == ["1-2 3-4 5", "1-3 5", "1-5"]


def test_five_are_dealt_in_the_order_of_signing_up_and_play_a_final() -> None:
    field = whole(entered(5), the_last)
    assert rounds(field) == ["1-2-3 4-5", "3-5"]
    assert FORM.done(field)


def test_thirteen_play_two_rounds() -> None:
    field = whole(entered(13), the_first)
    assert rounds(field) == ["1-2-3-4 5-6-7-8 9-10-11 12-13", "1-5-9-12"]


def test_a_round_of_one_game_is_the_final_even_if_it_is_drawn() -> None:
    assert rounds(whole(entered(4), everyone)) == ["1-2-3-4"]
    assert rounds(whole(entered(6), everyone))[0] == "1-2-3-4 5-6"
    field = a_round(a_round(entered(6), the_first), everyone)
    assert rounds(field) == ["1-2-3-4 5-6", "1-5"]
    assert FORM.done(field)


def test_all_tied_winners_go_on_in_the_original_order() -> None:
    field = a_round(entered(9), lambda sides: frozenset(sides) & {9, 2, 7, 4, 5})
    assert text(FORM.next(field)) == "2-4-5 7-9"


def test_two_rounds_with_the_same_winners_end_it() -> None:
    field = a_round(entered(8), lambda sides: frozenset(sides) - {8})
    field = a_round(field, everyone)
    assert rounds(field) == ["1-2-3-4 5-6-7-8", "1-2-3-4 5-6-7"]
    assert FORM.done(field)


def test_a_first_round_that_everybody_wins_is_no_end() -> None:
    field = a_round(entered(8), everyone)
    assert text(FORM.next(field)) == "1-2-3-4 5-6-7-8"
    assert FORM.done(a_round(field, everyone))


def test_winners_are_not_the_same_where_one_of_them_was_removed() -> None:
    field = a_round(a_round(entered(8), everyone), everyone)
    assert text(FORM.next(without(field, 3))) == "1-2-4-5 6-7-8"


def test_a_removed_winner_does_not_go_on() -> None:
    field = without(a_round(entered(10), the_first), 5)
    assert text(FORM.next(field)) == "1-9"


def test_one_winner_left_has_won_without_a_final() -> None:
    field = without(a_round(entered(5), the_first), 1)
    assert FORM.next(field) == ()
    assert FORM.done(field)


def test_it_is_over_when_nobody_wins_or_all_are_removed() -> None:
    assert FORM.done(a_round(entered(9), nobody))
    assert FORM.done(without(a_round(entered(9), the_first), *range(1, 10)))


def test_fewer_than_two_are_not_paired() -> None:
    assert FORM.next(entered(1)) == ()
    assert FORM.next(entered(0)) == ()


def test_the_next_round_waits_for_the_whole_round_and_for_a_voided_match() -> None:
    field = a_round(entered(8), the_first)
    waiting = replace(field, matches=(Match(field.matches[0].fixture, voided=1), field.matches[1]))
    assert FORM.next(waiting) == ()
    assert not FORM.done(waiting)
    anew = replace(waiting.matches[0], result=Result((2, 2, 1, 4), "played"))
    assert text(FORM.next(replace(waiting, matches=(anew, field.matches[1])))) == "3-5"


def test_every_field_ends_with_those_who_were_first_in_the_last_round() -> None:
    for sides in (2, 3, 4):
        for count in range(2, 70):
            field = whole(entered(count, sides), the_last)
            assert FORM.done(field)
            final = [m for m in field.matches if m.fixture.round == field.last_round]
            assert len(final) == 1
