"""The registry: every game there is, by name.

A new game is a file beside this one and a line here; the laws test it at once. Those of
plug-ins are registered at the start of a process, and are then like all others.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, get_type_hints

import msgspec

from rookery.core.errors import BadOption
from rookery.core.game import Effect, Game, View
from rookery.core.options import make_variant, split_options, variant_text
from rookery.core.plugin import HOUSE, BadPlugin, Origin, clashes
from rookery.games.bughouse import Bughouse
from rookery.games.fish import Fish
from rookery.games.guess import Guess
from rookery.games.nim import Nim
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe

# Any: code that holds a game of unknown kind passes its states and moves back to it unread.
AnyGame = Game[Any, Any]

_games: Final[dict[str, type[AnyGame]]] = {
    Bughouse.name: Bughouse,
    Fish.name: Fish,
    Guess.name: Guess,
    Nim.name: Nim,
    Reversi.name: Reversi,
    Tictactoe.name: Tictactoe,
}

GAMES: Final[Mapping[str, type[AnyGame]]] = _games

_origins: Final[dict[str, Origin]] = {}  # of those that did not come with the house
_suspended: Final[dict[str, str]] = {}  # those that are out of use, and why


def register(game: type[AnyGame], origin: Origin) -> None:
    """Add this game to the registry. Raises BadPlugin where its name or view clashes."""
    if game.name in GAMES:
        raise clashes("game", game.name, origin_of(game.name))
    tag = _tag(game)
    for name, other in GAMES.items():
        if _tag(other) == tag:
            raise BadPlugin(f"its view is called {tag!r} in JSON, as that of {name} is")
    _games[game.name] = game
    _origins[game.name] = origin


def suspend(name: str, why: str) -> None:
    """Put this game out of use until the process ends; the sentence tells players why."""
    _games.pop(name, None)
    _suspended[name] = why


def effects_of(game: type[AnyGame]) -> tuple[type[Effect], ...]:
    """The kinds of effects in the file of a game, or beside it in a package of its own."""
    package = game.__module__.rpartition(".")[0]
    home = game.__module__ if package in ("", __name__) else package
    kinds, found = list(Effect.__subclasses__()), list[type[Effect]]()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if f"{kind.__module__}.".startswith(f"{home}."):
            found.append(kind)
    return tuple(found)


def is_suspended(name: str) -> bool:
    """Whether this game is out of use."""
    return name in _suspended


def is_added(name: str) -> bool:
    """Whether this game did not come with the house."""
    return name in _origins


def origin_of(name: str) -> Origin:
    """Where the game of this name comes from."""
    return _origins.get(name, HOUSE)


def find_game(name: str) -> type[AnyGame]:
    """The game of this name. Raises BadOption."""
    if name in _suspended:
        raise BadOption(_suspended[name])
    if name not in GAMES:
        raise BadOption(f"There is no game {name[:40]!r}; there are {', '.join(GAMES)}.")
    return GAMES[name]


def parse_variant(text: str) -> AnyGame:
    """The variant this text means, like `reversi size=10`. Raises BadOption."""
    name, *words = text.split() or [""]
    return make_variant(find_game(name), name, split_options(words))


@cache  # Python reads the words of a signature anew each time, which takes 40 µs
def view_type(game: type[AnyGame]) -> type[View]:
    """The kind of view that this game has."""
    kind = get_type_hints(game.view)["return"]
    assert isinstance(kind, type), "a game has one kind of view"
    assert issubclass(kind, View), "what is seen of a game is a view"
    return kind


def read_view(found: object) -> View:
    """A view of any game of the registry, from JSON: the tag in it says which."""
    tag = found.get("type") if isinstance(found, dict) else None
    for game in GAMES.values():
        if _tag(game) == tag:
            return msgspec.convert(found, view_type(game))
    raise msgspec.ValidationError(f"There is no game that is seen as {tag!r}")


def _tag(game: type[AnyGame]) -> object:
    return view_type(game).__struct_config__.tag


def format_variant(game: AnyGame) -> str:
    """The shortest text that `parse_variant` reads as this variant."""
    return variant_text(game, game.name)
