"""What can be tried, and by which laws: games, the levels of a game's bots, dialects.

`rookery laws` finds them by name in the registries, a test hands over the thing itself.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from rookery.bots import BEST, level_of
from rookery.bots.base import Level
from rookery.core.errors import BadOption
from rookery.dialects import DIALECTS
from rookery.dialects.base import Kind
from rookery.games import GAMES, AnyGame, parse_variant
from rookery.testing.bots import BOT_LAWS, BotCase
from rookery.testing.cases import EFFORTS, Effort, cases_of
from rookery.testing.dialects import DIALECT_LAWS, DialectCase
from rookery.testing.game_laws import GAME_LAWS
from rookery.testing.law import Law


# Any: each kind has laws of its own, for cases of its own.
class Subject(Struct, frozen=True):
    """Something to try, in so many cases, by these laws."""

    kind: str  # game, bot or dialect
    name: str
    cases: tuple[Any, ...]
    laws: tuple[Law[Any], ...]


def subjects_of(
    thing: Any,
    *,
    game: AnyGame | None = None,
    says: tuple[bytes, ...] = (),
    seed: int = 1,
    effort: str = "usual",
) -> Iterator[Subject]:
    """A game or its class, levels with the `game` they play, or a dialect and what it `says`."""
    how = effort_of(effort)
    if isinstance(thing, Kind):
        yield _dialect(thing, says, seed, how)
    elif isinstance(thing, Level | tuple | list):
        if game is None:
            raise BadOption("Levels are tried in a game: laws_of(LEVELS, game=…).")
        levels = (thing,) if isinstance(thing, Level) else tuple(thing)
        yield _bots(_made(game), levels, seed, how)
    else:
        yield _game(_made(thing), seed, how)


def subjects_called(name: str, words: str, only: str, *, seed: int, effort: str) -> list[Subject]:
    """All that is called so: a game, the bots that play it, a dialect. Raises BadOption.

    `words` are the game's options; `only` is one kind, or empty for all.
    """
    how = effort_of(effort)
    found = []
    if name in GAMES:
        game = parse_variant(f"{name} {words}")
        levels = tuple(level_of(name, level) for level in range(1, BEST + 1))
        found += [_game(game, seed, how), _bots(game, levels, seed, how)]
    if name in DIALECTS and not words:
        found.append(_dialect(DIALECTS[name], (), seed, how))
    if not found:
        raise BadOption(
            f"There is no game or dialect {name[:40]!r}; there are "
            f"{', '.join(dict.fromkeys((*GAMES, *DIALECTS)))}."
        )
    wanted = [subject for subject in found if only in ("", subject.kind)]
    if not wanted:
        raise BadOption(f"There is no {only} {name}.")
    return wanted


def effort_of(name: str) -> Effort:
    """The effort of this name. Raises BadOption."""
    if name not in EFFORTS:
        raise BadOption(f"An effort is one of {', '.join(EFFORTS)}, not {name[:40]!r}.")
    return EFFORTS[name]


def _made(game: Any) -> AnyGame:
    made: AnyGame = game() if isinstance(game, type) else game
    return made


def _game(game: AnyGame, seed: int, effort: Effort) -> Subject:
    return Subject("game", game.name, cases_of(game, seed=seed, effort=effort), GAME_LAWS)


def _bots(game: AnyGame, levels: tuple[Level, ...], seed: int, effort: Effort) -> Subject:
    seated = cases_of(game, seed=seed, effort=effort)[0]
    cases = tuple(BotCase(seated, level, n) for n, level in enumerate(levels, 1))
    return Subject("bot", game.name, cases, BOT_LAWS)


def _dialect(kind: Kind, says: tuple[bytes, ...], seed: int, effort: Effort) -> Subject:
    case = DialectCase(kind, says, seed=seed, effort=effort)
    return Subject("dialect", kind.manners.name, (case,), DIALECT_LAWS)
