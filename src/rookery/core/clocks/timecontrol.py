"""Time controls: how long a player may think, as values and as text.

    none                         no clock
    93s                          93 seconds for the whole game
    5m+3s                        5 minutes, and 3 seconds more after every move
    5m delay 3s                  5 minutes; the first 3 seconds of every move are free
    10s/move                     10 seconds a move
    10s/move first 30s           … and 30 for a seat's first move of the game
    10s/move first 30s of move   … for its first move in the phase called `move`
    10s/move first 30s of phase  … for its first move in every phase

A length is a number with `ms`, `s`, `m` or `h`, several of them (`1m30s`), or a time as
clocks show it (`5:00`, `1:30:00`); a bare number is seconds. Only where a whole clock is
written as chess players do, with bare numbers on both sides (`5+3`, `3|2`, `5 delay 3`), the
first one is minutes. This is the one reader of clocks: code that takes such a text from a
person shows them what it was taken for, which is `str` of it, or `in_words`.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import ClassVar, Final, Protocol

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
_SHOWN: Final = re.compile(r"([0-9]{1,4}):([0-5][0-9])(?::([0-5][0-9]))?")  # as clocks show it
_PHASE: Final = re.compile(r"[a-z]{1,20}")
_UNSAID: Final = re.compile(r"[:|]|[0-9](?![0-9.msh])")  # a number without a unit
_SPACED: Final = re.compile(r"\s*([+|])\s*")
_SOME_MOVES: Final = re.compile(r"[0-9]+/[0-9]")  # `40/5m`: so many moves in so long
_MINUTES_MOST: Final = 180  # more of them without a unit were surely meant as seconds


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
    match _SPACED.sub(r"\1", text.strip().lower()).split():
        case ["none"]:
            return UNLIMITED
        case [length] if not length.endswith("/move"):
            return _budget(length)
        case [length, "delay", delay] if not length.endswith("/move"):
            return _budget(length, delay)
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


class Phased(Protocol):
    """All that a clock has to know of a game: its name and its phases."""

    name: ClassVar[str]
    phases: ClassVar[tuple[str, ...]]


def clock_for(text: str, game: Phased) -> TimeControl:
    """The time control this text means in this game. Raises BadTimeControl."""
    control = parse_time_control(text)
    if isinstance(control, PerMove) and control.first_of not in (GAME, PHASE, *game.phases):
        raise BadTimeControl(
            f"There is no phase {control.first_of!r} in {game.name}; write one of "
            f"{', '.join(game.phases)}, or `of phase` for every one."
        )
    return control


def in_words(control: TimeControl) -> str:
    """The clock as a sentence for people."""
    match control:
        case Unlimited():
            return "Everyone may think as long as they like."
        case Budget(base, increment, delay):
            more = f", and {length_words(increment)} more after every move" if increment else ""
            free = f"; of every move the first {length_words(delay)} are free" if delay else ""
            return f"Each player has {length_words(base)} for the whole game{more}{free}."
        case PerMove(each, first, of):
            which = {GAME: "of the game", PHASE: "of every phase"}.get(of, f"of the phase {of}")
            other = "" if first is None else f", the first {which} {length_words(first)}"
            return f"Each move may take {length_words(each)}{other}."


def taken_for(text: str) -> str | None:
    """The sentence that says how a clock was read; None where every length has its unit."""
    control = parse_time_control(text)
    if not _UNSAID.search(text.lower()):
        return None
    return f"The clock {text.strip()} is taken for {control}. {in_words(control)}"


def _budget(text: str, delay: str | None = None) -> Budget:
    """A clock for the whole game; `text` is all of it before the word `delay`."""
    if _SOME_MOVES.match(text):
        raise BadTimeControl(
            f"{text[:80]!r} is a time for so many moves, which no clock here counts; write the "
            "time of the whole game, like 5m+3s, or of each move, like 10s/move."
        )
    base, sign, more = text.replace("|", "+").partition("+")
    if sign and not (base and more):
        raise BadTimeControl(
            f"{text[:80]!r} is half a clock: before the sign stands the time of the whole game, "
            "behind it what every move adds, as in 5m+3s."
        )
    free = 0 if delay is None else parse_length(delay)
    behind = [part for part in (more, delay) if part]
    start = _minutes(base, behind) if behind and _BARE.fullmatch(base) else parse_length(base)
    return Budget(start, parse_length(more) if more else 0, free)


def _minutes(base: str, behind: Sequence[str]) -> Micros:
    """The first of bare numbers, which chess players mean as minutes: `5+3`."""
    if not all(_BARE.fullmatch(part) for part in behind):
        raise BadTimeControl(
            f"Is {base} before {behind[0][:40]!r} minutes or seconds? Write {base}m or {base}s."
        )
    if Decimal(base) > _MINUTES_MOST:
        raise BadTimeControl(
            f"A bare number in front is minutes, and {base} are very many; write {base}s or "
            f"{base}m."
        )
    return parse_length(f"{base}m")


def parse_length(text: str) -> Micros:
    """A length of time, like `1m30s`, `0.1s`, `5:00` or `93`. Raises BadTimeControl."""
    if _BARE.fullmatch(text):
        return int(Decimal(text) * MICROS_A_SECOND)
    if shown := _SHOWN.fullmatch(text):
        first, second, third = shown.groups()
        spelt = f"{first}m{second}s" if third is None else f"{first}h{second}m{third}s"
        return parse_length(spelt)
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


def length_words(length: Micros) -> str:
    """A length as people say it: `1 minute 30 seconds`."""
    parts = []
    for unit, name in (("h", "hour"), ("m", "minute")):
        whole, length = divmod(length, _UNITS[unit])
        if whole:
            parts.append(f"{whole} {name}{'' if whole == 1 else 's'}")
    if length or not parts:
        seconds = f"{(Decimal(length) / MICROS_A_SECOND).normalize():f}"
        parts.append(f"{seconds} second{'' if seconds == '1' else 's'}")
    return " ".join(parts)


def _check(what: str, length: Micros, least: Micros = 0) -> None:
    if not least <= length <= LONGEST:
        raise BadTimeControl(f"{what} is longer than nothing and at most 366 days.")
