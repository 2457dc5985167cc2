"""A tour: a tournament as a value that only events change.

Like a table, it is evolved by the events of its stream and by nothing else, so replaying
the log gives the tour that was run. The director (`director.py`) decides which events happen,
and the steward (`running/steward.py`) starts its matches.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rookery.core import events
from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TourId, TourStatus, Wall, put
from rookery.core.tour_values import Cards, Entrant, Field, Match, Plan, Puzzle, Solution
from rookery.games import GAMES, AnyGame
from rookery.games.absent_game import missing
from rookery.hall.scoring.scores import Scores, parse_points
from rookery.hall.tables.table import teams_of, variant_of
from rookery.hall.tours.formats import FORMATS, parse_format
from rookery.hall.tours.formats.arena import cards_of
from rookery.hall.tours.formats.base import Format
from rookery.hall.tours.formats.swiss import Swiss

T = TypeVar("T")

PAGE: Final = 128  # about as many values as there are pages where a row is long


# It is cut into pages: a change copies one page, and the list of pages.
class LongRow(Struct, Generic[T], frozen=True):
    """Values in their order, by their place from 0."""

    pages: tuple[tuple[T, ...], ...] = ()  # all are full but the last, and none is empty

    def __len__(self) -> int:
        return 0 if not self.pages else PAGE * (len(self.pages) - 1) + len(self.pages[-1])

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self.pages)

    def __getitem__(self, at: int) -> T:
        page, place = divmod(at if at >= 0 else len(self) + at, PAGE)
        return self.pages[page][place]

    def since(self, first: int) -> Iterator[T]:
        """The values from this place on."""
        page, skipped = divmod(first, PAGE)
        for values in self.pages[page : page + 1]:
            yield from values[skipped:]
        yield from chain.from_iterable(self.pages[page + 1 :])

    def put(self, at: int, value: T) -> "LongRow[T]":
        """The row with another value at this place."""
        page, place = divmod(at, PAGE)
        return LongRow(put(self.pages, page, put(self.pages[page], place, value)))

    def longer(self, more: Iterable[T]) -> "LongRow[T]":
        """The row with these values at its end."""
        full = len(self) // PAGE
        rest = (*chain.from_iterable(self.pages[full:]), *more)
        fresh = (rest[first : first + PAGE] for first in range(0, len(rest), PAGE))
        return LongRow((*self.pages[:full], *fresh))


CANCELLED = "cancelled"  # how a tour ended that was called off
EVER = Wall(0)  # a moment before all others


class Tour(Struct, frozen=True):
    """Everything there is to know of one tour. `replay_tour` makes one from its events."""

    id: TourId
    opened: events.TourOpened
    game: AnyGame
    format: Format
    seats: int  # at a table, at the most
    teams: tuple[int, ...]  # which team each seat is in
    size: int  # players of an entrant
    scores: Scores  # what the matches that have come out add up to
    n: int = 1  # events so far, the opening included
    status: TourStatus = TourStatus.OPEN
    seed: int = 0
    code: str = ""
    entrants: tuple[Entrant, ...] = ()
    matches: LongRow[Match] = LongRow()
    seeds: tuple[int, ...] = ()  # as they were drawn or given; empty: nobody was seeded
    endings: LongRow[int] = LongRow()  # matches in the order they came out, the voided among them
    taken_back: int = 0  # how often a match was voided that had come out
    until: Micros | None = None  # when the last match may begin, by the time of day
    left: Micros | None = None  # of the format's time, while it is paused
    started: bool = False
    winners: tuple[int, ...] = ()
    parted: frozenset[int] = frozenset()  # who has taken the end
    how: str = ""  # how it ended
    cards: Cards | None = None  # everybody's card, in a format that pairs all who are free

    @property
    def plan(self) -> Plan:
        """The plan of the tour, as it was opened."""
        return self.opened.plan

    @property
    def sides(self) -> int:
        """How many sides a match has, at the most."""
        return self.seats // self.size

    @property
    def decided(self) -> int:
        """How many matches have come out."""
        return len(self.endings) - self.taken_back

    def entrant_of(self, player: PlayerId) -> Entrant | None:
        """The entrant that this player is in the tour, or was; None if it is none."""
        return next((one for one in self.entrants if player in one.players), None)

    def entrant(self, number: int) -> Entrant:
        """The entrant with this number."""
        return self.entrants[number - 1]

    def match(self, number: int) -> Match:
        """The match with this number."""
        return self.matches[number - 1]

    def time_is_up(self, at: Wall) -> bool:
        """Whether the format's time is over, so that no more matches begin."""
        return self.until is not None and self.until <= at

    def field(
        self,
        free: frozenset[int] = frozenset(),
        at: Wall = EVER,
        solution: Solution | None = None,
    ) -> Field:
        """The tour as its format sees it."""
        lasts = self.format.lasts()
        elapsed = 0
        if lasts is not None and self.until is not None:
            elapsed = lasts - max(0, self.until - at)
        there = tuple(one.number for one in self.entrants if not one.out)
        seeds = self.seeded
        if seeds:
            inside = frozenset(there)
            there = tuple(number for number in seeds if number in inside)
        return Field(
            there,
            self.matches,
            self.sides,
            self.seed,
            free,
            elapsed,
            self.cards,
            solution,
            seeds,
            frozenset(one.number for one in self.entrants if one.paused),
        )

    @property
    def seeded(self) -> tuple[int, ...]:
        """All entrants, the first seed first; empty where that is the order of joining."""
        if not self.seeds:
            return ()
        known = frozenset(self.seeds)
        later = (one.number for one in self.entrants if one.number not in known)
        return (*self.seeds, *later)

    def puzzle(self) -> Puzzle | None:
        """The round to be paired now, for a format whose pairing takes long; else None."""
        return self.format.puzzle(self.field()) if isinstance(self.format, Swiss) else None


