"""The words every game speaks in: outcomes, forfeits, and names for JSON."""

import msgspec
import pytest

from rookery.core.game import Effect, Forfeit, Forfeited, Outcome, cap, draw, other, win
from rookery.core.ids import Seat, alone


class TileGone(Effect, frozen=True):
    row: int


def test_the_winner_is_first_and_all_others_second() -> None:
    outcome = win(4, Seat(2), "fish", "Brown has most fish.")
    assert outcome.places == (2, 2, 1, 2)
    assert outcome.winners == (Seat(2),)
    assert not outcome.drawn


def test_a_draw_is_everyone_first() -> None:
    outcome = draw(2, "discs", "Both sides have 32 discs.", (32, 32))
    assert outcome.places == (1, 1)
    assert outcome.winners == (Seat(0), Seat(1))
    assert outcome.drawn


def test_where_nobody_won_nobody_is_first() -> None:
    outcome = Outcome((2, 2), "gone", "Everyone left the game.")
    assert outcome.winners == ()
    assert not outcome.drawn


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        (Forfeit.RESIGNED, "Black resigned."),
        (Forfeit.LATE, "Black ran out of time."),
        (Forfeit.CHEATED, "Black made too many illegal moves."),
        (Forfeit.GONE, "Black left the game."),
    ],
)
def test_every_forfeit_has_a_sentence(why: Forfeit, sentence: str) -> None:
    assert Forfeited(Seat(0), why).sentence("black") == sentence


def test_an_effect_is_tagged_by_its_name_in_words() -> None:
    assert msgspec.json.encode(TileGone(3)) == b'{"type":"tile_gone","row":3}'


def test_the_opponent_of_the_opponent_is_oneself() -> None:
    assert other(Seat(0)) == Seat(1)
    assert other(other(Seat(0))) == Seat(0)


def test_a_name_begins_a_sentence_with_a_capital() -> None:
    assert cap("black") == "Black"
    assert cap("X") == "X"
    assert cap("") == ""


def test_a_seat_alone_is_the_set_of_itself() -> None:
    for seat in map(Seat, range(4)):
        assert alone(seat) == frozenset({seat})
