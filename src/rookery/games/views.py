"""Any game's view and any game's effect, read from JSON: the tag says which game's it is.

Both are found by the registry, in the files of the games; an unknown one is just some effect.
"""

import contextlib
from functools import lru_cache

import msgspec

from rookery.core.game import AnyEffect, AnyView, Effect, View
from rookery.games import GAMES, AnyGame, effects_of, read_view, view_type
from rookery.games.absent_game import AbsentView


def read_part(kind: type, found: object) -> AnyView | AnyEffect:
    """Read a view or an effect of any game, where msgspec meets the type of either."""
    return _view(found) if kind is AnyView else read_effect(found)


def _view(found: object) -> View:
    """A view from JSON; for a game that is not installed here, a view that only says so."""
    tag = found.get("type") if isinstance(found, dict) else None
    if tag == AbsentView.__struct_config__.tag:
        return msgspec.convert(found, AbsentView)
    if any(view_type(game).__struct_config__.tag == tag for game in GAMES.values()):
        return read_view(found)
    return AbsentView("The game of this table is not installed here.", ())


def read_effect(found: object) -> Effect:
    """An effect from JSON; an unknown one is a bare Effect.

    Where games have effects of the same name, the first kind that fits is taken.
    """
    tag = found.get("type") if isinstance(found, dict) else None
    called = _effects(tuple(GAMES.values()))
    for kind in called.get(tag, ()) if isinstance(tag, str) else ():
        with contextlib.suppress(msgspec.ValidationError):
            return msgspec.convert(found, kind)
    return Effect()


@lru_cache(maxsize=1)
def _effects(games: tuple[type[AnyGame], ...]) -> dict[object, tuple[type[Effect], ...]]:
    """The kinds of effects that these games have, by their names in JSON."""
    called: dict[object, tuple[type[Effect], ...]] = {}
    for kind in (one for game in games for one in effects_of(game)):
        tag = kind.__struct_config__.tag
        called[tag] = (*called.get(tag, ()), kind)
    return called
