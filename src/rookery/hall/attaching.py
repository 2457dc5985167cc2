"""Attaching connections to a hall that is new to them: after a failover nobody calls again.

An edge that kept a connection says what its session was in the hall before, and up to which
event it has been told of each table. The session acts for its players again, hears what it
missed, and its turns are given to it anew. Whatever cannot be restored is left out: `of` says
what the session is now, and one that is not what it was is better hung up on. So is one that
acts by a token that was made void meanwhile: the log says how often that has been.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from rookery.core.errors import BROKEN
from rookery.core.events import Numbered, Record, Seeded, table_events
from rookery.core.ids import PlayerId, Seat, SessionId, Status, TableId, Wall
from rookery.core.network import GAME, SHOWN, TOLD_MAX, TOUR, Attachment
from rookery.hall.batch import Draft, Stood
from rookery.hall.community import LobbyChat
from rookery.hall.lobby.gatherings import Gatherings
from rookery.hall.lobby.rooms import Rooms
from rookery.hall.people.register import People
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.news import Herald, is_unheard
from rookery.hall.tables.replay import next_change, replay
from rookery.hall.tours.door import TourDoor


class Attaching:
    """Says what a session is in the hall, and makes it so again in another. It keeps nothing."""

    def __init__(
        self,
        people: People,
        floor: Floor,
        gatherings: Gatherings,
        rooms: Rooms,
        tour_door: TourDoor,
        *,
        chat: LobbyChat,
    ) -> None:
        self._presence = people.presence
        self._register = people.register
        self._floor = floor
        self._gatherings = gatherings
        self._rooms = rooms
        self._tour_door = tour_door
        self._chat = chat

    def of(self, session: SessionId) -> Attachment:
        """What this session is now: its players, what it watches, and what it waits for."""
        presence = self._presence
        players = presence.players_of(session)
        rooms = ((player, presence.room_of(player)) for player in players)
        return Attachment(
            players,
            presence.tables_watched(session),
            presence.lobbies_watched(session),
            presence.all_tours_watched(session),
            tuple((player, *room) for player, room in rooms if room is not None),
            presence.is_organiser(session),
            next(filter(None, map(self._waits_for, players)), ""),
            glances=presence.glances(session),
            lobby=self._chat.is_heard_by(session),
            starts=self._tour_door.starts_taken(players),
            asks=self._tour_door.asking_for_matches(players),
            seats=tuple(self._seats_kept(players)),
            voided=tuple((one, times) for one in players if (times := self._voided(one))),
            views=tuple(filter(presence.views_only, players)),
        )

    def watch_all(self) -> None:
        """From now on, say in each batch what the sessions are now that it changes."""
        self._presence.altered = {}

    def note(self, draft: Draft) -> None:
        """Put into the draft what each changed session is now."""
        if altered := self._presence.altered:
            # A session we hang up on stays what it was: it may act by a token that is void now.
            stays = (session for session in altered if not self._presence.is_shown_out(session))
            draft.standing = tuple(Stood(session, self.of(session)) for session in stays)
            altered.clear()

    def is_again(self, session: SessionId, before: Attachment) -> bool:
        """Whether an attached session is what it was before, or has what it waited for."""
        waits = before.waits
        if waits and all(self._is_served(player, before) for player in before.players):
            waits = ""
        # What the session did in a tour may be of no use: the match that it asked for is begun.
        # A seat that the log gives back is kept by a player whether or not it came to view only.
        now = replace(self.of(session), starts=(), asks=(), seats=(), views=())
        same = now == replace(before, waits=waits, starts=(), asks=(), told={}, seats=(), views=())
        return same and all(self._has_seat(before.players, table) for table in before.seats)

    def _seats_kept(self, players: Iterable[PlayerId]) -> Iterable[TableId]:
        """The tables where these players have seats and whose games have not begun."""
        for player in players:
            for table_id in self._floor.tables.of_player(player):
                table = self._floor.tables.living(table_id)
                if table is not None and table.status is Status.OPEN and player in table.seats:
                    yield table_id

    def _has_seat(self, players: Sequence[PlayerId], table_id: TableId) -> bool:
        """Whether one of these players still has a seat at this table."""
        table = self._floor.tables.get(table_id)
        return table is not None and not set(players).isdisjoint(table.seats)

    def _is_served(self, player: PlayerId, before: Attachment) -> bool:
        """Whether a game or tour that the player waited for has begun without its being told."""
        if before.waits == TOUR:
            return self._tour_door.is_in_one(player)
        return any(one not in before.told for one in self._floor.tables.of_player(player))

    def is_at_hand(self, table: TableId) -> bool:
        """Whether a table is in memory; one that is over leaves it after a while."""
        return table in self._floor.tables

    def past(self, table: TableId) -> Sequence[Record]:
        """All records of a table."""
        return self._floor.tables.past(table)

    def session_at(self, table: TableId, seat: Seat) -> SessionId | None:
        """The session that acts for the player in this seat of a table in memory."""
        found = self._floor.tables.peek(table)[0]
        player = None if found is None else found.seats[seat]
        return None if player is None else self._presence.session_of(player)

    def numbers(self) -> Iterable[Numbered]:
        """Every number that a dialect has for a player, a table or a tour."""
        return self._register.numbers.given()

    def attach(self, draft: Draft, session: SessionId, before: Attachment) -> Draft:
        """Make a connected session what it was before, and tell it what it missed; the draft."""
        presence, voided = self._presence, dict(before.voided)
        for player in before.players:
            found = self._register.players.get(player)
            known = found is not None and not self._register.conduct.may_not_be(found, draft.at)
            known = known and self._voided(player) == voided.get(player, 0)
            if known and presence.session_of(player) is None:
                self._act_for(draft, session, player)
        if before.organiser:
            presence.organise(session)
        for table in before.tables:
            presence.watch(session, table, glance=table in before.glances)
        for game in before.lobbies:
            presence.watch_lobby(session, game)
        for tour in before.tours:
            presence.watch_tour(session, tour)
        for player, name, variant in before.rooms:
            if self._rooms.has((name, variant)) and presence.room_of(player) is None:
                views = player in before.views
                presence.enter_room(player, (name, variant), view_only=views)
        if before.lobby:
            self._chat.listen(session)
        for table, n in self._told(session, before).items():
            self._catch_up(draft, session, table, n)
        self._tour_door.came(draft, session)
        for player in presence.players_of(session):
            self._tour_door.came_over(draft, player, before)
        return draft

    def _told(self, session: SessionId, before: Attachment) -> dict[TableId, int]:
        """The event up to which a session was told of each table; 0 where it heard nothing."""
        told = {table: n for table, n in before.told.items() if n != SHOWN}
        if len(before.told) < TOLD_MAX:
            players = self._presence.players_of(session)
            mine = {table for player in players for table in self._floor.tables.of_player(player)}
            told |= dict.fromkeys(sorted(mine - before.told.keys()), 0)
        return told

    def _voided(self, player: PlayerId) -> int:
        return self._register.players[player].voided

    def _waits_for(self, player: PlayerId) -> str:
        if self._gatherings.has(player):
            return GAME
        return TOUR if self._tour_door.has_signed_up(player) else ""

    def _act_for(self, draft: Draft, session: SessionId, player: PlayerId) -> None:
        self._presence.attach(session, player)
        self._register.numbers.came(player)
        self._register.name_player(draft, session, player)
        # Nobody was told that the player went, so nobody is told that they are back.
        self._floor.chairs.holding.was_there(player)
        unsaid = Draft(draft.seq, draft.now, draft.at)
        self._floor.chairs.came_back(unsaid, player)
        draft.give_turns(unsaid.batch().turns)

    def _catch_up(self, draft: Draft, session: SessionId, table_id: TableId, n: int) -> None:
        """Tell a session what happened at a table after event n."""
        past = self._floor.tables.past(table_id)
        table = self._floor.tables.get(table_id) if len(past) > n else None
        if table is None:
            return
        seats = self._floor.audiences.now(table).get(session)
        if seats is None:
            return
        self._register.name_table(draft, session, table_id, table.seats)
        events, unheard = table_events(past), self._floor.audiences.unheard_by(session)
        try:
            made = replay(table_id, events[:n]) if n else None
            for record, event in zip(past[n:], events[n:], strict=True):
                change = next_change(table_id, made, event)
                made = change.table
                if isinstance(event, Seeded) or is_unheard(event, unheard):
                    continue
                news = Herald(change, draft.now, Wall(record.at), self._floor.broken.faults).news(
                    seats
                )
                if news is not None:
                    draft.tell(session, news)
        except BROKEN:  # its rules fail at what they wrote: the table itself shows that
            return
