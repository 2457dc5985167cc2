"""Replaying the tours of a log: every event is put to the hall's own decisions.

An event is a violation where the hall would refuse it as the tour stands, or would have decided
otherwise (a start, a pairing, a result, winners, ratings). Connections are not in the log: that
somebody left, came back, or was free for a match is believed. So are the seeds of a tour, and the
ratings that entrants brought. A Swiss round is paired again, which takes as long as it took then.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from rookery.core import events
from rookery.core.errors import BROKEN, Mistake
from rookery.core.ids import (
    TOUR_CLOSED,
    TOUR_OVER,
    PlayerId,
    Status,
    TableId,
    TourId,
    TourStatus,
    Wall,
)
from rookery.core.intents import EnterResult, JoinTour, PauseTour, StartTour, VoidMatch
from rookery.core.messages import Refused
from rookery.core.tour_values import ABSENT, Fixture, Rated, Result
from rookery.hall.limits import MATCH_PAGE
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.tables.opening import match_opening
from rookery.hall.tables.table import Table
from rookery.hall.tours import director, organising
from rookery.hall.tours.director import Caller, Decision
from rookery.hall.tours.lines import line_of
from rookery.hall.tours.planning import package_of
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.running import endings, match_starts
from rookery.hall.tours.running.attendance import Stand
from rookery.hall.tours.tour import CANCELLED, Tour, evolve_tour, open_tour, why_absent
from rookery.hall.tours.tour_book import MatchIndex
from rookery.verify.tables import Violation, require

ORGANISER: Final = Caller(None, organiser=True)  # who may do whatever a tour's state allows
CLOSE: Final = 0.001  # of a rating: the last digits may be another version's of its library
LONGEST: Final = 300  # characters of an event in a sentence


class TourReplay:
    """Follows the tours of a log, and the tables of their matches."""

    def __init__(self, tables: Mapping[TableId, Table | None], players: PlayerRegistry) -> None:
        self._tables = tables  # which the audit follows
        self._players = players
        self._ratings = RatingBook(players)
        self._tours: dict[TourId, Tour | None] = {}  # None: there was a problem
        self._indexes: dict[TourId, MatchIndex] = {}
        self._due: dict[TourId, tuple[Fixture, ...]] = {}  # paired, and not yet in a record
        self._at: dict[TableId, tuple[TourId, int]] = {}  # the matches that run
        self._over: set[TourId] = set()  # what the hall has said is over
        self.absent: dict[TourId, str] = {}  # whose game or format is not here, and why

    def knows(self, tour: int) -> bool:
        """Whether there is or was such a tour."""
        return tour in self._tours or tour in self._over

    def count(self) -> tuple[int, int, int]:
        """How many tours are not over, how many are, how many could not be followed."""
        lost = sum(one is None and tour not in self.absent for tour, one in self._tours.items())
        return len(self._tours) - lost, len(self._over), lost

    def give_up(self, tour: TourId) -> None:
        """Judge nothing more in this tour, because there was a problem."""
        if tour not in self._over:
            self._tours[tour] = None

    # -- in a tour's own stream

    def take(self, record: events.Record, tour: TourId, event: events.TourEvent) -> None:
        """Put the next event of a tour to the hall, and follow it. Raises Violation."""
        require(tour not in self._over, f"Tour {tour} is over.")
        before = self._tours.get(tour)
        try:
            if tour not in self._tours:
                after = self._opened(record, tour, event)
            elif before is None or record.n != before.n + 1:
                after = None
            else:
                after = self._decided(before, event, Wall(record.at))
        except Mistake as wrong:
            raise Violation(str(wrong)) from None
        except Violation:
            raise
        except BROKEN as wrong:  # a format is somebody's code, and a forged event fits nothing
            name = type(wrong).__name__
            raise Violation(f"Tour {tour} cannot go on with this: {name}.") from wrong
        self._tours[tour] = after

    def _opened(self, record: events.Record, tour: TourId, event: events.TourEvent) -> Tour | None:
        self._indexes[tour] = MatchIndex()
        if record.n != 1:
            return None
        if not isinstance(event, events.TourOpened):
            raise Violation("A tour's first event opens it, and this one does not.")
        if event.by is not None:
            self._known(event.by)
        if why := why_absent(event):
            self.absent[tour] = why  # whose rules are not here, so nobody can judge it
            return None
        return open_tour(tour, event)

    def _decided(self, tour: Tour, event: events.TourEvent, at: Wall) -> Tour:
        """The tour after this event. Raises Violation where the hall decides otherwise."""
        keyed = isinstance(event, events.TourKeyed)
        require(keyed == (tour.n == 1), "Seed and code are a tour's second event, and no other.")
        index = self._indexes[tour.id]
        match event:
            case events.Paired(fixtures):
                decision = self._paired(tour, fixtures, at)
            case events.MatchWord(number):
                require(1 <= number <= len(tour.matches), f"There is no match {number}.")
                decision = self._of_match(tour, event)
                self._note_table(tour, event)
            case _:
                decision = _decide(tour, index, event, at)
        if isinstance(decision, Refused):
            raise Violation(decision.sentence)
        for wanted in decision:
            right = _bare(event) == wanted
            require(right, f"As tour {tour.id} stands, the hall decides {_brief(wanted)}.")
        index.note(tour, event)
        after = evolve_tour(tour, event)
        if isinstance(event, events.EntrantWord):
            for player in after.entrant(event.entrant).players:
                self._known(player)
        return after

    def _paired(self, tour: Tour, fixtures: tuple[Fixture, ...], at: Wall) -> Decision:
        """The next page of what the format pairs, where it can pair now."""
        if _was_another(tour):
            return ()
        due = self._due.pop(tour.id, ())
        runs = tour.status is TourStatus.RUNNING
        if not due and (runs or (tour.format.eager and tour.status not in TOUR_CLOSED)):
            # Who was free and got no match makes no difference to the others' matches.
            free = frozenset(side for fixture in fixtures for side in fixture.sides)
            paired = director.pair(tour, free, at)
            due = () if paired is None else paired.fixtures
        if len(due) > MATCH_PAGE:
            self._due[tour.id] = due[MATCH_PAGE:]
        require(bool(due), f"Nothing is to be paired in tour {tour.id} now.")
        return (events.Paired(due[:MATCH_PAGE]),)

    def _of_match(self, tour: Tour, event: events.MatchEvent) -> Decision:
        number, match_ = event.match, tour.match(event.match)
        match event:
            case events.MatchBegun(table=table):
                waits = match_.waiting and tour.status is TourStatus.RUNNING
                begins = waits and _unplayed(tour, match_.fixture) is None
                fresh = table not in self._tables
                require(begins and fresh, f"Match {number} does not begin now, at table {table}.")
                return ()
            case events.MatchEnded(result=said):
                require(match_.result is None, f"Match {number} has come out before.")
                return self._come_out(tour, number, said)
            case events.MatchVoided():
                # A tour that is called off voids whatever runs.
                void = director.void(tour, ORGANISER, VoidMatch(tour.id, number))
                return () if match_.running else void
            case events.MatchRuled(result=said):
                played = said.how != ABSENT
                wish = EnterResult(tour.id, number, said.places, played, said.reason)
                return organising.rule(tour, ORGANISER, wish)

    def _come_out(self, tour: Tour, number: int, said: Result) -> Decision:
        """How a match comes out: as its table has it, or without a game."""
        match_ = tour.match(number)
        if match_.table is None:
            result = _unplayed(tour, match_.fixture, said)
        else:
            require(match_.table in self._tables, f"Match {number} has no table {match_.table}.")
            table = self._tables[match_.table]
            if table is None:
                return ()  # which has a problem of its own
            seats, outcome = match_starts.seats(tour, match_.fixture), table.outcome
            result = None if outcome is None else match_starts.played(outcome, table.out, seats)
        if result is None:
            raise Violation(f"Match {number} of tour {tour.id} has not come out yet.")
        return (events.MatchEnded(number, result),)

    def _note_table(self, tour: Tour, event: events.MatchEvent) -> None:
        """Note at which table a match runs, or that it does so no more."""
        if isinstance(event, events.MatchBegun):
            self._at[event.table] = (tour.id, event.match)
        elif (table := tour.match(event.match).table) is not None:
            self._at.pop(table, None)

    def _known(self, player: PlayerId) -> None:
        require(self._players.get(player) is not None, f"Nobody ever was player {player}.")

    # -- at tables

    def at_table(self, table: TableId, event: events.TableEvent) -> None:
        """Object to a match's table that the tour would not have begun so. Raises Violation."""
        now = self._tables[table]
        if now is None or not isinstance(event, events.Opened | events.Started):
            return
        tour_id, number = self._at.get(table, (now.opened.tour, 0))
        if tour_id is None or self._is_unjudged(tour_id):
            return
        tour = self._tours.get(tour_id)
        if tour is None or not number:
            raise Violation(f"The table is for tour {tour_id}, which plays no match here.")
        which, players = f"match {number} of tour {tour_id}", _players(tour, number)
        wanted = match_opening(tour.plan, tour.game, len(players), tour_id)
        # Another version of the package may have been there when the tour was opened.
        wanted = replace(wanted, package=now.opened.package, secret=now.opened.secret)
        require(now.opened == wanted, f"The table of {which} is {_brief(wanted)}.")
        if isinstance(event, events.Started):
            seed, who = match_starts.match_seed(tour, number), ", ".join(map(str, players))
            right = (now.seats, now.seed) == (players, seed)
            require(right, f"In {which} sit players {who}, and its seed is {seed}.")

    # -- in the hall's stream, and at the log's end

    def done(self, event: events.TourDone) -> None:
        """Object to the hall's word that a tour is over, if it was not so. Raises Violation."""
        number = event.tour
        require(number not in self._over, f"Tour {number} is over a second time.")
        require(number in self._tours, f"There never was a tour {number}.")
        tour = self._tours.pop(number)
        self._indexes.pop(number, None)
        self._over.add(number)
        rated = () if tour is None or tour.how == CANCELLED else self._ratings.changed_by(tour)
        self._ratings.take(event)
        if tour is None:
            return
        require(tour.status in TOUR_OVER, f"Tour {number} is not over, but {tour.status}.")
        line = line_of(tour, 0)
        require(event.line == line, f"As tour {number} ended, its line is {_brief(line)}.")
        right = _alike(event.rated, rated)
        require(right, f"By the games of tour {number} the ratings are {_brief(rated)}.")

    def left_open(self) -> Iterator[tuple[str, int, str]]:
        """What does not fit where the log ends: the stream, its last event and a sentence."""
        for at, (tour_id, number) in self._at.items():
            tour, table = self._tours.get(tour_id), self._tables.get(at)
            plays = at in self._tables and (table is None or table.status is Status.PLAYING)
            if tour is not None and not plays:
                sentence = f"Match {number} runs, and the game at table {at} does not."
                yield events.tour_stream(tour_id), tour.n, sentence
        for tour_id, tour in self._tours.items():
            if tour is not None and tour.status in TOUR_OVER:
                sentence = "The tour ends, and the hall does not say so."
                yield events.tour_stream(tour_id), tour.n, sentence

    def _is_unjudged(self, tour: TourId) -> bool:
        return tour in self._tours and self._tours[tour] is None


