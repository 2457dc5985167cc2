"""Onlookers: how many look on at a table, and who; told to sessions there that follow it.

Looking on is presence, and not in the log. However many come and go, a follower is told of all
of it at once, after a while that grows with how many are told. It mutates, and the hall owns it.
"""

from rookery.core.ids import Micros, SessionId, TableId
from rookery.core.messages import Refused
from rookery.core.people.community_intents import ListOnlookers
from rookery.core.people.community_messages import Onlooker, Onlookers, OnlookersChanged
from rookery.core.visitors.hosts import OWN
from rookery.hall.batch import Draft
from rookery.hall.limits import (
    ONLOOKERS_EACH,
    ONLOOKERS_EVERY,
    ONLOOKERS_NAMED,
    ONLOOKERS_SOON,
)
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.people import People
from rookery.hall.tables.answers import find
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.rulings.privacy import check_code
from rookery.hall.tables.table import Table
from rookery.hall.tables.wakeups import Wakeups


class Followed:
    """A table, and the sessions that follow who looks on there; mutates."""

    def __init__(self, table: TableId) -> None:
        self.table = table
        self.sessions: dict[SessionId, None] = {}
        self.told = OnlookersChanged(table, -1)  # what they were told last
        self.waits = False  # whether they are about to be told anew
        self.rest: Micros = 0  # not before this


class OnlookerNews:
    """Knows which sessions follow which tables, and tells them who looks on."""

    def __init__(self, people: People, floor: Floor) -> None:
        self._presence = people.presence
        self._players = people.register.players
        self._floor = floor
        self._followed: dict[TableId, Followed] = {}
        self._in_rooms: set[TableId] = set()  # of these, tables of rooms, whose members look on too
        self._of_session: dict[SessionId, set[TableId]] = {}
        self._timers: Wakeups[TableId] = Wakeups()

    def ask(self, asking: Asking, intent: ListOnlookers) -> None:
        """Tell a session who looks on now, and if it wishes from now on. Raises Refusal."""
        session, draft, table = asking.session, asking.draft, find(self._floor, intent.table)
        check_code(table, session, self._presence, intent.code, self._floor.warden, draft.now)
        if intent.follow and not self._floor.audiences.has(session, table):
            sentence = "Sit down or watch to follow who looks on at a table."
            raise Refusal(Refused("not_there", sentence, table.id))
        asking.tell(Onlookers(table.id, *self._lately(table, draft.now)))
        if intent.follow:
            self.follow(session, table)

    def _lately(self, table: Table, now: Micros) -> tuple[int, tuple[Onlooker, ...]]:
        """The onlookers as followers were told just now; else counted anew.

        Where a thousand come at once, not each of them is worth counting all the others.
        """
        followed = self._followed.get(table.id)
        if followed is None or followed.rest <= now:
            return self.at(table)
        return followed.told.count, followed.told.named

    def at(self, table: Table) -> tuple[int, tuple[Onlooker, ...]]:
        """How many sessions look on, and the first of their players."""
        presence, count, named = self._presence, 0, list[Onlooker]()
        for session, seats in self._floor.audiences.now(table).items():
            if seats or presence.host(session) in OWN or presence.only_glances(session, table.id):
                continue
            count += 1
            mine = presence.players_of(session)
            if mine and len(named) < ONLOOKERS_NAMED:
                named.append(Onlooker(mine[0], self._players[mine[0]].shown))
        return count, tuple(named)

    def follow(self, session: SessionId, table: Table) -> None:
        """Tell a session from now on who looks on at this table."""
        if table.id not in self._followed:
            self._followed[table.id] = Followed(table.id)
            if table.opened.room:
                self._in_rooms.add(table.id)
        self._followed[table.id].sessions[session] = None
        self._of_session.setdefault(session, set()).add(table.id)
        self._presence.alter(session)

    def followed_by(self, session: SessionId) -> tuple[TableId, ...]:
        """The tables whose onlookers a session follows."""
        return tuple(sorted(self._of_session.get(session, ())))

    def disconnect(self, session: SessionId) -> None:
        """Forget a session whose connection is gone."""
        for table in self._of_session.pop(session, ()):
            self._leave(table, session)

    def _leave(self, table: TableId, session: SessionId) -> None:
        followed = self._followed[table]
        followed.sessions.pop(session, None)
        if not followed.sessions:
            del self._followed[table]
            self._in_rooms.discard(table)
            self._timers.forget(table)

    # -- telling, now and then

    def settle(self, draft: Draft) -> None:
        """Plan to tell the followers of all tables whose onlookers may have changed."""
        presence = self._presence
        stirred = presence.stirred & self._followed.keys() if self._followed else set()
        if presence.rooms_stirred:
            stirred |= self._in_rooms
        presence.stirred.clear()
        presence.rooms_stirred = False
        for table in stirred:
            followed = self._followed[table]
            if not followed.waits:
                followed.waits = True
                self._timers.look(table, max(draft.now + ONLOOKERS_SOON, followed.rest))

    def deadline(self) -> Micros | None:
        """When the next followers are to be told, or None."""
        return self._timers.deadline()

    def tick(self, draft: Draft) -> None:
        """Tell the followers whose time has come."""
        for table in self._timers.due(draft.now):
            if (followed := self._followed.get(table)) is not None:
                followed.waits = False
                self._tell(draft, followed)

    def _tell(self, draft: Draft, followed: Followed) -> None:
        table = self._floor.tables.get(followed.table)
        has = self._floor.audiences.has
        for session in list(followed.sessions):
            if table is None or not has(session, table):  # it looks on no more, or all is gone
                self._of_session[session].discard(followed.table)
                self._presence.alter(session)
                self._leave(followed.table, session)
        if table is None or not followed.sessions:
            return
        now = OnlookersChanged(table.id, *self.at(table))
        followed.rest = draft.now + ONLOOKERS_EVERY + ONLOOKERS_EACH * len(followed.sessions)
        if now != followed.told:
            followed.told = now
            for session in followed.sessions:
                draft.tell_onlooker(session, now)
