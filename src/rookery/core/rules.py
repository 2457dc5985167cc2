"""Where the house asks a game's rules, and what happens when they break.

Rules are somebody else's code, be it ours: what they raise besides a `Mistake`, or do not
come to an end with, is their table's misfortune and not the server's. `BROKEN` is all that
counts as that; whoever asks the rules catches it there, and nowhere else.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from rookery.core.errors import Mistake

T = TypeVar("T")

FAILED: Final = "rules_failed"  # how such a game ends, and the code of a refusal


class TookTooLong(BaseException):
    """It had its time, and was not done. No `Exception`: rules that catch those go on for ever."""


BROKEN: Final = (Exception, TookTooLong)


class RulesFailed(Exception):
    """The rules broke where something was asked of this table; its cause says how."""

    def __init__(self, table: int | None = None) -> None:
        super().__init__(f"the rules failed at table {table}")
        self.table = table


def ask(table: int | None, rule: Callable[..., T], *given: object) -> T:
    """What the rules say to this. Raises Mistake where they do, else RulesFailed."""
    try:
        return rule(*given)
    except Mistake:
        raise
    except BROKEN as wrong:
        raise RulesFailed(table) from wrong
