"""Players: identities with a name and a secret, kept for ever.

A client that shows a player's token is that player again; the log and this file know only the
token's hash. Where two players of one name meet, one of them has a raised number from then on,
and bears it everywhere.
"""

from collections.abc import Iterable
from hashlib import blake2b, sha256
from hmac import compare_digest
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import (
    NameGivenUp,
    NameKept,
    PassphraseReset,
    PlayerMade,
    PlayerNamed,
    TokenGiven,
    ToldApart,
)
from rookery.core.ids import PlayerId
from rookery.core.manners import BOT, UNDECLARED, Languages, Manners
from rookery.core.names import numbered, objection, skeleton
from rookery.core.network import home_of
from rookery.hall.limits import HOMES_A_PLAYER, NAME_MAX, TOKENS_A_PLAYER

HOME_BYTES: Final = 8  # of a hash of a home: enough to recognise it

PersonEvent: TypeAlias = (
    PlayerMade | PlayerNamed | ToldApart | NameKept | TokenGiven | NameGivenUp | PassphraseReset
)
Home: TypeAlias = tuple[str, str, str]  # a player's host, dialect and name


class Player(Struct, frozen=True, array_like=True, gc=False):
    """One identity: its name, where it came from, and the hashes of its secrets."""

    id: PlayerId
    name: str
    host: str
    token_hash: str
    dialect: str
    returns: bool = True  # whether a client from its host may be this player again
    number: int = 1  # among those of its name
    kept: str = ""  # the hash of the passphrase that keeps its name, where one does
    tokens: tuple[str, ...] = ()  # hashes of those given for the passphrase, the newest last
    voided: int = 0  # how often all that it had were made void
    homes: tuple[str, ...] = ()  # hashes of where its passphrase was said, the newest last

    @property
    def is_bot(self) -> bool:
        """Whether the player is a house bot, which plays without a connection."""
        return self.dialect == BOT

    @property
    def shown(self) -> str:
        """The name that others read, with a raised number where the player has one."""
        if self.is_bot:
            return bot_name(self.name)
        return numbered(self.name, self.number)

    @property
    def own_name(self) -> str:
        """The name the player itself is told; a house bot reads its plain name."""
        return self.name if self.is_bot else self.shown

    def has_token(self, token: str) -> bool:
        """Whether this is the player's own token."""
        hashed = hash_token(token)
        return any(compare_digest(one, hashed) for one in (self.token_hash, *self.tokens))

    def is_at_home(self, home: str) -> bool:
        """Whether its passphrase was said at this home before, or it was made there."""
        return home == home_of(self.host) or hash_home(self.id, home) in self.homes


class NamesGiven(Struct, frozen=True, array_like=True):
    """The raised numbers of names, who keeps which name, and the next player's id."""

    numbers: dict[str, dict[str, list[int]]]
    last: dict[str, int]
    kept: dict[str, PlayerId]
    next: PlayerId


