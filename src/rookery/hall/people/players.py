"""Players: identities with a name and a secret, kept for ever.

A token gives a player back to whoever holds it; the log and this file know only its
hash. `PlayerRegistry` mutates, and the hall owns it.
"""

from hashlib import sha256
from hmac import compare_digest
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import PlayerMade, PlayerNamed
from rookery.core.ids import PlayerId
from rookery.core.manners import UNDECLARED, Languages, Manners
from rookery.core.text.names import objection
from rookery.hall.limits import NAME_MAX

Home: TypeAlias = tuple[str, str, str]  # a player's host, dialect and name


class Player(Struct, frozen=True):
    """Who somebody is."""

    id: PlayerId
    name: str
    host: str
    token_hash: str
    dialect: str
    returns: bool = True  # whether its host is enough to be it again

    def has_token(self, token: str) -> bool:
        """Whether this is the player's own token."""
        return compare_digest(self.token_hash, hash_token(token))


class PlayerRegistry:
    """All players there ever were, by id."""

    def __init__(self, languages: Languages = UNDECLARED) -> None:
        self.languages = languages
        self._all: dict[PlayerId, Player] = {}
        self._homes: dict[Home, PlayerId] = {}  # of several the last
        self._next = 1

    def __getitem__(self, player: PlayerId) -> Player:
        return self._all[player]

    def __len__(self) -> int:
        return len(self._all)

    def get(self, player: PlayerId) -> Player | None:
        """The player with this id, if there is one."""
        return self._all.get(player)

    def is_player(self, player: PlayerId, token: str) -> bool:
        """Whether there is such a player, and this is its own token."""
        known = self._all.get(player)
        return known is not None and known.has_token(token)

    def manners(self, player: PlayerId) -> Manners:
        """What the player's dialect declares of its clients."""
        return self.languages[self._all[player].dialect]

    def next_id(self) -> PlayerId:
        """The id that the next player will have."""
        return PlayerId(self._next)

    def home(self, player: PlayerId) -> Home:
        """The host this player came from, its dialect and its name."""
        known = self._all[player]
        return known.host, known.dialect, known.name

    def way_back(self, player: PlayerId) -> Home | None:
        """Where to call from, how, and as whom, to be this player again; None: there is no way."""
        return self.home(player) if self._all[player].returns else None

    def at_home(self, host: str, dialect: str, name: str) -> PlayerId | None:
        """Who is called so, and came from there by this dialect; of several the last."""
        return self._homes.get((host, dialect, name))

    def named_from(self, host: str) -> dict[str, PlayerId]:
        """Everyone who was made at this host, by name; of several the last. It looks at all."""
        return {known.name: known.id for known in self._all.values() if known.host == host}

    def evolve(self, event: PlayerMade | PlayerNamed) -> None:
        """Take this event in; live and from the log alike."""
        match event:
            case PlayerMade(player, name, host, token_hash, dialect, returns):
                self._all[player] = Player(player, name, host, token_hash, dialect, returns)
                self._next = max(self._next, player + 1)
            case PlayerNamed(player, name):
                if self._homes.get(self.home(player)) == player:
                    del self._homes[self.home(player)]
                self._all[player] = replace(self._all[player], name=name)
        self._homes[self.home(event.player)] = event.player


def hash_token(token: str) -> str:
    """What the log keeps of a token. It is long and random, so one round is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def bad_dialect(dialect: str) -> str | None:
    """What is wrong with the name of a dialect, as a sentence; None if nothing is."""
    if not dialect or len(dialect) > NAME_MAX or not dialect.isprintable():
        return f"A dialect is called by 1 to {NAME_MAX} printable characters."
    return None


def bad_name(name: str) -> str | None:
    """What is wrong with a name, as a sentence; None if nothing is."""
    return objection(name, NAME_MAX)
