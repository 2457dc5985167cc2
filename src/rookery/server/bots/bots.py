"""House bots: players without a connection, who sit down, play, and leave again.

The dispatcher looks once a second for players who wait, and sends bots when it is time; a
table that was opened with a word about bots gets them without waiting for the next look. To
the rest of the server a bot is a session like any other. It comes from a host of its own,
`house`, which no connection can come from. After a restart the bots that sat at tables come
back by that host, before any other is sent. Names are reused, so that `reversi-2` is one
player for ever.

What a bot knows of a game is what its seat may know: its view, and the moves it may make. It
declines draws, grants takebacks, plays again when a person wishes to, and leaves when only
bots are left. All of it lives in the event loop.
"""

import asyncio
import logging
import secrets
from collections import Counter, deque
from collections.abc import Callable, Container, Coroutine, Sequence
from contextlib import suppress
from itertools import count
from typing import ClassVar, Final

from rookery.bots.asking import Thought
from rookery.core import events, intents, messages
from rookery.core.chance import SEED_BITS
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, SessionId, Status, TableId
from rookery.core.network import HOUSE
from rookery.hall.hall import Hall
from rookery.hall.lobby.vacancies import Fill, Vacancy
from rookery.server.actor.runner import HallRunner
from rookery.server.bots.pool import Pool
from rookery.server.bots.seat import BotSeat, turn_shown
from rookery.server.config import BotTerms, HouseTerms
from rookery.server.fairtime import FairTime
from rookery.server.workers import AllFailed

log = logging.getLogger(__name__)

DIALECT: Final = "bot"
LOOK_S: Final = 1.0  # between looks for players who wait
SOON_S: Final = 0.05  # until we look at a table that asks for bots, and all opened meanwhile
LINGER: Final[Micros] = 60 * MICROS_A_SECOND  # after a game, for those who want another
BOTS_MAX: Final = 1_000  # at once: each costs about what a connection does
REFUSALS_MAX: Final = 3  # refused moves in a row, until the bot leaves
AGAIN_S: Final = 1.0  # until a bot that wants to wait is asked once more
# The hall's answers to a move that came too late; nothing is wrong.
MISSED: Final = frozenset({"over", "not_started", "not_seated", "out", "no_table"})

TermsOf = Callable[[SessionId], BotTerms | None]  # what a connection's own port says
Identity = intents.Enter | intents.Resume | intents.TakeUp  # how a bot becomes a player


