"""The reception: where a session becomes a player, a new one or one from before.

Everyone who ever came is in the register; which connection acts for which player is presence, and
not in the log.
"""

from collections.abc import Callable

from rookery.core.events import PlayerMade, PlayerNamed
from rookery.core.ids import Micros, PlayerId, SessionId, TableId
from rookery.core.intents import Enter, Reclaim, Rename, Resume
from rookery.core.messages import WANTED, Done, Notice, Refused, Welcome
from rookery.core.names import plain
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.players import Player, bad_dialect, bad_name, hash_token
from rookery.hall.people.presence import Presence
from rookery.hall.people.register import Register

# Tells the tables where a player sits that it is back, after it could not be heard since then.
CameBack = Callable[[Draft, PlayerId, Micros | None], tuple[TableId, ...]]


class Reception:
    """Makes new players and brings old ones back; `came_back` tells the tables where they sit."""

    def __init__(
        self,
        presence: Presence,
        register: Register,
        tokens: Callable[[], str],
        came_back: CameBack,
    ) -> None:
        self._presence = presence
        self._register = register
        self.players = register.players
        self._tokens = tokens
        self._came_back = came_back

    def enter(self, asking: Asking, intent: Enter) -> None:
        """Make a new player for the session, and welcome it."""
        asking.tell(self.make(asking, intent.name, intent.dialect))

    def make(self, asking: Asking, name: str, dialect: str | None = None) -> Welcome:
        """Make a new player for this session; the welcome to tell it. Raises Refusal."""
        draft, session, name = asking.draft, asking.session, plain(name)
        dialect = self._presence.dialect(session) if dialect is None else dialect
        wrong = bad_name(name)
        if wrong is not None:
            raise Refusal(Refused("bad_name", wrong))
        if (strange := bad_dialect(dialect)) is not None:
            raise Refusal(Refused("bad_dialect", strange))
        self._check_room(session)
        refuse(self._register.conduct.may_not_come(self._presence.host(session), draft.at))
        player, token = self.players.next_id(), self._tokens()
        host, returns = self._presence.host(session), self._presence.returns(session)
        made = PlayerMade(player, name, host, hash_token(token), dialect, returns)
        self._register.write(draft, made)
        self._presence.attach(session, player)
        self._register.name_player(draft, session, player)
        self._register.tell_apart(draft, player, ())
        return Welcome(player, self.players[player].own_name, token)

    def reclaim(self, asking: Asking, intent: Reclaim) -> None:
        """Let a player come back by its token. Raises Refusal."""
        player = self.players.get(intent.player)
        if player is None or not player.has_token(intent.token):
            raise Refusal(Refused("bad_token", "There is no player with that id and token."))
        if self._presence.session_of(player.id) != asking.session:
            self._check_room(asking.session)
        self.welcome_back(asking, player, intent.token)

    def _check_room(self, session: SessionId) -> None:
        """Raise Refusal where a connection acts for as many players as it may."""
        if len(self._presence.players_of(session)) >= limits.PLAYERS_A_SESSION:
            sentence = f"A connection acts for at most {limits.PLAYERS_A_SESSION} players."
            raise Refusal(Refused("too_many", sentence))

    def resume(self, asking: Asking, intent: Resume) -> tuple[PlayerId, ...]:
        """Let a player come back by its number; the players whom the session leaves for it."""
        draft, session = asking.draft, asking.session
        player = self.players.get(intent.player)
        if player is None or not self._may_resume(session, player, intent):
            raise Refusal(Refused("bad_token", "You cannot be that player from here."))
        refused = self._is_here(session, player, intent, draft.now)
        if refused is not None:
            self._ask_after(draft, player.id, intent.silence)
            raise Refusal(refused)
        self.welcome_back(asking, player, intent.token or "")
        left = [other for other in self._presence.players_of(session) if other != player.id]
        for other in left:
            self._presence.detach(session, other)
        return tuple(left)

    def _is_here(
        self, session: SessionId, player: Player, intent: Resume, now: Micros
    ) -> Refused | None:
        """Why a player cannot be taken from the connection that acts for it now; None if it can.

        A host and a number prove little, and a silent player may think: without its token no
        player is taken from a connection that stands.
        """
        before = self._presence.session_of(player.id)
        if before is None or before == session:
            return None
        sentence = f"{player.name} is connected elsewhere."
        if self._presence.silent_for(before, now) < intent.silence:
            return Refused("connected", sentence)
        if intent.token is not None:
            return None
        return Refused("asked", f"{sentence} It is asked whether it is still there.")

    def _ask_after(self, draft: Draft, player: PlayerId, every: Micros) -> None:
        """Ask a player's silent connection whether it is there; a dead one is then soon gone."""
        session = self._presence.session_of(player)
        assert session is not None, "who is not connected can be had"
        silent = self._presence.silent_for(session, draft.now) >= every
        if silent and self._presence.want(session, draft.now, 2 * every):
            sentence = "Somebody from your host wants to be you; while you are here nobody is."
            draft.tell(session, Notice(WANTED, sentence, player))

    def _may_resume(self, session: SessionId, player: Player, intent: Resume) -> bool:
        manners = self._presence.manners(session)
        if manners.tokens or manners.name != player.dialect:
            return False
        if intent.token is not None:
            return player.has_token(intent.token)
        if not (player.returns and self._presence.returns(session)):
            return False
        return intent.any_host or player.host == self._presence.host(session)

    def welcome_back(self, asking: Asking, player: Player, token: str) -> None:
        """Let the session act for the player again, and welcome it."""
        tables = self.bring_back(asking, player)
        asking.tell(Welcome(player.id, self.players[player.id].own_name, token, tables))

    def bring_back(self, asking: Asking, player: Player) -> tuple[TableId, ...]:
        """Let this session act for the player; the unfinished tables where the player sits."""
        draft, session = asking.draft, asking.session
        conduct, host = self._register.conduct, self._presence.host(session)
        refuse(conduct.may_not_be(player, draft.at) or conduct.may_not_come(host, draft.at))
        before = self._presence.attach(session, player.id)
        since = None if before is None else self._presence.cut_off(before)
        self._register.numbers.came(player.id)
        self._register.tell_apart(draft, player.id, ())  # its name may be somebody's by now
        if before is not None:
            sentence = f"{player.name} is connected elsewhere now."
            draft.tell(before, Notice("taken_over", sentence, player.id))
        self._register.name_player(draft, session, player.id)
        return self._came_back(draft, player.id, since)

    def rename(self, asking: Asking, intent: Rename) -> None:
        """Give a player another name. Raises Refusal."""
        who = asking.who
        if self._presence.room_of(who.id) is not None:
            raise Refusal(Refused("in_room", "Leave the room to take another name."))
        refuse(self._register.conduct.may_not_speak(who, asking.draft.at))  # a name speaks, too
        if who.kept:
            raise Refusal(Refused("kept", "A name that is kept by a passphrase stays."))
        name = plain(intent.name)
        wrong = bad_name(name)
        if wrong is not None:
            raise Refusal(Refused("bad_name", wrong))
        self._register.write(asking.draft, PlayerNamed(who.id, name))
        self._register.tell_apart(asking.draft, who.id, ())
        asking.tell(Done())
