"""What is remembered of rules is what they would say again, and no more than a bound of it."""

import pytest

from rookery.core.errors import BadNotation
from rookery.core.ids import Seat, alone
from rookery.games import parse_variant
from rookery.hall.tables.quick_move import ACTS_KEPT, TEXTS_KEPT, MoveCache, ToActCache


def test_a_text_is_read_once_by_each_game() -> None:
    texts = MoveCache()
    small, large = parse_variant("reversi size=6"), parse_variant("reversi size=10")
    first = texts.read(small, "d3")
    assert first is not None
    assert first.move == small.parse_move("d3")
    assert texts.known[id(small), "d3"] is first
    assert (id(large), "d3") not in texts.known


def test_a_text_that_is_written_in_another_way_is_not_known() -> None:
    texts, game = MoveCache(), parse_variant("reversi")
    assert texts.read(game, "D3") is None
    with pytest.raises(BadNotation):
        texts.read(game, "nonsense")
    assert not texts.known


def test_a_move_that_could_be_changed_is_read_each_time() -> None:
    class Loose:
        """A game whose moves are lists."""

        def parse_move(self, text: str) -> list[str]:
            return [text]

        def format_move(self, move: list[str]) -> str:
            return move[0]

    texts = MoveCache()
    found = texts.read(Loose(), "x")  # type: ignore[arg-type] # as much of a game as is asked
    assert found is not None
    assert found.move == ["x"]
    assert not texts.known


def test_no_more_texts_are_kept_than_the_bound() -> None:
    texts, game = MoveCache(), parse_variant("nim")
    for n in range(TEXTS_KEPT):
        texts.read(game, f"0,{n + 1}")
    assert len(texts.known) == TEXTS_KEPT
    texts.read(game, f"0,{TEXTS_KEPT + 1}")
    assert len(texts.known) == 1


def test_seats_are_listed_from_the_lowest_and_need_so_large_a_table() -> None:
    acts = ToActCache()
    found = acts.look_at(frozenset({Seat(3), Seat(1)}))
    assert found is not None
    assert (found.listed, found.seats) == ((1, 3), 4)
    known = acts.look_at(alone(Seat(0)))
    assert acts.known[id(alone(Seat(0)))] is known


@pytest.mark.parametrize(
    "acts", [frozenset(), frozenset({-1}), frozenset({True}), frozenset({"0"}), {0}, (0,), None]
)
def test_what_cannot_be_seats_is_not_known(acts: object) -> None:
    known = ToActCache()
    assert known.look_at(acts) is None  # type: ignore[arg-type] # what a broken game says
    assert not known.known


def test_no_more_sets_are_kept_than_the_bound() -> None:
    known = ToActCache()
    made = [frozenset({Seat(n)}) for n in range(ACTS_KEPT + 1)]
    for acts in made[:-1]:
        known.look_at(acts)
    assert len(known.known) == ACTS_KEPT
    known.look_at(made[-1])
    assert len(known.known) == 1
