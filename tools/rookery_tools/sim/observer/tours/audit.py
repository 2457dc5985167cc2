"""Following every tour of a log, beside its tables: each must say what the other says.

A match begins in the tour's stream, and in the same batch its table is opened, seated and
started; the table's end and the tour's result are one batch too, and so are a tour's end
and the hall's word about it. A batch is written whole or not at all, so a record that
another one calls for must come before the time moves on, and before the log ends.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core import events
from rookery.core.game import VOIDED
from rookery.core.ids import Micros, PlayerId, Status, TableId, TourId, TourStatus, Wall
from rookery.core.tour_values import ABSENT, Rated, Result
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.tables.table import Table
from rookery.hall.tours.lines import line_of
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.running.match_starts import entered, match_seed, tour_seats
from rookery.hall.tours.tour import CANCELLED, Tour, evolve_tour
from rookery.hall.tours.tour_book import MatchIndex
from rookery.verify.tables import require
from rookery_tools.sim.observer.tours.law import allow, begin_tour, in_brief

# Of a rating. The last digits may be another version's of the library that rates.
CLOSE: Final = 0.001


class Owed(Struct, frozen=True):
    """A record that must still come in the same batch; if it does not, the sentence says so."""

    tour: TourId
    record: events.Record
    sentence: str


class CalledMatch(Struct, frozen=True):
    """A match that was called to a table: who must sit there, and on which terms."""

    tour: TourId
    match: int
    opened: events.Opened
    seats: tuple[PlayerId, ...]
    seed: int


class TourAudit:
    """Judges the tours of a log; it looks at the tables, which the audit follows."""

    def __init__(self, tables: Mapping[TableId, Table | None], players: PlayerRegistry) -> None:
        self._tables = tables
        self._players = players
        self._ratings = RatingBook(players)
        self._tours: dict[TourId, Tour | None] = {}  # None: there was a problem
        self._indexes: dict[TourId, MatchIndex] = {}
        self._over: set[TourId] = set()  # what the hall has said is over
        self._calls: dict[TableId, CalledMatch] = {}
        self._entered: dict[TableId, tuple[int, ...]] = {}  # places of games that were overruled
        self._owed: dict[str, Owed] = {}  # by the stream that owes it

    def overdue(self, at: Micros | None) -> list[Owed]:
        """What was owed at another moment than this (None: the end) and never came; told once."""
        if not self._owed:
            return []  # as after nearly every record
        owing = self._owed.items()
        late = {stream: owed for stream, owed in owing if at is None or owed.record.at != at}
        for stream in late:
            del self._owed[stream]
        return list(late.values())

    def give_up(self, tour: TourId) -> None:
        """Judge nothing more in this tour, because there was a problem."""
        if tour not in self._over:
            self._tours[tour] = None
            self._indexes.pop(tour, None)
        self._owed = {at: owed for at, owed in self._owed.items() if owed.tour != tour}

    # -- in a tour's own stream

    def take(self, record: events.Record, tour: TourId, event: events.TourEvent) -> None:
        """Judge the next event of a tour, and follow it. Raises Violation."""
        require(tour not in self._over, "The tour is over, and nothing happens in it any more.")
        for player in _players_in(event):
            require(self._players.get(player) is not None, f"Nobody ever was player {player}.")
        fresh = tour not in self._tours
        if fresh:
            self._tours[tour] = begin_tour(tour, event) if record.n == 1 else None
            self._indexes[tour] = MatchIndex()
            sentence = "A tour has neither seed nor code."
            self._owe(events.tour_stream(tour), tour, record, sentence)
            return
        before = self._tours[tour]
        if before is None:
            return
        if record.n != before.n + 1:
            self.give_up(tour)
            return
        index = self._indexes[tour]
        allow(before, index, event, Wall(record.at))
        self._at_tables(record, before, event)
        index.note(before, event)
        self._tours[tour] = evolve_tour(before, event)

    def _at_tables(self, record: events.Record, tour: Tour, event: events.TourEvent) -> None:
        """Note what an event calls for at the tables, and which records are owed now."""
        match event:
            case events.TourKeyed():
                self._owed.pop(events.tour_stream(tour.id), None)
            case events.MatchBegun(number, table):
                require(table not in self._tables, f"Match {number} begins at a table from before.")
                self._calls[table] = _call(tour, number)
                sentence = f"Match {number} begins at table {table}, and no game starts there."
                self._owe(events.table_stream(table), tour.id, record, sentence)
            case events.MatchEnded(number, result):
                self._come_out(tour, number, result)
            case events.MatchVoided(number) | events.MatchRuled(number):
                self._void(record, tour, number)
            case events.TourClosing(how) if how == CANCELLED:
                self._owed.pop(events.tour_stream(tour.id), None)
            case events.TourEnded():
                sentence = "The tour ends, and the hall does not say so."
                self._owe(events.tour_stream(tour.id), tour.id, record, sentence)
            case _:
                pass

    def _come_out(self, tour: Tour, number: int, result: Result) -> None:
        """Object unless the result of a match is that of its table, or its absent are paused."""
        if result.how == ABSENT and not tour.plan.strict:
            sides = tour.match(number).fixture.sides
            for one in (sides[n] for n in result.forfeits):
                known = tour.entrant(one)
                require(known.paused, f"Entrant {one} loses by its absence, and is not paused.")
        table_id = tour.match(number).table
        table = None if table_id is None else self._tables.get(table_id)
        if table_id is None or table is None:
            return  # it was not played, or the table has a problem of its own
        over = table.status is Status.OVER
        require(over, f"Match {number} comes out, and the game at table {table_id} is not over.")
        ruled = _result_at(table, tour, number)
        said, rules = in_brief(result), in_brief(ruled)
        require(
            result == ruled, f"Match {number} comes out {said}, and at table {table_id} {rules}."
        )
        self._owed.pop(events.table_stream(table_id), None)
        self._calls.pop(table_id, None)

    def _void(self, record: events.Record, tour: Tour, number: int) -> None:
        match_ = tour.match(number)
        if not match_.running or match_.table is None:
            return
        self._calls.pop(match_.table, None)
        sentence = f"Match {number} is voided, and the game at table {match_.table} goes on."
        self._owe(events.table_stream(match_.table), tour.id, record, sentence)
        if isinstance(record.event, events.MatchRuled):
            outcome = entered(tour, match_.fixture, record.event.result)
            self._entered[match_.table] = outcome.places
        if tour.status is TourStatus.CLOSING:
            sentence = f"Match {number} is voided, and the tour that closes is not called off."
            self._owe(events.tour_stream(tour.id), tour.id, record, sentence)

    # -- at tables

    def at_table(self, record: events.Record, table: TableId, event: events.TableEvent) -> None:
        """Judge an event at a table of a tour, which is followed already. Raises Violation."""
        now = self._tables[table]
        stream = events.table_stream(table)
        if now is None:
            self._owed.pop(stream, None)
            return
        tour = now.opened.tour
        if tour is None or not isinstance(event, events.Opened | events.Started | events.Ended):
            return
        known = tour in self._tours or tour in self._over
        require(known, f"The table is for tour {tour}, and there is no such tour.")
        if self._tours.get(tour) is None and tour not in self._over:
            return
        if isinstance(event, events.Ended):
            self._table_ends(record, tour, table, event)
            return
        call = self._calls.get(table)
        require(call is not None, f"The table is for tour {tour}, which plays no match here.")
        if call is not None:
            _sits_right(now, call, event)
        if isinstance(event, events.Started):
            self._owed.pop(stream, None)

    def _table_ends(
        self, record: events.Record, tour: TourId, table: TableId, event: events.Ended
    ) -> None:
        call = self._calls.get(table)
        voided = event.outcome.how == VOIDED
        if call is None:
            require(voided, f"The match of tour {tour} here was voided, and the game comes out.")
            self._owed.pop(record.stream, None)
            places, entered_here = event.outcome.places, self._entered.pop(table, None)
            # Nobody wins what was voided.
            right = set(places) == {2} if entered_here is None else places == entered_here
            require(right, "The game does not end as its match of the tour was decided.")
            return
        require(not voided, f"The game is voided, and match {call.match} of tour {tour} is not.")
        sentence = f"Match {call.match} of tour {tour} ends here, and the tour does not say so."
        self._owe(record.stream, tour, record, sentence)

    # -- in the hall's stream

    def done(self, event: events.TourDone) -> None:
        """Judge the hall's word that a tour is over. Raises Violation."""
        number = event.tour
        require(number not in self._over, f"Tour {number} is over a second time.")
        require(number in self._tours, f"There never was a tour {number}.")
        tour = self._tours.pop(number)
        self._indexes.pop(number, None)
        self._owed.pop(events.tour_stream(number), None)
        self._over.add(number)
        expected = None if tour is None else self._expected(tour)
        self._ratings.take(event)
        if tour is None or expected is None:
            return
        ended = tour.status in (TourStatus.ENDED, TourStatus.CANCELLED)
        require(ended, f"Tour {number} is not over, but {tour.status}.")
        line = line_of(tour, 0)
        said, ruled = ", ".join(event.line.winners), ", ".join(line.winners)
        same = event.line.winners == line.winners
        require(same, f"Tour {number} was won by {ruled or 'nobody'}, not by {said or 'nobody'}.")
        require(event.line == line, f"Tour {number} was not as the hall says it was.")
        fits = _alike(event.rated, expected)
        require(fits, f"The ratings after tour {number} are not what its games make of them.")

    def _expected(self, tour: Tour) -> tuple[Rated, ...]:
        return () if tour.how == CANCELLED else self._ratings.changed_by(tour)

    def _owe(self, stream: str, tour: TourId, record: events.Record, sentence: str) -> None:
        self._owed[stream] = Owed(tour, record, sentence)


