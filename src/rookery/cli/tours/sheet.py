"""The file of `rookery tour run`: a whole tour on one sheet, in TOML.

Its keys are the words of `rookery tour create`, and those that only a run needs: when to
start, and which files to write at the end. A sheet that cannot be read is refused with one
sentence, before anything has happened.

Policies are written as `gone=hold grace=2m`. `begin` is not among them, for a tour begins its
games itself; nor is a bot that takes over, for in a tour nobody plays for another.
"""

import os
import tomllib
from collections.abc import Iterable
from datetime import datetime, time, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from rookery.cli.options import check_words
from rookery.cli.tours.export import kind_of
from rookery.core.clock import format_length, parse_length
from rookery.core.errors import BadOption, Mistake
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.messages import EntrantLine
from rookery.core.options import ill_set, make_variant, split_options
from rookery.core.policy import DEFAULT_GRACE, Errors, Gone, Policy
from rookery.core.tour_values import DEFAULT_ABSENT, DEFAULT_TIES, Plan, Seeding
from rookery.dialects import DIALECTS
from rookery.games import parse_variant
from rookery.hall.tours.planning import read_plan


def parse_time_of_day(text: str, now: datetime) -> Micros:
    """The next moment that a typed time means, by this machine's own time. Raises BadOption."""
    try:
        hour = time.fromisoformat(text) if len(text) <= len("18:30") else None
        moment = datetime.fromisoformat(text) if hour is None else datetime.combine(now, hour)
    except ValueError:
        sentence = f"{text!r} is no time to start: write 18:30, or 2026-11-20 18:30."
        raise BadOption(sentence) from None
    if hour is not None and moment <= now.replace(tzinfo=None):
        moment += timedelta(days=1)
    return round(moment.timestamp()) * MICROS_A_SECOND


GONE: Final = (Gone.FORFEIT, Gone.HOLD, Gone.AT_ONCE)


class PolicyTerms(Struct, frozen=True):
    """The policies that can be set for a tour, with the defaults of every table."""

    gone: str = Gone.FORFEIT.value
    grace: str = format_length(DEFAULT_GRACE)
    errors: int = 0
    in_a_row: bool = True
    out_of_turn: bool = False
    only: str = ""


def parse_policy(text: str) -> Policy:
    """Read policies from a text; those that it does not name have defaults. Raises Mistake."""
    said = make_variant(PolicyTerms, "a tour", split_options(text.split()), kind="policy of")
    gone = next((one for one in GONE if one == said.gone), None)
    if gone is None:
        raise BadOption(f"In a tour gone is {_either(GONE)}, not {said.gone[:40]!r}.")
    if said.only and said.only not in DIALECTS:
        raise BadOption(f"There is no dialect {said.only[:40]!r}; there are {', '.join(DIALECTS)}.")
    errors = Errors(said.errors, said.in_a_row, said.out_of_turn)
    return Policy(gone=gone, grace=parse_length(said.grace), errors=errors, only=said.only)


def check_only(plan: Plan) -> None:
    """Raise BadOption where the only dialect of a tour cannot play its game."""
    if plan.policy.only:
        check_words(plan.policy.only, parse_variant(plan.variant))