class PlayerRegistry:
    """All players there ever were, by id."""

    def __init__(self, languages: Languages = UNDECLARED) -> None:
        self.languages = languages
        self._all: dict[PlayerId, Player] = {}
        self._homes: dict[Home, PlayerId] = {}  # of several the last
        # Texts that do not count as a name.
        self._unnamed = frozenset({"", "-"} | {manners.unnamed for manners in languages})
        self._numbers: dict[str, dict[str, list[int]]] = {}  # by person, and the look of its name
        self._last: dict[str, int] = {}  # the highest by the look of a name
        self._kept: dict[str, PlayerId] = {}  # who keeps a name, by its look
        self._next = 1

    def __getitem__(self, player: PlayerId) -> Player:
        return self._all[player]

    def __len__(self) -> int:
        return len(self._all)

    def get(self, player: PlayerId) -> Player | None:
        """The player with this id, if there is one."""
        return self._all.get(player)

    def is_player(self, player: PlayerId, token: str) -> bool:
        """Whether there is such a player, and the token is one of its own."""
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
        """The host, dialect and name by which a client can be this player again, or None."""
        return self.home(player) if self._all[player].returns else None

    def at_home(self, host: str, dialect: str, name: str) -> PlayerId | None:
        """The player of this host, dialect and name; of several the last."""
        return self._homes.get((host, dialect, name))

    def named_from(self, host: str) -> dict[str, PlayerId]:
        """All players made at this host, by name; of several the last. It looks at all players."""
        return {known.name: known.id for known in self._all.values() if known.host == host}

    def person(self, player: PlayerId) -> str:
        """The player's key for ratings and numbers; without tokens, its dialect, host and name."""
        host, dialect, name = self.home(player)
        if self.manners(player).tokens or name in self._unnamed:
            return f"#{player}"
        return f"{dialect} {host} {name}"

    def owner(self, person: str, name: str) -> PlayerId | None:
        """The player who is this person (a key of `person`) now: the last who came so, or None."""
        if person.startswith("#") and person[1:].isdecimal():
            return PlayerId(int(person[1:]))
        dialect, _, host = person.removesuffix(f" {name}").rpartition(" ")
        return self.at_home(host, dialect, name)

    def apart(self, player: PlayerId, others: Iterable[PlayerId | None]) -> ToldApart | None:
        """The event that gives a player another raised number among these; None if it needs none.

        A player without a name has nothing to be told apart by, and house bots have numbers of
        their own.
        """
        known = self._all[player]
        if known.name in self._unnamed or known.is_bot:
            return None
        look = skeleton(known.name)
        taken = {
            other.number
            for one in others
            if one is not None and one != player and (other := self._all.get(one)) is not None
            if not other.is_bot and skeleton(other.name) == look
        }
        if self._kept.get(look, player) != player:
            taken.add(1)  # which is its keeper's, here or not
        if known.number not in taken:
            return None
        had = self._numbers.get(self.person(player), {}).get(look, ())
        number = next((one for one in had if one not in taken), None)
        return ToldApart(player, number or self._last.get(look, 1) + 1)

    def unkeepable(self, player: PlayerId) -> bool:
        """Whether this player can keep no name: it has none, is a bot, or has no token."""
        known, manners = self._all[player], self.manners(player)
        return known.name in self._unnamed or known.is_bot or not manners.tokens

    def keeper(self, name: str) -> Player | None:
        """The player who keeps this name, or one that looks like it; None if nobody does."""
        found = self._kept.get(skeleton(name))
        return None if found is None else self._all[found]

    def accounts(self) -> int:
        """How many names are kept."""
        return len(self._kept)

    # -- as values

    def everyone(self) -> list[Player]:
        """All players, the first made first."""
        return [self._all[player] for player in sorted(self._all)]

    def homes(self) -> list[PlayerId]:
        """The players that `at_home` finds, by id."""
        return sorted(self._homes.values())

    def names(self) -> NamesGiven:
        """The raised numbers, kept names and the next id, for a snapshot."""
        return NamesGiven(self._numbers, self._last, self._kept, PlayerId(self._next))

    def recall(self, players: Iterable[Player]) -> None:
        """Restore the players that `everyone` gave, or some of them."""
        self._all.update({player.id: player for player in players})

    def recall_homes(self, players: Iterable[PlayerId]) -> None:
        """Restore what `homes` gave, or some of it."""
        found = map(self._all.__getitem__, players)
        self._homes.update({(one.host, one.dialect, one.name): one.id for one in found})

    def recall_names(self, names: NamesGiven) -> None:
        """Restore what `names` gave."""
        self._numbers, self._last, self._kept = names.numbers, names.last, names.kept
        self._next = names.next

    # -- from the log

    def evolve(self, event: PersonEvent) -> None:
        """Take this event in; live and from the log alike."""
        player = event.player
        match event:
            case PlayerMade(_, name, host, token_hash, dialect, returns):
                self._all[player] = Player(player, name, host, token_hash, dialect, returns)
                self._next = max(self._next, player + 1)
            case PlayerNamed(_, name):
                if self._homes.get(self.home(player)) == player:
                    del self._homes[self.home(player)]
                self._all[player] = replace(self._all[player], name=name)
            case ToldApart(_, number):
                look = skeleton(self._all[player].name)
                had = self._numbers.setdefault(self.person(player), {}).setdefault(look, [])
                if number not in had:
                    had.append(number)
                self._last[look] = max(self._last.get(look, 1), number)
                self._all[player] = replace(self._all[player], number=number)
                return
            case NameKept(_, hashed, home):
                self._kept[skeleton(self._all[player].name)] = player
                known = _at_home(self._all[player], home)
                self._all[player] = replace(known, number=1, kept=hashed)
                return
            case TokenGiven(_, hashed, alone, home):
                known = self._all[player]
                known = _at_home(_without_tokens(known) if alone else known, home)
                tokens = (*known.tokens, hashed)[-TOKENS_A_PLAYER:]
                self._all[player] = replace(known, tokens=tokens)
                return
            case NameGivenUp():
                self._kept.pop(skeleton(self._all[player].name), None)
                self._all[player] = replace(self._all[player], kept="")
                return
            case PassphraseReset(passphrase_hash=hashed):
                self._all[player] = replace(_without_tokens(self._all[player]), kept=hashed)
                return
        self._homes[self.home(player)] = player
        self._recall(player)

    def _recall(self, player: PlayerId) -> None:
        """Give a player who has a new name the raised number it had under that name before."""
        known, looks = self._all[player], self._numbers.get(self.person(player))
        number = 1 if looks is None else looks.get(skeleton(known.name), [1])[0]
        if known.number != number:
            self._all[player] = replace(known, number=number)


def _without_tokens(known: Player) -> Player:
    return replace(known, token_hash="", tokens=(), voided=known.voided + 1, homes=())


def _at_home(known: Player, home: str) -> Player:
    """The player with this home as its newest one; `home` is a hash, or nothing."""
    if not home:
        return known
    others = (one for one in known.homes if one != home)
    return replace(known, homes=(*others, home)[-HOMES_A_PLAYER:])


def hash_home(player: PlayerId, home: str) -> str:
    """The hash of a home, for the log; another one for each player. Empty for no home."""
    if not home:
        return ""
    return blake2b(home.encode(), key=str(player).encode(), digest_size=HOME_BYTES).hexdigest()


def hash_token(token: str) -> str:
    """The hash of a token, for the log. A token is long and random, so one round is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def bad_dialect(dialect: str) -> str | None:
    """What is wrong with the name of a dialect, as a sentence; None if nothing is."""
    if not dialect or len(dialect) > NAME_MAX or not dialect.isprintable():
        return f"A dialect is called by 1 to {NAME_MAX} printable characters."
    return None


def bot_name(name: str) -> str:
    """The name people read for a house bot that calls itself `reversi-2` or `reversi-2-3`."""
    _, _, which = name.rpartition("-") if name.count("-") > 1 else ("", "", "1")
    level = name.split("-")[1] if "-" in name else ""
    if not (level.isdecimal() and which.isdecimal()):
        return name
    return f"{numbered('Bot', int(which))}, level {level}"


def bad_name(name: str) -> str | None:
    """What is wrong with a name, as a sentence; None if nothing is."""
    return objection(name, NAME_MAX)
