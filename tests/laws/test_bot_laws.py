"""The laws of bots on every level of every registered game."""

import pytest

from rookery.bots import BEST, level_of
from rookery.games import GAMES
from rookery.testing import QUICK, Law, cases_of
from rookery.testing.bots import BOT_LAWS, BotCase

CASES = [
    BotCase(cases_of(game(), effort=QUICK)[0], level_of(name, level), level)
    for name, game in GAMES.items()
    for level in range(1, BEST + 1)
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("law", BOT_LAWS, ids=lambda law: law.name)
def test_a_level_keeps_the_law(law: Law[BotCase], case: BotCase) -> None:
    assert law.hold(case)
