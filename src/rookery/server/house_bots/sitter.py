"""A house bot: a player without a connection, who sits down, plays, and goes again.

To the keeper a bot is a listener like any other, and it asks like any other. What it knows of
a game is what its seat may know: its view, and the moves it may make. It declines draws,
gives moves back, plays again when a person wishes to, and leaves when only bots are left. It
is made for one errand (a seat, a gathering, a room, or coming back after a restart) and goes
when nothing comes of that any more. It mutates, and lives in the event loop.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import ClassVar, Final, Protocol

from rookery.bots.asking import Thought
from rookery.core import events, intents, messages
from rookery.core.ids import Micros, PlayerId, SessionId, Status, TableId
from rookery.core.messages import TourNews
from rookery.hall.lobby.vacancies import Fill
from rookery.runtime.workers import AllFailed
from rookery.server.config import BotPace
from rookery.server.house_bots.chair import Chair, turn_shown
from rookery.server.house_bots.names import level_in

log = logging.getLogger(__name__)

DIALECT: Final = "bot"
REFUSALS_MAX: Final = 3  # refused moves in a row, until the bot leaves
AGAIN: Final = 1.0  # seconds until a bot that wants to wait is asked once more
# The hall's answers to a move that came too late; nothing is wrong.
MISSED: Final = frozenset({"over", "not_started", "not_seated", "out", "no_table"})

Being = intents.Enter | intents.Resume | intents.TakeUp  # how a bot becomes a player


class BotHome(Protocol):
    """The dispatcher, as far as a sitter needs it."""

    def ask(self, session: SessionId, wishes: Sequence[intents.AnyIntent]) -> None:
        """Ask these things of the hall for this session."""
        ...

    async def think(self, thought: Thought) -> str | None:
        """Return the move of a thought, or None to wait. Raises AllFailed."""
        ...

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Run this work as a task."""
        ...

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        """Do this work in so many seconds."""
        ...

    def seed(self) -> int:
        """A number drawn by chance."""
        ...

    @property
    def pace(self) -> BotPace:
        """How much time people are given before a bot moves."""
        ...

    def now(self) -> Micros:
        """What time it is, by fair time."""
        ...

    def is_ours(self, player: PlayerId | None) -> bool:
        """Whether this player is a bot of the house."""
        ...

    def became(self, sitter: "Sitter") -> None:
        """Note which player the sitter has become."""
        ...

    def went(self, sitter: "Sitter") -> None:
        """Take out a sitter that is of no more use."""
        ...


