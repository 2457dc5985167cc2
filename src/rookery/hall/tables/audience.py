"""Who hears of a table: sessions that sit at it, look on, or are in its room.

Players of a dialect with a lobby are also told when a connection at their table is gone or
back. Other dialects ask, or show it, in their own ways.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from rookery.core.events import Closed, Ended, Left, Opened, Out, Said, Sat, Started, TableEvent
from rookery.core.ids import MICROS_A_SECOND, PlayerId, Seat, SessionId, Status, TableId
from rookery.core.messages import Notice
from rookery.core.network import OWN
from rookery.core.policy import Gone
from rookery.hall.batch import Draft
from rookery.hall.people.conduct import Conduct
from rookery.hall.people.presence import Presence
from rookery.hall.tables.table import Table

Audience: TypeAlias = dict[SessionId, tuple[Seat, ...]]  # who hears, and for which seats

LOBBY: Final = frozenset({Opened, Sat, Left, Started, Out, Ended, Closed})  # what a lobby hears of


def listeners(presence: Presence, table: Table) -> Audience:
    """Every session that hears of this table, with the seats it hears for."""
    heard: Audience = {}
    session_of = presence.session_of
    for n, player in enumerate(table.seats):
        session = None if player is None else session_of(player)
        if session is not None:
            seat = Seat(n)
            heard[session] = (*heard[session], seat) if session in heard else (seat,)
    for session in presence.watchers(table.id):
        heard.setdefault(session, ())
    opened = table.opened
    if opened.room:
        for session in presence.in_room((opened.room, opened.variant)):
            heard.setdefault(session, ())
    return heard


def count_onlookers(presence: Presence, table: Table) -> int:
    """How many sessions look on: without those that sit or only glance, and the server's own."""
    return sum(
        not (seats or presence.host(session) in OWN or presence.only_glances(session, table.id))
        for session, seats in listeners(presence, table).items()
    )


class KeptAudience(Struct, gc=False):
    """An audience, and what it was made from."""

    changes: tuple[int, int]  # the last of who watches, and of who is in the room
    seats: tuple[PlayerId | None, ...]
    sessions: tuple[SessionId | None, ...]  # of the seats
    audience: Audience
    onlookers: int  # of the audience, those who hear for no seat
    named: bool = False  # whether all in it have numbers for all they hear of


class Audiences:
    """The sessions that hear of each table, remembered while nobody there comes, goes or moves."""

    def __init__(self, presence: Presence, conduct: Conduct) -> None:
        self._presence = presence
        self._conduct = conduct
        self._known: dict[TableId, KeptAudience] = {}

    def now(self, table: Table) -> Audience:
        """The sessions that hear of this table, which need not be in memory."""
        return listeners(self._presence, table)

    def of_event(self, table: Table, event: TableEvent) -> Audience:
        """The sessions that hear this event; those who blocked a speaker do not hear its words."""
        heard = self.find(table).audience
        if type(event) is not Said or not (deaf := self._conduct.deaf_to(event.player)):
            return heard
        players_of = self._presence.players_of
        return {one: seats for one, seats in heard.items() if deaf.isdisjoint(players_of(one))}

    def unheard_by(self, session: SessionId) -> frozenset[PlayerId]:
        """The players whose words this session is not told."""
        return self._conduct.unheard_by(self._presence.players_of(session))

    def seats_of(self, session: SessionId, table: Table) -> tuple[Seat, ...]:
        """The seats of this table whose players use this session."""
        mine = self._presence.players_of(session)
        return tuple(Seat(n) for n, player in enumerate(table.seats) if player in mine)

    def has(self, session: SessionId, table: Table) -> bool:
        """Whether this session hears of the table, without listing all others that do."""
        if self._presence.is_watching(session, table.id) or self.seats_of(session, table):
            return True
        room = table.opened.room
        return bool(room) and session in self._presence.in_room((room, table.opened.variant))

    def find(self, table: Table) -> KeptAudience:
        """The table's audience, remembered for the next event."""
        known, seats, presence = self._known.get(table.id), table.seats, self._presence
        changes = presence.last_changes(table.id, (table.opened.room, table.opened.variant))
        sessions = presence.sessions_of(seats)
        if (
            known is None
            or known.changes != changes
            or known.sessions != sessions
            or known.seats is not seats
        ):
            audience = listeners(presence, table)
            onlookers = sum(not sits for sits in audience.values())
            known = KeptAudience(changes, seats, sessions, audience, onlookers)
            self._known[table.id] = known
        return known

    def note_seats(self, table: Table, event: TableEvent) -> None:
        """Note that the players of this event wait for something else now, or for nothing."""
        match event:
            case Sat(player=player) | Left(player=player):
                self._presence.alter_player(player)
            case Started():
                for sitter in table.seats:
                    if sitter is not None:
                        self._presence.alter_player(sitter)
            case _:
                pass

    def forget(self, table: TableId) -> None:
        """Drop the remembered audience of this table."""
        self._known.pop(table, None)


def tell_of_absence(
    draft: Draft, presence: Presence, table: Table, player: PlayerId, *, here: bool
) -> None:
    """Tell the others at a running table that this player's connection is gone, or back."""
    if table.status is not Status.PLAYING or player not in table.seats:
        return
    notice = _notice(table, player, here=here)
    lobby = presence.in_lobby(table.game.name)
    own = presence.session_of(player)
    for session in dict.fromkeys(presence.session_of(one) for one in table.seats if one):
        if session is not None and session != own and session in lobby:
            draft.tell(session, notice)


def _notice(table: Table, player: PlayerId, *, here: bool) -> Notice:
    name = table.names[table.seats.index(player)]
    if here:
        return Notice("back", f"{name} is back.", player)
    gone = f"The connection of {name} is gone"
    policy = table.opened.policy
    if policy.gone is Gone.FORFEIT and policy.grace:
        seconds = policy.grace // MICROS_A_SECOND
        return Notice("gone", f"{gone}; the seat is kept for {seconds} seconds.", player)
    return Notice("gone", f"{gone}.", player)
