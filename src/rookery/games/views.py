"""Any game's view and any game's effect, read from JSON: the tag in one says whose it is.

A view is found by the registry. Of effects those are read that somebody may want to hear of;
one of a game that is not named here is just some effect.
"""

from typing import Final, get_args

import msgspec

from rookery.core.game import AnyEffect, AnyView, Effect
from rookery.games import read_view
from rookery.games.bughouse import Castled, Dropped, EnPassant, Handed, Promoted
from rookery.games.fish import Removed, Scored, Skipped
from rookery.games.guess import Answered
from rookery.games.reversi import Flipped, Passed

Known = (
    Answered
    | Castled
    | Dropped
    | EnPassant
    | Flipped
    | Handed
    | Passed
    | Promoted
    | Removed
    | Scored
    | Skipped
)

_TAGS: Final = {kind.__struct_config__.tag for kind in get_args(Known)}


def read_part(kind: type, found: object) -> AnyView | AnyEffect:
    """A view or an effect: what msgspec asks where either is written for one of any game."""
    return read_view(found) if kind is AnyView else read_effect(found)


def read_effect(found: object) -> Effect:
    """An effect from JSON; one that is not known is just some effect."""
    tag = found.get("type") if isinstance(found, dict) else None
    return msgspec.convert(found, Known) if tag in _TAGS else Effect()
