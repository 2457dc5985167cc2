"""Who is connected: sessions, the players they act for, and what they watch.

None of it is in the log: who is connected dies with the process. Session, player and
seat stay three identities here. It mutates, and the hall owns it.
"""

from collections.abc import Iterable

from rookery.core.ids import PlayerId, SessionId, TableId


class Presence:
    """Sessions and what they may do."""

    def __init__(self) -> None:
        self._hosts: dict[SessionId, str] = {}
        self._dialects: dict[SessionId, str] = {}
        self._players: dict[SessionId, list[PlayerId]] = {}
        self._session: dict[PlayerId, SessionId] = {}
        self._watching: dict[SessionId, set[TableId]] = {}
        self._watchers: dict[TableId, dict[SessionId, None]] = {}

    def connect(self, session: SessionId, host: str, dialect: str) -> None:
        """A new connection from this host, which speaks this dialect."""
        assert session not in self._hosts, "a session connects once"
        self._hosts[session] = host
        self._dialects[session] = dialect

    def disconnect(self, session: SessionId) -> list[PlayerId]:
        """The connection is gone; these players are away now."""
        self._hosts.pop(session, None)
        self._dialects.pop(session, None)
        for table in self._watching.pop(session, ()):
            self._drop_watcher(table, session)
        players = self._players.pop(session, [])
        for player in players:
            del self._session[player]
        return players

    def knows(self, session: SessionId) -> bool:
        """Whether this session is connected."""
        return session in self._hosts

    def host(self, session: SessionId) -> str:
        """Where the session comes from."""
        return self._hosts[session]

    def dialect(self, session: SessionId) -> str:
        """What the session speaks."""
        return self._dialects[session]

    def attach(self, session: SessionId, player: PlayerId) -> SessionId | None:
        """The session acts for this player from now on; the one that did so before, if any."""
        before = self._session.get(player)
        if before == session:
            return None
        if before is not None:
            self._players[before].remove(player)
        self._session[player] = session
        self._players.setdefault(session, []).append(player)
        return before

    def players_of(self, session: SessionId) -> tuple[PlayerId, ...]:
        """The players this session acts for, in the order they came."""
        return tuple(self._players.get(session, ()))

    def session_of(self, player: PlayerId) -> SessionId | None:
        """The session that acts for this player, if it is connected."""
        return self._session.get(player)

    def connected(self) -> Iterable[PlayerId]:
        """Every player with a connection."""
        return self._session

    def watch(self, session: SessionId, table: TableId) -> None:
        """Tell this session what happens at the table."""
        self._watching.setdefault(session, set()).add(table)
        self._watchers.setdefault(table, {})[session] = None

    def unwatch(self, session: SessionId, table: TableId) -> None:
        """Tell it no more."""
        if table in self._watching.get(session, ()):
            self._watching[session].remove(table)
            self._drop_watcher(table, session)

    def is_watching(self, session: SessionId, table: TableId) -> bool:
        """Whether this session watches the table."""
        return table in self._watching.get(session, ())

    def watches(self, session: SessionId) -> int:
        """How many tables this session watches."""
        return len(self._watching.get(session, ()))

    def watchers(self, table: TableId) -> Iterable[SessionId]:
        """Who watches this table, in the order they came."""
        return self._watchers.get(table, ())

    def _drop_watcher(self, table: TableId, session: SessionId) -> None:
        watchers = self._watchers[table]
        watchers.pop(session, None)
        if not watchers:
            del self._watchers[table]
