"""Rooms: named places where one game after the other is played before everyone who is there.

The first who came play, the others look on and hear everything. After a game both may
wish for another; when a player goes, the one who looked on longest sits down. Members who came
for viewing only sit down when they ask for it, by entering again. Names are compared without
regard to case. Membership of a room is presence, and not in the log; its tables are, with its
name, so that a restart finds the game again. A room is known by its name and its game: rooms of
two games never meet.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rookery.core.events import Opened, Out, Sat, Started, table_of
from rookery.core.ids import PlayerId, SessionId, Status, TableId, Wall
from rookery.core.intents import EnterRoom, Rematch, Seek
from rookery.core.messages import Done, MemberLine, Refused, Roomed, RoomNews
from rookery.core.names import caseless, objection, plain
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.asking import Asking, Refusal, refuse, wrong_dialect
from rookery.hall.people.players import Player
from rookery.hall.people.presence import RoomKey
from rookery.hall.people.reception import Reception
from rookery.hall.people.register import People
from rookery.hall.tables import referee
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.opening import read_opening
from rookery.hall.tables.table import Table


class Room:
    """What is played in a room, and who plays it."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened  # how each of its tables is opened
        self.key: RoomKey = (opened.room, opened.variant)
        self.table: TableId | None = None  # of the game that runs, or of the last one
        self.seated: list[PlayerId] = []  # who plays it, played it and stayed, or waits for it
        self.since = Wall(0)  # when it was last found that there are too few to play


