"""A match from its first game to its last, or until somebody stops it.

All that has happened is in the log; a match that was stopped, by Ctrl-C or by the power going, is
taken up from there, with the games that were under way. It lives in the event loop.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Final

from rookery.arena.arena_game import FRET, ArenaGame, GameSoFar, GameTerms, Notice
from rookery.arena.logged_hall import BEAT, STALL, LoggedHall, granted
from rookery.arena.players.levels import THINKER
from rookery.arena.players.player import PlayerFailed
from rookery.arena.players.player_pool import PlayerPool, maker, names_of
from rookery.arena.setup import LOG_FILE, BadMatch, Setup
from rookery.arena.tally import Tally
from rookery.core.chance import Chance
from rookery.core.events import Erred, Out, Played, Seeded, Started, table_events, table_stream
from rookery.core.game import Opening, opening_of
from rookery.core.ids import PlayerId, Seat, TableId, TourId
from rookery.core.intents import EndTour, Enter, JoinTour, OpenTour, Organise, Reclaim, StartTour
from rookery.core.messages import News
from rookery.dialects import LANGUAGES
from rookery.games import find_game
from rookery.hall.batch import Batch
from rookery.hall.hall import Hall
from rookery.hall.limits import NAME_MAX
from rookery.hall.tables.news import in_order, left_of
from rookery.hall.tables.replay import replay
from rookery.server.fairtime import FairTime, monotonic, wall
from rookery.server.workers import WorkerKind, WorkerPool
from rookery.store import Store
from rookery.store.sqlite import SqliteStore

TOUR: Final = TourId(1)  # the only one in its hall
JOINED: Final = " + "  # between the players of a team

Watching = Callable[[Tally], None]


class ArenaMatch:
    """One match in one folder. `run` plays it; `tally` is its score so far."""

    def __init__(
        self,
        setup: Setup,
        folder: Path,
        notice: Notice = lambda _: None,
        *,
        fret: float = FRET,
        thinker: WorkerKind = THINKER,
    ) -> None:
        self._setup = setup
        self._fret = fret  # seconds of thought without a clock that are worth a notice
        self._notice = notice
        self._store = SqliteStore(folder / LOG_FILE)
        players = [player for team in setup.teams for player in team]
        self._names = names_of(tuple(players))
        self.tally = Tally(setup, side_names(setup))
        for record in self._store.read():
            self.tally.take(record)
        self._workers = WorkerPool(thinker, setup.jobs * _at_once(setup))
        self._pools: dict[PlayerId, PlayerPool] = {}
        self._games: dict[TableId, ArenaGame] = {}
        self._leaving: list[ArenaGame] = []
        self._ending = False  # no more games are wanted, and the hall was told

    async def run(self, stop: asyncio.Event, watch: Watching, seconds: float | None = None) -> None:
        """Play until all is played or decided, time is up, or somebody sets `stop`."""
        try:
            if not self.tally.over:
                await self._run(stop, watch, seconds)
        finally:
            games = (*self._games.values(), *self._leaving)
            await asyncio.gather(*(game.break_off() for game in games))
            await asyncio.gather(*(pool.close() for pool in self._pools.values()))
            await self._workers.close()
            self._store.close()

    async def _run(self, stop: asyncio.Event, watch: Watching, seconds: float | None) -> None:
        self._make_pools()
        if not await _unless(stop, self._meet()):
            return
        began = time.monotonic()
        house = self._enter()
        watch(self.tally)
        while not (self.tally.over or stop.is_set()):
            batches = await house.turn()
            self._tell(house, batches)
            if any(batch.records for batch in batches):
                watch(self.tally)
            self._look_after()
            find_game(self._setup.variant.split()[0])  # raises BadOption where its rules never end
            late = seconds is not None and time.monotonic() - began > seconds
            if (self.tally.verdict or late) and not (self._ending or self.tally.closing):
                self._ending = True
                house.ask(EndTour(TOUR))
        if self.tally.over:
            for game in self._leaving:
                await game.finish()

    # -- coming into the hall

    async def _meet(self) -> None:
        """Let every player sit down once, to see that it can play this. Raises BadMatch."""
        setup = self._setup
        try:
            for n, pool in enumerate(self._pools.values()):
                seat = Seat(n % setup.seats)
                player = await pool.seat(setup.variant, seat, self._names, setup.time)
                await player.end(None)
                pool.give_back(player)
        except PlayerFailed as failed:
            raise BadMatch(f"The match cannot begin: {failed}") from None

    def _enter(self) -> LoggedHall:
        """Make the hall, as the log left it or new, with all players in it."""
        store, setup = self._store, self._setup
        numbers = iter(range(1, len(self._names) + 1))
        hall = Hall(
            languages=LANGUAGES,
            seeds=Chance(setup.seed).bits,
            tokens=lambda: _token(setup, next(numbers)),
            archive=store.read_stream,
            organiser=setup.key,
        )
        house = LoggedHall(hall, store, FairTime(monotonic, wall, beat=BEAT, stall=STALL))
        if store.last_seq():
            hall.resume_counting(store.last_seq(), store.last_table())
            batches = [house.restore(store.unfinished())]
            batches += _come_back(house, setup, len(self._names))
            for table in self.tally.running:
                self._take_up(house, store, table)
        else:
            batches = _come(house, setup, self._names)
        house.save(batches)
        self._tell(house, batches)
        return house

    def _make_pools(self) -> None:
        """Make a pool for each player; two that are the same program share nothing."""
        texts = [player for team in self._setup.teams for player in team]
        for n, (text, name) in enumerate(zip(texts, self._names, strict=True), 1):
            self._pools[PlayerId(n)] = PlayerPool(maker(text, name, self._workers))

    def _take_up(self, house: LoggedHall, store: Store, number: TableId) -> None:
        """Go on with a game that was under way when the match was stopped."""
        events = table_events(store.read_stream(table_stream(number)))
        table = replay(number, events)
        now = house.now()
        left = left_of(table, now)
        board = GameSoFar(table.state, in_order(table.to_act), left, now, table.n, table.outcome)
        played = tuple((e.seat, e.move) for e in events if isinstance(e, Played))
        self._begin(house, number, table.seats, board, played)

    # -- what the hall says

    def _tell(self, house: LoggedHall, batches: Iterable[Batch]) -> None:
        for batch in batches:
            for record in batch.records:
                self.tally.take(record)
            for delivery in batch.deliveries:
                if isinstance(delivery.message, News):
                    self._news(house, delivery.message)
            for turn in batch.turns:
                game = self._games.get(turn.table)
                if game is not None:
                    game.turn(turn)

    def _news(self, house: LoggedHall, news: News) -> None:
        happened, scene = news.happened, news.scene
        table, event = happened.table, happened.event
        left, outcome = happened.left, scene.outcome
        board = GameSoFar(scene.state, happened.to_act, left, house.now(), happened.n, outcome)
        if isinstance(event, Started):
            self._begin(house, table, scene.players, board)
            return
        game = self._games.get(table)
        if game is not None:
            seat = event.seat if isinstance(event, Played | Erred | Out) else None
            game.stands(board, seat, event.move if isinstance(event, Played) else None)
            if outcome is not None:
                self._leaving.append(self._games.pop(table))

    def _begin(
        self,
        house: LoggedHall,
        table: TableId,
        seated: tuple[PlayerId | None, ...],
        board: GameSoFar,
        played: tuple[tuple[Seat, str], ...] = (),
    ) -> None:
        setup = self._setup
        players = tuple(player for player in seated if player is not None)
        names = tuple(self._names[player - 1] for player in players)
        past = (*self._opening(table), *played)
        terms = GameTerms(
            table,
            setup.game,
            setup.variant,
            setup.time,
            players,
            names,
            setup.seed,
            past,
            self._fret,
        )
        pools = tuple(self._pools[player] for player in players)
        self._games[table] = ArenaGame(terms, board, pools, house, self._notice)

    def _opening(self, table: TableId) -> tuple[tuple[Seat, str], ...]:
        """The moves that chance played at this table; its beginning is on disk."""
        game = self._setup.game
        if not isinstance(game, Opening):
            return ()
        events = table_events(self._store.read_stream(table_stream(table)))
        seeds = [event.seed for event in events if isinstance(event, Seeded)]
        return tuple(move for seed in seeds for move in opening_of(game, seed))

    def _look_after(self) -> None:
        """Raise what went wrong in any game, and forget games whose players got up."""
        for game in self._games.values():
            game.done()
        self._leaving = [game for game in self._leaving if not game.done()]


async def _unless(stop: asyncio.Event, work: Coroutine[None, None, None]) -> bool:
    """Do this work; return False if somebody set `stop` before it was done."""
    doing, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            await doing
            return True
        return False
    finally:
        for task in (doing, stopping):
            task.cancel()
        await asyncio.gather(doing, stopping, return_exceptions=True)


def side_names(setup: Setup) -> tuple[str, ...]:
    """What the sides are called: a player's name, or those of a team."""
    if len(setup.players) == setup.sides:
        return names_of(setup.players)
    players = iter(names_of(setup.players))
    return tuple(JOINED.join(next(players) for _ in team) for team in setup.teams)


