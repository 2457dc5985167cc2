"""What the organiser does: mute, ban, lift both, and close tables.

The organiser is any session that has shown the token, with a player or without one. A mute or ban
is an event that says whom it concerns, for how long and why. A banned player is told so and hung
up on; their games end as for any player who is gone and does not come back. Nobody acts against
the server's own players, nor against the organiser. It keeps nothing.
"""

from ipaddress import ip_address

from rookery.core import events, intents
from rookery.core.events import HallEvent
from rookery.core.ids import Micros, PlayerId, SessionId
from rookery.core.intents import CloseTable
from rookery.core.messages import Done, Notice, Refused
from rookery.core.network import LOOPBACK, OWN, home_of
from rookery.hall.batch import Draft
from rookery.hall.community.lobby_chat import LobbyChat
from rookery.hall.limits import AHEAD_MAX, SANCTIONS_MAX
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.conduct import covers_newcomers, read_reason
from rookery.hall.people.people import People
from rookery.hall.people.players import Player
from rookery.hall.people.register import Register
from rookery.hall.tables.closing import close, to_close, why_closed
from rookery.hall.tables.floor import Floor

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
