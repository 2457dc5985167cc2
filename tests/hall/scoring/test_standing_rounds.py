"""The standing of knock-outs, where how far one came goes before points."""

from msgspec.structs import replace

from rookery.core.ids import PlayerId
from rookery.core.tour_values import BYE, WITHDRAWN, Entrant, Fixture, Match, Plan, Result
from rookery.hall.scoring.standing import standing
from tests.hall.scoring.scores import scored


def field(count: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(n, str(n), (PlayerId(n),)) for n in range(1, count + 1))


def won(in_round: int, winner: int, loser: int, how: str = "mate") -> Match:
    return Match(Fixture(in_round, (winner, loser)), result=Result((1, 2), how))


def drawn(in_round: int, *sides: int) -> Match:
    return Match(Fixture(in_round, sides), result=Result((1,) * len(sides), "drawn"))


def bye(in_round: int, entrant: int) -> Match:
    return Match(Fixture(in_round, (entrant,)), result=Result((1,), BYE))


def places(entrants: tuple[Entrant, ...], *matches: Match, ties: tuple[str, ...] = ()) -> list[int]:
    """The place of each entrant, by number."""
    plan = Plan("nim", format="knockout", ties=ties)
    table = standing(entrants, scored(matches), plan, by_rounds=True)
    return [row.place for row in sorted(table, key=lambda row: row.entrant)]


def test_a_round_further_is_a_better_place() -> None:
    played = [won(1, 1, 4), won(1, 2, 3), won(2, 2, 1)]
    assert places(field(4), *played) == [2, 1, 3, 3]


def test_tie_breaks_part_those_who_went_out_in_the_same_round() -> None:
    # 4 lost to 1, who has 1 point; 3 lost to 2, who has 2.
    played = [won(1, 1, 4), won(1, 2, 3), won(2, 2, 1)]
    assert places(field(4), *played, ties=("buchholz",)) == [2, 1, 3, 4]


def test_a_bye_goes_a_round_further_like_a_win() -> None:
    played = [bye(1, 1), won(1, 2, 3)]
    assert places(field(3), *played) == [1, 1, 3]
    assert places(field(3), *played, won(2, 2, 1)) == [2, 1, 3]


def test_who_lost_the_final_is_ahead_of_who_won_the_play_off_with_more_points() -> None:
    # Two legs: in the semifinals 1½-½ and 2-0, for third place 2-0, in the final 2-0.
    semifinals = [won(1, 1, 4), drawn(1, 4, 1), won(1, 2, 3), won(1, 2, 3)]
    play_off = [won(2, 4, 3), won(2, 4, 3)]
    final = [won(3, 2, 1), won(3, 2, 1)]
    scores = scored((*semifinals, *play_off, *final))
    table = standing(field(4), scores, Plan("nim", ties=()), by_rounds=True)
    assert [(row.place, row.entrant, row.points) for row in table] == [
        (1, 2, 4),
        (2, 1, 1.5),
        (3, 4, 2.5),
        (4, 3, 0),
    ]


def test_a_final_that_is_still_to_come_is_ahead_of_the_play_off() -> None:
    semifinals = [won(1, 1, 4), won(1, 2, 3)]
    assert places(field(4), *semifinals, won(2, 3, 4), Match(Fixture(3, (1, 2)))) == [1, 1, 3, 4]


def test_who_has_lost_is_behind_those_whose_match_is_to_come() -> None:
    assert places(field(4), won(1, 1, 4), Match(Fixture(1, (2, 3)))) == [1, 2, 2, 4]


def test_legs_are_taken_together() -> None:
    assert places(field(2), won(1, 1, 2), drawn(1, 2, 1)) == [1, 2]


def test_a_deciding_match_decides() -> None:
    assert places(field(2), won(1, 1, 2), won(1, 2, 1), won(1, 2, 1)) == [2, 1]


def test_who_leaves_in_the_middle_of_a_tie_has_lost_it() -> None:
    one, *others = field(4)
    entrants = (replace(one, out="withdrawn"), *others)
    semifinals = [won(1, 1, 4), won(1, 1, 4), won(1, 2, 3), drawn(1, 3, 2)]
    final = [won(2, 1, 2), won(2, 2, 1, WITHDRAWN)]
    assert places(entrants, *semifinals, *final)[:2] == [2, 1]


def test_who_leaves_after_losing_keeps_its_place() -> None:
    entrants = tuple(replace(e, out="withdrawn" if e.number == 4 else "") for e in field(4))
    played = [won(1, 1, 4), won(1, 2, 3), won(2, 2, 1)]
    assert places(entrants, *played) == [2, 1, 3, 3]


def test_a_final_of_four_ranks_its_players_by_their_places_in_it() -> None:
    # 3 came from a table of two and 1 from a table of four, and has more points from there.
    first = [
        Match(Fixture(1, (1, 5, 6, 7)), result=Result((1, 2, 3, 4), "over")),
        won(1, 3, 8),
        won(1, 2, 9),
    ]
    final = Match(Fixture(2, (1, 2, 3)), result=Result((3, 2, 1), "over"))
    assert places(field(9), *first, final)[:3] == [3, 2, 1]


def test_those_first_in_the_final_share_first_place_whatever_their_points() -> None:
    first = [
        Match(Fixture(1, (1, 4, 5, 6)), result=Result((1, 2, 3, 4), "over")),
        won(1, 2, 7),
        won(1, 3, 8),
    ]
    final = Match(Fixture(2, (1, 2, 3)), result=Result((1, 1, 3), "over"))
    assert places(field(8), *first, final, ties=("wins",))[:3] == [1, 1, 3]


def test_all_who_draw_in_the_last_round_share_first_place_whatever_the_table() -> None:
    last = [drawn(2, 1, 2, 3), drawn(2, 4, 5)]
    first = [drawn(1, 1, 2, 3), drawn(1, 4, 5)]
    assert places(field(5), *first, *last) == [1, 1, 1, 1, 1]