def open_tour(tour: TourId, opened: events.TourOpened) -> Tour:
    """The tour right after its first event. Raises BadOption where we lack its game or format."""
    game = variant_of(opened.plan.variant)
    form = parse_format(opened.plan.format)
    seats = game.seat_counts[0] if opened.plan.seats is None else opened.plan.seats
    teams = teams_of(game, seats)
    size = 1 if form.solo else seats // len(set(teams))
    scores = Scores(parse_points(opened.plan.points))
    cards = None if form.lasts() is None else Cards()
    return Tour(tour, opened, game, form, seats, teams, size, scores, cards=cards)


def why_absent(opened: events.TourOpened) -> str:
    """Which game or format of this tour is not installed here; empty if both are."""
    game, form = (text.partition(" ")[0] for text in (opened.plan.variant, opened.plan.format))
    if game not in GAMES:
        return missing("game", game, opened.package)
    return "" if form in FORMATS else missing("format", form, opened.package)


def replay_tour(tour: TourId, records: Iterable[Record]) -> Tour:
    """The tour that these records made. Raises BadOption where we lack its game or format."""
    rest = iter(records)
    opened = next(rest).event
    assert isinstance(opened, events.TourOpened), "a tour's first event opens it"
    made = open_tour(tour, opened)
    for record in rest:
        assert isinstance(record.event, events.TourWord), "a tour's stream has its words"
        made = evolve_tour(made, record.event)
    return made


def evolve_tour(tour: Tour, event: events.TourEvent) -> Tour:
    """The tour after this event. There is no other way to change a tour."""
    tour = replace(tour, n=tour.n + 1)
    match event:
        case events.TourOpened():
            raise AssertionError("a tour is opened once")
        case events.TourKeyed(seed, code):
            return replace(tour, seed=seed, code=code)
        case events.EntrantWord():
            return replace(tour, entrants=_entrants(tour, event))
        case events.TourSeeded(order):
            return replace(tour, seeds=order)
        case events.Paired(fixtures):
            matches = tour.matches.longer(map(Match, fixtures))
            scores, cards = tour.scores.paired(fixtures), tour.cards
            if cards is not None:
                cards = cards.paired(fixture.sides for fixture in fixtures)
            return replace(tour, matches=matches, scores=scores, cards=cards)
        case events.MatchWord():
            return _with_match(tour, event)
        case events.LifeWord():
            return _lived_on(tour, event)