def _come(house: LoggedHall, setup: Setup, names: tuple[str, ...]) -> list[Batch]:
    """Let all players into a new hall, and begin the match; all of it is one write."""
    batches = [house.decide(Organise(setup.key)), house.decide(OpenTour(setup.plan, ""))]
    teams, size = side_names(setup), setup.seats // setup.sides
    for n, name in enumerate(names):
        player, team = PlayerId(n + 1), ""
        if size > 1:
            team = teams[n // size]
            team = team if len(team) <= NAME_MAX else f"team {n // size + 1}"
        batches.append(house.decide(Enter(name)))
        batches.append(house.decide(JoinTour(TOUR, team=team, player=player)))
    batches.append(house.decide(StartTour(TOUR)))
    for batch in batches:
        granted(batch)
    return batches


def _come_back(house: LoggedHall, setup: Setup, players: int) -> list[Batch]:
    """Let all players into the hall again, after a restart."""
    batches = [house.decide(Organise(setup.key))]
    numbers = range(1, players + 1)
    batches += [house.decide(Reclaim(PlayerId(n), _token(setup, n))) for n in numbers]
    for batch in batches:
        granted(batch)
    return batches


def _token(setup: Setup, player: int) -> str:
    return f"{setup.key}-{player}"


def _at_once(setup: Setup) -> int:
    """How many seats of a game may think at the same time."""
    game = setup.game
    return max(1, len(game.to_act(game.start(setup.seats, Chance(setup.seed)))))
