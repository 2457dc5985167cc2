"""The settings of the house: which games it has bots for, how good, and how soon they come.

They stand in `[house]` of the settings file; as one text (`--house`, `ROOKERY_HOUSE`) they
are words with commas between: `on`, `off` or `auto`, and `NAME=VALUE` for the others.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from rookery.bots import BEST
from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.options import check_whole
from rookery.games import GAMES, find_game
from rookery.server.house_bots.pacing import BotPace

LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})  # where only this machine can call
SWITCHES: Final = {"on": True, "off": False, "true": True, "false": False}
AUTO: Final = "auto"
NAMES: Final = ("enabled", "games", "wait", "level", "workers", "settle", "pace")
WAIT_MAX: Final = 3600  # seconds
WORKERS_MAX: Final = 64
PACE_MAX: Final = 60  # seconds, of either


class BotTerms(Struct, frozen=True):
    """How long a player waits alone before a bot comes, and the level of that bot."""

    wait: Micros = 3 * MICROS_A_SECOND
    level: int = 2


class HouseTerms(Struct, frozen=True):
    """What the house does for everyone: the settings of `[house]`."""

    enabled: bool | None = None  # None: only if nobody but this machine can call
    games: frozenset[str] = field(default_factory=lambda: frozenset(GAMES))
    terms: BotTerms = BotTerms()
    workers: int = 0  # processes that think; 0: as many as suit the machine
    pace: BotPace = BotPace()

    def open_at(self, host: str) -> bool:
        """Whether a server that listens on this address has house bots for everyone."""
        return host in LOCAL if self.enabled is None else self.enabled

    def games_at(self, host: str) -> frozenset[str]:
        """The games for which everyone at such a server has house bots."""
        return self.games if self.open_at(host) else frozenset()


def read_house(given: Mapping[str, object]) -> HouseTerms:
    """Read the house's terms from the settings. Raises BadOption."""
    for name in given:
        if name not in NAMES:
            raise BadOption(f"The house has no setting {name!r}; it has {', '.join(NAMES)}.")
    level = _whole(given, "level", BotTerms().level, 1, BEST)
    return HouseTerms(
        _enabled(given.get("enabled", AUTO)),
        _games(given.get("games", tuple(GAMES))),
        BotTerms(round(_seconds(given, "wait", 3, WAIT_MAX) * MICROS_A_SECOND), level),
        _whole(given, "workers", 0, 0, WORKERS_MAX),
        BotPace(
            _seconds(given, "settle", BotPace().settle, PACE_MAX),
            _seconds(given, "pace", BotPace().beside, PACE_MAX),
        ),
    )


def split_house(text: str) -> dict[str, object]:
    """Split `on,level=3` into what the settings file would have. Raises BadOption."""
    words: dict[str, object] = {}
    for word in filter(None, (word.strip() for word in text.split(","))):
        name, equals, value = word.partition("=")
        if equals:
            words[name] = value
        elif word in (*SWITCHES, AUTO):
            words["enabled"] = word
        else:
            raise BadOption(f"The house is on, off, auto or NAME=VALUE, not {word!r}.")
    return words


def _enabled(value: object) -> bool | None:
    if value == AUTO:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in SWITCHES:
        return SWITCHES[value]
    raise BadOption(f"The house is on, off or auto, not {value!r}.")


def _games(value: object) -> frozenset[str]:
    """Read a list of names of games, or a text with + between them."""
    names = value.split("+") if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise BadOption("The games of the house are a list of names.")
    for name in names:
        find_game(name)
        if name not in GAMES:
            raise BadOption(f"There is no bot for {name}.")
    return frozenset(names)


def _seconds(given: Mapping[str, object], name: str, default: float, most: int) -> float:
    """Read a setting in seconds, maybe with a fraction."""
    value = given.get(name, default)
    try:
        seconds = float(value) if isinstance(value, str | int | float) else -1.0
    except ValueError:
        seconds = -1.0
    if isinstance(value, bool) or not 0 <= seconds <= most:
        raise BadOption(f"{name} is a number of seconds from 0 to {most}, not {value!r}.")
    return seconds


def _whole(given: Mapping[str, object], name: str, default: int, least: int, most: int) -> int:
    value = given.get(name, default)
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    check_whole(name, value, least, most)
    assert isinstance(value, int), "a whole number was checked to be one"
    return value
