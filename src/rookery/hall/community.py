"""What people do with each other: the lobby's chat, and what the organiser may do against whom.

The last lines of the lobby are in memory alone: what is said in passing is not kept for ever. The
speed is bounded for each home, and for all together. The organiser is any session that has shown
the token. A mute or ban is an event that says whom it concerns, for how long and why. A banned
player is told so and hung up on; their games end as for any player who is gone and does not come
back. Nobody acts against the server's own players, nor against the organiser.
"""

from collections import deque
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any, Final

from rookery.core import events, intents
from rookery.core.events import Blocked, Closed, HallEvent, Left, Unblocked
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Seat, SessionId, Status
from rookery.core.intents import CloseTable, HearLobby, SayInLobby
from rookery.core.messages import (
    Blocks,
    Done,
    LobbyCleared,
    LobbyHeard,
    LobbyLine,
    LobbySaid,
    Notice,
    Onlooker,
    Refused,
)
from rookery.core.network import LOOPBACK, OWN, Buckets, Rate, home_of
from rookery.hall.batch import Draft
from rookery.hall.limits import (
    AHEAD_MAX,
    BLOCKS_A_PLAYER,
    LOBBY_HEARERS,
    LOBBY_KEPT,
    LOBBY_LINE_MAX,
    SANCTIONS_MAX,
)
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.conduct import covers_newcomers, read_reason
from rookery.hall.people.players import Player
from rookery.hall.people.presence import Presence
from rookery.hall.people.register import People, Register
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.referee import called_off
from rookery.hall.tables.ruling import Ruling, TableChange
from rookery.hall.tables.table import Table, evolve

CLOSED = "closed"  # how a game ends whose table is closed

