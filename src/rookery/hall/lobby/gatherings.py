"""Gatherings: players wait until enough are there, and then a table is opened for them.

Players who wait for the same game under the same terms are one gathering. When it has the most
players it can have, the game starts at once; with the least it needs, or more, a while after the
least-th came. They sit by rank, the lowest first, equals in the order they came. Waiting is
presence and not in the log: a player who hangs up waits no more, and a restart ends all gatherings.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.events import Opened
from rookery.core.ids import Micros, PlayerId, Status, Wall
from rookery.core.intents import Gather, Seek
from rookery.core.messages import Done, Refused
from rookery.hall.batch import Draft
from rookery.hall.limits import WAIT_MAX
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.players import Player
from rookery.hall.people.register import People
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.opening import read_opening

NameKey = tuple[str, str]  # a dialect, and a name in it


class Kind(Struct, frozen=True):
    """The terms that those who gather agree on; `opened` has the most seats."""

    opened: Opened
    least: int
    wait: Micros


class Waiting(Struct, frozen=True):
    """A player who waits, under the name they came with."""

    player: PlayerId
    name: str
    rank: int
    unique: bool


class Crowd(Struct, frozen=True):
    """The players who wait for one kind of game, in the order they came."""

    waiting: tuple[Waiting, ...] = ()
    ready: Micros | None = None  # when they start, though there is room for more
    since: Wall = Wall(0)  # when the last of them came


class Gatherings:
    """Everyone who waits for a game to start."""

    def __init__(self, people: People, floor: Floor, seating: Seating) -> None:
        self._players = people.register.players
        self._waits = people.presence.alter_player
        self._tables = floor.tables
        self._seating = seating
        self._crowds: dict[Kind, Crowd] = {}
        self._kind_of: dict[PlayerId, Kind] = {}
        self._soonest: Micros | None = None  # when the first crowd is ready
        # Players who may be using a name; None until one wants a name for itself alone.
        self._names: dict[NameKey, tuple[PlayerId, ...]] | None = None

    def join(self, asking: Asking, intent: Gather) -> None:
        """Let a player wait, and start the game if it was the last one missing. Raises Refusal."""
        draft, who = asking.draft, asking.who
        kind = _read(intent)
        refuse(self._seating.may_not_sit(who, kind.opened))
        self._check_wait(who, kind, unique=intent.unique)
        if intent.unique:
            self._claim(who)
        asking.tell(Done())
        crowd = self._crowds.get(kind, Crowd())
        waits = Waiting(who.id, who.name, intent.rank, intent.unique)
        crowd = replace(crowd, waiting=(*crowd.waiting, waits), since=draft.at)
        self._kind_of[who.id] = kind
        self._waits(who.id)
        if len(crowd.waiting) == kind.least:
            crowd = replace(crowd, ready=draft.now + kind.wait)
        self._put(kind, crowd)
        if len(crowd.waiting) == kind.opened.seats or _due(crowd, draft.now):
            self._start(draft, kind)

    def stop(self, asking: Asking) -> None:
        """Let a player who asks so wait no longer. Raises Refusal if it did not wait."""
        if not self.leave(asking.who.id):
            raise Refusal(Refused("not_waiting", "You do not wait for a game."))
        asking.tell(Done())

    def leave(self, player: PlayerId) -> bool:
        """Let a player wait no more; whether it did wait."""
        kind = self._kind_of.pop(player, None)
        if kind is None:
            return False
        self._waits(player)
        crowd = self._crowds[kind]
        waiting = tuple(other for other in crowd.waiting if other.player != player)
        # Too few now: the wait begins again with the next one who makes them enough.
        ready = crowd.ready if len(waiting) >= kind.least else None
        self._put(kind, replace(crowd, waiting=waiting, ready=ready))
        return True

    def has(self, player: PlayerId) -> bool:
        """Whether this player waits for a game."""
        return player in self._kind_of

    def crowds(self) -> Iterable[tuple[Kind, Crowd]]:
        """Each kind of game that is waited for, and the players who wait."""
        return self._crowds.items()

    def deadline(self) -> Micros | None:
        """When the next game must start at the latest, or None."""
        return self._soonest

    def tick(self, draft: Draft) -> None:
        """Start every game that has waited long enough."""
        if self._soonest is None or self._soonest > draft.now:
            return
        for kind, crowd in list(self._crowds.items()):
            if _due(crowd, draft.now):
                self._start(draft, kind)

    def _start(self, draft: Draft, kind: Kind) -> None:
        waiting = self._crowds[kind].waiting
        self._put(kind, Crowd())
        for one in waiting:
            del self._kind_of[one.player]
            self._waits(one.player)
        opened = replace(kind.opened, seats=len(waiting))
        in_order = sorted(waiting, key=lambda one: one.rank)  # stable: equals as they came
        self._seating.begin_with(draft, opened, [(one.player, one.name) for one in in_order])

    def _put(self, kind: Kind, crowd: Crowd) -> None:
        if crowd.waiting:
            self._crowds[kind] = crowd
        else:
            self._crowds.pop(kind, None)
        moments = (crowd.ready for crowd in self._crowds.values())
        self._soonest = min((when for when in moments if when is not None), default=None)

    # -- names

    def _check_wait(self, who: Player, kind: Kind, *, unique: bool) -> None:
        """Raise Refusal where the player may not join those who wait already."""
        if who.id in self._kind_of:
            raise Refusal(Refused("waiting", "You wait for a game already."))
        # A unique name is so at the table too, whatever the others there speak.
        for other in self._crowds.get(kind, Crowd()).waiting:
            if other.name == who.name and (unique or other.unique):
                raise _name_taken(who)

    def _claim(self, who: Player) -> None:
        """Claim a name for this player alone in its dialect. Raises Refusal if it is in use."""
        if self._names is None:
            self._names = _names(self._players[player] for player in self._tables.seated())
        key = (who.dialect, who.name)
        using = tuple(p for p in self._names.get(key, ()) if p != who.id and self._uses(p, key))
        if using:
            raise _name_taken(who)
        self._names[key] = (who.id,)

    def _uses(self, player: PlayerId, key: NameKey) -> bool:
        known = self._players[player]
        return (known.dialect, known.name) == key and (
            player in self._kind_of or self._plays(player)
        )

    def _plays(self, player: PlayerId) -> bool:
        """Whether this player is in a running game, and not out of it."""
        for table in map(self._tables.get, self._tables.of_player(player)):
            if table is not None and table.status is Status.PLAYING:
                seat = table.seat_of(player)
                if seat is not None and seat not in table.out:
                    return True
        return False


def _read(intent: Gather) -> Kind:
    """The terms of a gathering. Raises Mistake where one of its numbers of players cannot play."""
    if intent.least > intent.most:
        raise BadOption("The least number of players is not more than the most.")
    if not 0 <= intent.wait <= WAIT_MAX:
        raise BadOption("A gathering waits for no less than nothing, and at most an hour.")
    for seats in range(intent.least, intent.most + 1):
        seek = Seek(intent.variant, seats, intent.time, intent.policy)
        opened = read_opening(seek, None)
    return Kind(opened, intent.least, intent.wait)


def _due(crowd: Crowd, now: Micros) -> bool:
    return crowd.ready is not None and crowd.ready <= now


def _names(players: Iterable[Player]) -> dict[NameKey, tuple[PlayerId, ...]]:
    found: dict[NameKey, tuple[PlayerId, ...]] = {}
    for player in players:
        key = (player.dialect, player.name)
        found[key] = (*found.get(key, ()), player.id)
    return found


def _name_taken(who: Player) -> Refusal:
    sentence = f"Somebody who waits or plays is called {who.name} already."
    return Refusal(Refused("name_taken", sentence))