class Dispatcher:
    """Sends and calls back all house bots of one server."""

    def __init__(
        self,
        runner: HallRunner,
        hall: Hall,
        time: FairTime,
        pool: Pool,
        terms: HouseTerms,
        *,
        for_all: bool,
        terms_of: TermsOf,
        crashed: Callable[[BaseException], None],
        seed: Callable[[], int] = lambda: secrets.randbits(SEED_BITS),
        every: float = LOOK_S,
    ) -> None:
        self._runner = runner
        self._hall = hall
        self._time = time
        self._pool = pool
        self._terms = terms
        self._for_all = for_all  # else only for those whose port says so
        self._terms_of = terms_of
        self._crashed = crashed
        self.seed = seed
        self.pace = terms.pace
        self._every = every  # seconds between looks
        self._bots: dict[SessionId, BotSession] = {}
        self._ours: dict[str, PlayerId] = {}  # every bot that ever was, by name
        self._ids: set[PlayerId] = set()
        self._names: set[str] = set()  # of bots that are in the hall, or on their way
        self._sessions = 0
        self._returning = True
        self._hurrying = False  # a look is due in a moment
        self._tasks: dict[asyncio.Task[None], None] = {}  # in the order they were begun
        self._closed = False

    def open(self) -> None:
        """Let bots take up the seats that the log says are theirs, and then look who waits."""
        self._ours = self._hall.players_from(HOUSE)
        self._ids = set(self._ours.values())
        self._runner.tell_of_records(self._wrote)
        self._connect(intents.TakeUp(), None)

    def __len__(self) -> int:
        return len(self._bots)

    async def close(self) -> None:
        """Stop all thinking; bots that sit keep their seats, for the next start."""
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._pool.close()

    # -- looking for players who wait

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            if not self._runner.failing:
                self.look()

    def _wrote(self, records: Sequence[events.Record]) -> None:
        """Look soon, if these records open a table that asks for bots."""
        if self._hurrying or self._returning:
            return
        if any(isinstance(one.event, events.Opened) and one.event.house for one in records):
            self._hurrying = True
            self.begin(self._hurry())

    async def _hurry(self) -> None:
        await asyncio.sleep(SOON_S)
        self._hurrying = False
        if not self._runner.failing:
            self.look()

    def look(self) -> None:
        """Send bots to those who have waited long enough, and call back bots that wait alone."""
        now, at = self._time.now(), self._time.wall()
        for bot in list(self._bots.values()):
            if bot.free_since is not None and bot.free_since + LINGER <= now:
                self.release(bot)
        on_the_way = Counter(bot.assignment for bot in self._bots.values())
        for vacancy in self._hall.vacancies(DIALECT):
            lost = isinstance(vacancy.fill, intents.TakeOver)
            if all(map(self.is_ours, vacancy.players)):
                if not lost:  # else the game ends in a moment without us
                    self._withdraw_from(vacancy)
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

    def _withdraw_from(self, vacancy: Vacancy) -> None:
        """Withdraw the bots that wait at a place with nobody but bots."""
        for bot in list(self._bots.values()):
            if bot.player in vacancy.players and bot.place is not None:
                bot.withdraw()

    # -- sending bots

    def _send(self, vacancy: Vacancy, level: int) -> None:
        if len(self._bots) >= BOTS_MAX:
            return
        game = vacancy.variant.partition(" ")[0]
        for bot in self._bots.values():
            if bot.free_since is not None and bot.name.split("-")[:2] == [game, str(level)]:
                bot.reassign(vacancy.fill)
                return
        name = _free_name(game, level, self._names)
        self._names.add(name)
        known = self._ours.get(name)
        identity = intents.Enter(name, DIALECT) if known is None else intents.Resume(known)
        bot = self._connect(identity, vacancy.fill)
        bot.name = name
        self.begin(self._pool.warm())

    def _connect(self, identity: Identity, assignment: Fill | None) -> "BotSession":
        self._sessions += 1
        session = SessionId(-self._sessions)  # those of connections count upwards
        bot = self._bots[session] = BotSession(self, session, identity, assignment)
        self._runner.connect(session, HOUSE, bot, DIALECT)
        bot.join()
        return bot

    # -- what bots call

    def ask(self, session: SessionId, asked: Sequence[intents.AnyIntent]) -> None:
        """Ask these things of the hall for this session."""
        self._runner.ask(session, asked, self._time.all_read())

    async def think(self, thought: Thought) -> str | None:
        """Return the move of a thought, or None to wait. Raises AllFailed."""
        return await self._pool.think(thought)

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Run this work as a task; what goes wrong in it stops the server."""
        if self._closed:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (mistake := task.exception()) is not None:
            self._crashed(mistake)

    def now(self) -> Micros:
        """What time it is, by fair time."""
        return self._time.now()

    def is_ours(self, player: PlayerId | None) -> bool:
        """Whether this player is a bot of the house."""
        return player in self._ids

    def joined(self, bot: "BotSession") -> None:
        """Note which player the bot has become; if it came back, let the next one come back."""
        assert bot.player is not None, "a bot that joined is a player"
        self._ours[bot.name] = bot.player
        self._ids.add(bot.player)
        self._names.add(bot.name)
        if bot.returns:  # there may be more bots that return
            self._connect(intents.TakeUp(), None)

    def release(self, bot: "BotSession") -> None:
        """Take out a bot that is of no more use, and close its session."""
        if self._bots.pop(bot.session, None) is None:
            return
        self._names.discard(bot.name)
        self._runner.hang_up(bot.session, self._time.now())
        if self._returning and bot.player is None:
            # No more bots come back: the seats in the log are taken up.
            self._returning = False
            self.begin(self._watch())


def _free_name(game: str, level: int, taken: Container[str]) -> str:
    """The first name for such a bot that is not taken: `reversi-3`, `reversi-3-2` and so on.

    By its name we also know after a restart what kind of bot a player was that comes back.
    """
    first = f"{game}-{level}"
    if first not in taken:
        return first
    return next(name for n in count(2) if (name := f"{first}-{n}") not in taken)


class BotSession:
    """One bot while it is in the hall.

    It is made for one assignment (a seat, a gathering, a room, or coming back after a restart)
    and is released when nothing comes of that any more.
    """

    writes: ClassVar[bool] = False

    def __init__(
        self,
        house: Dispatcher,
        session: SessionId,
        identity: Identity,
        assignment: Fill | None,
    ) -> None:
        self.session = session
        self.name = ""
        self.player: PlayerId | None = None
        self.assignment = assignment  # until the hall has answered it
        self.place: Fill | None = None  # the place that the assignment has brought
        self.free_since: Micros | None = None  # since then it has nothing to do, but a rematch
        self._house = house
        self._asked: deque[intents.AnyIntent] = deque()
        self._seats: dict[TableId, BotSeat] = {}
        self._members: set[PlayerId] = set()  # of its room
        self._identity = identity

    @property
    def returns(self) -> bool:
        """Whether the bot is to take up the seat of any bot that was here before."""
        return isinstance(self._identity, intents.TakeUp)

    def join(self) -> None:
        """Become a player, and then see to the assignment."""
        self._ask(self._identity)

    def reassign(self, assignment: Fill) -> None:
        """See to another assignment, after the last one."""
        assert self.free_since is not None, "a bot that is reassigned has nothing else to do"
        self.assignment, self.free_since = assignment, None
        self._ask(assignment)

    def withdraw(self) -> None:
        """Give up a place in which the bot waits with nobody but bots."""
        match self.place:
            case intents.Sit(table):
                self._leave(table)
            case intents.Gather():
                self._ask(intents.Ungather())
            case intents.EnterRoom():
                self._ask(intents.LeaveRoom())
            case intents.TakeOver() | None:
                return  # the bot plays, or does not wait
        self.place = None
        self._note_if_free()

    # -- what the server calls, as with any session

    def tell(self, message: messages.AnyMessage) -> None:
        """Take this message, and do what follows from it."""
        match message:
            case messages.News():
                self._news(message)
            case messages.RoomNews(player=player, here=here):
                (self._members.add if here else self._members.discard)(player)
            case messages.TourNews() | messages.Notice():
                pass
            case _:
                self._reply(self._asked.popleft(), message)

    def flush(self) -> None:
        """Do nothing: a bot has been told all by now, and nothing is sent."""

    def answered(self) -> None:
        """Do nothing: a bot does not count its answers."""

    def close(self) -> None:
        """Do nothing: nobody closes a session of the house."""

    # -- replies

    def _ask(self, *asked: intents.AnyIntent) -> None:
        self._asked.extend(asked)
        self._house.ask(self.session, asked)

    def _reply(self, asked: intents.AnyIntent, reply: messages.AnyMessage) -> None:
        match asked, reply:
            case (intents.Enter() | intents.Resume() | intents.TakeUp(), messages.Welcome()):
                self._welcomed(reply)
            case (intents.Enter() | intents.Resume() | intents.TakeUp(), messages.Refused()):
                self._house.release(self)  # there is nobody to be
            case (
                intents.Sit() | intents.Gather() | intents.EnterRoom() | intents.TakeOver(),
                messages.Refused(),
            ):
                self.assignment = None  # somebody else was quicker
                if not self._seats:
                    self._house.release(self)
            case (intents.Sit() | intents.Gather() | intents.EnterRoom() | intents.TakeOver(), _):
                self.place, self.assignment = self.assignment, None
                if isinstance(reply, messages.Roomed):
                    self._members = {member.player for member in reply.members}
            case intents.Play(table), _:
                self._played(table, reply)
            case intents.Show(table), messages.Shown(line=line) if line.status == Status.PLAYING:
                self._seat(table).turn = turn_shown(reply)
            case intents.LegalMoves(table), messages.Moves(moves=moves) if table in self._seats:
                self._seats[table].moves = moves
                self._consider(table)
            case _:
                pass

    def _welcomed(self, welcome: messages.Welcome) -> None:
        self.player, self.name = welcome.player, welcome.name
        self._house.joined(self)
        for table in welcome.tables:
            self._look(table)
        if self.assignment is not None:
            self._ask(self.assignment)
        elif not welcome.tables:
            self._house.release(self)

    def _look(self, table: TableId) -> None:
        self._ask(intents.Show(table), intents.LegalMoves(table, some=True))

    def _played(self, table: TableId, reply: messages.AnyMessage) -> None:
        seat = self._seats.get(table)
        if seat is None:
            return
        seat.busy = False
        if not isinstance(reply, messages.Refused):
            seat.refusals = 0
        elif reply.code not in MISSED:
            seat.refusals += 1
            if seat.refusals >= REFUSALS_MAX:
                self._fail(table, f"made an impossible move: {reply.sentence}")
            else:
                self._look(table)

    # -- at a table

    def _news(self, news: messages.News) -> None:
        table, event = news.happened.table, news.happened.event
        if self.player not in news.scene.players:
            return  # it only watches, in a room
        if isinstance(event, events.Ended | events.Closed):
            self._over(table, news)
            return
        if news.scene.outcome is not None:
            self._play_again(table, event, news)
            return
        self.free_since = None
        if isinstance(event, events.TakenBack):
            self._seats.pop(table, None)  # what it thought about is not so any more
        seat = self._seat(table)
        if news.scene.state is not None:
            seat.take(news, self.player, self._house.is_ours)
        self._respond(table, seat, event, news)
        if table in self._seats:
            self._consider(table)

    def _seat(self, table: TableId) -> BotSeat:
        return self._seats.setdefault(table, BotSeat())

    def _respond(
        self, table: TableId, seat: BotSeat, event: events.PublicEvent, news: messages.News
    ) -> None:
        """Answer what people expect an answer to, moves aside."""
        players, ours = news.scene.players, self._house.is_ours
        match event:
            case events.Owned(player) if player == self.player:
                # A table is started by its owner, and that should be a person.
                self._leave(table)
                self.place = None
                self._note_if_free()
            case events.DrawOffered(offerer):
                teams = news.scene.game.teams(len(players))
                mine = teams[players.index(self.player)]
                mates = [p for p, team in zip(players, teams, strict=True) if team == mine]
                if teams[offerer] != mine and all(map(ours, mates)):
                    self._ask(intents.DeclineDraw(table))
            case events.TakebackAsked(asker) if not ours(players[asker]):
                self._ask(intents.TakeBack(table))
            case events.Out(out):
                seat.out.add(out)
                still = [player for n, player in enumerate(players) if n not in seat.out]
                if all(map(ours, still)) and self.player in still:
                    self._ask(intents.Leave(table))
            case _:
                pass

    def _play_again(self, table: TableId, event: events.PublicEvent, news: messages.News) -> None:
        """Wish for a rematch if a person has wished for one."""
        if isinstance(event, events.RematchWished) and not self._house.is_ours(
            news.scene.players[event.seat]
        ):
            self._ask(intents.Rematch(table))

    def _over(self, table: TableId, news: messages.News) -> None:
        seat = self._seats.pop(table, None)
        if seat is not None:
            seat.stop()
        if not isinstance(self.place, intents.EnterRoom):
            self.place = None
        persons = [member for member in self._members if not self._house.is_ours(member)]
        if isinstance(self.place, intents.EnterRoom) and len(persons) >= len(news.scene.players):
            self._ask(intents.LeaveRoom())  # people have somebody to play with now
            self.place = None
        self._note_if_free()

    def _leave(self, table: TableId) -> None:
        """Give up a seat in a game that has not begun."""
        self._seats.pop(table, None)
        self._ask(intents.Leave(table))

    def _note_if_free(self) -> None:
        if not self._seats and self.place is None and self.assignment is None:
            self.free_since = self._house.now()

    # -- thinking

    def _consider(self, table: TableId) -> None:
        """Think, if the bot may move there, and does not think or wait for an answer already."""
        seat = self._seats[table]
        turn = seat.turn
        if turn is None or seat.busy:
            return
        moves = seat.legal()
        if not moves:
            return
        seat.busy = True
        thought = Thought(
            turn.variant,
            int(self.name.split("-")[1]),  # its level
            turn.seat,
            turn.view,
            moves,
            self._house.seed(),
            0,  # the pool sets it
            turn.left,
            seat.past(),
        )
        self._house.begin(self._think(table, seat, thought))

    async def _think(self, table: TableId, seat: BotSeat, thought: Thought) -> None:
        seen, began = seat.seen, asyncio.get_running_loop().time()
        try:
            move = await self._house.think(thought)
        except AllFailed:
            self._fail(table, "could not think")
            return
        if move is not None:
            await self._wait_for_people(table, seat, began)
        if self._seats.get(table) is not seat or seat.turn is None:
            return  # the game went on without it, or is over
        if move is None:
            seat.busy = False
            if seat.seen != seen:
                self._consider(table)
            else:
                loop = asyncio.get_running_loop()
                loop.call_later(AGAIN_S, self._consider_again, table, seat, seen)
        elif seat.seen != seen and move not in seat.legal():
            seat.busy = False
            self._consider(table)
        else:
            self._ask(intents.Play(table, move))

    async def _wait_for_people(self, table: TableId, seat: BotSeat, began: float) -> None:
        """Wait until people can follow the bot's move, which may be sooner if one has moved."""
        clock = asyncio.get_running_loop().time
        while self._seats.get(table) is seat and seat.turn is not None:
            wait = began + seat.least_s(self._house.pace) - clock()
            if wait <= 0:
                return
            seat.changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await seat.changed.wait()

    def _consider_again(self, table: TableId, seat: BotSeat, seen: int) -> None:
        """Think once more after waiting, if nothing has happened meanwhile."""
        if self._seats.get(table) is seat and seat.seen == seen:
            self._consider(table)

    def _fail(self, table: TableId, how: str) -> None:
        """Log how the bot failed, and give the seat up, which the table's policy makes a loss."""
        log.error("the house bot %s at table %d %s", self.name, table, how)
        self._ask(intents.Leave(table))
