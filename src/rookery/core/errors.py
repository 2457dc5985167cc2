"""What somebody outside got wrong, each as one sentence for a person; and rules that break.

A `Mistake` is the only exception that the layers above may catch. Our own mistakes are
`assert`s, and crash. Rules are somebody else's code, be it ours: if they raise anything besides
a `Mistake`, or do not come to an end, that is their table's misfortune and not the server's.
`BROKEN` is all that counts as that; code that asks the rules catches it there, and nowhere else.
"""

from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")


class Mistake(ValueError):
    """Somebody's mistake; `str(mistake)` is one sentence that says what is wrong."""


class Damaged(Mistake):
    """The log's record of something is damaged, or cannot be read from the disk.

    Nobody's mistake, and not ours either: it concerns what was asked for and nothing else.
    """


class BadOption(Mistake):
    """A variant cannot be made with these options."""


class BadTimeControl(Mistake):
    """A time control that cannot be read, or that nobody could play with."""


class BadPosition(Mistake):
    """A position that cannot be read, or that no game could reach."""


class BadNotation(Mistake):
    """A text that is no move of this game, whatever the position."""


class IllegalMove(Mistake):
    """The rules say no.

    `code` is a word of the game's own, stable for ever, which a dialect puts into its
    own sentence; the sentence here is for everyone else.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


NOT_YOUR_TURN = "not_your_turn"  # the one code that every game shares, with GAME_OVER
GAME_OVER = "game_over"


def not_your_turn() -> IllegalMove:
    """The refusal of a move by a seat that is not to act."""
    return IllegalMove(NOT_YOUR_TURN, "It is not your turn.")


def game_over() -> IllegalMove:
    """The refusal of anything after the end."""
    return IllegalMove(GAME_OVER, "The game is over.")


FAILED: Final = "rules_failed"  # how such a game ends, and the code of a refusal


class TookTooLong(BaseException):
    """The rules used up their time. No `Exception`: rules that catch those would go on for ever."""


# Whatever rules raise, but Ctrl-C: that is ours. `exit()` in a game would end the server.
BROKEN: Final = (Exception, TookTooLong, SystemExit, GeneratorExit)


class RulesFailed(Exception):
    """The rules broke where something was asked of this table; its cause says how.

    Where there is no table yet, `game` names the game whose rules they are, if it is known.
    """

    def __init__(self, table: int | None = None, game: str = "") -> None:
        super().__init__(f"the rules failed at table {table}")
        self.table = table
        self.game = game


def ask(table: int | None, rule: Callable[..., T], *given: object) -> T:
    """Ask a rule, and return its answer. Raises RulesFailed; without a table BadOption as it is."""
    try:
        return rule(*given)
    except BROKEN as wrong:
        if table is None and isinstance(wrong, BadOption):
            raise
        raise RulesFailed(table) from wrong
