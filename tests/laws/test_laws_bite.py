"""The laws themselves, tried on a game that breaks them: each is caught by the law it breaks."""

from collections.abc import Callable
from typing import Final

import pytest

from rookery.core.errors import IllegalMove
from rookery.core.game import Forfeit
from tests.laws import (
    test_outcome_laws,
    test_play_laws,
    test_text_laws,
    test_value_laws,
    test_view_laws,
)
from tests.laws.broken import Pile
from tests.laws.variants import Case

Law = Callable[[Case], None]

ACCEPTED: Final = pytest.fail.Exception  # what `pytest.raises` says when nothing was raised


def never_first(case: Case) -> None:
    test_outcome_laws.test_a_seat_that_forfeits_is_never_first(case, Forfeit.LATE)


phase_over = test_play_laws.test_the_phase_is_over_exactly_when_there_is_an_outcome
phases = test_play_laws.test_a_game_names_every_phase_it_is_in
listed_is_accepted = test_play_laws.test_every_legal_move_is_accepted
unlisted_is_refused = (
    test_play_laws.test_a_move_that_is_not_legal_here_is_refused_with_a_code_and_a_sentence
)
turns = test_play_laws.test_a_seat_that_is_not_to_act_has_no_moves_and_is_told_so
ends = test_play_laws.test_a_random_game_ends_in_time
ended_is_ended = test_outcome_laws.test_nobody_forfeits_after_the_end
ranking = test_outcome_laws.test_places_are_a_ranking_of_the_teams
reads_what_it_wrote = test_text_laws.test_a_move_is_read_back_as_it_was_written
reads_anything = test_text_laws.test_a_text_is_no_move_or_one_that_is_written_and_read_the_same
views = test_view_laws.test_games_that_a_viewer_cannot_tell_apart_look_the_same_to_it
worlds = test_view_laws.test_worlds_that_differ_in_what_is_hidden_begin_and_sound_the_same
values = test_value_laws.test_states_are_values_and_differ_after_every_move

CAUGHT: Final[dict[str, tuple[Law, type[BaseException]]]] = {
    "plays in the end": (phase_over, AssertionError),
    "plays in silence": (phases, AssertionError),
    "lists too much": (listed_is_accepted, IllegalMove),
    "lists too little": (unlisted_is_refused, ACCEPTED),
    "crashes": (unlisted_is_refused, KeyError),
    "mumbles": (unlisted_is_refused, AssertionError),
    "takes any seat": (turns, ACCEPTED),
    "stands still": (ends, AssertionError),
    "forfeits for ever": (ended_is_ended, ACCEPTED),
    "rewards": (never_first, AssertionError),
    "splits a team": (ranking, AssertionError),
    "ranks badly": (ranking, AssertionError),
    "writes one thing": (reads_what_it_wrote, AssertionError),
    "trusts int": (reads_anything, ValueError),
    "leaks later": (views, AssertionError),
    "leaks at once": (worlds, AssertionError),
    "keeps a list": (values, TypeError),
}


def pile(fault: str) -> Case:
    return Case(Pile(fault), 2, "pile", longest=5)


@pytest.mark.parametrize("fault", CAUGHT)
def test_a_broken_game_is_caught_by_the_law_it_breaks(fault: str) -> None:
    law, complaint = CAUGHT[fault]
    with pytest.raises(complaint):
        law(pile(fault))


@pytest.mark.parametrize("law", dict.fromkeys(law for law, _ in CAUGHT.values()))
def test_the_same_game_without_a_fault_keeps_the_law(law: Law) -> None:
    law(pile(""))
