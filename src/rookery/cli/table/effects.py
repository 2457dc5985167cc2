"""The effects of moves that matter to a person, as words.

An effect tells what a move's text does not: that discs turned over, that a seat had no move.
Each effect has its own words; one that a drawing shows anyway has none.
"""

from collections import Counter
from collections.abc import Iterable

from rookery.clients.native.players import Players
from rookery.core.game import AnyEffect, Aside, Effect


def effect_words(effects: Iterable[AnyEffect], players: Players) -> list[str]:
    """The words of these effects, in order; several of a kind become one count where they can."""
    known = [effect for effect in effects if isinstance(effect, Effect)]
    kinds = Counter(type(effect) for effect in known)
    words = []
    for effect in known:
        if effect.many and kinds[type(effect)] > 1:
            words.append(effect.many.format(kinds[type(effect)]))
        else:
            words.append(effect.words(players.who))
    return list(dict.fromkeys(filter(None, words)))


def heard_by_all(effects: Iterable[Effect | Aside]) -> tuple[AnyEffect, ...]:
    """The effects of a game's step that are for everyone."""
    return tuple(effect for effect in effects if not isinstance(effect, Aside))