TALK_RATE: Final = Rate(8, 3 * MICROS_A_SECOND)  # a conversation; a class shares it
LOOPBACK_RATE: Final = Rate(100, MICROS_A_SECOND // 10)
ALL_RATE: Final = Rate(40, MICROS_A_SECOND // 5)  # nobody reads more than five lines a second
ALL: Final = "everybody"


class LobbyChat:
    """The last lines of the lobby, and the sessions that listen."""

    def __init__(self, people: People) -> None:
        self._presence = people.presence
        self._conduct = people.register.conduct
        self._lines: deque[LobbyLine] = deque(maxlen=LOBBY_KEPT)
        self._hearers: dict[SessionId, None] = {}
        self._rates = Buckets(TALK_RATE, LOOPBACK_RATE)
        self._all = Buckets(ALL_RATE, ALL_RATE)
        self._last = 0  # the number of the last line

    def hear(self, asking: Asking, intent: HearLobby) -> None:
        """Let a session listen and tell it the last lines, or let it listen no more."""
        session = asking.session
        if not intent.hear:
            self.disconnect(session)
            self._presence.alter(session)
            asking.tell(LobbyHeard(()))
            return
        if session not in self._hearers and len(self._hearers) >= LOBBY_HEARERS:
            sentence = f"{LOBBY_HEARERS} connections hear the lobby, and no more can."
            raise Refusal(Refused("too_many", sentence))
        self.listen(session)
        unheard = self._conduct.unheard_by(self._presence.players_of(session))
        lines = tuple(line for line in self._lines if line.player not in unheard)
        asking.tell(LobbyHeard(lines))

    def listen(self, session: SessionId) -> None:
        """Let a session listen to the lobby from now on."""
        self._hearers[session] = None
        self._presence.alter(session)

    def is_heard_by(self, session: SessionId) -> bool:
        """Whether a session listens to the lobby."""
        return session in self._hearers

    def say(self, asking: Asking, intent: SayInLobby) -> None:
        """Tell a player's line to all listeners who have not blocked them. Raises Refusal."""
        who, draft = asking.who, asking.draft
        refuse(self._conduct.may_not_speak(who, draft.at))
        text = "".join(c for c in intent.text if c.isprintable()).strip()
        if not text:
            raise Refusal(Refused("empty", "There is nothing to say."))
        if len(text) > LOBBY_LINE_MAX:
            sentence = f"In the lobby one can say at most {LOBBY_LINE_MAX} characters at once."
            raise Refusal(Refused("too_long", sentence))
        self._take_turn(asking)
        self._last += 1
        line = LobbyLine(self._last, draft.at, who.id, who.shown, text)
        self._lines.append(line)
        asking.tell(Done())
        deaf, said = self._conduct.deaf_to(who.id), LobbySaid(line)
        for session in self._hearers:
            if not deaf or deaf.isdisjoint(self._presence.players_of(session)):
                draft.tell_onlooker(session, said)

    def _take_turn(self, asking: Asking) -> None:
        """Count one line. Raises Refusal where this home, or everybody together, said enough."""
        host, now = self._presence.host(asking.session), asking.draft.now
        if host in OWN or self._presence.is_organiser(asking.session):
            return
        if self._rates.wait(host, now):
            sentence = "Your host has said much in the lobby; wait a few seconds."
            raise Refusal(Refused("too_fast", sentence))
        if self._all.wait(ALL, now):
            sentence = "So much is said in the lobby that nobody could read it; wait a second."
            raise Refusal(Refused("too_fast", sentence))
        self._rates.spend(host, now)
        self._all.spend(ALL, now)

    def clear(self, draft: Draft, player: PlayerId) -> None:
        """Take back all lines of a player, here and at all who listen."""
        kept = [line for line in self._lines if line.player != player]
        if len(kept) < len(self._lines):
            self._lines = deque(kept, maxlen=LOBBY_KEPT)
            cleared = LobbyCleared(player)
            for session in self._hearers:
                draft.tell_onlooker(session, cleared)

    def disconnect(self, session: SessionId) -> None:
        """Stop telling a session that is gone, or that wants to hear no more."""
        self._hearers.pop(session, None)


Moderation = CloseTable | intents.Mute | intents.Unmute | intents.Ban | intents.LiftBan


class Moderating:
    """Does what the organiser asks."""

    def __init__(self, people: People, floor: Floor, chat: LobbyChat) -> None:
        self._presence = people.presence
        self._register = people.register
        self._conduct = people.register.conduct
        self._floor = floor
        self._chat = chat

    def receive(self, asking: Asking, intent: Moderation) -> None:
        """Do what the organiser asks. Raises Refusal, and where it is not the organiser."""
        if not self._presence.is_organiser(asking.session):
            sentence = "That is for the organiser alone; show the token first."
            raise Refusal(Refused("not_organiser", sentence))
        match intent:
            case CloseTable():
                self._close_table(asking, intent)
            case intents.Mute():
                self._mute(asking, intent)
            case intents.Unmute():
                self._unmute(asking, intent)
            case intents.Ban():
                self._ban(asking, intent)
            case intents.LiftBan():
                self._lift(asking, intent)

    # -- tables

    def _close_table(self, asking: Asking, intent: CloseTable) -> None:
        """Close a table, whatever happens at it. Raises Refusal."""
        reason = read_reason(intent.reason)
        table = to_close(intent, self._floor)
        close(asking, table, why_closed(reason), self._floor, self._presence)

    # -- who may speak

    def _mute(self, asking: Asking, intent: intents.Mute) -> None:
        """Forbid a player to speak for a time, and take back their lines in the lobby."""
        player = self._find(intent.whom)
        until = self._until(asking.draft, intent.time)
        home = self._home_of(player)
        home = home if covers_newcomers(home) else ""
        newcomers = self._register.players.next_id()
        reason = read_reason(intent.reason)
        self._do(asking, events.Muted(reason, player.id, until, home, newcomers))
        self._chat.clear(asking.draft, player.id)
        self._tell(asking.draft, player, "muted", "The organiser has muted you", reason)

    def _unmute(self, asking: Asking, intent: intents.Unmute) -> None:
        """Let a muted player speak again."""
        if intent.whom not in self._conduct.muted:
            raise Refusal(Refused("nothing_to_lift", f"Player {intent.whom} is not muted."))
        self._do(asking, events.Unmuted(read_reason(intent.reason), intent.whom))

    # -- who may be here

    def _ban(self, asking: Asking, intent: intents.Ban) -> None:
        """Ban a player, or everybody from a home, and hang up on them."""
        reason = read_reason(intent.reason)
        if (intent.whom is None) != bool(intent.host):
            raise Refusal(Refused("bad_option", "Say which player to ban, or which host."))
        until = self._until(asking.draft, intent.time)
        if intent.whom is None:
            ban = events.Banned(reason, None, read_home(intent.host), until)
            self._bar(asking, ban, force=intent.force)
            return
        player = self._find(intent.whom)
        if intent.home:
            ban = events.Banned(reason, player.id, self._home_of(player), until)
            self._bar(asking, ban, force=intent.force)
            return
        self._do(asking, events.Banned(reason, player.id, until=until))
        self._chat.clear(asking.draft, player.id)
        if (session := self._presence.session_of(player.id)) is not None:
            self._show_out(asking.draft, session, "The organiser has banned you", reason)

    def _bar(self, asking: Asking, ban: events.Banned, *, force: bool) -> None:
        self._check_home(ban.home, force=force)
        self._do(asking, ban)
        for session in self._presence.sessions_at(ban.home):
            if not self._presence.is_organiser(session):
                sentence = "The organiser has banned your address"
                self._show_out(asking.draft, session, sentence, ban.reason)
                for player in self._presence.players_of(session):
                    self._chat.clear(asking.draft, player)

    def _lift(self, asking: Asking, intent: intents.LiftBan) -> None:
        """Lift the bans of a player and of homes banned by that player, or the ban of a home."""
        reason = read_reason(intent.reason)
        if intent.whom is None:
            home = read_home(intent.host)
            if home not in self._conduct.barred:
                raise Refusal(Refused("nothing_to_lift", f"The host {home} is not banned."))
            self._do(asking, events.BanLifted(reason, home=home))
            return
        if not self._conduct.is_banned(intent.whom):
            raise Refusal(Refused("nothing_to_lift", f"Player {intent.whom} is not banned."))
        self._do(asking, events.BanLifted(reason, intent.whom))

    # -- whom it may concern

    def _find(self, whom: PlayerId) -> Player:
        """The player to act against. Raises Refusal where nobody may."""
        player = find_player(self._register, whom)
        session = self._presence.session_of(whom)
        if player.host in OWN or (session is not None and self._presence.is_organiser(session)):
            raise _protected("That is one of the server's own, or the organiser.")
        return player

    def _check_home(self, home: str, *, force: bool) -> None:
        """Raise Refusal where this home may not be banned."""
        if home in OWN:
            raise _protected("That is the server itself.")
        if force:
            return
        if home == LOOPBACK:
            sentence = (
                "That is this machine's own address, and everybody's behind a proxy on it: it is "
                "banned only by force."
            )
            raise _protected(sentence)
        if self._presence.organised_from(home):
            raise _protected("The organiser is there.")

    # -- what all have in common

    def _do(self, asking: Asking, event: HallEvent) -> None:
        self._register.write(asking.draft, event)
        asking.tell(Done())

    def _until(self, draft: Draft, time: Micros) -> Micros:
        """When a mute or ban of this length ends; 0 for never. Raises Refusal."""
        if not 0 <= time <= AHEAD_MAX:
            raise Refusal(Refused("bad_option", "It is for a year at most, or with 0 for ever."))
        if self._conduct.sanctions(draft.at) >= SANCTIONS_MAX:
            raise Refusal(Refused("too_many", "So many are muted or banned; lift some first."))
        return draft.at + time if time else 0

    def _home_of(self, player: Player) -> str:
        """The home a player is connected from, or else was made at."""
        session = self._presence.session_of(player.id)
        return home_of(player.host if session is None else self._presence.host(session))

    def _tell(self, draft: Draft, player: Player, code: str, what: str, reason: str) -> None:
        if (session := self._presence.session_of(player.id)) is not None:
            draft.tell(session, Notice(code, _sentence(what, reason)))

    def _show_out(self, draft: Draft, session: SessionId, what: str, reason: str) -> None:
        self._presence.show_out(session)
        draft.dismiss(session, Notice("banned", _sentence(what, reason)))


def find_player(register: Register, whom: PlayerId) -> Player:
    """The player with this id. Raises Refusal where there is none."""
    player = register.players.get(whom)
    if player is None:
        raise Refusal(Refused("no_such_player", f"There is no player {whom}."))
    return player


def _protected(sentence: str) -> Refusal:
    return Refusal(Refused("protected", sentence))


def _sentence(what: str, reason: str) -> str:
    return f"{what}: {reason.rstrip('.')}." if reason else f"{what}."


def read_home(host: str) -> str:
    """The home of an address, or of a home as it is written. Raises Refusal."""
    try:
        address = ip_address(host.removesuffix("/64").strip())
    except ValueError:
        sentence = "A host is an address in numbers, as 192.0.2.7 or 2001:db8::1."
        raise Refusal(Refused("bad_option", sentence)) from None
    mapped = getattr(address, "ipv4_mapped", None)
    return home_of("127.0.0.1" if address.is_loopback else str(mapped or address))


class Community:
    """Receives what people ask about each other."""

    def __init__(self, people: People, floor: Floor) -> None:
        self._register = people.register
        self._presence = people.presence
        self.chat = LobbyChat(people)
        self._moderating = Moderating(people, floor, self.chat)

    # Any: each takes the intents it is given here.
    def routes(self) -> dict[type[intents.Intent], Callable[[Asking, Any], None]]:
        """Who does what is asked, by the intent's type."""
        return {
            intents.HearLobby: self.chat.hear,
            intents.SayInLobby: self.chat.say,
            **dict.fromkeys((intents.Block, intents.Unblock, intents.ListBlocked), self._block),
            **dict.fromkeys(intents.OrganiserAct.__subclasses__(), self._moderating.receive),
        }

    def _block(
        self, asking: Asking, intent: intents.Block | intents.Unblock | intents.ListBlocked
    ) -> None:
        who, conduct = asking.who, self._register.conduct
        match intent:
            case intents.Block(whom):
                if find_player(self._register, whom).id == who.id:
                    raise Refusal(Refused("protected", "That is yourself."))
                blocked = list(conduct.blocked_by(who.id))
                if len(blocked) >= BLOCKS_A_PLAYER and whom not in blocked:
                    sentence = f"One blocks at most {BLOCKS_A_PLAYER} people."
                    raise Refusal(Refused("too_many", sentence))
                if whom not in blocked:
                    self._register.write(asking.draft, Blocked(who.id, whom))
                asking.tell(Done())
            case intents.Unblock(whom):
                if conduct.has_blocked(who.id, whom):
                    self._register.write(asking.draft, Unblocked(who.id, whom))
                asking.tell(Done())
            case intents.ListBlocked():
                names = self._register.players
                blocked_by = conduct.blocked_by(who.id)
                asking.tell(Blocks(tuple(Onlooker(one, names[one].shown) for one in blocked_by)))

    def may_not_come(self, host: str, at: Micros) -> Refused | None:
        """Why nobody from this host may be here now; None if its home is not banned."""
        return self._register.conduct.may_not_come(host, at)


def close(asking: Asking, table: Table, reason: str, floor: Floor, presence: Presence) -> None:
    """Close a table that may be closed, for this reason, and tell the session that asked."""
    draft = asking.draft
    asking.tell(Done(table.id))
    if table.status is Status.PLAYING:
        floor.commit(draft, called_off(table, CLOSED, reason).changes)
        return
    for player in dict.fromkeys((*table.joined, *table.seats, table.owner)):
        sits = None if player is None else presence.session_of(player)
        if sits is not None:
            draft.tell(sits, Notice(CLOSED, f"Table {table.id}: {reason}"))
    # They hear of it though they sit there no more.
    floor.commit(draft, cleared(table, reason).changes, floor.audiences.now(table))


def cleared(table: Table, reason: str) -> Ruling:
    """Everyone gets up from a table whose game has not begun, and the table is closed."""
    changes: list[TableChange] = []
    for n, player in enumerate(table.seats):
        if player is not None:
            left = Left(Seat(n), player)
            table = evolve(table, left)
            changes.append(TableChange(left, (), table))
    closed = Closed(reason)
    return Ruling((*changes, TableChange(closed, (), evolve(table, closed))))


def to_close(wish: CloseTable, floor: Floor) -> Table:
    """Find the table to be closed. Raises Refusal where there is none, or its game is over."""
    table = floor.tables.get(wish.table)
    if table is None:
        raise Refusal(floor.tables.refusal(wish.table))
    if table.status in (Status.OVER, Status.CLOSED):
        raise Refusal(Refused("over", f"Table {table.id} is over already.", table.id))
    return table


def why_closed(reason: str) -> str:
    """The sentence that tells everyone for which reason the organiser closed the table."""
    if not reason:
        return "The organiser closed the table."
    end = "" if reason.endswith((".", "!", "?", "…")) else "."
    return f"The organiser closed the table: {reason}{end}"
