"""Who is connected: sessions, their players, what they watch, and which rooms they are in.

None of it is in the log: it is forgotten with the process. Session, player and seat stay three
identities here.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, cast

from rookery.core.ids import Micros, PlayerId, SessionId, TableId, TourId
from rookery.core.manners import Manners
from rookery.core.network import home_of

RoomKey: TypeAlias = tuple[str, str]  # what it is called, and the game played in it

UNHEARD_AGAIN: Final[Micros] = 5_000  # until a flag is looked at again that waits for words


class Presence:
    """The sessions, whom they act for, what they watch, and where they are."""

    def __init__(self) -> None:
        self._hosts: dict[SessionId, str] = {}
        self._manners: dict[SessionId, Manners] = {}
        self._heard: dict[SessionId, Micros] = {}  # when it last said something
        self._strict: set[SessionId] = set()  # sessions that cannot come back by their host alone
        self._wanted: dict[SessionId, Micros] = {}  # when it was last asked whether it is there
        self._players: dict[SessionId, list[PlayerId]] = {}
        self._session: dict[PlayerId, SessionId] = {}
        self.version = 0  # another one whenever a player comes or goes
        self._watching: dict[SessionId, set[TableId]] = {}
        self._glances: dict[SessionId, set[TableId]] = {}  # of these, those where it is no onlooker
        self._watchers: dict[TableId, dict[SessionId, None]] = {}
        self._lobbies: dict[str, dict[SessionId, None]] = {}  # by the game's name
        self._touring: dict[TourId, dict[SessionId, None]] = {}  # who watches which tour
        self._members: dict[RoomKey, dict[PlayerId, bool]] = {}  # and whether they view only
        self._room: dict[PlayerId, RoomKey] = {}
        self._organisers: set[SessionId] = set()
        self._shown_out: set[SessionId] = set()  # sessions we hang up on that are not gone yet
        # When the first was read of what a session said and is not decided yet.
        self.unheard: Callable[[SessionId], Micros | None] = lambda _: None
        # Since when a session cannot be heard, where what keeps its connection cannot be.
        self.cut_off: Callable[[SessionId], Micros | None] = lambda _: None
        # The moment, at most this one, up to which somebody who is away could have come back.
        self.reachable_until: Callable[[Micros], Micros] = lambda now: now
        # Sessions of which something changed since this was last read; None: nobody reads it.
        self.altered: dict[SessionId, None] | None = None
        self.changes = 0  # of who acts for whom, watches what, or is in which room, so far
        # Which of them was the last at each table that is watched, and in each room.
        self._changed: dict[TableId | RoomKey, int] = {}

    def alter(self, *sessions: SessionId | None) -> None:
        """Note that what the hall knows of these sessions may have changed."""
        if self.altered is not None:
            self.altered |= dict.fromkeys(one for one in sessions if one is not None)

    def alter_player(self, player: PlayerId) -> None:
        """Note that what the hall knows of this player's session may have changed."""
        self.alter(self._session.get(player))

    def connect(
        self, session: SessionId, host: str, manners: Manners, *, returns: bool = True
    ) -> None:
        """Add a session from this host, which speaks the dialect with these manners.

        `returns` says whether its host alone may make it a player from before.
        """
        assert session not in self._hosts, "a session connects once"
        self._hosts[session] = host
        self._manners[session] = manners
        if not returns:
            self._strict.add(session)

    def disconnect(self, session: SessionId) -> list[PlayerId]:
        """Remove the session; the players it acted for, who are away now."""
        self._hosts.pop(session, None)
        self._manners.pop(session, None)
        self._heard.pop(session, None)
        self._strict.discard(session)
        self._wanted.pop(session, None)
        self._organisers.discard(session)
        self._shown_out.discard(session)
        self._glances.pop(session, None)
        for table in self._watching.pop(session, ()):
            self._drop_watcher(table, session)
        for watchers in (*self._lobbies.values(), *self._touring.values()):
            watchers.pop(session, None)
        players = self._players.pop(session, [])
        for player in players:
            del self._session[player]
            self.version += 1
            self._change_room_of(player)
        return players

    def host(self, session: SessionId) -> str:
        """The host that the session comes from."""
        return self._hosts[session]

    def dialect(self, session: SessionId) -> str:
        """The name of the dialect that the session speaks."""
        return self._manners[session].name

    def manners(self, session: SessionId) -> Manners:
        """What the session's dialect declares of its clients."""
        return self._manners[session]

    def returns(self, session: SessionId) -> bool:
        """Whether its host alone may make the session a player from before."""
        return session not in self._strict

    def organise(self, session: SessionId) -> None:
        """Make the session an organiser's, because it has shown the organiser's token."""
        self._organisers.add(session)
        self.alter(session)

    def is_organiser(self, session: SessionId) -> bool:
        """Whether the session has shown the organiser's token."""
        return session in self._organisers

    def show_out(self, session: SessionId) -> None:
        """Mark a session we hang up on: nothing that it asks from now on is heard."""
        self._shown_out.add(session)

    def is_shown_out(self, session: SessionId) -> bool:
        """Whether we are hanging up on this session."""
        return session in self._shown_out

    def hear(self, session: SessionId, now: Micros) -> bool:
        """Note that the session spoke; whether it is still connected, and not shown out."""
        connected = session in self._hosts and session not in self._shown_out
        if connected:
            self._heard[session] = now
        return connected

    def heard_until(self, players: Iterable[PlayerId | None], now: Micros) -> Micros:
        """The moment, at most `now`, up to which all that these players said has been decided."""
        for player in players:
            session = None if player is None else self._session.get(player)
            if session is not None and (since := self.unheard(session)) is not None:
                now = min(now, since)
        return now

    def silent_for(self, session: SessionId, now: Micros) -> Micros:
        """How long the session has said nothing, in microseconds."""
        return now - self._heard.get(session, 0)

    def want(self, session: SessionId, now: Micros, every: Micros) -> bool:
        """Whether to ask a session whose player is wanted if it is there; once in `every`."""
        due = now - self._wanted.get(session, -every) >= every
        if due:
            self._wanted[session] = now
        return due

    def attach(self, session: SessionId, player: PlayerId) -> SessionId | None:
        """Let the session act for this player; the session that did so before, if any."""
        before = self._session.get(player)
        if before == session:
            return None
        self._change_room_of(player)
        self.alter(session, before)
        if before is not None:
            self._players[before].remove(player)
        self._session[player] = session
        self.version += 1
        self._players.setdefault(session, []).append(player)
        return before

    def detach(self, session: SessionId, player: PlayerId) -> None:
        """Let the session act for this player no more."""
        self._change_room_of(player)
        self.alter(session)
        self._players[session].remove(player)
        del self._session[player]
        self.version += 1

    def players_of(self, session: SessionId) -> tuple[PlayerId, ...]:
        """The players this session acts for, in the order they came."""
        return tuple(self._players.get(session, ()))

    def acts_for(self, session: SessionId, player: PlayerId | None) -> PlayerId | None:
        """The player meant (if none is named, the only one), if the session acts for it."""
        if player is None:
            mine = self._players.get(session)
            return mine[0] if mine is not None and len(mine) == 1 else None
        return player if self._session.get(player) == session else None

    def session_of(self, player: PlayerId) -> SessionId | None:
        """The session that acts for this player, if it is connected."""
        return self._session.get(player)

    def sessions_at(self, home: str) -> list[SessionId]:
        """Every session that comes from this home. It looks at all sessions."""
        return [session for session, host in self._hosts.items() if home_of(host) == home]

    def organised_from(self, home: str) -> bool:
        """Whether a session from this home has shown the organiser's token."""
        hosts = (self._hosts.get(session, "") for session in self._organisers)
        return any(home_of(host) == home for host in hosts)

    def connected(self) -> Iterable[PlayerId]:
        """Every player with a connection."""
        return self._session

    def watch(self, session: SessionId, table: TableId, *, glance: bool = False) -> None:
        """Tell this session what happens at the table; with `glance` it is no onlooker there."""
        self._change(table)
        self.alter(session)
        if glance:
            self._glances.setdefault(session, set()).add(table)
        else:
            self._glances.get(session, set()).discard(table)
        self._watching.setdefault(session, set()).add(table)
        self._watchers.setdefault(table, {})[session] = None

    def unwatch(self, session: SessionId, table: TableId) -> None:
        """Stop telling this session what happens at the table."""
        if table in self._watching.get(session, ()):
            self.alter(session)
            self._watching[session].remove(table)
            self._glances.get(session, set()).discard(table)
            self._drop_watcher(table, session)

    def is_watching(self, session: SessionId, table: TableId) -> bool:
        """Whether this session watches the table."""
        return table in self._watching.get(session, ())

    def glances(self, session: SessionId) -> tuple[TableId, ...]:
        """The tables this session watches without being an onlooker there, in order."""
        return tuple(sorted(self._glances.get(session, ())))

    def only_glances(self, session: SessionId, table: TableId) -> bool:
        """Whether this session watches the table without being an onlooker there."""
        return table in self._glances.get(session, ())

    def watches(self, session: SessionId) -> int:
        """How many tables this session watches."""
        return len(self._watching.get(session, ()))

    def tables_watched(self, session: SessionId) -> tuple[TableId, ...]:
        """The tables that this session watches, in order."""
        return tuple(sorted(self._watching.get(session, ())))

    def lobbies_watched(self, session: SessionId) -> tuple[str, ...]:
        """The games whose lobby this session watches, by name."""
        return tuple(sorted(game for game, them in self._lobbies.items() if session in them))

    def all_tours_watched(self, session: SessionId) -> tuple[TourId, ...]:
        """The tours that this session watches, in order."""
        return tuple(sorted(tour for tour, them in self._touring.items() if session in them))

    def watchers(self, table: TableId) -> Iterable[SessionId]:
        """The sessions that watch this table, in the order they came."""
        return self._watchers.get(table, ())

    def watch_lobby(self, session: SessionId, game: str) -> None:
        """Tell this session who comes and goes at all tables of this game."""
        self.alter(session)
        self._lobbies.setdefault(game, {})[session] = None

    def in_lobby(self, game: str) -> Iterable[SessionId]:
        """The sessions that watch the lobby of this game, in the order they came."""
        return self._lobbies.get(game, ())

    def watch_tour(self, session: SessionId, tour: TourId) -> None:
        """Tell this session what happens in the tour."""
        self.alter(session)
        self._touring.setdefault(tour, {})[session] = None

    def unwatch_tour(self, session: SessionId, tour: TourId) -> None:
        """Stop telling this session what happens in the tour."""
        self.alter(session)
        self._touring.get(tour, {}).pop(session, None)

    def tours_watched(self, session: SessionId) -> int:
        """How many tours this session watches."""
        return sum(session in watchers for watchers in self._touring.values())

    def tour_watchers(self, tour: TourId) -> Iterable[SessionId]:
        """The sessions that watch this tour, in the order they came."""
        return self._touring.get(tour, ())

    def forget_tour(self, tour: TourId) -> None:
        """Drop the watchers of a tour in which nothing will happen any more."""
        self.alter(*self._touring.pop(tour, ()))

    def enter_room(self, player: PlayerId, room: RoomKey, *, view_only: bool = False) -> None:
        """Put the player, who is in no room, into this one."""
        assert player not in self._room, "one is in one room at a time"
        self._change(room)
        self.alter(self._session.get(player))
        self._room[player] = room
        self._members.setdefault(room, {})[player] = view_only

    def leave_room(self, player: PlayerId) -> None:
        """Take the player out of its room, if it is in one."""
        room = self._room.pop(player, None)
        if room is not None:
            self._change(room)
            self.alter(self._session.get(player))
            del self._members[room][player]
            if not self._members[room]:
                del self._members[room], self._changed[room]

    def room_of(self, player: PlayerId) -> RoomKey | None:
        """The room the player is in, or None."""
        return self._room.get(player)

    def views_only(self, player: PlayerId) -> bool:
        """Whether the player came into its room for viewing only, until it asks for a seat."""
        room = self._room.get(player)
        return room is not None and self._members[room][player]

    def members(self, room: RoomKey) -> tuple[PlayerId, ...]:
        """The players in this room, in the order they came; some may be away, their seats kept."""
        return tuple(self._members.get(room, ()))

    def in_room(self, room: RoomKey) -> tuple[SessionId, ...]:
        """The sessions that hear what happens in this room."""
        sessions = (self._session.get(player) for player in self._members.get(room, ()))
        return tuple(dict.fromkeys(session for session in sessions if session is not None))

    def sessions_of(self, players: Iterable[PlayerId | None]) -> tuple[SessionId | None, ...]:
        """The sessions that act for these players."""
        find = cast("dict[PlayerId | None, SessionId]", self._session).get
        return tuple(map(find, players))

    def last_changes(self, table: TableId, room: RoomKey) -> tuple[int, int]:
        """Numbers that change whenever others watch the table, or hear what is in the room."""
        changed = self._changed
        return changed.get(table, 0), changed.get(room, 0)

    def _change(self, place: TableId | RoomKey) -> None:
        self.changes += 1
        self._changed[place] = self.changes

    def _change_room_of(self, player: PlayerId) -> None:
        self.changes += 1
        if (room := self._room.get(player)) is not None:
            self._change(room)

    def _drop_watcher(self, table: TableId, session: SessionId) -> None:
        watchers = self._watchers[table]
        watchers.pop(session, None)
        self._change(table)
        if not watchers:
            del self._watchers[table], self._changed[table]
