"""Every game of the house is taught: in a few sentences, and three positions that can be solved."""

from typing import cast

import pytest

from rookery.core.presentation import taught_of
from rookery.games import GAMES, AnyGame
from rookery.games.nim import Nim
from rookery.server.web.api_positions import position_of


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_rules_and_three_positions_that_can_be_solved(name: str) -> None:
    taught = taught_of(GAMES[name])
    assert taught.rules
    assert len(taught.lessons) == 3
    for lesson in taught.lessons:
        shown = position_of(GAMES[name], lesson)
        assert set(shown.good) <= set(shown.legal)
        assert set(shown.after) <= set(shown.good)
        assert shown.after
        assert all(text.endswith((".", "?")) for text in (lesson.task, lesson.why))
        if lesson.good:
            assert len(shown.good) < len(shown.legal), "there is something to find"


class Silent:
    """Take what you like.

    It is over when nothing is left.
    """


def test_a_game_that_says_nothing_is_taught_by_what_it_says_of_itself() -> None:
    taught = taught_of(cast("type[AnyGame]", Silent))
    assert taught.rules == ("Take what you like.", "It is over when nothing is left.")
    assert len(position_of(Nim, taught.lessons[0]).good) > 1
