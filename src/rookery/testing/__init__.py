"""The laws of games, bots and dialects, for whoever writes one: `rookery laws NAME`, or pytest.

Nothing here needs more than Rookery itself: what the laws are tried on is drawn from seeds,
and what breaks one is made smaller by us. A test of a package of one's own is three lines:

    import pytest
    from connect4 import Connect4

    @pytest.mark.laws_of(Connect4())
    def test_connect4_keeps(law):
        law()

`cases` plays the games that laws look at, `law` tries one and tells what breaks it, and
`games`, `bots` and `dialects` have the laws themselves.
"""

from rookery.testing.cases import DEEP, EFFORTS, QUICK, USUAL, Effort, GameCase, cases_of
from rookery.testing.game_laws import GAME_LAWS
from rookery.testing.law import Broken, Counterexample, Law

__all__ = [
    "DEEP",
    "EFFORTS",
    "GAME_LAWS",
    "QUICK",
    "USUAL",
    "Broken",
    "Counterexample",
    "Effort",
    "GameCase",
    "Law",
    "cases_of",
]
