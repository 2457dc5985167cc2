"""Any game's view and any game's effect, read from JSON: the tag in one says whose it is.

A view is found by the registry. Of effects those are read that somebody may want to hear of,
and those in the files of plug-ins; any other is just some effect.
"""

import contextlib
from collections.abc import Iterable
from typing import Any, Final, cast, get_args

import msgspec

from rookery.core.game import AnyEffect, AnyView, Effect, View
from rookery.games import GAMES, added, effects_of, read_view, view_type
from rookery.games.absent import AbsentView
from rookery.games.bughouse import Castled, Dropped, EnPassant, Handed, Promoted
from rookery.games.fish import Removed, Scored, Skipped
from rookery.games.guess import Answered
from rookery.games.reversi.effects import Flipped, Passed

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
    return _view(found) if kind is AnyView else read_effect(found)


def _view(found: object) -> View:
    """A view from JSON; of a game that is not installed here only that it is not."""
    tag = found.get("type") if isinstance(found, dict) else None
    if tag == AbsentView.__struct_config__.tag:
        return msgspec.convert(found, AbsentView)
    if any(view_type(game).__struct_config__.tag == tag for game in GAMES.values()):
        return read_view(found)
    return AbsentView("The game of this table is not installed here.", ())


def read_effect(found: object) -> Effect:
    """An effect from JSON; one that is not known is just some effect.

    Where games have called their effects alike, the first whose kind it can be has it.
    """
    tag = found.get("type") if isinstance(found, dict) else None
    kinds = [one for game in added() for one in effects_of(game)]
    # Any: to msgspec a union is a kind like another.
    known: list[Any] = [Known] if tag in _TAGS else []
    for kind in (*known, *_called(tag, kinds)):
        with contextlib.suppress(msgspec.ValidationError):
            return cast("Effect", msgspec.convert(found, kind))
    return Effect()


def _called(tag: object, kinds: Iterable[type[Effect]]) -> list[type[Effect]]:
    return [kind for kind in kinds if kind.__struct_config__.tag == tag]
