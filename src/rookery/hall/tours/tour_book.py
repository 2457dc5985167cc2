"""The book of tours: every tour that is not over, and a line about each that is.

Every event of a tour is written here: into the log, into the tour, and to those who are to hear of
it. Entrants hear what concerns them; watchers hear everything. An index says which matches wait,
which run and who is busy: that is in the tour's value too, but would have to be searched for.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from rookery.core import events
from rookery.core.chance import Chance
from rookery.core.errors import BadOption, Damaged
from rookery.core.events import Record, TourDone
from rookery.core.ids import Micros, PlayerId, SessionId, TableId, TourId, TourStatus
from rookery.core.messages import Refused, TourNews
from rookery.core.tour_values import Fixture, Puzzle, Solution, TourLine
from rookery.hall.batch import Draft
from rookery.hall.limits import CODE_LENGTH
from rookery.hall.people.register import People
from rookery.hall.tables.registry import Archive
from rookery.hall.tours.tour import Tour, evolve_tour, open_tour, replay_tour, why_absent


class MatchIndex:
    """The matches of one tour, by the entrants in them."""

    def __init__(self) -> None:
        self.running = 0  # matches
        self.undecided = 0
        self.paired_for = -1  # what there was when the format was last asked: entrants, or events
        self.wished = 0  # rounds that somebody was to pair elsewhere
        self.puzzle: Puzzle | None = None  # the last of them, until it is paired
        self.solution: Solution | None = None  # how it was paired
        self._unbegun: dict[int, Fixture] = {}  # all that has not begun, in its order
        self._waiting: dict[int, dict[int, None]] = {}  # by entrant: matches that have not begun
        self._busy: dict[
            int, dict[int, None]
        ] = {}  # by entrant: matches that run, if there are any

    def note(self, before: Tour, event: events.TourEvent) -> None:
        """Bring the index up to date with an event; `before` is the tour before it."""
        match event:
            case events.Paired(fixtures):
                self.undecided += len(fixtures)
                for number, fixture in enumerate(fixtures, len(before.matches) + 1):
                    self._unbegun[number] = fixture
                    self._put(self._waiting, fixture.sides, number)
            case events.MatchBegun(number):
                self._begin(before, number)
            case events.MatchEnded(number):
                self.undecided -= 1
                self._leave(before, number)
            case events.MatchRuled(number):
                if before.match(number).result is None:
                    self.undecided -= 1
                self._leave(before, number)
            case events.MatchVoided(number):
                if before.match(number).result is not None:
                    self.undecided += 1
                self._leave(before, number)
                fixture = before.match(number).fixture
                self._unbegun = dict(sorted([*self._unbegun.items(), (number, fixture)]))
                self._put(self._waiting, fixture.sides, number)
            case _:
                pass

    def waiting(self, of: Iterable[int] | None = None) -> Iterator[tuple[int, Fixture]]:
        """The matches of these entrants, or of all, that have not begun; in their order.

        The caller may begin or decide the match it was given last while it goes on.
        """
        if of is None:
            numbers = list(self._unbegun)
        else:
            numbers = sorted({n for one in of for n in self._waiting.get(one, ())})
        for number in numbers:
            yield number, self._unbegun[number]

    def playing(self, entrant: int) -> tuple[int, ...]:
        """The matches that this entrant plays now."""
        return tuple(self._busy.get(entrant, ()))

    def engaged(self, most: int) -> list[int]:
        """The entrants who play at least so many matches now."""
        if most == 1:
            return list(self._busy)
        return [entrant for entrant, numbers in self._busy.items() if len(numbers) >= most]

    def all_playing(self) -> list[int]:
        """Every match that is being played."""
        return sorted({n for numbers in self._busy.values() for n in numbers})

    def _begin(self, before: Tour, number: int) -> None:
        sides = before.match(number).fixture.sides
        self.running += 1
        del self._unbegun[number]
        self._take(self._waiting, sides, number)
        self._put(self._busy, sides, number)

    def _leave(self, before: Tour, number: int) -> None:
        match_ = before.match(number)
        self._unbegun.pop(number, None)
        self._take(self._waiting, match_.fixture.sides, number)
        if match_.running:
            self.running -= 1
            self._take(self._busy, match_.fixture.sides, number)

    def _put(self, where: dict[int, dict[int, None]], sides: tuple[int, ...], number: int) -> None:
        for side in sides:
            where.setdefault(side, {})[number] = None

    def _take(self, where: dict[int, dict[int, None]], sides: tuple[int, ...], number: int) -> None:
        for side in sides:
            of = where.get(side, {})
            of.pop(number, None)
            if not of:
                where.pop(side, None)


LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # of a join code; none that is taken for a digit
READ_KEPT: Final = 8  # tours that are over and stay at hand: who looks at one asks page by page
SIGN: Final = "#"  # between a name and the code of a tour
TEAM_SIGN: Final = "@"  # between a name and the team one plays in, where there are teams


class Book:
    """All tours, and which players are in them."""

    def __init__(self, people: People, archive: Archive) -> None:
        self._warden = people.warden
        self._presence = people.presence
        self._archive = archive
        self._tours: dict[TourId, Tour] = {}  # those that are not over
        self._indexes: dict[TourId, MatchIndex] = {}
        self._of_player: dict[PlayerId, dict[TourId, None]] = {}  # who is in which
        self._at: dict[TableId, tuple[TourId, int]] = {}  # the matches that run
        self._codes: dict[str, TourId] = {}
        self._active: dict[TourId, Micros] = {}  # when something happened last
        self._opened: dict[TourId, Micros] = {}  # when they were opened
        self._over: dict[TourId, TourLine] = {}
        self._read: dict[TourId, Tour] = {}  # some that are over, as the archive has them
        self._missed: dict[PlayerId, TourNews] = {}  # an end that somebody was not there for
        self._waiting: dict[TourId, str] = {}  # those whose game or format is not here, and why
        self._damaged: set[TourId] = set()  # those that could not be read when last asked for
        self._ran: dict[PlayerId, TourId] = {}  # the last that somebody opened
        self._next = 1

    # -- finding them

    def get(self, tour: TourId) -> Tour | None:
        """The tour with this id, if it is not over."""
        return self._tours.get(tour)

    def find(self, tour: TourId) -> Tour | None:
        """The tour with this id; one that is over is read from the archive."""
        found = self._tours.get(tour) or self._read.get(tour)
        if found is not None or tour not in self._over:
            return found
        try:
            records = self._archive(events.tour_stream(tour))
            found = replay_tour(tour, records)
        except BadOption as wrong:
            self._wait(tour, records[0].event, wrong)
            return None
        except Exception:  # noqa: BLE001 # what is damaged may break the rules anywhere
            self._damaged.add(tour)
            return None
        self._damaged.discard(tour)
        if found.status in (TourStatus.ENDED, TourStatus.CANCELLED):
            self._keep(found)  # else its end is still being written
        return found

    def refusal(self, tour: TourId) -> Refused:
        """Why `find` found no such tour."""
        if tour in self._damaged:
            sentence = f"The record of tour {tour} is damaged and cannot be read; others can."
            return Refused("damaged", sentence)
        if tour in self._waiting:
            return Refused("absent", f"Tour {tour} rests. {self._waiting[tour]}")
        return Refused("no_tour", f"There is no tour {tour}.")

    def index_of(self, tour: TourId) -> MatchIndex:
        """The index of the matches of a tour that is not over."""
        return self._indexes[tour]

    def all(self) -> Iterator[Tour]:
        """Every tour that is not over, in the order of their ids."""
        return iter(tuple(self._tours.values()))

    def over(self) -> Iterable[TourLine]:
        """A line about every tour that is over."""
        return self._over.values()

    def of_player(self, player: PlayerId) -> tuple[TourId, ...]:
        """The tours that this player is in, and that are not over."""
        return tuple(self._of_player.get(player, ()))

    def attached(self, player: PlayerId) -> Tour | None:
        """The tour that a player owns or is in, if it is not closing or over."""
        mine = [tour for tour in self._tours.values() if tour.opened.by == player]
        mine += [self._tours[tour] for tour in self.of_player(player)]
        closing = TourStatus.CLOSING
        return next((tour for tour in mine if tour.status is not closing), None)

    def ran(self, player: PlayerId) -> Tour | None:
        """The tour that this player opened last, over or not."""
        tour = self._ran.get(player)
        return None if tour is None else self.find(tour)

    def with_code(self, code: str) -> Tour | None:
        """The tour that players join with this code, or None."""
        tour = self._codes.get(code.upper())
        return None if tour is None else self._tours[tour]

    def has_codes(self) -> bool:
        """Whether any tour is joined with a code."""
        return bool(self._codes)

    def without_code(self, name: str) -> str:
        """A name without the code of a tour behind it, where there is one."""
        plain, sign, code = name.rpartition(SIGN)
        tour = self.with_code(code) if sign and plain else None
        return name if tour is None else apart(tour, plain)[0]

    def at_table(self, table: TableId) -> tuple[TourId, int] | None:
        """The tour and number of the match that is being played at this table, or None."""
        return self._at.get(table)

    def active(self, tour: TourId) -> Micros:
        """When something last happened in a tour that is not over."""
        return self._active[tour]

    def opened_at(self, tour: TourId) -> Micros:
        """When a tour that is not over was opened."""
        return self._opened[tour]

    def __len__(self) -> int:
        return len(self._tours)

    # -- what happens in them

    def draw_code(self, seed: int) -> str:
        """Draw a code that no tour has."""
        chance = Chance(seed)
        while True:
            code = "".join(chance.choice(LETTERS) for _ in range(CODE_LENGTH))
            if code not in self._codes:
                return code

    def open(self, draft: Draft, opened: events.TourOpened, seed: int, code: str) -> TourId:
        """Open a new tour, and write it down."""
        tour = TourId(self._next)
        self._admit(tour, opened, draft.at)
        self._write(draft, tour, 1, opened)
        self.happen(draft, tour, events.TourKeyed(seed, code))
        return tour

    def happen(self, draft: Draft, tour: TourId, event: events.TourEvent) -> Tour:
        """Let an event happen in a tour: write it and tell it; the tour after it."""
        before = self._tours[tour]
        after = self._evolve(before, event)
        self._write(draft, tour, after.n, event)
        if not isinstance(event, events.TourKeyed):
            news = TourNews(tour, after.n, draft.at, event)
            for session, concerned in self._audience(after, event).items():
                (draft.tell if concerned else draft.tell_onlooker)(session, news)
            self._miss(after, news)
        return after

    def close(self, tour: TourId) -> tuple[PlayerId, ...]:
        """Take a tour that is over out of memory; the players who have not heard of its end."""
        ended = self._tours.pop(tour)
        self._keep(ended)  # the archive may not have its end yet: that is still being written
        del self._indexes[tour]
        del self._active[tour], self._opened[tour]
        self._codes.pop(ended.code, None)
        self._presence.forget_tour(tour)
        players = [player for one in ended.entrants for player in one.players]
        for player in players:
            self._forget(player, ended)
        return tuple(
            player
            for player in players
            if player in self._missed and self._missed[player].tour == tour
        )

    def take_missed(self, player: PlayerId) -> TourNews | None:
        """The news of an end that this player missed, if there is one; it is given once."""
        news = self._missed.pop(player, None)
        if news is None or news.n:
            return news
        try:
            past = self._archive(events.tour_stream(news.tour))
        except Damaged:
            return news  # that it is over is known, and no more
        for record in reversed(past):
            if isinstance(record.event, events.TourClosing):
                return TourNews(news.tour, record.n, record.at, record.event)
        return news

    # -- from the log

    def restore(self, tour: TourId, record: Record, event: events.TourEvent) -> None:
        """Take in a record of a tour that is not over, from the log."""
        self._next = max(self._next, tour + 1)
        if isinstance(event, events.TourOpened):
            try:
                self._admit(tour, event, record.at)
            except BadOption as wrong:
                self._wait(tour, event, wrong)
                return
        elif tour in self._tours:
            after = self._evolve(self._tours[tour], event)
            if not isinstance(event, events.TourKeyed):
                self._miss(after, TourNews(tour, record.n, record.at, event))
        if tour in self._tours:
            self._active[tour] = record.at

    def _wait(self, tour: TourId, opened: object, wrong: BadOption) -> None:
        """Let the tour wait in the log for a server that knows its game and format."""
        assert isinstance(opened, events.TourOpened), "a tour's first event opens it"
        self._waiting[tour] = why_absent(opened) or str(wrong)

    def set_aside(self, tour: TourId) -> None:
        """Drop a tour whose record is damaged: nothing more happens in it."""
        self._next = max(self._next, tour + 1)
        was = self._tours.pop(tour, None)
        if was is not None:
            for player in tuple(self._of_player):
                self._forget(player, was)
        for of_tour in (self._indexes, self._active, self._opened):
            of_tour.pop(tour, None)
        self._codes = {code: of for code, of in self._codes.items() if of != tour}
        self._at = {table: at for table, at in self._at.items() if at[0] != tour}
        self._damaged.add(tour)

    def done(self, event: TourDone, at: Micros) -> None:
        """Take in that a tour is over; live and from the log alike."""
        self._next = max(self._next, event.tour + 1)
        self._over[event.tour] = event.line
        self._own(event.tour, event.line.owner)
        for player in event.missed:
            known = self._missed.get(player)
            if known is None or known.tour != event.tour:
                # Of one from the log no more is known; it is looked up when it is told. One
                # from before was told when the player came to this tour.
                end = events.TourClosing(event.line.status, ())
                self._missed[player] = TourNews(event.tour, 0, at, end)

    # -- inside

    def _keep(self, tour: Tour) -> None:
        """Keep a tour that is over at hand, in place of the one that was kept first."""
        if tour.id not in self._read and len(self._read) == READ_KEPT:
            del self._read[next(iter(self._read))]
        self._read[tour.id] = tour

    def _admit(self, tour: TourId, opened: events.TourOpened, at: Micros) -> None:
        self._tours[tour] = open_tour(tour, opened)
        self._opened[tour] = at
        self._indexes[tour] = MatchIndex()
        self._own(tour, opened.by)
        self._next = max(self._next, tour + 1)

    def _own(self, tour: TourId, owner: PlayerId | None) -> None:
        if owner is not None:
            self._ran[owner] = max(tour, self._ran.get(owner, tour))

    def _write(self, draft: Draft, tour: TourId, n: int, event: events.TourEvent) -> None:
        self._active[tour] = draft.at
        ends = isinstance(event, events.TourEnded)
        draft.record(events.tour_stream(tour), n, event, ends=ends)

    def _evolve(self, before: Tour, event: events.TourEvent) -> Tour:
        tour = before.id
        self._indexes[tour].note(before, event)
        after = self._tours[tour] = evolve_tour(before, event)
        match event:
            case events.TourKeyed(code=code) if code:
                self._codes[code] = tour
            case events.Joined(player=player) | events.Partnered(player=player):
                self._enrol(player, tour)
                self._missed.pop(player, None)  # a player who joins is here, and has been told
            case events.Returned(player=was, now=now):
                self._forget(was, before)
                self._enrol(now, tour)
            case events.Withdrawn(entrant):
                for player in before.entrant(entrant).players:
                    self._forget(player, before)
            case events.MatchBegun(number, table):
                self._at[table] = (tour, number)
            case events.MatchWord(number):
                table_id = before.match(number).table
                if table_id is not None:
                    self._at.pop(table_id, None)
            case _:
                pass
        return after

    def _enrol(self, player: PlayerId, tour: TourId) -> None:
        tours = self._of_player.setdefault(player, {})
        if tour not in tours:
            tours[tour] = None
            self._warden.enrolled(player, self._tours[tour].plan.at_once)

    def _forget(self, player: PlayerId, tour: Tour) -> None:
        tours = self._of_player.get(player, {})
        if tour.id in tours:
            del tours[tour.id]
            self._warden.enrolled(player, -tour.plan.at_once)
        if not tours:
            self._of_player.pop(player, None)

    def _audience(self, tour: Tour, event: events.TourEvent) -> dict[SessionId, bool]:
        """The sessions that hear of this event: watchers, the owner, and entrants concerned.

        With each, whether the event is about it. What happens to the whole tour is told to all of
        its entrants, who may be thousands: so they hear of it as those who look on do.
        """
        heard = dict.fromkeys(self._presence.tour_watchers(tour.id), False)
        players = [
            player for one in _concerned(tour, event) for player in tour.entrant(one).players
        ]
        about = not isinstance(event, events.LifeWord)
        heard |= {one: about for one in self._presence.sessions_of(players) if one is not None}
        owner = tour.opened.by
        if owner is not None and (session := self._presence.session_of(owner)) is not None:
            heard[session] = True
        return heard

    def _miss(self, tour: Tour, news: TourNews) -> None:
        """Keep news that a match need not be waited for, for those of its players who are away."""
        match news.event:
            case events.TourClosing():
                players = [who for one in tour.entrants if not one.out for who in one.players]
            case events.Withdrawn(entrant):
                players = list(tour.entrant(entrant).players)
            case _:
                return
        for player in players:
            if self._presence.session_of(player) is None:
                self._missed[player] = news


def apart(tour: Tour, name: str) -> tuple[str, str]:
    """The name by itself, and the team behind it where the tour has teams."""
    plain, sign, team = name.rpartition(TEAM_SIGN)
    return (plain, team) if tour.size > 1 and sign and plain and team else (name, "")


def _concerned(tour: Tour, event: events.TourEvent) -> Iterable[int]:
    """The entrants who are told of this event."""
    match event:
        case events.EntrantWord(entrant) | events.Parted(entrant):
            return (entrant,)
        case events.LifeWord():
            return (one.number for one in tour.entrants if not one.out)
        case events.MatchWord(number):
            return tour.match(number).fixture.sides
        case _:
            return ()