def _decide(tour: Tour, index: MatchIndex, event: events.TourEvent, at: Wall) -> Decision:
    """What the hall decides where this event is; nothing where that is not in the log."""
    match event:
        case events.TourOpened():
            raise Violation("A tour is opened once.")
        case events.Joined(name=name, player=player):
            join = JoinTour(tour.id, tour.code, name if tour.size > 1 else "")
            return director.join(tour, player, name, join)
        case events.EntrantWord(number):
            no = director.not_inside(tour, number)
            if no is not None or not isinstance(event, events.Partnered):
                return no or ()
            join = JoinTour(tour.id, tour.code, tour.entrant(number).name)
            return director.join(tour, event.player, "", join)
        case events.TourSeeded(order):
            everyone = sorted(order) == [one.number for one in tour.entrants]
            no_seeds = f"These are no seeds of tour {tour.id}."
            require(everyone and tour.status is TourStatus.OPEN, no_seeds)
            return ()
        case events.TourStarted():
            return director.start(tour, ORGANISER, StartTour(tour.id), at)
        case events.TourPaused():
            return director.pause(tour, ORGANISER, PauseTour(tour.id), at)
        case events.TourClosing(how):
            done = endings.is_played(tour, index, at) or _was_another(tour)
            require(done or how != endings.PLAYED, f"Tour {tour.id} is not played to its end.")
            no = director.may_end(tour, ORGANISER, cancel=how == CANCELLED)
            return no or (endings.closing(tour, how),)
        case events.TourEnded():
            require(endings.is_over(tour, index), f"Tour {tour.id} does not end yet.")
            return (events.TourEnded(tour.how, endings.closing(tour, tour.how).winners),)
        case events.Parted(number):
            require(tour.status is TourStatus.CLOSING, f"Tour {tour.id} has no end to take yet.")
            return director.not_inside(tour, number) or ()
        case _:
            return ()


