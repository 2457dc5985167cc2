"""A tour: a tournament as a value that only events change.

Like a table, it is evolved by the events of its stream and by nothing else, so replaying
the log gives the tour that was run. Who decides which events happen is next door in
`director.py`; who starts its matches, in `tours.py`.
"""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TourId, put
from rookery.core.tour_events import (
    Joined,
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Paired,
    Parted,
    Partnered,
    Returned,
    TourClosing,
    TourEnded,
    TourEvent,
    TourKeyed,
    TourOpened,
    TourPaused,
    TourStarted,
    Withdrawn,
)
from rookery.core.tours import Entrant, Field, Match, Plan
from rookery.games import AnyGame
from rookery.hall.formats import parse_format
from rookery.hall.formats.base import Format
from rookery.hall.table import variant_of

CANCELLED = "cancelled"  # how a tour ended that was called off


class TourStatus(StrEnum):
    """Where a tour is in its life."""

    OPEN = "open"  # entrants join
    RUNNING = "running"
    PAUSED = "paused"
    CLOSING = "closing"  # no match begins any more
    ENDED = "ended"
    CANCELLED = "cancelled"


class Tour(Struct, frozen=True):
    """Everything there is to know of one tour. `replay_tour` makes one from its events."""

    id: TourId
    opened: TourOpened
    game: AnyGame
    format: Format
    seats: int  # at a table, at the most
    teams: tuple[int, ...]  # which team each seat is in
    size: int  # players of an entrant
    n: int = 1  # events so far, the opening included
    status: TourStatus = TourStatus.OPEN
    seed: int = 0
    code: str = ""
    entrants: tuple[Entrant, ...] = ()
    matches: tuple[Match, ...] = ()
    until: Micros | None = None  # when the last match may begin
    left: Micros | None = None  # of the format's time, while it is paused
    started: bool = False
    winners: tuple[int, ...] = ()
    parted: frozenset[int] = frozenset()  # who has taken the end
    how: str = ""  # how it ended

    @property
    def plan(self) -> Plan:
        """What was agreed."""
        return self.opened.plan

    @property
    def sides(self) -> int:
        """How many sides a match has, at the most."""
        return self.seats // self.size

    def entrant_of(self, player: PlayerId) -> Entrant | None:
        """As whom this player is in it, or was."""
        return next((one for one in self.entrants if player in one.players), None)

    def entrant(self, number: int) -> Entrant:
        """The entrant with this number."""
        return self.entrants[number - 1]

    def match(self, number: int) -> Match:
        """The match with this number."""
        return self.matches[number - 1]

    def time_is_up(self, now: Micros) -> bool:
        """Whether the format's time is over, and with it the beginning of matches."""
        return self.until is not None and self.until <= now

    def field(self, free: frozenset[int] = frozenset(), now: Micros = 0) -> Field:
        """The tour as its format sees it."""
        lasts = self.format.lasts()
        elapsed = 0
        if lasts is not None and self.until is not None:
            elapsed = lasts - max(0, self.until - now)
        there = tuple(one.number for one in self.entrants if not one.out)
        return Field(there, self.matches, self.sides, self.seed, free, elapsed)


def open_tour(tour: TourId, opened: TourOpened) -> Tour:
    """The tour right after its first event. Raises BadOption where it is not of our rules."""
    game = variant_of(opened.plan.variant)
    form = parse_format(opened.plan.format)
    seats = game.seat_counts[0] if opened.plan.seats is None else opened.plan.seats
    teams = game.teams(seats)
    size = 1 if form.solo else seats // len(set(teams))
    return Tour(tour, opened, game, form, seats, teams, size)


def replay_tour(tour: TourId, records: Iterable[Record]) -> Tour:
    """The tour that these records made. Raises BadOption where they are not of our rules."""
    rest = iter(records)
    opened = next(rest).event
    assert isinstance(opened, TourOpened), "a tour's first event opens it"
    made = open_tour(tour, opened)
    matches: list[Match] = []  # apart: a long tour would be copied at every event
    for n, record in enumerate(rest, 2):
        event = record.event
        assert isinstance(event, TourEvent), "a tour's stream has the words of tours"
        if isinstance(event, Paired | MatchBegun | MatchEnded | MatchVoided):
            _note(matches, event, n)
            made = replace(made, n=n)
        else:
            made = evolve_tour(made, event)
    return replace(made, matches=tuple(matches))


def evolve_tour(tour: Tour, event: TourEvent) -> Tour:
    """The tour after this event. Only this changes a tour."""
    tour = replace(tour, n=tour.n + 1)
    match event:
        case TourOpened():
            raise AssertionError("a tour is opened once")
        case TourKeyed(seed, code):
            return replace(tour, seed=seed, code=code)
        case Joined() | Partnered() | Returned() | Withdrawn():
            return replace(tour, entrants=_entrants(tour.entrants, event))
        case Paired() | MatchBegun() | MatchEnded() | MatchVoided():
            matches = list(tour.matches)
            _note(matches, event, tour.n)
            return replace(tour, matches=tuple(matches))
        case TourStarted(until):
            running = TourStatus.RUNNING
            return replace(tour, status=running, until=until, left=None, started=True)
        case TourPaused(left):
            return replace(tour, status=TourStatus.PAUSED, until=None, left=left)
        case TourClosing(how, winners):
            return replace(tour, status=TourStatus.CLOSING, how=how, winners=winners)
        case Parted(number):
            return replace(tour, parted=tour.parted | {number})
        case TourEnded(how, winners):
            status = TourStatus.CANCELLED if how == CANCELLED else TourStatus.ENDED
            return replace(tour, status=status, how=how, winners=winners)


def _entrants(
    entrants: tuple[Entrant, ...], event: Joined | Partnered | Returned | Withdrawn
) -> tuple[Entrant, ...]:
    match event:
        case Joined(number, name, player):
            assert number == len(entrants) + 1, "entrants are numbered in the order they join"
            return (*entrants, Entrant(number, name, (player,)))
        case Partnered(number, player):
            known = entrants[number - 1]
            after = replace(known, players=(*known.players, player))
        case Returned(number, was, now):
            known = entrants[number - 1]
            players = tuple(now if one == was else one for one in known.players)
            after = replace(known, players=players)
        case Withdrawn(number, why):
            after = replace(entrants[number - 1], out=why)
    return put(entrants, number - 1, after)


def _note(
    matches: list[Match], event: Paired | MatchBegun | MatchEnded | MatchVoided, n: int
) -> None:
    """Write the tour's event n down among its matches."""
    if isinstance(event, Paired):
        matches += map(Match, event.fixtures)
    else:
        matches[event.match - 1] = _match(matches[event.match - 1], event, n)


def _match(match_: Match, event: MatchBegun | MatchEnded | MatchVoided, n: int) -> Match:
    match event:
        case MatchBegun(table=table):
            return replace(match_, table=table)
        case MatchEnded(result=result):
            return replace(match_, result=result, ended=n)
        case MatchVoided():
            return Match(match_.fixture, voided=match_.voided + 1)
