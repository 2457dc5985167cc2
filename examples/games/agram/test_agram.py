"""Agram keeps the laws of games, and deals and takes tricks as it is played."""

import pytest
from agram import DECK, Agram, State

from rookery.sdk import Chance, IllegalMove, Seat

HANDS = (("3C", "4H"), ("9C", "AD"), ("TC", "5H"))


@pytest.mark.laws_of(Agram())
def test_agram_keeps(law):
    law()


def test_six_cards_of_thirty_five_are_dealt_to_each():
    state = Agram().start(5, Chance(7))
    dealt = [card for hand in state.hands for card in hand]
    assert len(DECK) == 35
    assert len(dealt) == len(set(dealt)) == 30


def test_the_highest_of_the_suit_that_was_led_takes_the_trick():
    state = _played(State(HANDS), "3C", "9C", "TC")
    assert (state.taken, state.turn, state.trick) == (2, 2, ())


def test_another_suit_takes_nothing_however_high():
    state = _played(State(HANDS), "4H", "AD", "5H")
    assert state.taken == 2


def test_who_can_must_follow():
    state = _played(State(HANDS), "3C")
    with pytest.raises(IllegalMove, match="follow suit"):
        Agram().play(state, Seat(1), "AD")


def test_only_the_last_trick_counts():
    ended = Agram().outcome(_played(State(HANDS), "3C", "9C", "TC", "5H", "4H", "AD"))
    assert ended is not None
    assert ended.places == (2, 2, 1)


def test_who_watches_sees_no_hand():
    assert Agram().view(State(HANDS), None).hand is None


@pytest.mark.parametrize("text", ["TH", "th", "10h", "10♥"])
def test_a_card_is_typed_as_it_is_shown(text):
    assert Agram().parse_move(text) == "TH"


def _played(state, *cards):
    for card in cards:
        state = Agram().play(state, state.turn, card).state
    return state
