"""Time controls: how long a player may think, as values and as text.

    none                         no clock
    93s                          93 seconds for the whole game
    5m+3s                        5 minutes, and 3 seconds more after every move
    5m delay 3s                  5 minutes; the first 3 seconds of every move are free
    10s/move                     10 seconds a move
    10s/move first 30s           … and 30 for a seat's first move of the game
    10s/move first 30s of move   … for its first move in the phase called `move`
    10s/move first 30s of phase  … for its first move in every phase

A length is a number with `ms`, `s`, `m` or `h`, or several (`1m30s`); a bare number
is seconds.
"""

import re
from decimal import Decimal
from typing import Final

from msgspec import Struct

from rookery.core.errors import BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, Micros

LONGEST: Final[Micros] = 366 * 24 * 3600 * MICROS_A_SECOND  # a correspondence game ends too

GAME: Final = "game"  # `first` counts from the start of the game
PHASE: Final = "phase"  # `first` counts from the start of every phase

_UNITS: Final = {
    "ms": 1000,
    "s": MICROS_A_SECOND,
    "m": 60 * MICROS_A_SECOND,
    "h": 3600 * MICROS_A_SECOND,
}
_PART: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(ms|s|m|h)")
_BARE: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
_PHASE: Final = re.compile(r"[a-z]{1,20}")


class Unlimited(Struct, frozen=True, tag="none"):
    """No clock."""

    def __str__(self) -> str:
        return "none"


class Budget(Struct, frozen=True, tag="budget"):
    """So long for all moves together; more after each, or a free beginning of each."""

    base: Micros
    increment: Micros = 0
    delay: Micros = 0

    def __post_init__(self) -> None:
        _check("A clock", self.base, least=1)
        _check("An increment", self.increment)
        _check("A delay", self.delay)

    def __str__(self) -> str:
        plus = f"+{format_length(self.increment)}" if self.increment else ""
        delay = f" delay {format_length(self.delay)}" if self.delay else ""
        return f"{format_length(self.base)}{plus}{delay}"


class PerMove(Struct, frozen=True, tag="move"):
    """So long for each move; the first of the game, of a phase or of every phase may differ."""

    each: Micros
    first: Micros | None = None
    first_of: str = GAME

    def __post_init__(self) -> None:
        _check("A move's time", self.each, least=1)
        if self.first is not None:
            _check("The first move's time", self.first, least=1)
        elif self.first_of != GAME:
            raise BadTimeControl("A phase is named only where its first move has another time.")
        if not _PHASE.fullmatch(self.first_of):
            raise BadTimeControl(f"{self.first_of!r} is not the name of a phase.")

    def __str__(self) -> str:
        first = f" first {format_length(self.first)}" if self.first is not None else ""
        of = f" of {self.first_of}" if first and self.first_of != GAME else ""
        return f"{format_length(self.each)}/move{first}{of}"


TimeControl = Unlimited | Budget | PerMove

UNLIMITED: Final = Unlimited()


def parse_time_control(text: str) -> TimeControl:
    """The time control this text means. Raises BadTimeControl."""
    match text.strip().lower().split():
        case ["none"]:
            return UNLIMITED
        case [length] if not length.endswith("/move"):
            base, plus, increment = length.partition("+")
            return Budget(parse_length(base), parse_length(increment) if plus else 0)
        case [length, "delay", delay] if not length.endswith("/move"):
            base, plus, increment = length.partition("+")
            return Budget(
                parse_length(base), parse_length(increment) if plus else 0, parse_length(delay)
            )
        case [each]:
            return PerMove(parse_length(each.removesuffix("/move")))
        case [each, "first", first] if each.endswith("/move"):
            return PerMove(parse_length(each.removesuffix("/move")), parse_length(first))
        case [each, "first", first, "of", phase] if each.endswith("/move"):
            return PerMove(parse_length(each.removesuffix("/move")), parse_length(first), phase)
        case _:
            raise BadTimeControl(
                f"{text[:80]!r} is no time control; write one like 5m+3s, 93s, 5m delay 3s, "
                "10s/move first 30s, or none."
            )


def parse_length(text: str) -> Micros:
    """A length of time, like `1m30s`, `0.1s` or `93`. Raises BadTimeControl."""
    if _BARE.fullmatch(text):
        return int(Decimal(text) * MICROS_A_SECOND)
    total, end = 0, 0
    while part := _PART.match(text, end):
        total += int(Decimal(part[1]) * _UNITS[part[2]])
        end = part.end()
    if not end or end != len(text):
        raise BadTimeControl(
            f"{text[:80]!r} is no length of time; write one like 90s, 1m30s, 0.5s or 200ms."
        )
    return total


def format_length(length: Micros) -> str:
    """A length as `parse_length` reads it, the larger units first: `1m33s`."""
    if length == 0:
        return "0s"
    parts = []
    for unit in ("h", "m"):
        whole, length = divmod(length, _UNITS[unit])
        if whole:
            parts.append(f"{whole}{unit}")
    if length:
        seconds = Decimal(length) / MICROS_A_SECOND
        parts.append(f"{seconds.normalize():f}s")
    return "".join(parts)


def _check(what: str, length: Micros, least: Micros = 0) -> None:
    if not least <= length <= LONGEST:
        raise BadTimeControl(f"{what} is longer than nothing and at most 366 days.")
