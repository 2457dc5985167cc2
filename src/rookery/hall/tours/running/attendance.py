"""Attendance: which entrants of a tour can play their next match, and who is away since when.

Nothing of it is in the log but who is paused: after a restart everybody is away, and has the whole
time to come back.
"""

from collections.abc import Iterable, Iterator
from enum import Enum, auto

from rookery.core.events import EntrantPaused, EntrantResumed
from rookery.core.ids import Micros, PlayerId, TourId, TourStatus
from rookery.core.manners import Matched
from rookery.hall.people.register import People
from rookery.hall.tables.registry import TableRegistry
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book


class Stand(Enum):
    """Whether an entrant can play its next match, and if not, why."""

    FREE = auto()
    BUSY = auto()  # the entrant plays, is away for a moment, or has not asked
    ABSENT = auto()  # away for longer than the plan allows
    OUT = auto()  # of the tour


class Attendance:
    """Knows which entrants are there, and which are free."""

    def __init__(self, people: People, tables: TableRegistry, book: Book) -> None:
        self._presence = people.presence
        self._players = people.register.players
        self._tables = tables
        self._book = book
        self._gone: dict[PlayerId, Micros] = {}  # entrants who are away, and since when
        # With the start of which tour somebody is called, and has not answered; and has.
        self._called: dict[PlayerId, TourId] = {}
        self._greeted: dict[PlayerId, TourId] = {}
        self._asked: set[PlayerId] = set()  # who asked for a game, in dialects where one must

    # -- who comes, goes and asks

    def is_here(self, player: PlayerId) -> None:
        """Note that the player is connected, or does what only the connected do."""
        self._gone.pop(player, None)

    def asks(self, player: PlayerId) -> None:
        """Note that the player's client waits for a game."""
        self._asked.add(player)
        self._presence.alter_player(player)

    def asks_no_more(self, players: Iterable[PlayerId]) -> None:
        """Note that these players wait no more: their game has begun, or they are gone."""
        for player in players:
            if player in self._asked:
                self._asked.remove(player)
                self._presence.alter_player(player)

    def has_asked(self, player: PlayerId) -> bool:
        """Whether the player's client waits for a game."""
        return player in self._asked

    def calls_start(self, tour: Tour) -> None:
        """In a strict tour, note the players whose clients must answer the call of its start."""
        if tour.plan.strict:
            players = (player for one in tour.entrants if not one.out for player in one.players)
            for player in players:
                if self._players.manners(player).matched is Matched.CALLED:
                    self._greeted.pop(player, None)
                    self._called[player] = tour.id
                    self._presence.alter_player(player)

    def greets(self, player: PlayerId) -> None:
        """Note that the player's client has answered the start."""
        if (tour := self._called.pop(player, None)) is not None:
            self._greeted[player] = tour
            self._presence.alter_player(player)

    def is_not_called(self, player: PlayerId) -> None:
        """Forget the start of a player whose client is gone, and will not be called any more."""
        self._called.pop(player, None)
        self._greeted.pop(player, None)

    def greeted(self, player: PlayerId) -> TourId | None:
        """The tour whose start the player's client took last, while it was connected."""
        return self._greeted.get(player)

    def has_greeted(self, player: PlayerId, tour: TourId) -> None:
        """Note that the player's client took that start before, from another hall."""
        if self._called.get(player) == tour:
            self.greets(player)

    def is_gone(self, player: PlayerId, now: Micros) -> None:
        """Note that nobody is connected for this player from now on."""
        self._gone[player] = now

    def must_ask(self, player: PlayerId, now: Micros) -> None:
        """Count a player who must ask for its next game, and has not, as away from now on."""
        self._gone.setdefault(player, now)

    # -- how everybody stands

    def stand(self, tour: Tour, number: int, now: Micros) -> Stand:
        """Whether an entrant can play a match now, or why not."""
        entrant = tour.entrant(number)
        if entrant.out:
            return Stand.OUT
        if self.is_absent(tour, number, now):
            return Stand.ABSENT
        playing = len(self._book.index_of(tour.id).playing(number))
        there = len(entrant.players) == tour.size and all(
            self._is_ready(tour, player, playing) for player in entrant.players
        )
        return Stand.FREE if there else Stand.BUSY

    def free(self, tour: Tour, now: Micros) -> list[int]:
        """The entrants who can play a match now."""
        full = frozenset(self._book.index_of(tour.id).engaged(tour.plan.at_once))
        open_ = [one.number for one in tour.entrants if one.number not in full]  # mostly few
        return [number for number in open_ if self.stand(tour, number, now) is Stand.FREE]

    def awaits_greeting(self, tour: Tour) -> bool:
        """Whether a player of this tour has neither answered the start nor failed it."""
        return bool(self._called) and any(
            not one.out and any(player in self._called for player in one.players)
            for one in tour.entrants
        )

    def engaged(self, tour: Tour, now: Micros) -> set[int]:
        """The entrants who play as many matches as they may, without those who are absent."""
        full = self._book.index_of(tour.id).engaged(tour.plan.at_once)
        if not self._gone:
            return set(full)
        return {number for number in full if not self.is_absent(tour, number, now)}

    def is_absent(self, tour: Tour, number: int, now: Micros) -> bool:
        """Whether an entrant who is in the tour is away for longer than the plan allows."""
        entrant = tour.entrant(number)
        if entrant.out or self._gone.keys().isdisjoint(entrant.players):
            return False
        return any(
            player in self._gone and self._gone[player] + tour.plan.absent <= now
            for player in entrant.players
        )

    def changes(self, tour: Tour, now: Micros) -> Iterator[EntrantPaused | EntrantResumed]:
        """The entrants who are to be paused now, or are back; in a strict tour they are put out.

        A team is back when all its players are.
        """
        begins = tour.status in (TourStatus.RUNNING, TourStatus.PAUSED) and not tour.plan.strict
        for one in tour.entrants:
            if one.paused:
                if self._gone.keys().isdisjoint(one.players):
                    yield EntrantResumed(one.number)
            elif begins and self.is_absent(tour, one.number, now):
                yield EntrantPaused(one.number)

    def moments(self, tour: Tour) -> list[Micros]:
        """When each player who is away from a tour will have been away for too long."""
        there = [player for one in tour.entrants if not one.out for player in one.players]
        return [self._gone[one] + tour.plan.absent for one in there if one in self._gone]

    def _is_ready(self, tour: Tour, player: PlayerId, playing: int) -> bool:
        if self._presence.session_of(player) is None:
            return False
        manners = self._players.manners(player)
        if manners.several:
            return playing < tour.plan.at_once
        if manners.matched is Matched.ASKS and player not in self._asked:
            return False
        return not playing and not self._tables.of_player(player)
