"""Accounts: a name that is kept by a passphrase, so that its player is the same from anywhere.

An account is a player like any other, with a hash beside its name. The server's own desk hashes
and compares passphrases outside the hall, where that may take its time, and tells the hall the
result; nobody else may. Other players of a kept name play as before, and bear a raised number
from the moment they come.
"""

from collections.abc import Callable
from typing import Final

from rookery.core import intents
from rookery.core.events import NameGivenUp, NameKept, PassphraseReset, TokenGiven
from rookery.core.ids import PlayerId
from rookery.core.messages import Notice, Refused, Welcome
from rookery.core.names import skeleton
from rookery.core.network import API
from rookery.hall.batch import Draft
from rookery.hall.limits import ACCOUNTS_MAX
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.conduct import read_reason
from rookery.hall.people.players import Player, hash_home, hash_token
from rookery.hall.people.presence import Presence
from rookery.hall.people.register import Register

RESERVED = frozenset(map(skeleton, ("organiser", "moderator", "admin", "server", "Rookery")))
BOTS = skeleton("Bot, level")
CHANGED: Final = "The passphrase of your name was changed; sign in with the new one."
RESET: Final = "The organiser has reset your passphrase; sign in with the new one."


AccountRequest = intents.KeepName | intents.Admit | intents.GiveUpName | intents.ResetPassphrase


class Accounts:
    """Keeps names, and gives tokens to clients who proved to be their player."""

    def __init__(self, presence: Presence, register: Register, tokens: Callable[[], str]) -> None:
        self._presence = presence
        self._register = register
        self._players = register.players
        self._tokens = tokens

    def receive(self, asking: Asking, intent: AccountRequest) -> None:
        """Do what the desk asks after it has checked the passphrase. Raises Refusal."""
        if self._presence.host(asking.session) != API:
            raise Refusal(Refused("not_yours", "Accounts are kept by the server's own desk."))
        player = self._players.get(intent.player)
        match intent:
            case intents.KeepName(token=token, hash=hashed, home=home):
                self.check_token(intent.player, token)
                assert player is not None, "who has a token is there"
                refuse(self._register.conduct.may_not_be(player, asking.draft.at))
                self._keep(asking, player, hashed, home)
                asking.tell(Welcome(player.id, self._players[player.id].shown, token))
            case intents.Admit(hash=hashed, alone=alone, was=was, home=home):
                player = _unchanged(player, was)
                refuse(self._register.conduct.may_not_be(player, asking.draft.at))
                token = self._tokens()
                if hashed:
                    self._register.write(asking.draft, NameKept(player.id, hashed))
                at = hash_home(player.id, home)
                given = TokenGiven(player.id, hash_token(token), alone, at)
                self._register.write(asking.draft, given)
                asking.tell(Welcome(player.id, player.shown, token))
                if alone:  # the session here came by a token that is void now
                    self._show_out(asking.draft, player, "signed_out", CHANGED)
            case intents.GiveUpName(was=was):
                player = _unchanged(player, was)
                self._register.write(asking.draft, NameGivenUp(player.id))
                asking.tell(Welcome(player.id, player.shown, ""))
            case intents.ResetPassphrase():
                self._reset(asking, player, intent)

    def _reset(
        self, asking: Asking, player: Player | None, intent: intents.ResetPassphrase
    ) -> None:
        """Give the player the new passphrase the organiser had drawn, and end its old session."""
        if not self._presence.is_organiser(asking.session):
            raise Refusal(Refused("not_organiser", "Only the organiser resets a passphrase."))
        if player is None or not player.kept:
            raise Refusal(Refused("not_kept", "Nobody keeps that name by a passphrase."))
        reset = PassphraseReset(read_reason(intent.reason), player.id, intent.hash)
        self._register.write(asking.draft, reset)
        asking.tell(Welcome(player.id, player.shown, ""))
        self._show_out(asking.draft, player, "reset", RESET)

    def _show_out(self, draft: Draft, player: Player, code: str, sentence: str) -> None:
        """Hang up on the session that acts for this player by a token that is void now."""
        if (session := self._presence.session_of(player.id)) is not None:
            self._presence.show_out(session)
            draft.dismiss(session, Notice(code, sentence))

    def check_token(self, player: PlayerId, token: str) -> None:
        """Raise Refusal unless the player has this token, before anybody works for it."""
        known = self._players.get(player)
        if known is None or not known.has_token(token):
            raise Refusal(Refused("bad_token", "That is not the token of this player."))

    def keeper(self, name: str) -> Player | None:
        """The player who keeps this name by all that is decided, or None."""
        return self._players.keeper(name)

    def _keep(self, asking: Asking, player: Player, hashed: str, home: str) -> None:
        if player.kept:
            raise Refusal(Refused("kept", "This name is kept by a passphrase already."))
        wrong = self._players.unkeepable(player.id)
        look = skeleton(player.name)
        if wrong or look in RESERVED or look.startswith(BOTS):
            raise Refusal(Refused("bad_name", "That name cannot be kept."))
        if self._players.keeper(player.name) is not None:
            sentence = "Somebody keeps that name, or one that looks like it; take another one."
            raise Refusal(Refused("name_taken", sentence))
        if self._players.accounts() >= ACCOUNTS_MAX:
            raise Refusal(Refused("too_many", "This server keeps no more names."))
        kept = NameKept(player.id, hashed, hash_home(player.id, home))
        self._register.write(asking.draft, kept)
        for other in list(self._presence.connected()):
            self._register.tell_apart(asking.draft, other, ())


def _unchanged(player: Player | None, was: str) -> Player:
    """The player, if its passphrase is still the one the desk looked at. Raises Refusal."""
    if player is None or not player.kept or player.kept != was:
        raise Refusal(Refused("bad_token", "The passphrase was changed meanwhile."))
    return player