def _players_in(event: events.TourEvent) -> Iterator[PlayerId]:
    match event:
        case (
            events.Joined(player=player)
            | events.Partnered(player=player)
            | events.Returned(now=player)
        ):
            yield player
        case events.TourOpened(by=by) if by is not None:
            yield by
        case _:
            pass


def _call(tour: Tour, number: int) -> CalledMatch:
    """The call of this match to a table: its terms, its seed, and who must sit where."""
    fixture, plan = tour.match(number).fixture, tour.plan
    players: dict[int, PlayerId] = {}
    for n, side in enumerate(fixture.sides):
        players |= zip(tour_seats(tour, n), tour.entrant(side).players, strict=True)
    seats = tuple(players[seat] for seat in sorted(players))
    rules = tour.game.rules
    opened = events.Opened(plan.variant, rules, len(seats), plan.time, plan.policy, tour=tour.id)
    return CalledMatch(tour.id, number, opened, seats, match_seed(tour, number))


def _sits_right(table: Table, call: CalledMatch, event: events.Opened | events.Started) -> None:
    """Object unless the match's table is as the plan says, and its players sit there."""
    which = f"match {call.match} of tour {call.tour}"
    ours = table.opened.tour == call.tour
    require(ours, f"The table is for tour {table.opened.tour}, and {which} is played here.")
    # Another version of the package may have been there when the tour was opened.
    opened = replace(table.opened, package="", secret=False)
    require(opened == call.opened, f"The table is not as the plan has it for {which}.")
    if isinstance(event, events.Started):
        require(table.seats == call.seats, f"Those who sit here do not play {which}.")
        require(table.seed == call.seed, f"The seed is not the one for {which}.")


def _result_at(table: Table, tour: Tour, number: int) -> Result:
    """The result of a match, as its table has it."""
    outcome = table.outcome
    assert outcome is not None, "a game that is over has come out"
    sides = tour.match(number).fixture.sides
    seats = [tour_seats(tour, side) for side in range(len(sides))]
    return Result(
        tuple(outcome.places[of[0]] for of in seats),
        outcome.how,
        outcome.reason,
        tuple(side for side, of in enumerate(seats) if not table.out.isdisjoint(of)),
        None if outcome.scores is None else tuple(outcome.scores[of[0]] for of in seats),
    )


def _alike(said: tuple[Rated, ...], ruled: tuple[Rated, ...]) -> bool:
    return len(said) == len(ruled) and all(
        (one.key, one.name, one.games) == (other.key, other.name, other.games)
        and abs(one.mu - other.mu) < CLOSE
        and abs(one.sigma - other.sigma) < CLOSE
        for one, other in zip(said, ruled, strict=True)
    )
