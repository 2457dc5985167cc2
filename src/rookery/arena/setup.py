"""What a match is: who plays what, how often and with how much time; and its file.

`match.toml` in the match's folder says what was asked for. It is written before the first
game and never changed; all that happened since is in the log beside it.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from rookery.arena.statistics import Sprt
from rookery.bots import level_of
from rookery.core.chance import Chance
from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, Mistake
from rookery.core.options import KINDS, bad_field, ill_set, options_of
from rookery.core.policy import Errors, Gone, Policy
from rookery.core.tour_values import Plan
from rookery.games import GAMES as KNOWN
from rookery.games import AnyGame, format_variant, parse_variant
from rookery.hall.tours.formats.round_robin import GAMES_MAX

SETUP_FILE: Final = "match.toml"
LOG_FILE: Final = "rookery.db"  # as in a server's folder, so that every command can read it
OPTION: Final = "opening"  # of a game that can begin after moves drawn by chance
OPENING: Final = 8  # moves drawn by chance, where nothing else is said
GAMES: Final = 100
JOBS_MAX: Final = 50  # games at once that one player may have in a hall
KEEP: Final = 7 * 24 * 3600 * 1_000_000  # µs: after a restart nobody is missed for a week
PLAYERS_MAX: Final = 4
# No blank before the sign: `bot.py --depth=3` is a command and has no name.
_NAMED: Final = re.compile(r"(?P<name>[\w.+-]{1,32})=(?P<player>.*\S.*)", re.DOTALL)


class BadMatch(Mistake):
    """A match that cannot be played, or not in this way."""


class Setup(Struct, frozen=True):
    """Everything that was asked for of a match. `checked` makes sure that it can be played."""

    players: tuple[str, ...]  # as they were typed
    variant: str
    games: int
    time: str
    jobs: int
    seed: int  # what levels draw from, and the starts
    key: str  # with which the players come back to the hall
    sprt: Sprt | None = None

    @property
    def game(self) -> AnyGame:
        """The rules of the game."""
        return parse_variant(self.variant)

    @property
    def seats(self) -> int:
        """How many seats a table has."""
        counts = self.game.seat_counts
        return len(self.players) if len(self.players) in counts else counts[0]

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The players of each side, one for each of its seats."""
        size = self.seats // self.sides
        if len(self.players) == self.sides:
            return tuple((player,) * size for player in self.players)
        return tuple(self.players[n : n + size] for n in range(0, len(self.players), size))

    @property
    def sides(self) -> int:
        """How many sides play a game."""
        return len(set(self.game.teams(self.seats)))

    @property
    def plan(self) -> Plan:
        """The plan of the tour that the match is."""
        return Plan(
            variant=self.variant,
            format=f"duel games={self.games}",
            seats=self.seats,
            time=self.time,
            policy=Policy(gone=Gone.AT_ONCE, grace=KEEP, errors=Errors(limit=1)),
            parallel=self.jobs,
            at_once=self.jobs,
            fair=True,
            rated=False,
            absent=KEEP,
        )


def checked(setup: Setup) -> Setup:
    """The setup in its shortest form. Raises Mistake if it cannot be played."""
    game = parse_variant(setup.variant)
    sides = {len(set(game.teams(seats))) for seats in game.seat_counts}
    count, counts = len(setup.players), sorted({*game.seat_counts, *sides})
    if count not in counts:
        many = " or ".join(map(str, counts))
        raise BadMatch(f"A match of {game.name} is between {many} players, not {count}.")
    for player in setup.players:
        level = level_in(player)
        if level is not None:
            level_of(game.name, level)
    control = clock_for(setup.time, game)
    if setup.games < 1:
        raise BadMatch(f"A match has one game or more, not {setup.games}.")
    if setup.games % setup.sides:
        raise BadMatch(
            f"Every start is played from each of {setup.sides} sides: the number of games must "
            f"be a multiple of {setup.sides}, and {setup.games} is not."
        )
    if setup.games > GAMES_MAX:
        raise BadMatch(f"A match has at most {GAMES_MAX} games, not {setup.games}.")
    if not 1 <= setup.jobs <= JOBS_MAX:
        raise BadMatch(f"From 1 to {JOBS_MAX} games are played at once, not {setup.jobs}.")
    if setup.sprt is not None and setup.sides != 2:
        raise BadMatch("A sequential test is for a match between two sides.")
    game.start(setup.seats, Chance(0))  # a board too small for so many says so
    return msgspec.structs.replace(setup, variant=format_variant(game), time=str(control))