def _either(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


_KINDS: Final = {
    "str": "a text in quotes",
    "array": "a list in brackets",
    "int | array": "a whole number or a list of names",
}


class BadSheet(Mistake):
    """A file that describes no tour."""


class Sheet(Struct, frozen=True):
    """A tour, when it starts, and which files are written at its end."""

    game: str
    name: str = ""  # if not said, what the file is called
    format: str = "round_robin"
    seats: int | None = None
    time: str = "5m"
    policy: str = ""
    points: str = "1-0.5-0"
    ties: tuple[str, ...] = DEFAULT_TIES
    parallel: int = 0
    at_once: int = 1
    fair: bool = False
    late: bool = True
    absent: str = format_length(DEFAULT_ABSENT)
    strict: bool = False
    farewell: bool = False
    stays: bool = False
    rated: bool = True
    seeding: Seeding = Seeding.JOINED
    starts: str = ""  # when it starts by itself: 18:30, or 2026-11-20 18:30
    seeds: tuple[str, ...] = ()  # by hand: names, the first seed first; others come after
    code: str | None = None  # if not said, one is drawn; empty: anyone may join
    players: int | tuple[str, ...] = 0  # it starts when so many are in, or these
    wait: str = ""  # … or so long after it was opened
    export: tuple[str, ...] = ()
    export_matches: tuple[str, ...] = ()

    def plan(self) -> Plan:
        """The tour itself, as the server would keep it. Raises Mistake."""
        here = datetime.now()  # noqa: DTZ005 # a time of day is typed as the clocks here show it
        plan = read_plan(
            Plan(
                variant=self.game,
                format=self.format,
                name=self.name,
                seats=self.seats,
                time=self.time,
                policy=parse_policy(self.policy),
                points=self.points,
                ties=self.ties,
                parallel=self.parallel,
                at_once=self.at_once,
                fair=self.fair,
                late=self.late,
                absent=parse_length(self.absent),
                strict=self.strict,
                farewell=self.farewell,
                stays=self.stays,
                rated=self.rated,
                seeding=self.seeding,
                starts=parse_time_of_day(self.starts, here) if self.starts else None,
            )
        )
        check_only(plan)
        return plan

    def order(self, entrants: Iterable[EntrantLine]) -> tuple[int, ...]:
        """The numbers of the entrants who are there, those the sheet seeds first, in its order."""
        there = [one for one in entrants if not one.out]
        order: list[int] = []
        for name in self.seeds:
            named = (one.entrant for one in there if one.name == name)
            order += [n for n in named if n not in order][:1]
        return (*order, *(one.entrant for one in there if one.entrant not in order))

    def patience(self) -> float | None:
        """Seconds to wait for players; None: as long as it takes. Raises Mistake."""
        return parse_length(self.wait) / MICROS_A_SECOND if self.wait else None

    def files(self) -> list[tuple[Path, str, bool]]:
        """The files to write, each with its kind, and whether it is of matches. Raises Mistake."""
        wanted = [(Path(name), False) for name in self.export]
        wanted += [(Path(name), True) for name in self.export_matches]
        return [(file, kind_of(file), matches) for file, matches in wanted]


def read_sheet(file: Path) -> Sheet:
    """The tour that this file describes. Raises Mistake."""
    try:
        read = tomllib.loads(file.read_text("utf-8"))
    except OSError as wrong:
        raise BadSheet(f"{file} cannot be read: {wrong.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadSheet(f"{file} is no TOML: {wrong}.") from None
    known = [field.name for field in msgspec.structs.fields(Sheet)]
    for key in read:
        if key not in known:
            close = get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"it knows {', '.join(known)}."
            raise BadSheet(f"{file} has no use for {key!r}; {hint}")
    if "game" not in read:
        raise BadSheet(f'{file} does not say which game is played: game = "nim", for example.')
    try:
        sheet = msgspec.convert({"name": file.stem, **read}, Sheet)
        _check(sheet)
    except msgspec.ValidationError as wrong:
        sentence = ill_set(wrong, _KINDS) or f"it cannot be read: {wrong}."
        raise BadSheet(f"{file}: {sentence}") from None
    except Mistake as wrong:
        raise BadSheet(f"{file}: {wrong}") from None
    return sheet


def _check(sheet: Sheet) -> None:
    """Raise Mistake for what the server, or the end of the tour, would say no to."""
    if not sheet.plan().name:
        raise BadSheet("a tour of a file has a name, by which it is found again.")
    sheet.patience()
    if sheet.seeds and sheet.seeding is not Seeding.HAND:
        raise BadSheet('seeds are given by hand: say seeding = "hand" too.')
    if isinstance(sheet.players, int) and sheet.players < 0:
        raise BadSheet("players is how many must be in it before it starts.")
    for file, kind, matches in sheet.files():
        if matches and kind != "csv":
            raise BadSheet(f"export_matches is for .csv alone: the matches are in {file} anyway.")
        if not os.access(file.parent, os.W_OK):
            raise BadSheet(f"the folder of {file} cannot be written to.")
