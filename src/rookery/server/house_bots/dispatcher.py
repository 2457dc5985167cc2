"""The dispatcher: looks once a second who waits for players, and sends bots when it is time.

A table that was opened with a word about bots gets what it asked for: none, or some of that
level at once, without waiting for the next look.

A bot is a player from a host of its own, `house`, which no connection can come from. After a
restart the bots that sat at tables come back by that host, before any other is sent. Names
are used again, so that `reversi-2` is one player for ever. The dispatcher mutates, and lives
in the event loop.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import Final

from rookery.bots.asking import Thought
from rookery.core.chance import SEED_BITS
from rookery.core.events import Opened, Record
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, SessionId
from rookery.core.intents import AnyIntent, Enter, Resume, TakeOver, TakeUp
from rookery.core.network import HOUSE
from rookery.hall.hall import Hall
from rookery.hall.lobby.vacancies import Fill, Vacancy
from rookery.runtime.fairtime import FairTime
from rookery.server.config import BotPace, BotTerms, HouseTerms
from rookery.server.house_bots.names import free_name, is_such
from rookery.server.house_bots.pool import Pool
from rookery.server.house_bots.sitter import DIALECT, Being, Sitter
from rookery.server.keeping.keeper import Keeper

log = logging.getLogger(__name__)

LOOK: Final = 1.0  # seconds between looks at who waits
SOON: Final = 0.05  # seconds until we look at a table that asks for bots, and all opened meanwhile
LINGER: Final[Micros] = 60 * MICROS_A_SECOND  # after a game, for those who want another
SITTERS_MAX: Final = 1_000  # bots at once: each costs about what a connection does

TermsOf = Callable[[SessionId], BotTerms | None]  # what a connection's own port says


class Dispatcher:
    """Sends and calls back all house bots of one server."""

    def __init__(
        self,
        keeper: Keeper,
        hall: Hall,
        time: FairTime,
        pool: Pool,
        terms: HouseTerms,
        *,
        for_all: bool,
        terms_of: TermsOf,
        crashed: Callable[[BaseException], None],
        seed: Callable[[], int] = lambda: secrets.randbits(SEED_BITS),
        every: float = LOOK,
    ) -> None:
        self._keeper = keeper
        self._hall = hall
        self._time = time
        self._pool = pool
        self._terms = terms
        self._for_all = for_all  # else only for those whose port says so
        self._terms_of = terms_of
        self._crashed = crashed
        self._seed = seed
        self._every = every  # seconds between looks
        self._sitters: dict[SessionId, Sitter] = {}
        self._ours: dict[str, PlayerId] = {}  # every bot that ever was, by name
        self._ids: set[PlayerId] = set()
        self._names: set[str] = set()  # of bots that are in the hall, or on their way
        self._sessions = 0
        self._returning = True
        self._hurrying = False  # a look is due in a moment
        self._work: dict[asyncio.Task[None], None] = {}  # in the order it was begun
        self._closed = False

    def open(self) -> None:
        """Let bots take up the seats that the log says are theirs, and then look who waits."""
        self._ours = self._hall.players_from(HOUSE)
        self._ids = set(self._ours.values())
        self._keeper.tell_of_records(self._wrote)
        self._come(TakeUp(), None)

    def __len__(self) -> int:
        return len(self._sitters)

    async def close(self) -> None:
        """Stop all thinking; bots that sit keep their seats, for the next start."""
        self._closed = True
        for task in list(self._work):
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._pool.close()

    # -- looking who waits

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            if not self._keeper.failing:
                self.look()

    def _wrote(self, records: Sequence[Record]) -> None:
        """Look soon, if these records open a table that asks for bots."""
        if self._hurrying or self._returning:
            return
        if any(isinstance(record.event, Opened) and record.event.house for record in records):
            self._hurrying = True
            self.begin(self._hurry())

    async def _hurry(self) -> None:
        await asyncio.sleep(SOON)
        self._hurrying = False
        if not self._keeper.failing:
            self.look()

    def look(self) -> None:
        """Send bots to those who have waited long enough, and call back bots who wait alone."""
        now, at = self._time.now(), self._time.wall()
        self._see_off(now)
        on_the_way = Counter(sitter.errand for sitter in self._sitters.values())
        for vacancy in self._hall.vacancies(DIALECT):
            lost = isinstance(vacancy.fill, TakeOver)
            if all(map(self.is_ours, vacancy.players)):
                if not lost:  # else the game ends by itself, in a moment
                    self._clear(vacancy)
                continue
            terms = self._terms_for(vacancy)
            due = vacancy.since <= now if lost else terms and vacancy.since + terms.wait <= at
            if terms is not None and due:
                for _ in range(vacancy.missing - on_the_way[vacancy.fill]):
                    self._send(vacancy, terms.level)

    def _terms_for(self, vacancy: Vacancy) -> BotTerms | None:
        """When a bot is to come to this place, and of which level; None for no bot."""
        game = vacancy.variant.partition(" ")[0]
        terms = self._terms.terms if self._for_all and game in self._terms.games else None
        if vacancy.house is not None:
            return BotTerms(0, vacancy.house) if vacancy.house and terms is not None else None
        for session in vacancy.sessions:
            own = self._terms_of(session)
            if own is not None:
                return own
        return terms

    def _see_off(self, now: Micros) -> None:
        """Send bots away that have had nothing to do for a while."""
        for sitter in list(self._sitters.values()):
            if sitter.free_since is not None and sitter.free_since + LINGER <= now:
                self.went(sitter)

    def _clear(self, vacancy: Vacancy) -> None:
        """Withdraw the bots that wait at a place with nobody but bots."""
        for sitter in list(self._sitters.values()):
            if sitter.player in vacancy.players and sitter.place is not None:
                sitter.withdraw()

    # -- sending bots

    def _send(self, vacancy: Vacancy, level: int) -> None:
        if len(self._sitters) >= SITTERS_MAX:
            return
        game = vacancy.variant.partition(" ")[0]
        for sitter in self._sitters.values():
            if sitter.free_since is not None and is_such(sitter.name, game, level):
                sitter.go(vacancy.fill)
                return
        name = free_name(game, level, self._names)
        self._names.add(name)
        known = self._ours.get(name)
        being = Enter(name, DIALECT) if known is None else Resume(known)
        sitter = self._come(being, vacancy.fill)
        sitter.name = name
        self.begin(self._pool.warm())

    def _come(self, being: Being, errand: Fill | None) -> Sitter:
        self._sessions += 1
        session = SessionId(-self._sessions)  # the door counts upwards
        sitter = self._sitters[session] = Sitter(self, session, being, errand)
        self._keeper.connect(session, HOUSE, sitter, DIALECT)
        sitter.come()
        return sitter

    # -- what sitters call

    def ask(self, session: SessionId, intents: Sequence[AnyIntent]) -> None:
        """Ask these things of the hall for this session."""
        self._keeper.ask(session, intents, self._time.all_read())

    async def think(self, thought: Thought) -> str | None:
        """Return the move of a thought, or None to wait. Raises AllFailed."""
        return await self._pool.think(thought)

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Run this work as a task; what goes wrong in it stops the server."""
        if self._closed:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._work[task] = None
        task.add_done_callback(self._done)

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        """Do this work in so many seconds."""
        asyncio.get_running_loop().call_later(seconds, work)

    def seed(self) -> int:
        """A number drawn by chance."""
        return self._seed()

    @property
    def pace(self) -> BotPace:
        """How much time people are given before a bot moves."""
        return self._terms.pace

    def now(self) -> Micros:
        """What time it is, by fair time."""
        return self._time.now()

    def is_ours(self, player: PlayerId | None) -> bool:
        """Whether this player is a bot of the house."""
        return player in self._ids

    def became(self, sitter: Sitter) -> None:
        """Note which player the sitter has become, and let the next come back, if it did."""
        assert sitter.player is not None, "who is somebody is a player"
        self._ours[sitter.name] = sitter.player
        self._ids.add(sitter.player)
        self._names.add(sitter.name)
        if sitter.returns:  # there may be more bots that return
            self._come(TakeUp(), None)

    def went(self, sitter: Sitter) -> None:
        """Take out a sitter that is of no more use, and hang up for it."""
        if self._sitters.pop(sitter.session, None) is None:
            return
        self._names.discard(sitter.name)
        self._keeper.hang_up(sitter.session, self._time.now())
        if self._returning and sitter.player is None:
            # There is nobody more to come back.
            self._returning = False
            self.begin(self._watch())

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._work.pop(task, None)
        if not task.cancelled() and (mistake := task.exception()) is not None:
            self._crashed(mistake)