def _was_another(tour: Tour) -> bool:
    """Whether another version of a plug-in ran the tour, which may have paired otherwise."""
    return tour.opened.package != package_of(tour.plan)


def _unplayed(tour: Tour, fixture: Fixture, said: Result | None = None) -> Result | None:
    """How a match comes out without a game; those are away of whom the result says so."""
    stands = dict.fromkeys(fixture.sides, Stand.FREE)
    if said is not None and said.how == ABSENT:
        stands |= {fixture.sides[side]: Stand.ABSENT for side in said.forfeits}
    stands |= {side: Stand.OUT for side in fixture.sides if tour.entrant(side).out}
    return match_starts.unplayed(tour, fixture, stands)


def _players(tour: Tour, number: int) -> tuple[PlayerId, ...]:
    return tuple(match_starts.players(tour, tour.match(number).fixture))


def _bare(event: events.TourEvent) -> events.TourEvent:
    """The event without the ratings that entrants brought, which are believed."""
    if isinstance(event, events.Joined):
        return replace(event, rating=None)
    return replace(event, ratings=()) if isinstance(event, events.TourStarted) else event


def _alike(said: tuple[Rated, ...], rated: tuple[Rated, ...]) -> bool:
    return len(said) == len(rated) and all(
        (one.key, one.name, one.games) == (other.key, other.name, other.games)
        and abs(one.mu - other.mu) < CLOSE
        and abs(one.sigma - other.sigma) < CLOSE
        for one, other in zip(said, rated, strict=True)
    )


def _brief(what: object) -> str:
    """What the hall decides, as the log would have it, or the beginning of that."""
    text = msgspec.json.encode(what).decode()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
