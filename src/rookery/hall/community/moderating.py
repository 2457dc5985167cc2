"""What the organiser and moderators do: mute, ban, lift both, close tables, name moderators.

Every act is an event that says who did it, to whom, for how long and why. A banned player is
told so and hung up on; their games end as for any player who is gone and does not come back. It
keeps nothing.
"""

from ipaddress import ip_address

from rookery.core.events import HallEvent
from rookery.core.ids import Micros, SessionId
from rookery.core.intents import CloseTable
from rookery.core.messages import Done, Notice, Refused
from rookery.core.people import community_events as deeds
from rookery.core.people import community_intents as wishes
from rookery.core.visitors.hosts import home_of
from rookery.hall.batch import Draft
from rookery.hall.community.authority import Authorities, Authority
from rookery.hall.community.lobby_chat import LobbyChat
from rookery.hall.limits import AHEAD_MAX, MODERATORS_MAX, SANCTIONS_MAX
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.conduct import covers_newcomers, read_reason
from rookery.hall.people.people import People
from rookery.hall.people.players import Player
from rookery.hall.tables.closing import close, to_close, why_closed
from rookery.hall.tables.floor import Floor


class Moderating:
    """Does what the organiser and moderators ask."""

    def __init__(
        self, people: People, floor: Floor, authorities: Authorities, chat: LobbyChat
    ) -> None:
        self._presence = people.presence
        self._register = people.register
        self._conduct = people.register.conduct
        self._floor = floor
        self._authorities = authorities
        self._chat = chat

    # -- tables

    def close_table(self, asking: Asking, intent: CloseTable) -> None:
        """Close a table, whatever happens at it, and write down who did so. Raises Refusal."""
        authority = self._authorities.of(asking)
        reason = read_reason(intent.reason)
        table = to_close(intent, self._floor)
        self._register.write(asking.draft, deeds.TableShut(authority.by, reason, table.id))
        sentence = why_closed(authority.title, reason)
        close(asking, table, sentence, self._floor, self._presence)

    # -- who may speak

    def mute(self, asking: Asking, intent: wishes.Mute) -> None:
        """Forbid a player to speak for a time, and take back their lines in the lobby."""
        authority = self._authorities.of(asking)
        player = self._authorities.against(asking, authority, intent.whom)
        until = self._until(asking.draft, intent.time)  # what is over is forgotten with it
        before = self._conduct.muted.get(player.id)
        if before is not None:
            self._authorities.check_undoing(authority, before)
        home = self._home_of(player)
        home = home if covers_newcomers(home) else ""
        newcomers = self._register.players.next_id()
        reason = read_reason(intent.reason)
        muted = deeds.Muted(authority.by, reason, player.id, until, home, newcomers)
        self._do(asking, muted)
        self._chat.clear(asking.draft, player.id)
        self._tell(asking.draft, player, "muted", f"{authority.title} has muted you", reason)

    def unmute(self, asking: Asking, intent: wishes.Unmute) -> None:
        """Let a muted player speak again."""
        authority = self._authorities.of(asking)
        self._authorities.check_undoing(authority, self._conduct.muted.get(intent.whom))
        self._do(asking, deeds.Unmuted(authority.by, read_reason(intent.reason), intent.whom))

    # -- who may be here

    def ban(self, asking: Asking, intent: wishes.Ban) -> None:
        """Ban a player, or everybody from a home, and hang up on them."""
        authority = self._authorities.of(asking)
        reason = read_reason(intent.reason)
        if (intent.whom is None) != bool(intent.host):
            raise Refusal(Refused("bad_option", "Say which player to ban, or which host."))
        until = self._until(asking.draft, intent.time)
        if intent.whom is None:
            self._authorities.organiser(asking)
            self._bar(asking, authority, read_home(intent.host), until, reason, intent.force)
            return
        player = self._authorities.against(asking, authority, intent.whom)
        if intent.home:
            home = self._home_of(player)
            self._bar(asking, authority, home, until, reason, intent.force)
            return
        if (before := self._conduct.banned.get(player.id)) is not None:
            self._authorities.check_undoing(authority, before)
        self._do(asking, deeds.Banned(authority.by, reason, player.id, until=until))
        self._chat.clear(asking.draft, player.id)
        if (session := self._presence.session_of(player.id)) is not None:
            self._show_out(asking.draft, session, f"{authority.title} has banned you", reason)

    def _bar(  # noqa: PLR0917 # all that a ban has
        self,
        asking: Asking,
        authority: Authority,
        home: str,
        until: Micros,
        reason: str,
        force: bool,  # as the intent says it
    ) -> None:
        self._authorities.check_home(authority, home, force=force)
        if (before := self._conduct.barred.get(home)) is not None:
            self._authorities.check_undoing(authority, before)
        self._do(asking, deeds.Banned(authority.by, reason, home=home, until=until))
        for session in self._presence.sessions_at(home):
            if not self._presence.is_organiser(session):
                sentence = f"{authority.title} has banned your address"
                self._show_out(asking.draft, session, sentence, reason)
                for player in self._presence.players_of(session):
                    self._chat.clear(asking.draft, player)

    def lift(self, asking: Asking, intent: wishes.LiftBan) -> None:
        """Lift the ban of a player or of a home."""
        authority = self._authorities.of(asking)
        reason = read_reason(intent.reason)
        if intent.whom is None:
            home = read_home(intent.host)
            self._authorities.check_undoing(authority, self._conduct.barred.get(home))
            self._do(asking, deeds.BanLifted(authority.by, reason, home=home))
            return
        self._authorities.check_undoing(authority, self._conduct.banned.get(intent.whom))
        self._do(asking, deeds.BanLifted(authority.by, reason, intent.whom))

    # -- moderators

    def name(self, asking: Asking, intent: wishes.NameModerator) -> None:
        """Make a player whose name is kept a moderator."""
        authority = self._authorities.organiser(asking)
        reason, player = read_reason(intent.reason), self._authorities.find(intent.whom)
        if not player.kept:
            sentence = "A moderator is somebody whose name is kept by a passphrase."
            raise Refusal(Refused("not_kept", sentence))
        if player.id in self._conduct.moderators:
            raise Refusal(Refused("moderator", f"{player.shown} is a moderator already."))
        if len(self._conduct.moderators) >= MODERATORS_MAX:
            sentence = f"There are {MODERATORS_MAX} moderators, and no more can be."
            raise Refusal(Refused("too_many", sentence))
        self._do(asking, deeds.ModeratorNamed(authority.by, reason, player.id))
        self._tell(asking.draft, player, "moderator", "You are a moderator now", reason)

    def dismiss(self, asking: Asking, intent: wishes.DismissModerator) -> None:
        """Take the moderator's role from a player."""
        authority = self._authorities.organiser(asking)
        if intent.whom not in self._conduct.moderators:
            raise Refusal(Refused("nothing_to_lift", "That is no moderator."))
        reason = read_reason(intent.reason)
        self._do(asking, deeds.ModeratorDismissed(authority.by, reason, intent.whom))

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
