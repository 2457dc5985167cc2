"""What a connection remembers: its players, the games they are in, and the games just over.

The page: after the end the queries "must go on answering as in the game until that player sends
GAME_OVER, QUIT, CREATE_GAME or JOIN_GAME, or 5 s have passed".
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Seat, Status, TableId
from rookery.core.manners import Directory
from rookery.core.messages import News, Scene, Shown
from rookery.dialects.bughouse.profile import BughouseOptions
from rookery.dialects.bughouse.wire import Ledger
from rookery.games.bughouse import BughouseView, State

AFTERGLOW: Final[Micros] = 5 * MICROS_A_SECOND  # how long a game that is over is remembered


class OurGame(Struct, gc=False):
    """A game that players of this connection are in, as the last news left it."""

    table: TableId
    players: tuple[PlayerId | None, ...]
    own: tuple[Seat, ...]  # where those of this connection sit
    playing: bool = False
    to_act: tuple[Seat, ...] = ()
    sight: Scene | BughouseView | None = None

    def hand(self, seat: Seat) -> str:
        """The pieces that this seat holds in hand, in order of arrival."""
        sight = self.sight
        if isinstance(sight, Scene) and isinstance(sight.state, State):
            one, two = sight.state.boards  # a view would draw both boards for this
            return (*one.hands, *two.hands)[seat]
        return sight.hands[seat] if isinstance(sight, BughouseView) else ""


class Memory(Struct, frozen=True):
    """A game that is over: who sat where, who came when, and for whom it is remembered."""

    table: TableId
    seats: tuple[PlayerId | None, ...]
    joined: tuple[PlayerId, ...]
    until: Micros
    who: frozenset[PlayerId]


class Comeback(Struct, frozen=True):
    """Counts the requests of a player who came back to a running game, since it came back."""

    requests: int = -1  # the first one counted is that by which it came
    lists: int = 0  # of the game's players

    @property
    def begins(self) -> bool:
        """Whether the player is to be told now, after its next request, that the game started."""
        return self.requests == 1


class Session:
    """One connection's players and their games."""

    def __init__(self, options: BughouseOptions, directory: Directory) -> None:
        self.options = options
        self.ledger = Ledger(directory)
        self.now: Micros = 0
        self.mine: list[PlayerId] = []
        self.rounds: dict[TableId, OurGame] = {}
        self.returns: dict[TableId, Comeback] = {}
        self.quitters: set[PlayerId] = set()  # who left a running game, until they hear its end
        self.opened: tuple[TableId, PlayerId | None] | None = None  # last heard of, by whom
        self.left: TableId | None = None  # the game that one of ours left last
        self._memories: dict[TableId, Memory] = {}

    # -- players and games

    def own(self, text: str) -> PlayerId | None:
        """The player whose number this field is, if this connection acts for that player."""
        player = self.ledger.player_at(text)
        return player if player in self.mine else None

    def round_of(self, player: PlayerId) -> OurGame | None:
        """The game that a player of this connection is in; None if there is none."""
        return next((one for one in self.rounds.values() if player in one.players), None)

    def seats(self, table: TableId) -> tuple[Seat, ...]:
        """The seats at a table that players of this connection sit in."""
        one = self.rounds.get(table)
        return () if one is None else one.own

    def be(self, player: PlayerId) -> None:
        """Act for one more player from now on."""
        self.mine.append(player)
        for one in self.rounds.values():
            one.own = self._own(one.players)

    def _own(self, players: tuple[PlayerId | None, ...]) -> tuple[Seat, ...]:
        return tuple(Seat(n) for n, player in enumerate(players) if player in self.mine)

    def on_turn(self) -> bool:
        """Whether it is the turn of any player of this connection."""
        rounds = self.rounds.values()
        return any(seat in one.to_act for one in rounds for seat in self.seats(one.table))

    def busy(self, table: TableId) -> bool:
        """Whether this connection is in another running game than this one."""
        return any(one.playing and one.table != table for one in self.rounds.values())

    # -- following what happens

    def learn(self, now: Micros) -> None:
        """Note what time it is."""
        self.now = max(self.now, now)

    def follow(self, news: News) -> None:
        """Remember how a table stands after these news; forget it once it is over or not ours."""
        happened, scene = news.happened, news.scene
        table = happened.table
        if scene.outcome is not None or not set(scene.players) & set(self.mine):
            self.rounds.pop(table, None)
            return
        playing = scene.state is not None
        self.rounds[table] = OurGame(
            table,
            scene.players,
            self._own(scene.players),
            playing=playing,
            to_act=happened.to_act,
            sight=scene if playing else None,
        )

    def take_up(self, shown: Shown) -> None:
        """Remember how a table stands to which a player of this connection has come back."""
        line = shown.line
        players = tuple(seat.player for seat in line.seats)
        self.rounds[line.table] = OurGame(
            line.table,
            players,
            self._own(players),
            playing=line.status == Status.PLAYING,
            to_act=shown.to_act,
            sight=shown.view if isinstance(shown.view, BughouseView) else None,
        )

    # -- what is over

    def remember(self, table: TableId, scene: Scene) -> None:
        """Remember a game that is over, for those of our players who did not leave it before."""
        who = frozenset(set(self.mine) & set(scene.players) - self.quitters)
        self.quitters -= set(scene.players)
        until = self.now + AFTERGLOW
        self._memories[table] = Memory(table, scene.players, scene.joined, until, who)

    def forget(self, player: PlayerId, table: TableId | None = None) -> bool:
        """Forget games just over for a player who turns away; return whether there were any."""
        had = [one for one in self._alive() if player in one.who and table in (None, one.table)]
        for one in had:
            self._memories[one.table] = replace(one, who=one.who - {player})
        return bool(had)

    def memory_of(
        self, *, table: TableId | None = None, player: PlayerId | None = None
    ) -> Memory | None:
        """The newest game just over that is this table, or that this player was in."""
        for one in reversed(self._alive()):
            if one.table == table or (player is not None and player in one.seats):
                return one
        return None

    def _alive(self) -> list[Memory]:
        self._memories = {
            table: one for table, one in self._memories.items() if one.who and self.now < one.until
        }
        return list(self._memories.values())
