"""The register: everyone who ever came, and the numbers that dialects call things by.

It is the hall's own stream in the log: every event of that stream is written here. Who is connected
is not in it.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from rookery.core import events
from rookery.core.events import PassphraseReset
from rookery.core.ids import PlayerId, SessionId, TableId, TourId
from rookery.core.manners import Languages
from rookery.games import AnyGame
from rookery.hall.batch import Draft
from rookery.hall.people.conduct import Conduct
from rookery.hall.people.numbers import PLAYER, TABLE, TOUR, Numbers
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.people.presence import Presence
from rookery.hall.people.warden import Warden


class Register:
    """Players, their conduct, and numbers. `is_busy` says which players may yet come back."""

    def __init__(
        self, presence: Presence, languages: Languages, is_busy: Callable[[PlayerId], bool]
    ) -> None:
        self.players = PlayerRegistry(languages)
        freeing = (manners.name for manners in languages if manners.frees_numbers)
        self.numbers = Numbers(self.players, freeing)
        self.conduct = Conduct()
        self._presence = presence
        self._is_busy = is_busy
        self.own_records = 0  # of the hall's own stream so far
        # By dialect: the last table that was numbered with all its players; until one is freed.
        self._named: dict[str, tuple[TableId, tuple[PlayerId | None, ...]]] = {}

    # -- the hall's own stream

    def write(self, draft: Draft, event: events.HallEvent) -> None:
        """Record an event in the hall's own stream, and take it in."""
        self.own_records += 1
        draft.record(events.HALL_STREAM, self.own_records, event)
        self._evolve(event)

    def restore(self, record: events.Record, event: events.HallEvent) -> None:
        """Take in a record of the hall's own stream, from the log."""
        self.own_records = record.n
        self._evolve(event)

    def _evolve(self, event: events.HallEvent) -> None:
        """Take this event in; live and from the log alike."""
        match event:
            case (
                events.PlayerMade()
                | events.PlayerNamed()
                | events.ToldApart()
                | events.NameKept()
                | events.TokenGiven()
                | events.NameGivenUp()
                | PassphraseReset()
            ):
                self.players.evolve(event)
            case events.Numbered():
                self.numbers.evolve(event)
            case events.Freed():
                self.numbers.evolve(event)
                self._named.clear()
            case events.TourDone() | events.GameRated():
                pass  # those who rate take it in
            case _:
                self.conduct.evolve(event)

    def tell_apart(self, draft: Draft, player: PlayerId, others: Iterable[PlayerId | None]) -> str:
        """The name the player is shown by among these; it gets another raised number if need be."""
        apart = self.players.apart(player, others)
        if apart is not None:
            self.write(draft, apart)
        return self.players[player].shown

    # -- numbers, given when a session is first told of something

    def numbers_things(self, session: SessionId) -> bool:
        """Whether this session's dialect calls tables and players by numbers of its own."""
        return bool(self._presence.manners(session).numbers)

    def name_table(
        self,
        draft: Draft,
        session: SessionId,
        table: TableId,
        seats: tuple[PlayerId | None, ...],
    ) -> None:
        """Give the session's dialect numbers for this table and for the players who sit there."""
        manners = self._presence.manners(session)
        # All who hear of one event come one after the other: mostly another has just heard it.
        if manners.numbers and self._named.get(manners.name) != (table, seats):
            self._named[manners.name] = table, seats
            self._number(draft, self.numbers.missing(manners.name, TABLE, table))
            self.name_players(draft, session, seats)

    def name_players(
        self, draft: Draft, session: SessionId, players: Iterable[PlayerId | None]
    ) -> None:
        """Give the session's dialect a number for each of these players that has none."""
        if self._presence.manners(session).numbers:
            for player in players:
                if player is not None:
                    self.name_player(draft, session, player)

    def name_player(self, draft: Draft, session: SessionId, player: PlayerId) -> None:
        """Give the session's dialect a number for this player, if it has none."""
        manners = self._presence.manners(session)
        if manners.numbers:
            if self.numbers.player_number(manners.name, player) is None:
                for freed in self.numbers.vacated(draft.now, self._is_busy):
                    self.write(draft, freed)
            self._number(draft, self.numbers.missing(manners.name, PLAYER, player))

    def name_tour(self, draft: Draft, tour: TourId, game: AnyGame) -> None:
        """Give a new tour its number in each dialect whose players can join it by a number."""
        for manners in self.players.languages:
            if manners.numbers and manners.tours and manners.speaks(game):
                self._number(draft, self.numbers.missing(manners.name, TOUR, tour))

    def _number(self, draft: Draft, event: events.Numbered | None) -> None:
        if event is not None:
            self.write(draft, event)


class People(Struct, frozen=True):
    """All that is known of people, in one value, which the packages above receive whole."""

    presence: Presence  # who is connected
    register: Register  # everyone who ever came
    warden: Warden  # what each home may still use
