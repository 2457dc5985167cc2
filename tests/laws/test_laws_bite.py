"""The laws themselves, tried on a game that breaks them: each is caught by the law it breaks."""

from typing import Final

import pytest

from rookery.testing import GAME_LAWS, Counterexample, GameCase
from tests.laws.broken import Pile

LAWS: Final = {law.name: law for law in GAME_LAWS}

CAUGHT: Final = {
    "plays in the end": "the_phase_is_over_exactly_when_there_is_an_outcome",
    "plays in silence": "a_game_names_every_phase_it_is_in",
    "lists too much": "every_legal_move_is_accepted",
    "lists too little": "a_move_that_is_not_legal_here_is_refused",
    "crashes": "a_move_that_is_not_legal_here_is_refused",
    "mumbles": "a_move_that_is_not_legal_here_is_refused",
    "takes any seat": "a_seat_that_is_not_to_act_has_no_moves_and_is_told_so",
    "stands still": "a_random_game_ends_in_time",
    "forfeits for ever": "nobody_forfeits_after_the_end",
    "rewards": "a_seat_that_forfeits_is_never_first",
    "splits a team": "places_are_a_ranking_of_the_teams",
    "ranks badly": "places_are_a_ranking_of_the_teams",
    "writes one thing": "a_move_is_read_back_as_it_was_written",
    "trusts int": "a_text_is_no_move_or_one_that_is_written_and_read_the_same",
    "leaks later": "games_that_a_viewer_cannot_tell_apart_look_the_same_to_it",
    "leaks at once": "worlds_that_differ_in_what_is_hidden_begin_and_sound_the_same",
    "keeps a list": "states_are_values_and_differ_after_every_move",
    "sees another": "a_state_that_is_made_up_looks_as_what_it_was_made_from",
    "hopes too much": "an_evaluation_is_a_number_from_0_to_1",
}


def pile(fault: str) -> GameCase:
    return GameCase(Pile(fault), 2, longest=5)


def told(fault: str, law: str = "") -> str:
    with pytest.raises(Counterexample) as caught:
        LAWS[law or CAUGHT[fault]].hold(pile(fault))
    return str(caught.value)


@pytest.mark.parametrize("fault", CAUGHT)
def test_a_broken_game_is_caught_by_the_law_it_breaks(fault: str) -> None:
    told(fault)


@pytest.mark.parametrize("law", dict.fromkeys(CAUGHT.values()))
def test_the_same_game_without_a_fault_keeps_the_law(law: str) -> None:
    LAWS[law].hold(pile(""))


def test_what_breaks_a_law_is_told_as_something_to_do_again() -> None:
    assert told("crashes").splitlines()[:6] == [
        "A move that is not legal here is refused with a code and a sentence. It does not:",
        "  of:       pile fault=crashes for 2",
        "  seed:     3",
        "  moves:    left 2, right 1, left 1",
        "  position: State(lucky=1, pile=4, turn=1, lost=None, moves=None)",
        "  expected: no such thing",
    ]
    assert "KeyError: 2 (in play," in told("crashes")


def test_what_breaks_a_law_at_once_is_told_without_a_move() -> None:
    assert "moves:    none yet" in told("lists too much")


def test_a_text_that_breaks_a_law_is_told_with_nothing_to_spare() -> None:
    assert "  text:     ''" in told("trusts int")


def test_two_games_that_should_look_the_same_are_both_told() -> None:
    said = told("leaks later")
    assert "expected: that a spectator sees PileView(pile=4, turn=" in said
    assert "as after the same moves from seed 0" in said


def test_rules_that_never_come_back_are_told_so() -> None:
    case = GameCase(Pile("never ends"), 2, longest=5, patience=0.1)
    with pytest.raises(Counterexample) as caught:
        LAWS["every_legal_move_is_accepted"].hold(case)
    assert "expected: that it takes no longer than 0.1 seconds" in str(caught.value)
    assert "came:     it took longer (in play," in str(caught.value)
