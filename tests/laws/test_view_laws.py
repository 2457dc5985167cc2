"""The law of views: what a viewer is shown follows from what it was told, and nothing else.

Two games that a viewer cannot tell apart by what it has heard must look the same to it,
whatever is hidden in them. So many games are played, what each viewer heard is kept,
and wherever two stories are the same the views are compared. Until the end, that is:
after it nothing is secret.
"""

import pytest

from tests.laws.stories import WORLDS, Moment, hides_something, moments
from tests.laws.variants import CASES, Case

HIDING = [case for case in CASES if hides_something(case)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_games_that_a_viewer_cannot_tell_apart_look_the_same_to_it(case: Case) -> None:
    first_told: dict[object, Moment] = {}
    for moment in moments(case):
        first = first_told.setdefault((moment.viewer, moment.start, moment.heard), moment)
        assert moment.view == first.view


# A view that gave the secret away from the start would tell all worlds apart, and leave
# the law above nothing to compare.
@pytest.mark.parametrize("case", HIDING, ids=str)
def test_worlds_that_differ_in_what_is_hidden_begin_and_sound_the_same(case: Case) -> None:
    stories: dict[object, set[object]] = {}
    for moment in moments(case):
        story = (moment.viewer, moment.start, moment.heard)
        stories.setdefault(story, set()).add(moment.world)
    assert sum(len(worlds) - 1 for worlds in stories.values()) > WORLDS // 4


def test_some_game_hides_something() -> None:
    assert HIDING
