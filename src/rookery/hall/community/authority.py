"""Who may do what a moderator does, and to whom.

The organiser is any session that has shown the token, with a player or without one. A moderator
is an account that the organiser has named. Nobody acts against the organiser, the server's own
players or themselves; moderators not against each other, nor do they undo what the organiser did.
"""

from msgspec import Struct

from rookery.core.ids import PlayerId
from rookery.core.messages import Refused
from rookery.core.visitors.hosts import LOOPBACK, OWN
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.conduct import ActDone
from rookery.hall.people.people import People
from rookery.hall.people.players import Player

ORGANISER = "organiser"
MODERATOR = "moderator"


class Authority(Struct, frozen=True):
    """In whose name a session moderates: a moderator's, or with None the organiser's."""

    by: PlayerId | None

    @property
    def organiser(self) -> bool:
        """Whether the session acts as the organiser."""
        return self.by is None

    @property
    def title(self) -> str:
        """The words that tell people who acted: the organiser, or a moderator."""
        return "The organiser" if self.organiser else "A moderator"


class Authorities:
    """Decides which sessions may moderate, and against whom."""

    def __init__(self, people: People) -> None:
        self._presence = people.presence
        self._players = people.register.players
        self._conduct = people.register.conduct

    def role(self, asking: Asking) -> str:
        """The session's role: `organiser`, `moderator`, or empty."""
        if self._presence.is_organiser(asking.session):
            return ORGANISER
        player = asking.player
        named = isinstance(player, Player) and player.id in self._conduct.moderators
        return MODERATOR if named else ""

    def of(self, asking: Asking) -> Authority:
        """The authority of a session that is the organiser's or a moderator's. Raises Refusal."""
        match self.role(asking):
            case "organiser":
                return Authority(None)
            case "moderator":
                return Authority(asking.who.id)
            case _:
                sentence = "That is for the organiser and moderators; show the token first."
                raise Refusal(Refused("not_organiser", sentence))

    def organiser(self, asking: Asking) -> Authority:
        """The organiser's authority. Raises Refusal where the session is not the organiser's."""
        if not self._presence.is_organiser(asking.session):
            sentence = "That is for the organiser alone; show the token first."
            raise Refusal(Refused("not_organiser", sentence))
        return Authority(None)

    def find(self, whom: PlayerId) -> Player:
        """The player with this id. Raises Refusal where there is none."""
        player = self._players.get(whom)
        if player is None:
            raise Refusal(Refused("no_such_player", f"There is no player {whom}."))
        return player

    def against(self, asking: Asking, authority: Authority, whom: PlayerId) -> Player:
        """The player to act against. Raises Refusal where this authority may not do so."""
        player = self.find(whom)
        session = self._presence.session_of(whom)
        if player.host in OWN or (session is not None and self._presence.is_organiser(session)):
            raise _protected("That is one of the server's own, or the organiser.")
        if not isinstance(asking.player, Refused) and asking.player.id == whom:
            raise _protected("That is yourself.")
        if not authority.organiser and whom in self._conduct.moderators:
            raise _protected("Only the organiser acts against moderators.")
        return player

    def check_home(self, authority: Authority, home: str, *, force: bool) -> None:
        """Raise Refusal where this home may not be banned."""
        if home in OWN:
            raise _protected("That is the server itself.")
        if home == LOOPBACK and not (authority.organiser and force):
            sentence = (
                "That is this machine's own address, and everybody's behind a proxy on it: only "
                "the organiser bans it, by force."
            )
            raise _protected(sentence)
        here = self._presence.sessions_at(home)
        moderators = self._conduct.moderators
        at_home = any(one in moderators for s in here for one in self._presence.players_of(s))
        if at_home and not authority.organiser:
            raise _protected("A moderator is there.")
        if self._presence.organised_from(home) and not (authority.organiser and force):
            raise _protected("The organiser is there.")

    def check_undoing(self, authority: Authority, done: ActDone | None) -> None:
        """Raise Refusal where there is nothing to undo, or it is the organiser's to undo."""
        if done is None:
            raise Refusal(Refused("nothing_to_lift", "That is not so, and need not be lifted."))
        if done.act.by is None and not authority.organiser:
            raise _protected("The organiser did that, and the organiser alone undoes it.")


def _protected(sentence: str) -> Refusal:
    return Refusal(Refused("protected", sentence))