def split_name(player: str) -> tuple[str, str]:
    """Split `NAME=PLAYER` into the name and the player; the name is empty if none is given."""
    found = _NAMED.fullmatch(player)
    return (found["name"], found["player"]) if found else ("", player)


def level_in(player: str) -> int | None:
    """The level this text means, `level3` or `3`; None if it means something else."""
    number = split_name(player)[1].removeprefix("level")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 4 else None


def variant_with(text: str, opening: int | None) -> str:
    """The variant to play, with openings drawn by chance if it has them. Raises BadOption."""
    game = parse_variant(text)
    able = with_openings()
    if game.name not in able:
        if opening is not None:
            raise BadOption(f"Openings are drawn in {', '.join(able)}, not in {game.name}.")
        return text
    if opening is None:
        if f"{OPTION}=" in text:
            return text
        opening = OPENING
    options = [word for word in text.split()[1:] if not word.startswith(f"{OPTION}=")]
    return format_variant(parse_variant(" ".join([game.name, *options, f"{OPTION}={opening}"])))


def with_openings() -> list[str]:
    """The games that can begin after moves drawn by chance."""
    return [name for name, kind in KNOWN.items() if OPTION in _options(kind)]


def _options(kind: type[AnyGame]) -> list[str]:
    assert issubclass(kind, Struct), "a game is a struct of its options"
    return [option.name for option in options_of(kind)]


# -- the file


def write_setup(setup: Setup, folder: Path) -> None:
    """Write the setup into the folder, whole or not at all."""
    lines = ["# What this match is; `rookery match --resume FOLDER` goes on with it."]
    for name, value in msgspec.to_builtins(setup).items():
        if name != "sprt":
            lines.append(f"{name} = {_toml(value)}")
    if setup.sprt is not None:
        lines.append("\n[sprt]")
        lines += [f"{name} = {value}" for name, value in msgspec.to_builtins(setup.sprt).items()]
    fresh = folder / f"{SETUP_FILE}.new"
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(folder / SETUP_FILE)


def read_setup(folder: Path) -> Setup:
    """Read the setup of the match in this folder. Raises BadMatch."""
    try:
        text = (folder / SETUP_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadMatch(f"There is no match in {folder}.") from None
    try:
        return msgspec.convert(tomllib.loads(text), Setup)
    except tomllib.TOMLDecodeError as wrong:
        raise BadMatch(f"{folder / SETUP_FILE} cannot be read: {wrong}.") from None
    except msgspec.ValidationError as wrong:
        raise BadMatch(f"{folder / SETUP_FILE} cannot be read: {_why(wrong)}") from None


def same_match(asked: Setup, there: Setup) -> None:
    """Check that the match in a folder is the one that was asked for. Raises BadMatch."""
    for name in ("players", "variant", "games", "time", "jobs", "sprt"):
        one, other = (msgspec.to_builtins(setup)[name] for setup in (asked, there))
        if one != other:
            raise BadMatch(
                f"The folder has another match: its {name} is {_toml(other)}, not {_toml(one)}."
            )


def _why(wrong: msgspec.ValidationError) -> str:
    """What does not fit in the file, in words."""
    found = bad_field(wrong)
    if found.missing:
        return f"it does not say {found.missing}."
    return ill_set(wrong, KINDS) or f"{found.what}."


def _toml(value: object) -> str:
    """Write a value for TOML: texts, numbers and lists of texts look as in JSON."""
    return json.dumps(value, ensure_ascii=True)
