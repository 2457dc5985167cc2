"""The standing: tables worked out by hand, and what holds for every tour.

A tour is drawn as lines of `winner loser`, `one=other` for a draw and `one` for a bye;
entrants are letters, `a` being number 1.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.ids import PlayerId
from rookery.core.tour_values import (
    ABSENT,
    BYE,
    DEFAULT_TIES,
    WITHDRAWN,
    Entrant,
    Fixture,
    Match,
    Plan,
    Result,
    Row,
)
from rookery.hall.scoring.standing import TIE_BREAKS, check_ties, standing
from tests.hall.scoring.scores import scored

ALL_TIES = tuple(TIE_BREAKS)
LETTERS = "abcdefgh"


def number(letter: str) -> int:
    return LETTERS.index(letter) + 1


def entrants(letters: str) -> tuple[Entrant, ...]:
    return tuple(Entrant(number(one), one, (PlayerId(number(one)),)) for one in letters)


def match(text: str, in_round: int = 1, how: str = "mate") -> Match:
    """`ab` is a win of a, `a=b` a draw, `a` a bye."""
    sides = tuple(number(one) for one in text if one != "=")
    if len(sides) == 1:
        return Match(Fixture(in_round, sides), result=Result((1,), BYE))
    return Match(Fixture(in_round, sides), result=Result((1, 1) if "=" in text else (1, 2), how))


def matches(*rounds: str) -> tuple[Match, ...]:
    return tuple(match(one, n, "mate") for n, line in enumerate(rounds, 1) for one in line.split())


def rows(
    letters: str, played: tuple[Match, ...], *ties: str, by_rounds: bool = False
) -> tuple[Row, ...]:
    plan = Plan("nim", ties=ties)
    return standing(entrants(letters), scored(played), plan, by_rounds=by_rounds)


def order(table: tuple[Row, ...]) -> str:
    """Names from the first to the last, those who share a place in brackets."""
    places: dict[int, str] = {}
    for row in table:
        places[row.place] = places.get(row.place, "") + row.name
    return " ".join(f"({names})" if len(names) > 1 else names for names in places.values())


def tie_values(table: tuple[Row, ...]) -> dict[str, tuple[float, ...]]:
    return {row.name: row.ties for row in table}


#     a  b  c  d
#  a  ·  1  1  0   2    SB: b 2 + c 1 = 3
#  b  0  ·  1  1   2    SB: c 1 + d 1 = 2
#  c  0  0  ·  1   1    SB: d 1       = 1
#  d  1  0  0  ·   1    SB: a 2       = 2
CROSS = matches("ab cd", "ac bd", "da bc")


def test_without_tie_breaks_equals_share_a_place() -> None:
    table = rows("abcd", CROSS)
    assert order(table) == "(ab) (cd)"
    assert [row.place for row in table] == [1, 1, 3, 3]


def test_head_to_head_goes_to_who_won_the_match_between_them() -> None:
    table = rows("abcd", CROSS, "head_to_head")
    assert order(table) == "a b c d"
    assert tie_values(table) == {"a": (1,), "b": (0,), "c": (1,), "d": (0,)}


def test_sonneborn_berger_goes_to_who_beat_the_stronger() -> None:
    table = rows("abcd", CROSS, "sonneborn_berger")
    assert order(table) == "a b d c"
    assert tie_values(table) == {"a": (3,), "b": (2,), "c": (1,), "d": (2,)}


def test_sonneborn_berger_takes_half_the_points_of_those_one_drew_with() -> None:
    #     a  b  c  d
    #  a  ·  ½  1  1   2½   SB: ½·2 + 1 + ½    = 2½
    #  b  ½  ·  1  ½   2    SB: ½·2½ + 1 + ½·½ = 2½
    #  c  0  0  ·  1   1    SB: ½              = ½
    #  d  0  ½  0  ·   ½    SB: ½·2            = 1
    table = rows("abcd", matches("a=b cd", "ac b=d", "ad bc"), "sonneborn_berger")
    assert tie_values(table) == {"a": (2.5,), "b": (2.5,), "c": (0.5,), "d": (1,)}


def test_tie_breaks_are_asked_in_the_plans_order() -> None:
    assert order(rows("abcd", CROSS, "sonneborn_berger", "head_to_head")) == "a b d c"
    assert order(rows("abcd", CROSS, "head_to_head", "sonneborn_berger")) == "a b c d"


def test_head_to_head_of_three_is_a_table_of_their_own_matches() -> None:
    # a, b and c have 2 each. Among them: a 1 + ½ = 1½, c ½ + ½ = 1, b 0 + ½ = ½.
    played = matches("ab b=c a=c", "a=d ea", "bd b=e", "cd ec", "ed")
    table = rows("abcde", played, "head_to_head")
    assert [(row.name, row.points, *row.ties) for row in table] == [
        ("e", 3.5, 0),
        ("a", 2, 1.5),
        ("c", 2, 1),
        ("b", 2, 0.5),
        ("d", 0.5, 0),
    ]


def test_head_to_head_says_nothing_until_all_equals_have_met() -> None:
    # a beat b, and c, who has one point too, has met neither.
    table = rows("abcdef", matches("ab cf", "da be"), "head_to_head")
    assert [row.points for row in table if row.name in "abc"] == [1, 1, 1]
    assert [row.ties for row in table if row.name in "abc"] == [(0,), (0,), (0,)]


def test_head_to_head_says_nothing_where_some_met_more_often() -> None:
    # a, b and c have 2 each, but a and b met twice and the others once.
    equal = rows("abcd", matches("ab ab ca", "bc bd", "cd"), "head_to_head")
    assert [(row.name, row.points, *row.ties) for row in equal] == [
        ("a", 2, 0),
        ("b", 2, 0),
        ("c", 2, 0),
        ("d", 0, 0),
    ]


def test_buchholz_is_the_points_of_all_opponents() -> None:
    # b, d and f have ½. b met a 1½ and d ½; d met c 2 and b ½; f met e 1 and c 2.
    table = rows("abcdef", matches("ab cd e=f", "a=e cf b=d"), "buchholz")
    values = tie_values(table)
    assert (values["b"], values["d"], values["f"]) == ((2,), (2.5,), (3,))
    assert order(table) == "c a e f d b"


def test_a_bye_counts_for_buchholz_as_an_opponent_with_ones_own_points() -> None:
    # a 2 met b 0 and c 1; e 2 had a bye and met b 0; c 1 met d 1 and a 2; d 1 met c 1.
    table = rows("abcde", matches("ab cd e", "ac eb d"), "buchholz")
    assert tie_values(table) == {"a": (1,), "b": (4,), "c": (3,), "d": (2,), "e": (2,)}
    assert order(table) == "e a c d b"


def test_a_walkover_counts_for_buchholz_as_an_opponent_with_ones_own_points() -> None:
    played = (match("ab"), match("cd", how=ABSENT))
    assert tie_values(rows("abcd", played, "buchholz"))["a"] == (0,)
    assert tie_values(rows("abcd", played, "buchholz"))["c"] == (1,)


def test_a_walkover_counts_for_sonneborn_berger_as_it_was_scored() -> None:
    # In a round robin who played the one that left must not be worse off than who did not.
    played = (match("ab"), match("cb", how=WITHDRAWN), match("bd"))
    table = rows("abcd", played, "sonneborn_berger")
    assert tie_values(table)["a"] == tie_values(table)["c"] == (1,)


def test_a_bye_counts_for_sonneborn_berger_as_beating_someone_with_ones_own_points() -> None:
    # a has 2: a bye, which counts 2, and b beaten, who has 0.
    assert tie_values(rows("ab", matches("a", "ab"), "sonneborn_berger"))["a"] == (2,)


def test_median_buchholz_leaves_out_the_best_and_the_worst_opponent() -> None:
    # a met b 1, c 2 and d 0.
    played = matches("ab cd", "ca be", "ad")
    values = tie_values(rows("abcde", played, "buchholz", "median_buchholz"))
    assert (values["a"], values["e"]) == ((3, 1), (1, 0))


def test_buchholz_cut_1_leaves_out_the_worst_opponent_alone() -> None:
    # a met b 1, c 2 and d 0.
    played = matches("ab cd", "ca be", "ad")
    values = tie_values(rows("abcde", played, "buchholz", "buchholz_cut_1"))
    assert (values["a"], values["e"]) == ((3, 3), (1, 0))


def test_progressive_is_for_who_was_ahead_early() -> None:
    # Both have 1 after two rounds: a since the first, b since the second.
    values = tie_values(rows("abcd", matches("ac db", "ca bd"), "progressive"))
    assert (values["a"], values["b"]) == ((2,), (1,))


def rated(played: tuple[Match, ...], **ratings: int) -> dict[str, tuple[float, ...]]:
    """What the average rating of opponents says, where some came with one."""
    came = tuple(replace(one, rating=ratings.get(one.name)) for one in entrants("abcde"))
    plan = Plan("nim", ties=("average_rating",))
    return tie_values(standing(came, scored(played), plan, by_rounds=False))


def test_average_rating_is_of_all_whom_one_played_as_often_as_one_did() -> None:
    values = rated(matches("ab cd", "ac", "ca"), a=1800, b=1600, c=1401, d=1200, e=2800)
    # a met b 1600, and c 1401 twice: 1467⅓.
    assert (values["a"], values["b"], values["d"]) == ((1467,), (1800,), (1401,))


def test_half_a_point_of_average_rating_is_rounded_upwards() -> None:
    assert rated(matches("ab", "ac"), b=1600, c=1601)["a"] == (1601,)
    assert rated(matches("ab", "ac"), b=1601, c=1602)["a"] == (1602,)


def test_a_newcomer_counts_1500_for_the_average_rating() -> None:
    assert rated(matches("ab", "ac"), b=1700)["a"] == (1600,)


def test_walkovers_and_byes_are_left_out_of_the_average_rating() -> None:
    played = (*matches("ab cd", "c"), match("ad", how=ABSENT))
    values = rated(played, a=1800, b=1600, c=1400, d=1200)
    assert (values["a"], values["c"], values["e"]) == ((1600,), (1200,), (0,))


def test_average_rating_says_nothing_where_nobody_came_with_a_rating() -> None:
    assert set(rated(matches("ab cd", "e")).values()) == {(0,)}


def test_more_wins_part_those_with_the_same_points() -> None:
    # Both have 1: a from a win and a loss, b from two draws.
    played = matches("ac b=c", "da b=d")
    table = rows("abcd", played, "wins")
    assert [(row.name, row.points, *row.ties) for row in table if row.name in "ab"] == [
        ("a", 1, 1),
        ("b", 1, 0),
    ]


def test_who_lost_by_forfeit_is_behind_who_was_beaten() -> None:
    forfeited = Match(Fixture(1, (1, 2)), result=Result((2, 1), "late", forfeits=(0,)))
    table = rows("abcd", (forfeited, match("dc")), "fewest_forfeits")
    assert order(table) == "(bd) c a"
    assert [(row.forfeits, *row.ties) for row in table] == [(0, 0), (0, 0), (0, 0), (1, -1)]


def test_a_tie_break_nobody_knows_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadOption, match=r"no tie-break 'luck'; there are head_to_head, sonne"):
        check_ties(("wins", "luck"))


def test_a_tie_break_named_twice_is_refused() -> None:
    with pytest.raises(BadOption, match="The tie-break wins is named twice"):
        check_ties(("wins", "buchholz", "wins"))


def test_the_default_tie_breaks_are_known() -> None:
    check_ties(DEFAULT_TIES)


def test_points_are_the_plans() -> None:
    # With 3-1-0 a win and a loss are more than two draws.
    played = matches("ac b=c", "da b=d")
    plan = Plan("nim", points="3-1-0", ties=())
    table = standing(entrants("abcd"), scored(played, plan.points), plan, by_rounds=False)
    assert {row.name: row.points for row in table} == {"a": 3, "b": 2, "c": 1, "d": 4}


def test_a_row_counts_what_happened() -> None:
    played = (*matches("ab a=b ba", "a"), Match(Fixture(2, (1, 2)), result=Result((2, 2), ABSENT)))
    row = next(row for row in rows("ab", played) if row.name == "a")
    assert (row.points, row.played, row.byes) == (2.5, 4, 1)
    assert (row.wins, row.draws, row.losses) == (1, 1, 2)


def test_a_match_without_a_result_counts_for_nothing() -> None:
    waiting = Match(Fixture(1, (1, 2)))
    assert rows("ab", (waiting, match("ba"))) == rows("ab", (match("ba"),))


def test_nobody_in_a_tour_makes_an_empty_standing() -> None:
    assert rows("", (), *ALL_TIES) == rows("", (), by_rounds=True) == ()


def test_four_at_a_table_are_ranked_by_all_their_places() -> None:
    # a: 3 + 1½ = 4½, b: 2 + 1½ = 3½, c: 1 + 3 = 4, d: 0 + 0.
    fish = (
        Match(Fixture(1, (1, 2, 3, 4)), result=Result((1, 2, 3, 4), "over")),
        Match(Fixture(2, (4, 3, 2, 1)), result=Result((4, 1, 2, 2), "over")),
    )
    table = rows("abcd", fish)
    assert [(row.name, row.points) for row in table] == [("a", 4.5), ("c", 4), ("b", 3.5), ("d", 0)]
    assert [(row.wins, row.draws, row.losses) for row in table] == [
        (1, 0, 1),
        (1, 0, 1),
        (0, 0, 2),
        (0, 0, 2),
    ]


def test_rotating_partners_are_ranked_each_by_itself() -> None:
    # Everyone has each other for a partner once: ad beat bc, ab beat cd, bd beat ac.
    def game(sides: str) -> Match:
        seats = tuple(number(one) for one in sides)
        return Match(Fixture(1, seats, teams=(0, 1, 1, 0)), result=Result((1, 2, 2, 1), "mate"))

    played = (game("abcd"), game("acdb"), game("bacd"))
    table = rows("abcd", played, "head_to_head", "sonneborn_berger")
    assert order(table) == "(abd) c"
    # Among a, b and d each match counts once, however many of them it was against; and
    # a beat b 2 and c 0, then c 0 and d 2.
    assert [(row.points, *row.ties) for row in table] == [(2, 2, 4)] * 3 + [(0, 0, 0)]


def test_who_is_out_keeps_its_place() -> None:
    gone = (replace(entrants("a")[0], out="withdrawn"), *entrants("abc")[1:])
    table = standing(gone, scored(matches("ab", "ac")), Plan("nim"), by_rounds=False)
    assert (table[0].name, table[0].out) == ("a", "withdrawn")


def test_in_a_strict_tour_who_is_out_comes_after_everyone() -> None:
    gone = (replace(entrants("a")[0], out="late"), *entrants("abc")[1:])
    plan = Plan("nim", ties=(), strict=True)
    table = standing(gone, scored(matches("ab", "ac")), plan, by_rounds=False)
    assert order(table) == "(bc) a"


@st.composite
def tours(draw: st.DrawFn) -> tuple[Match, ...]:
    """Some matches of two, and byes, among five."""
    pairs = st.permutations("abcde").map(lambda letters: "".join(letters[:2]))
    texts = st.one_of(pairs, pairs.map("=".join), st.sampled_from("abcde"))
    hows = st.sampled_from(["mate", ABSENT])
    return tuple(
        match(draw(texts), draw(st.integers(1, 4)), draw(hows))
        for _ in range(draw(st.integers(0, 12)))
    )


@given(tours().flatmap(lambda played: st.tuples(st.just(played), st.permutations(played))))
def test_the_order_of_the_matches_makes_no_difference(
    both: tuple[tuple[Match, ...], list[Match]],
) -> None:
    played, shuffled = both
    assert rows("abcde", tuple(shuffled), *ALL_TIES) == rows("abcde", played, *ALL_TIES)
    assert rows("abcde", tuple(shuffled), by_rounds=True) == rows("abcde", played, by_rounds=True)


@given(tours())
def test_every_match_and_every_bye_hands_out_one_point(played: tuple[Match, ...]) -> None:
    assert sum(row.points for row in rows("abcde", played)) == len(played)


@given(tours())
def test_places_follow_points_and_tie_breaks(played: tuple[Match, ...]) -> None:
    table = rows("abcde", played, *ALL_TIES)
    worth = [(row.points, *row.ties) for row in table]
    assert worth == sorted(worth, reverse=True)
    assert [row.place for row in table] == [1 + worth.index(one) for one in worth]


@given(tours(), st.permutations(range(5)))
def test_who_joined_first_makes_no_difference(
    played: tuple[Match, ...], becomes: list[int]
) -> None:
    def other(one: int) -> int:
        return becomes[one - 1] + 1

    renamed = tuple(
        replace(m, fixture=replace(m.fixture, sides=tuple(map(other, m.fixture.sides))))
        for m in played
    )
    there = {row.entrant: row for row in rows("abcde", renamed, *ALL_TIES)}
    for row in rows("abcde", played, *ALL_TIES):
        twin = there[other(row.entrant)]
        assert (twin.place, twin.points, twin.ties) == (row.place, row.points, row.ties)


@given(tours().filter(bool), st.sampled_from(["1-0.5-0", "3-1-0", "2-1-0"]))
def test_winning_what_one_lost_never_lowers_ones_points(
    played: tuple[Match, ...], points: str
) -> None:
    plan = Plan("nim", points=points)
    first, *rest = played
    loser = first.fixture.sides[-1]
    won = replace(first, result=Result((2, 1)[-len(first.fixture.sides) :], "mate"))

    def points_of(all_played: tuple[Match, ...]) -> float:
        scores = scored(all_played, points)
        table = standing(entrants("abcde"), scores, plan, by_rounds=False)
        return next(row.points for row in table if row.entrant == loser)

    assert points_of((won, *rest)) >= points_of(played)
