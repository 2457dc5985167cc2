"""The registry: every game there is, by name.

A new game is a file beside this one and a line here; the laws test it at once.
"""

from collections.abc import Mapping
from typing import Any, Final, get_type_hints

import msgspec

from rookery.core.errors import BadOption
from rookery.core.game import Game, View
from rookery.core.text.options import make_variant, split_options, variant_text
from rookery.games.bughouse import Bughouse, BughouseOne
from rookery.games.fish import Fish
from rookery.games.guess import Guess
from rookery.games.nim import Nim
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe

Variant = Bughouse | Fish | Guess | Nim | Reversi | Tictactoe

GAMES: Final[Mapping[str, type[Variant]]] = {
    Bughouse.name: Bughouse,
    Fish.name: Fish,
    Guess.name: Guess,
    Nim.name: Nim,
    Reversi.name: Reversi,
    Tictactoe.name: Tictactoe,
}

# What was begun by older rules is judged by them to its end, and read by them for ever.
EARLIER: Final[Mapping[tuple[str, int], type[Variant]]] = {
    (BughouseOne.name, BughouseOne.rules): BughouseOne,
}

# Any: whoever holds a game of unknown kind passes its states and moves back to it unread.
AnyGame = Game[Any, Any]


def find_game(name: str) -> type[Variant]:
    """The game of this name. Raises BadOption."""
    if name not in GAMES:
        raise BadOption(f"There is no game {name[:40]!r}; there are {', '.join(GAMES)}.")
    return GAMES[name]


def parse_variant(text: str, rules: int | None = None) -> Variant:
    """The variant this text means, like `reversi size=10`. Raises BadOption.

    By this version of its rules, where it is an earlier one that is still known; else by ours.
    """
    name, *words = text.split() or [""]
    game = find_game(name)
    if rules is not None:
        game = EARLIER.get((name, rules), game)
    return make_variant(game, name, split_options(words))


def view_type(game: type[Variant]) -> type[View]:
    """The kind of view that this game has."""
    kind = get_type_hints(game.view)["return"]
    assert isinstance(kind, type), "a game has one kind of view"
    assert issubclass(kind, View), "what is seen of a game is a view"
    return kind


def read_view(found: object) -> View:
    """A view of any game of the registry, from JSON: the tag in it says which."""
    tag = found.get("type") if isinstance(found, dict) else None
    for game in GAMES.values():
        kind = view_type(game)
        if kind.__struct_config__.tag == tag:
            return msgspec.convert(found, kind)
    raise msgspec.ValidationError(f"There is no game that is seen as {tag!r}")


def format_variant(game: Variant) -> str:
    """The shortest text that `parse_variant` reads as this variant."""
    return variant_text(game, game.name)