class Sitter:
    """One house bot while it is in the hall."""

    writes: ClassVar[bool] = False

    def __init__(
        self, home: BotHome, session: SessionId, being: Being, errand: Fill | None
    ) -> None:
        self.session = session
        self.name = ""
        self.player: PlayerId | None = None
        self.errand = errand  # until the hall has answered it
        self.place: Fill | None = None  # the place that the errand has brought
        self.free_since: Micros | None = None  # since then it has nothing to do, but a rematch
        self._home = home
        self._asked: deque[intents.AnyIntent] = deque()
        self._chairs: dict[TableId, Chair] = {}
        self._members: set[PlayerId] = set()  # of its room
        self._being = being

    @property
    def returns(self) -> bool:
        """Whether the bot is to take up the seat of any bot that was here before."""
        return isinstance(self._being, intents.TakeUp)

    def come(self) -> None:
        """Become a player, and go about the errand."""
        self._ask(self._being)

    def go(self, errand: Fill) -> None:
        """Go about another errand, after the last one."""
        assert self.free_since is not None, "who is sent has nothing else to do"
        self.errand, self.free_since = errand, None
        self._ask(errand)

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
        self._rest()

    # -- what the keeper calls

    def tell(self, message: messages.AnyMessage) -> None:
        """Hear this message, and do what follows from it."""
        match message:
            case messages.News():
                self._news(message)
            case messages.RoomNews(player=player, here=here):
                (self._members.add if here else self._members.discard)(player)
            case TourNews() | messages.Notice():
                pass
            case _:
                self._reply(self._asked.popleft(), message)

    def flush(self) -> None:
        """Do nothing: a bot has heard all by now, and nothing is sent."""

    def answered(self) -> None:
        """Do nothing: a bot does not count its answers."""

    def close(self) -> None:
        """Do nothing: nobody hangs up on the house."""

    # -- replies

    def _ask(self, *wishes: intents.AnyIntent) -> None:
        self._asked.extend(wishes)
        self._home.ask(self.session, wishes)

    def _reply(self, asked: intents.AnyIntent, reply: messages.AnyMessage) -> None:
        match asked, reply:
            case (intents.Enter() | intents.Resume() | intents.TakeUp(), messages.Welcome()):
                self._is_somebody(reply)
            case (intents.Enter() | intents.Resume() | intents.TakeUp(), messages.Refused()):
                self._home.went(self)  # there is nobody to be
            case (
                intents.Sit() | intents.Gather() | intents.EnterRoom() | intents.TakeOver(),
                messages.Refused(),
            ):
                self.errand = None  # somebody else was quicker
                if not self._chairs:
                    self._home.went(self)
            case (intents.Sit() | intents.Gather() | intents.EnterRoom() | intents.TakeOver(), _):
                self.place, self.errand = self.errand, None
                if isinstance(reply, messages.Roomed):
                    self._members = {member.player for member in reply.members}
            case intents.Play(table), _:
                self._played(table, reply)
            case intents.Show(table), messages.Shown(line=line) if line.status == Status.PLAYING:
                self._chair(table).turn = turn_shown(reply)
            case intents.LegalMoves(table), messages.Moves(moves=moves) if table in self._chairs:
                self._chairs[table].moves = moves
                self._consider(table)
            case _:
                pass

    def _is_somebody(self, welcome: messages.Welcome) -> None:
        self.player, self.name = welcome.player, welcome.name
        self._home.became(self)
        for table in welcome.tables:
            self._look(table)
        if self.errand is not None:
            self._ask(self.errand)
        elif not welcome.tables:
            self._home.went(self)

    def _look(self, table: TableId) -> None:
        self._ask(intents.Show(table), intents.LegalMoves(table, some=True))

    def _played(self, table: TableId, reply: messages.AnyMessage) -> None:
        chair = self._chairs.get(table)
        if chair is None:
            return
        chair.busy = False
        if not isinstance(reply, messages.Refused):
            chair.refusals = 0
        elif reply.code not in MISSED:
            chair.refusals += 1
            if chair.refusals >= REFUSALS_MAX:
                self._fail(table, f"made an impossible move: {reply.sentence}")
            else:
                self._look(table)

    # -- at a table

    def _news(self, news: messages.News) -> None:
        table, event = news.happened.table, news.happened.event
        if self.player not in news.scene.players:
            return  # it only looks on, in a room
        if isinstance(event, events.Ended | events.Closed):
            self._over(table, news)
            return
        if news.scene.outcome is not None:
            self._play_again(table, event, news)
            return
        self.free_since = None
        if isinstance(event, events.TakenBack):
            self._chairs.pop(table, None)  # what it thought about is not so any more
        chair = self._chair(table)
        if news.scene.state is not None:
            chair.hear(news, self.player, self._home.is_ours)
        self._be_social(table, chair, event, news)
        if table in self._chairs:
            self._consider(table)

    def _chair(self, table: TableId) -> Chair:
        return self._chairs.setdefault(table, Chair())

    def _be_social(
        self, table: TableId, chair: Chair, event: events.PublicEvent, news: messages.News
    ) -> None:
        players, ours = news.scene.players, self._home.is_ours
        match event:
            case events.Owned(player) if player == self.player:
                # A table is started by its owner, and that should be a person.
                self._leave(table)
                self.place = None
                self._rest()
            case events.DrawOffered(seat):
                teams = news.scene.game.teams(len(players))
                mine = teams[players.index(self.player)]
                mates = [p for p, team in zip(players, teams, strict=True) if team == mine]
                if teams[seat] != mine and all(map(ours, mates)):
                    self._ask(intents.DeclineDraw(table))
            case events.TakebackAsked(seat) if not ours(players[seat]):
                self._ask(intents.TakeBack(table))
            case events.Out(seat):
                chair.out.add(seat)
                still = [player for n, player in enumerate(players) if n not in chair.out]
                if all(map(ours, still)) and self.player in still:
                    self._ask(intents.Leave(table))
            case _:
                pass

    def _play_again(self, table: TableId, event: events.PublicEvent, news: messages.News) -> None:
        """Wish for a rematch if a person has wished for one."""
        if isinstance(event, events.RematchWished) and not self._home.is_ours(
            news.scene.players[event.seat]
        ):
            self._ask(intents.Rematch(table))

    def _over(self, table: TableId, news: messages.News) -> None:
        chair = self._chairs.pop(table, None)
        if chair is not None:
            chair.stop()
        if not isinstance(self.place, intents.EnterRoom):
            self.place = None
        persons = [member for member in self._members if not self._home.is_ours(member)]
        if isinstance(self.place, intents.EnterRoom) and len(persons) >= len(news.scene.players):
            self._ask(intents.LeaveRoom())  # people have somebody to play with now
            self.place = None
        self._rest()

    def _leave(self, table: TableId) -> None:
        """Give up a seat in a game that has not begun."""
        self._chairs.pop(table, None)
        self._ask(intents.Leave(table))

    def _rest(self) -> None:
        if not self._chairs and self.place is None and self.errand is None:
            self.free_since = self._home.now()

    # -- thinking

    def _consider(self, table: TableId) -> None:
        """Think, if the bot may move there, and does not think or wait for an answer already."""
        chair = self._chairs[table]
        turn = chair.turn
        if turn is None or chair.busy:
            return
        moves = chair.legal()
        if not moves:
            return
        chair.busy = True
        thought = Thought(
            turn.variant,
            level_in(self.name),
            turn.seat,
            turn.view,
            moves,
            self._home.seed(),
            0,  # the pool sets it
            turn.left,
            chair.past(),
        )
        self._home.begin(self._think(table, chair, thought))

    async def _think(self, table: TableId, chair: Chair, thought: Thought) -> None:
        heard, began = chair.heard, asyncio.get_running_loop().time()
        try:
            move = await self._home.think(thought)
        except AllFailed:
            self._fail(table, "could not think")
            return
        if move is not None:
            await self._let_follow(table, chair, began)
        if self._chairs.get(table) is not chair or chair.turn is None:
            return  # the game went on without it, or is over
        if move is None:
            chair.busy = False
            if chair.heard != heard:
                self._consider(table)
            else:
                self._home.later(AGAIN, lambda: self._ask_again(table, chair, heard))
        elif chair.heard != heard and move not in chair.legal():
            chair.busy = False
            self._consider(table)
        else:
            self._ask(intents.Play(table, move))

    async def _let_follow(self, table: TableId, chair: Chair, began: float) -> None:
        """Wait until people can follow the bot's move, which may be sooner if one has moved."""
        clock = asyncio.get_running_loop().time
        while self._chairs.get(table) is chair and chair.turn is not None:
            wait = began + chair.least(self._home.pace) - clock()
            if wait <= 0:
                return
            chair.news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await chair.news.wait()

    def _ask_again(self, table: TableId, chair: Chair, heard: int) -> None:
        """Think once more after waiting, if nothing has happened meanwhile."""
        if self._chairs.get(table) is chair and chair.heard == heard:
            self._consider(table)

    def _fail(self, table: TableId, how: str) -> None:
        """Log how the bot failed, and give the seat up, which the table's policy makes a loss."""
        log.error("the house bot %s at table %d %s", self.name, table, how)
        self._ask(intents.Leave(table))
