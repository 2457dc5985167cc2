"""Time controls, as values and as text; and the chess clocks that keep them, as values.

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
from msgspec.structs import replace

from rookery.core.errors import BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, Micros, Seat, put

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


# -- Chess clocks as values: who has how long, and when the next flag falls.
#
# A clock never reads the time; the caller says what time it is. Any number of seats may run at
# once, which is all bughouse needs.
#
# Two things are kept apart. What a seat has left changes only by `charge`, whose argument is in
# the log, so a replay needs no time at all. Since when a seat runs is for the living process
# alone, and dies with it.


def left_out(began: Micros, since: Micros, until: Micros) -> Micros:
    """When something that `began` counts as begun, if the time from `since` to `until` does not."""
    return began if began >= until else until - max(0, since - began)


class Clock(Struct, frozen=True, gc=False):
    """The clocks of one table. `Clock.of(control, seats)` makes a fresh one."""

    control: TimeControl
    left: tuple[Micros, ...]  # what each seat has for its next move
    since: tuple[Micros | None, ...]  # when each running seat began to
    moved: tuple[
        tuple[str, ...], ...
    ]  # the phases each seat has moved in; only per-move clocks count

    @classmethod
    def of(cls, control: TimeControl, seats: int) -> "Clock":
        """A clock for so many seats, full and not running."""
        match control:
            case Unlimited():
                left = 0
            case Budget():
                left = control.base
            case PerMove():
                left = control.each
        return cls(control, (left,) * seats, (None,) * seats, ((),) * seats)

    def run(self, seat: Seat, now: Micros, phase: str) -> "Clock":
        """Start the seat's clock, as it has its turn; one that runs already goes on as it was."""
        if self.since[seat] is not None:
            return self
        left = self.left
        if isinstance(self.control, PerMove):
            left = put(left, seat, self._allowance(self.control, seat, phase))
        return replace(self, left=left, since=put(self.since, seat, now))

    def leave_out(self, seat: Seat, since: Micros, until: Micros) -> "Clock":
        """Do not count this time as the seat's, if its clock runs."""
        began = self.since[seat]
        if began is None:
            return self
        return replace(self, since=put(self.since, seat, left_out(began, since, until)))

    def spent(self, seat: Seat, now: Micros) -> Micros:
        """How long the seat has been thinking; nothing if its clock stands."""
        since = self.since[seat]
        return 0 if since is None or now < since else now - since

    def charge(self, seat: Seat, spent: Micros, phase: str) -> "Clock":
        """Stop the seat's clock after a move that took so long, and charge it for that time."""
        control, left, moved = self.control, self.left, self.moved
        since = self.since if self.since[seat] is None else put(self.since, seat, None)
        if type(control) is Budget and spent <= control.delay + left[seat]:
            # As nearly always: what follows, without asking for the larger of two numbers twice.
            used = spent - control.delay if spent > control.delay else 0
            left = put(left, seat, left[seat] - used + control.increment)
            return Clock(control, left, since, moved)
        match control:
            case Budget():
                used = max(0, spent - control.delay)
                left = put(left, seat, max(0, left[seat] - used) + control.increment)
            case PerMove():
                left = put(left, seat, control.each)
                if phase not in moved[seat]:
                    moved = put(moved, seat, (*moved[seat], phase))
            case Unlimited():
                pass
        return Clock(control, left, since, moved)

    def without_increment(self, seat: Seat) -> "Clock":
        """Take off the increment that `charge` has just added: this move had one before."""
        if not isinstance(self.control, Budget):
            return self
        return replace(self, left=put(self.left, seat, self.left[seat] - self.control.increment))

    def stop(self, seat: Seat, spent: Micros = 0) -> "Clock":
        """Stop the seat's clock without a move: the seat is out, or its turn was taken back."""
        left = self.left
        if spent and not isinstance(self.control, Unlimited):
            left = put(left, seat, max(0, left[seat] - spent))
        return replace(self, left=left, since=put(self.since, seat, None))

    def interrupted(self, spent: tuple[Micros, ...]) -> "Clock":
        """Stop all clocks after these times of thought; nobody moved, so no increment is due."""
        control, left = self.control, self.left
        match control:
            case Budget():
                used = (max(0, thought - control.delay) for thought in spent)
                left = tuple(max(0, had - one) for had, one in zip(left, used, strict=True))
            case PerMove():
                left = (control.each,) * len(left)
            case Unlimited():
                pass
        return replace(self, left=left, since=(None,) * len(left))

    def stop_all(self) -> "Clock":
        """Stop every clock, because the game is over."""
        return replace(self, since=(None,) * len(self.since))

    def flag(self, seat: Seat) -> Micros | None:
        """When this seat's flag falls if it goes on thinking; None if it never does."""
        since = self.since[seat]
        if since is None:
            return None
        match self.control:
            case Budget():
                return since + self.left[seat] + self.control.delay
            case PerMove():
                return since + self.left[seat]
            case Unlimited():
                return None

    def flag_from(self, since: Micros, seat: Seat, phase: str) -> Micros | None:
        """When the seat's flag falls if it starts at `since`, without making a new clock."""
        control = self.control
        if isinstance(control, Budget):
            return since + self.left[seat] + control.delay
        if isinstance(control, Unlimited):
            return None
        return since + self._allowance(control, seat, phase)

    def allowed(self, seat: Seat, phase: str) -> Micros | None:
        """The time the seat will have once its turn is given; None without a clock."""
        match self.control:
            case Unlimited():
                return None
            case Budget():
                return self.left[seat]
            case PerMove():
                return self._allowance(self.control, seat, phase)

    def remaining(self, seat: Seat, now: Micros) -> Micros | None:
        """The time the seat has left at this moment; None without a clock."""
        match self.control:
            case Unlimited():
                return None
            case Budget():
                used = max(0, self.spent(seat, now) - self.control.delay)
            case PerMove():
                used = self.spent(seat, now)
        return max(0, self.left[seat] - used)

    def deadline(self) -> Micros | None:
        """When the first flag falls, if any can."""
        flags = [flag for seat in self._seats() if (flag := self.flag(seat)) is not None]
        return min(flags, default=None)

    def fallen(self, now: Micros) -> Seat | None:
        """The running seat whose flag fell first, if any has by `now`."""
        if self.since.count(None) == len(self.since):
            return None  # as it mostly is: the mover's has not been put in yet
        # A plain loop: this is asked at every move, and one seat runs.
        first, earliest = None, now + 1
        for n, since in enumerate(self.since):
            if since is not None:
                flag = self.flag(Seat(n))
                if flag is not None and flag < earliest:
                    first, earliest = Seat(n), flag
        return first

    def _seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(n) for n, since in enumerate(self.since) if since is not None)

    def _allowance(self, control: PerMove, seat: Seat, phase: str) -> Micros:
        if control.first is None:
            return control.each
        if control.first_of == GAME:
            fresh = not self.moved[seat]
        else:
            counts = control.first_of in (PHASE, phase)
            fresh = counts and phase not in self.moved[seat]
        return control.first if fresh else control.each
