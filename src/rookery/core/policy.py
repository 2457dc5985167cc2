"""A table's policies: what happens when somebody does what the rules of the game do not cover.

They are chosen when the table is opened and kept in its first event, so that a replay
decides as the referee did. A port has one of its own: how those who were gone come back.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros

DEFAULT_GRACE: Final[Micros] = 60 * MICROS_A_SECOND


class Gone(StrEnum):
    """What becomes of a seat whose player is away; after a restart everyone has the grace first."""

    FORFEIT = "forfeit"  # it loses when the grace period is over
    HOLD = "hold"  # everyone waits; its clock runs on
    AT_ONCE = "at_once"  # it loses when its connection goes
    TAKEOVER = "takeover"  # a house bot plays on for it after the grace; it loses where none does


class Return(StrEnum):
    """How a client becomes a player from before at a port, in dialects that have no tokens."""

    HOST = "host"  # by calling from the same host, once the old connection is gone
    NEVER = "never"  # by a secret alone; where the language has none, not at all


class Begin(StrEnum):
    """When a game starts."""

    FULL = "full"  # with the last seat taken
    OWNER = "owner"  # when the table's owner says so, and all seats are taken


class Errors(Struct, frozen=True):
    """How many illegal moves cost a seat the game; 0 is any number for free, 1 the first."""

    limit: int = 0
    in_a_row: bool = True  # a legal move wipes the slate
    out_of_turn: bool = False  # whether moves out of turn count


class Policy(Struct, frozen=True):
    """All of a table's policies."""

    begin: Begin = Begin.FULL
    gone: Gone = Gone.FORFEIT
    grace: Micros = DEFAULT_GRACE
    errors: Errors = Errors()
    only: str = ""  # the one dialect whose players may sit here; empty is any