class Rooms:
    """All rooms with somebody in them."""

    def __init__(
        self, people: People, reception: Reception, floor: Floor, seating: Seating
    ) -> None:
        self._presence = people.presence
        self._players = people.register.players
        self._reception = reception
        self._floor = floor
        self._seating = seating
        self._rooms: dict[RoomKey, Room] = {}

    # -- coming in

    def enter_as(self, asking: Asking, intent: EnterRoom, name: str) -> None:
        """Bring a session in as a new player, or as the one its host lost from the game."""
        room = self._room(intent)
        lost = self._lost(asking.session, room, name)
        if lost is not None:
            self._reception.bring_back(asking, lost)
            self._welcome(asking, room, lost, token="")
            return
        self._check_room(room, name, self._presence.dialect(asking.session))
        made = self._reception.make(asking, name)
        self._come_in(asking, room, self._players[made.player], made.token, intent)

    def enter(self, asking: Asking, intent: EnterRoom) -> None:
        """Bring a player in; if it is in the room already, it wishes for another game."""
        who, room = asking.who, self._room(intent)
        here = self._presence.room_of(who.id)
        if here == room.key:
            self._again(asking, room)
            return
        if here is not None:
            sentence = f"You are in the room {here[0]}; leave it first."
            raise Refusal(Refused("in_room", sentence))
        self._check_room(room, who.name, who.dialect)
        self._come_in(asking, room, who, "", intent)

    def _room(self, intent: EnterRoom) -> Room:
        """The room asked for; a new one counts only once a player is in it. Raises Refusal."""
        name = intent.room
        wrong = objection(name, limits.NAME_MAX, "A room's name")
        if wrong is not None:
            raise Refusal(Refused("bad_room", wrong))
        seek = Seek(intent.variant, None, intent.time, intent.policy)
        opened = replace(read_opening(seek, None), room=name)
        return self._rooms.get((name, opened.variant)) or Room(opened)

    def _lost(self, session: SessionId, room: Room, name: str) -> Player | None:
        """The player of this name who is away from the room and came from the session's host."""
        where = (self._presence.host(session), self._presence.dialect(session))
        if not self._presence.returns(session) or self._presence.manners(session).tokens:
            return None
        for member in self._presence.members(room.key):
            away = self._presence.session_of(member) is None
            home = self._players.way_back(member) if away else None
            if home is not None and home[:2] == where and caseless(home[2]) == caseless(name):
                return self._players[member]
        return None

    def _check_room(self, room: Room, name: str, dialect: str) -> None:
        """Raise Refusal where a player of this name and dialect may not come in."""
        members = self._presence.members(room.key)
        if len(members) >= limits.MEMBERS_A_ROOM:
            sentence = f"A room has at most {limits.MEMBERS_A_ROOM} people in it."
            raise Refusal(Refused("too_many", sentence))
        name = plain(name)
        called = caseless(name)
        if any(caseless(self._players[member].name) == called for member in members):
            sentence = f"Somebody in the room is called {name} already."
            raise Refusal(Refused("name_taken", sentence))
        refuse(wrong_dialect(room.opened.policy, dialect, "come in"))

    def _come_in(
        self, asking: Asking, room: Room, who: Player, token: str, intent: EnterRoom
    ) -> None:
        self._rooms[room.key] = room
        self._presence.enter_room(who.id, room.key, view_only=intent.view_only)
        self._welcome(asking, room, who, token)
        self._fill(asking.draft, room, who.id)

    def _welcome(self, asking: Asking, room: Room, who: Player, token: str) -> None:
        """Tell the player who came what there is, and then everyone that they came."""
        members = tuple(
            MemberLine(member, self._players[member].shown)
            for member in self._presence.members(room.key)
            if member != who.id
        )
        name, variant = room.key
        table = self._running(room)
        running = None if table is None else table.id
        asking.tell(Roomed(who.id, who.name, token, name, variant, members, running))
        self._tell(asking.draft, room, who.id, here=True)

    def _again(self, asking: Asking, room: Room) -> None:
        """Take the entering of a player who is there as a wish for another game."""
        who = asking.who
        if self._running(room) is not None:
            raise Refusal(Refused("in_room", "You are in the room, and the game goes on."))
        table = None if room.table is None else self._floor.tables.get(room.table)
        seat = None if table is None else table.seat_of(who.id)
        full = len(room.seated) == room.opened.seats
        if full and table is not None and seat is not None and seat not in table.wishes:
            self._seating.at_table(asking, Rematch(table.id))
            self._follow(table.id)
            return
        asking.tell(Done())
        self._tell(asking.draft, room, who.id, here=True)
        self._fill(asking.draft, room, who.id)

    # -- going out

    def leave(self, asking: Asking) -> None:
        """Let a player leave its room, and lose the game it plays there."""
        who = asking.who
        if self._presence.room_of(who.id) is None:
            raise Refusal(Refused("not_in_room", "You are in no room."))
        asking.tell(Done())
        self._go(asking.draft, who.id)

    def went_away(self, draft: Draft, player: PlayerId) -> None:
        """Take out a player whose connection is gone, unless it plays: then its place is kept."""
        room = self._room_of(player)
        if room is not None and not self._plays(room, player):
            self._go(draft, player)

    def _go(self, draft: Draft, player: PlayerId) -> None:
        room = self._room_of(player)
        assert room is not None, "who goes was there"
        table = self._running(room)
        plays = self._plays(room, player)
        self._drop(draft, room, player)
        if table is not None and plays:
            seat = table.seat_of(player)
            assert seat is not None, "who plays has a seat"
            self._floor.commit(draft, referee.gone(table, seat).changes)
        else:
            self._fill(draft, room)

    def _drop(self, draft: Draft, room: Room, player: PlayerId) -> None:
        self._presence.leave_room(player)
        if player in room.seated:
            room.seated.remove(player)
        self._tell(draft, room, player, here=False)
        if not self._presence.members(room.key):
            del self._rooms[room.key]

    # -- one game after the other

    def settle(self, draft: Draft) -> None:
        """After games of rooms ended: drop members who are away, and let others sit down."""
        for stream in draft.ended:  # it may grow on the way
            table_id = table_of(stream)
            table = None if table_id is None else self._floor.tables.get(table_id)
            if table is None or not table.opened.room:
                continue
            room = self._rooms.get((table.opened.room, table.opened.variant))
            if room is None or room.table != table.id:
                continue
            for member in self._presence.members(room.key):
                if self._presence.session_of(member) is None:
                    self._drop(draft, room, member)
            self._fill(draft, room)

    def _fill(self, draft: Draft, room: Room, asks: PlayerId | None = None) -> None:
        """Give free seats to the members who are there longest; the last one starts a game.

        Of those who are there for viewing only, only the one who `asks` is seated.
        """
        free = room.opened.seats - len(room.seated)
        if not free or self._running(room) is not None:
            return
        waiting = [member for member in self.waiting(room, asks) if member not in room.seated]
        waiting = waiting[:free]
        seated = [self._players[member] for member in (*room.seated, *waiting)]
        if len(waiting) < free:
            room.seated += waiting
            room.since = draft.at
        elif not any(self._seating.may_not_sit(player, room.opened) for player in seated):
            room.seated += waiting
            room.table = self._floor.tables.next_id()
            sitters = [(player.id, player.name) for player in seated]
            self._seating.begin_with(draft, room.opened, sitters)

    def rematch(self, asking: Asking, intent: Rematch) -> None:
        """Take a player's wish for a return game, in a room or anywhere else. Raises Refusal."""
        self._check_rematch(asking.who.id, intent.table)
        self._seating.at_table(asking, intent)
        self._follow(intent.table)

    def _check_rematch(self, player: PlayerId, table_id: TableId) -> None:
        """Raise Refusal where the table's room lets this player have no return game."""
        table = self._floor.tables.get(table_id)
        if table is None or not table.opened.room or table.status is not Status.OVER:
            return
        room = self._rooms.get((table.opened.room, table.opened.variant))
        if (
            room is None
            or room.table not in (table_id, table.rematch)
            or player not in room.seated
            or len(room.seated) != room.opened.seats
        ):
            sentence = "Not all who played are still in the room."
            raise Refusal(Refused("not_there", sentence, table_id))

    def _follow(self, table_id: TableId) -> None:
        """Move the room on to the return game, if everyone at this table wished for one."""
        table = self._floor.tables.get(table_id)
        if table is not None and table.opened.room and table.rematch is not None:
            room = self._rooms.get((table.opened.room, table.opened.variant))
            if room is not None and room.table == table_id:
                room.table = table.rematch

    def restore(self) -> None:
        """After a restart: restore the rooms whose games go on, with those who still play."""
        for table in self._floor.tables.ids():
            past = self._floor.tables.past(table)
            opened = past[0].event
            if not isinstance(opened, Opened) or not opened.room:
                continue
            events = [record.event for record in past]
            if Started() not in events:
                continue
            room = Room(opened)
            room.table = table
            self._rooms[room.key] = room
            out = {event.seat for event in events if isinstance(event, Out)}
            for event in events:
                if isinstance(event, Sat) and event.seat not in out:
                    room.seated.append(event.player)
                    self._presence.enter_room(event.player, room.key)

    # -- who and what there is

    def has(self, room: RoomKey) -> bool:
        """Whether there is such a room."""
        return room in self._rooms

    def idle(self) -> Iterator[Room]:
        """The rooms where no game runs."""
        return (room for room in self._rooms.values() if self._running(room) is None)

    def waiting(self, room: Room, asks: PlayerId | None = None) -> tuple[PlayerId, ...]:
        """The members who play or would; of those for viewing only, who sits or `asks`."""
        return tuple(
            member
            for member in self._presence.members(room.key)
            if member in room.seated or member == asks or not self._presence.views_only(member)
        )

    def _room_of(self, player: PlayerId) -> Room | None:
        key = self._presence.room_of(player)
        return None if key is None else self._rooms[key]

    def _running(self, room: Room) -> Table | None:
        table = None if room.table is None else self._floor.tables.get(room.table)
        return table if table is not None and table.status is Status.PLAYING else None

    def _plays(self, room: Room, player: PlayerId) -> bool:
        """Whether this player is in the room's running game, and not out of it."""
        table = self._running(room)
        seat = None if table is None else table.seat_of(player)
        return table is not None and seat is not None and seat not in table.out

    def _tell(self, draft: Draft, room: Room, player: PlayerId, *, here: bool) -> None:
        name, variant = room.key
        news = RoomNews(name, variant, player, self._players[player].shown, here)
        own = self._presence.session_of(player)
        for session in self._presence.in_room(room.key):
            # The others wait for nothing from this, and may be hundreds.
            tell = draft.tell if session == own else draft.tell_onlooker
            tell(session, news)