def _lived_on(tour: Tour, event: events.LifeEvent) -> Tour:
    """The tour after it started, paused, closed or ended, or an entrant took its end."""
    match event:
        case events.TourStarted(until, ratings):
            running, entrants = TourStatus.RUNNING, _rated(tour.entrants, ratings)
            tour = replace(tour, entrants=entrants, started=True)
            return replace(tour, status=running, until=until, left=None)
        case events.TourPaused(left):
            return replace(tour, status=TourStatus.PAUSED, until=None, left=left)
        case events.TourClosing(how, winners):
            return replace(tour, status=TourStatus.CLOSING, how=how, winners=winners)
        case events.Parted(number):
            return replace(tour, parted=tour.parted | {number})
        case events.TourEnded(how, winners):
            status = TourStatus.CANCELLED if how == CANCELLED else TourStatus.ENDED
            return replace(tour, status=status, how=how, winners=winners)


def _entrants(tour: Tour, event: events.EntrantEvent) -> tuple[Entrant, ...]:
    """The tour's entrants after something happened to one of them."""
    entrants = tour.entrants
    match event:
        case events.Joined(number, name, player, rating):
            assert number == len(entrants) + 1, "entrants are numbered in the order they join"
            return (*entrants, Entrant(number, name, (player,), rating=rating))
        case events.Partnered(number, player):
            known = entrants[number - 1]
            after = replace(known, players=(*known.players, player))
        case events.Returned(number, was, now):
            known = entrants[number - 1]
            players = tuple(now if one == was else one for one in known.players)
            after = replace(known, players=players)
        case events.Renamed(number, name):
            after = replace(entrants[number - 1], name=name)
        case events.EntrantPaused(number):
            after = replace(entrants[number - 1], paused=True)
        case events.EntrantResumed(number):
            after = replace(entrants[number - 1], paused=False)
        case events.Withdrawn(number, why):
            after = replace(entrants[number - 1], out=why, paused=False)
    return put(entrants, number - 1, after)


def _rated(
    entrants: tuple[Entrant, ...], ratings: tuple[tuple[int, int], ...]
) -> tuple[Entrant, ...]:
    """The entrants with the ratings that they came with, as the start tells them."""
    of = dict(ratings)
    return tuple(replace(one, rating=of.get(one.number, one.rating)) for one in entrants)


def _with_match(tour: Tour, event: events.MatchEvent) -> Tour:
    """The tour after something happened to one of its matches."""
    at = event.match - 1
    before = tour.matches[at]
    fixture = before.fixture
    match event:
        case events.MatchBegun(table=table):
            return replace(tour, matches=tour.matches.put(at, replace(before, table=table)))
        case events.MatchEnded(number, result):
            assert before.result is None, "a match comes out once, unless it is voided"
            return _come_out(tour, number, replace(before, result=result))
        case events.MatchRuled(number, result):
            # What was played at its table stays to be seen; a game that was called off does not.
            kept = None if before.running else before.table
            open_ = tour if before.result is None else _taken_back(tour, at, before)
            return _come_out(open_, number, replace(before, table=kept, result=result))
        case events.MatchVoided():
            open_ = tour if before.result is None else _taken_back(tour, at, before)
            again = Match(fixture, voided=before.voided + 1)
            return replace(open_, matches=open_.matches.put(at, again))


def _come_out(tour: Tour, number: int, match: Match) -> Tour:
    """The tour when this match, which had no result, has come out."""
    at, fixture, result, cards = number - 1, match.fixture, match.result, tour.cards
    assert result is not None, "a match that comes out has a result"
    if cards is not None:
        cards = cards.came_out(at, fixture.sides, result.places)
    return replace(
        tour,
        cards=cards,
        matches=tour.matches.put(at, replace(match, ended=tour.n)),
        endings=tour.endings.longer((number,)),
        scores=tour.scores.came_out(fixture, result),
    )


def _taken_back(tour: Tour, at: int, before: Match) -> Tour:
    """The tour as if this match, which has come out, had not."""
    assert before.result is not None, "what has not come out is not taken back"
    matches = tour.matches.put(at, replace(before, result=None, ended=0))
    return replace(
        tour,
        matches=matches,
        scores=tour.scores.taken_back(before.fixture, before.result),
        taken_back=tour.taken_back + 1,
        # A card does not say which match an entrant had before this one.
        cards=None if tour.cards is None else cards_of(matches),
    )
