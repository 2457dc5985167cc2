"""The reception: who one is, how one comes back, and what one is called on the wire.

Players and numbers are in the log, in the hall's own stream; who acts for whom is not. It
mutates, and the hall owns it.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from rookery.core.events import (
    HALL_STREAM,
    Freed,
    HallEvent,
    Numbered,
    PlayerMade,
    PlayerNamed,
    Record,
    TourDone,
)
from rookery.core.ids import Micros, PlayerId, SessionId, TableId, TourId
from rookery.core.intents import Enter, Reclaim, Rename, Resume, TakeUp
from rookery.core.messages import WANTED, Done, Notice, Refused, Reply, Shown, Tables, Welcome
from rookery.core.messages import Players as PlayersMessage
from rookery.core.tours.tour_events import Renamed
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.people.numbers import NUMBERED, PLAYER, TABLE, TOUR, TOURNEY, Numbers
from rookery.hall.people.players import Player, Players, bad_dialect, bad_name, hash_token
from rookery.hall.people.presence import Presence
from rookery.hall.people.warden import Remark, Warden, quiet
from rookery.hall.tables.absence import Home
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.referee import Asker
from rookery.hall.tables.registry import Archive
from rookery.hall.tables.table import Table
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book

WITH_TOKENS: Final = frozenset({"native"})  # dialects whose players come back by token alone


class Custom(Struct, frozen=True):
    """The customs of one server: what homes may use up, and how long a game on hold waits."""

    allowances: limits.Allowances = limits.Allowances()
    hold: Micros = limits.HOLD  # with nobody there
    remark: Remark = quiet  # for what whoever runs the server should know


CUSTOM: Final = Custom()


class Reception:
    """Everyone who ever came, and the numbers they were given."""

    def __init__(
        self, presence: Presence, archive: Archive, tokens: Callable[[], str], custom: Custom
    ) -> None:
        self.players = Players()
        self.numbers = Numbers(self.players)
        self.warden = Warden(presence, self.players, custom.allowances, custom.remark)
        way_back = self.players.way_back
        self.floor = Floor(presence, archive, self.name, way_back, self.warden, hold=custom.hold)
        self.book = Book(presence, archive, self.warden)
        self.ratings = RatingBook(self.players)
        self._presence = presence
        self._tokens = tokens
        self._hall_n = 0  # records of the hall's own stream so far

    def restore(self, record: Record, event: HallEvent) -> None:
        """A record of the hall's own stream, from the log."""
        self._hall_n = record.n
        self.evolve(event, record.at)

    # -- who one is

    def enter(self, draft: Draft, session: SessionId, intent: Enter) -> None:
        """A new player."""
        draft.tell(session, self.make(draft, session, intent.name, intent.dialect))

    def make(
        self, draft: Draft, session: SessionId, name: str, dialect: str | None = None
    ) -> Welcome | Refused:
        """A new player for this session, and the reply that says so; it is not told yet."""
        dialect = self._presence.dialect(session) if dialect is None else dialect
        wrong = bad_name(name)
        if wrong is not None:
            return Refused("bad_name", wrong)
        if (strange := bad_dialect(dialect)) is not None:
            return Refused("bad_dialect", strange)
        if len(self._presence.players_of(session)) >= limits.PLAYERS_A_SESSION:
            sentence = f"A connection acts for at most {limits.PLAYERS_A_SESSION} players."
            return Refused("too_many", sentence)
        player, token = self.players.next_id(), self._tokens()
        host, returns = self._presence.host(session), self._presence.returns(session)
        self.write(draft, PlayerMade(player, name, host, hash_token(token), dialect, returns))
        self._presence.attach(session, player)
        self.name_player(draft, session, player)
        return Welcome(player, name, token)

    def reclaim(self, draft: Draft, session: SessionId, intent: Reclaim) -> None:
        """A player comes back by its token."""
        player = self.players.get(intent.player)
        if player is None or not player.has_token(intent.token):
            draft.tell(session, Refused("bad_token", "There is no player with that id and token."))
            return
        if (
            self._presence.session_of(player.id) != session
            and len(self._presence.players_of(session)) >= limits.PLAYERS_A_SESSION
        ):
            sentence = f"A connection acts for at most {limits.PLAYERS_A_SESSION} players."
            draft.tell(session, Refused("too_many", sentence))
            return
        self._return(draft, session, player, intent.token)

    def take_up(
        self,
        draft: Draft,
        session: SessionId,
        intent: TakeUp,
        cut_off: Callable[[Home], PlayerId | None],
    ) -> None:
        """A host comes back for the seat it lost first.

        After a restart also for a place in a tour, of somebody who was `cut_off` between games.
        """
        lost = self._lost(session, intent, cut_off)
        if lost is None:
            sentence = "Your host has lost no seat in a running game."
            draft.tell(session, Refused("nothing_lost", sentence))
            return
        self._return(draft, session, self.players[lost], token="")

    def _lost(
        self, session: SessionId, intent: TakeUp, cut_off: Callable[[Home], PlayerId | None]
    ) -> PlayerId | None:
        host, dialect = self._presence.host(session), self._presence.dialect(session)
        if dialect in WITH_TOKENS or not self._presence.returns(session):
            return None
        name = None if intent.name is None else self.book.without_code(intent.name)
        seated = self.floor.lost(
            host, dialect, name, variant=intent.variant, restarted=intent.restarted
        )
        waits = cut_off((host, dialect, name)) if intent.restarted and name is not None else None
        # Of equal names the one who came first comes back first.
        return min((one for one in (seated, waits) if one is not None), default=None)

    def resume(self, draft: Draft, session: SessionId, intent: Resume) -> tuple[PlayerId, ...]:
        """A player comes back by its number; those whom the session leaves for it."""
        player = self.players.get(intent.player)
        if player is None or not self._may_resume(session, player, intent):
            draft.tell(session, Refused("bad_token", "You cannot be that player from here."))
            return ()
        refused = self._is_here(session, player, intent, draft.now)
        if refused is not None:
            draft.tell(session, refused)
            self._ask_after(draft, player.id, intent.silence)
            return ()
        self._return(draft, session, player, intent.token or "")
        left = [other for other in self._presence.players_of(session) if other != player.id]
        for other in left:
            self._presence.detach(session, other)
        return tuple(left)

    def _is_here(
        self, session: SessionId, player: Player, intent: Resume, now: Micros
    ) -> Refused | None:
        """Why a player whom another connection acts for is not to be had; None if it is.

        A host and a number prove little, and who is silent may think: without its token nobody
        is taken from a connection that stands.
        """
        before = self._presence.session_of(player.id)
        if before is None or before == session:
            return None
        sentence = f"{player.name} is connected elsewhere."
        if self._presence.silent_for(before, now) < intent.silence:
            return Refused("connected", sentence)
        if intent.token is not None:
            return None
        return Refused("asked", f"{sentence} It is asked whether it is still there.")

    def _ask_after(self, draft: Draft, player: PlayerId, every: Micros) -> None:
        """Ask a player's silent connection if it is there; if it is not it will soon be gone."""
        session = self._presence.session_of(player)
        assert session is not None, "who is not connected can be had"
        silent = self._presence.silent_for(session, draft.now) >= every
        if silent and self._presence.want(session, draft.now, 2 * every):
            sentence = "Somebody from your host wants to be you; while you are here nobody is."
            draft.tell(session, Notice(WANTED, sentence, player))

    def _may_resume(self, session: SessionId, player: Player, intent: Resume) -> bool:
        dialect = self._presence.dialect(session)
        if dialect in WITH_TOKENS or dialect != player.dialect:
            return False
        if intent.token is not None:
            return player.has_token(intent.token)
        if not (player.returns and self._presence.returns(session)):
            return False
        return intent.any_host or player.host == self._presence.host(session)

    def _return(self, draft: Draft, session: SessionId, player: Player, token: str) -> None:
        """The player is connected again, and told so."""
        tables = self.bring_back(draft, session, player)
        draft.tell(session, Welcome(player.id, player.name, token, tables))

    def bring_back(self, draft: Draft, session: SessionId, player: Player) -> tuple[TableId, ...]:
        """This session acts for the player from now on; the unfinished tables where it sits."""
        before = self._presence.attach(session, player.id)
        self.numbers.came(player.id)
        if before is not None:
            sentence = f"{player.name} is connected elsewhere now."
            draft.tell(before, Notice("taken_over", sentence, player.id))
        self.name_player(draft, session, player.id)
        return tuple(
            table
            for table in self.floor.tables.of_player(player.id)
            if self.floor.came_back(draft, table, player.id)
        )

    def rename(self, draft: Draft, session: SessionId, who: Asker, intent: Rename) -> None:
        """A player takes another name, and bears it in its tours too."""
        wrong = bad_name(intent.name)
        if wrong is not None:
            draft.tell(session, Refused("bad_name", wrong))
            return
        self.write(draft, PlayerNamed(who.player, intent.name))
        draft.tell(session, Done())
        for tour_id in self.book.of_player(who.player):
            tour = self.book.get(tour_id)
            known = None if tour is None else tour.entrant_of(who.player)
            if tour is None or known is None or tour.size > 1:
                continue  # a team has a name of its own
            if known.name != intent.name:
                self.book.happen(draft, tour_id, Renamed(known.number, intent.name))

    def write(self, draft: Draft, event: HallEvent) -> None:
        """This happens in the hall itself."""
        self._hall_n += 1
        draft.record(HALL_STREAM, self._hall_n, event)
        self.evolve(event, draft.at)

    def evolve(self, event: HallEvent, at: Micros) -> None:
        """Take this event in; live and from the log alike."""
        match event:
            case PlayerMade() | PlayerNamed():
                self.players.evolve(event)
            case Numbered() | Freed():
                self.numbers.evolve(event)
            case TourDone():
                self.book.done(event, at)
                self.ratings.take(event, at)

    # -- numbers

    def name(self, draft: Draft, session: SessionId, table: Table) -> None:
        """A session is told of this table: its dialect must have numbers for all of it."""
        dialect = self._presence.dialect(session)
        if dialect in NUMBERED:
            self._number(draft, self.numbers.missing(dialect, TABLE, table.id))
            for player in table.seats:
                if player is not None:
                    self.name_player(draft, session, player)

    def name_all(self, draft: Draft, session: SessionId, reply: Reply) -> None:
        """A session is told of everything in this reply."""
        if self._presence.dialect(session) not in NUMBERED:
            return
        lines = reply.tables if isinstance(reply, Tables) else ()
        for line in (*lines, *([reply.line] if isinstance(reply, Shown) else [])):
            table = self.floor.tables.glance(line.table)
            if table is not None:
                self.name(draft, session, table)
        for known in reply.players if isinstance(reply, PlayersMessage) else ():
            self.name_player(draft, session, known.player)

    def name_player(self, draft: Draft, session: SessionId, player: PlayerId) -> None:
        """A session is told of this player: its dialect must have a number for it."""
        dialect = self._presence.dialect(session)
        if dialect in NUMBERED:
            if self.numbers.player_number(dialect, player) is None:
                for freed in self.numbers.vacated(draft.now, self._is_busy):
                    self.write(draft, freed)
            self._number(draft, self.numbers.missing(dialect, PLAYER, player))

    def name_tour(self, draft: Draft, tour: TourId) -> None:
        """A tour that tourney players can join has a number there from the first."""
        self._number(draft, self.numbers.missing(TOURNEY, TOUR, tour))

    def name_entrants(self, draft: Draft, session: SessionId, tour: Tour) -> None:
        """A session is told of this tour: its dialect must have numbers for who is in it."""
        if self._presence.dialect(session) in NUMBERED:
            for one in tour.entrants:
                for player in one.players:
                    self.name_player(draft, session, player)

    def _is_busy(self, player: PlayerId) -> bool:
        touring = self.book.attached(player) is not None
        return touring or bool(self.floor.tables.of_player(player))

    def _number(self, draft: Draft, event: Numbered | None) -> None:
        if event is not None:
            self.write(draft, event)
