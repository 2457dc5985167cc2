"""One connection that speaks fish: it joins, waits, plays, is told the end, and may join again.

A join is a conversation with the hall: is there a seat to take up, else who am I, then
wait with the others. Until it is settled, what the client says next waits too, since what
it means depends on the answer. In a game only the answer to an open request counts: one
that cannot be read is still a move, and the table removes who sent it; anything that
nobody asked for is an Error and changes nothing.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

from rookery.core.directory import Directory
from rookery.core.errors import NOT_YOUR_TURN
from rookery.core.events import Ended, Out, Played, Started
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent, Enter, Gather, Play, Rename, Show, TakeUp
from rookery.core.messages import (
    AnyMessage,
    AnyReply,
    News,
    Notice,
    Refused,
    RoomNews,
    Scene,
    Shown,
    Welcome,
)
from rookery.core.tours.tour_messages import TourJoined, TourNews
from rookery.dialects.base import Lines, Owed
from rookery.dialects.bound import TOUR_OVER, is_over
from rookery.dialects.fish import writing
from rookery.dialects.fish.options import FishOptions
from rookery.dialects.fish.reading import Join, Placing, Unreadable, read
from rookery.dialects.limits import ENOUGH, FISH_HELD_MAX, FISH_LINE_MAX
from rookery.games.fish import FishView

NAME: Final = "fish"

NO_MOVE: Final = "?"  # what the table is told where an answer cannot be read
TOO_LONG: Final = f"A line has at most {FISH_LINE_MAX} bytes."
TOO_MANY: Final = f"At most {FISH_HELD_MAX} lines wait for the answer to joinGame."
NOT_ASKED: Final = "Nobody asked you for that."
TOO_LATE: Final = "That came too late."
IN_TOUR: Final = "You have joined, and wait for your match."
WAIT: Final = "You have joined; wait for the game."
# The table did not judge the move, because the time for it was over.
UNJUDGED: Final = frozenset({NOT_YOUR_TURN, "over", "not_started", "not_seated"})


class FishDialect:
    """One connection. It mutates, and the connection owns it."""

    def __init__(self, options: FishOptions, directory: Directory) -> None:
        self._options = options
        self._lines = Lines(FISH_LINE_MAX)
        self._owed: Owed[AnyIntent] = Owed()
        self._held: deque[bytes] = deque()  # lines that wait until a join is settled
        self._joining: Join | None = None
        self._player: PlayerId | None = None
        self._id = ""  # as the client wrote it
        self._tour: TourJoined | None = None  # whose matches we play
        self._tables: deque[TableId] = deque()  # where the seat to take up may be
        self._waiting = False  # joined, and not yet at a table
        self._unsaid = b""  # that one waits; not worth saying where the game begins at once
        self._fault = ""  # what was wrong with our last answer
        self._table: TableId | None = None  # where the game is
        self._seat = Seat(0)
        self._turn: Seat | None = None  # whose move everyone waits for
        self._asked = False  # whether it is ours, and not answered yet
        self._last_words = b""  # what to say before we hang up, once it can be said
        self._deaf = False  # nothing more is read
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether to hang up once it is drained: not before the last answer is given."""
        return self._closing and not self._owed

    @property
    def full(self) -> bool:
        """Whether enough waits to be answered."""
        return len(self._held) >= ENOUGH

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """What these lines ask for. The end of the connection drops an unfinished one."""
        if self._deaf or not data:
            self._deaf = True
            return ()
        intents: list[AnyIntent] = []
        for line in self._lines.feed(data):
            if line.strip() and not self._deaf:
                self._hear(line, intents)
        if self._lines.overflowed:
            self._stop(TOO_LONG)
        return intents

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news, and go on with what waited for it."""
        match message:
            case News():
                self._news(message)
                return ()
            case TourNews():
                self._hear_of_tour(message)
                return ()
            case RoomNews() | Notice():
                return ()  # this dialect has no word for it
            case _:
                return self._reply(message)

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Nothing: the dialect has no time-outs of its own."""
        return ()

    def deadline(self) -> Micros | None:
        """Never."""
        return None

    def drain(self) -> bytes:
        """All there is to send now."""
        self._say_waiting()
        return self._owed.drain()

    # -- what the client says

    def _hear(self, line: bytes, intents: list[AnyIntent]) -> None:
        """Take a line, now or when the join before it is settled."""
        if self._joining is None:
            intents += self._take(line)
        elif len(self._held) < FISH_HELD_MAX:
            self._held.append(line)
        else:
            self._stop(TOO_MANY)

    def _take(self, line: bytes) -> Sequence[AnyIntent]:
        said = read(line)
        match said:
            case Join():
                return self._join(said)
            case Placing(move):
                return self._answer(move, NOT_ASKED)
            case Unreadable(sentence):
                return self._answer(NO_MOVE, sentence)

    def _answer(self, move: str, sentence: str) -> Sequence[AnyIntent]:
        """The answer to the open request; what is wrong where there is none."""
        if self._table is None or not self._asked:
            self._error(sentence)
            return ()
        self._asked = False
        self._fault = sentence if move == NO_MOVE else ""
        return self._ask(Play(self._table, move, self._player))

    def _join(self, join: Join) -> Sequence[AnyIntent]:
        if self._waiting or self._table is not None:
            self._error(WAIT if self._waiting else NOT_ASKED)
            return ()
        self._joining = join
        if self._tour is not None and self._player is not None:
            self._id = join.id
            return self._gather(join, self._player)
        # "joinGame with the same id from the same host takes the seat up again."
        return self._ask(TakeUp(join.id))

    def _stop(self, sentence: str) -> None:
        """Read nothing more, and hang up after the answers that are owed."""
        if not self._closing and not self._last_words:
            self._deaf = True
            self._last_words = writing.error(sentence)
            self._say_last()

    def _say_last(self) -> None:
        """Say the last words, if there are any and nothing waits before them."""
        if self._last_words and self._joining is None:
            self._say_waiting()
            self._owed.say(self._last_words)
            self._last_words, self._closing = b"", True

    def _say_waiting(self) -> None:
        """Say that one waits, if that is so and not said yet."""
        if self._unsaid and self._waiting:
            self._owed.say(self._unsaid)
        self._unsaid = b""

    def _error(self, sentence: str) -> None:
        self._say_waiting()
        self._owed.say(writing.error(sentence))

    def _ask(self, intent: AnyIntent) -> Sequence[AnyIntent]:
        self._owed.owe(intent)
        return (intent,)

    # -- what the hall replies

    def _reply(self, reply: AnyReply) -> Sequence[AnyIntent]:
        asked = self._owed.asked
        if isinstance(asked, Play):
            late = isinstance(reply, Refused) and reply.code in UNJUDGED
            if isinstance(reply, Refused):
                self._fault = self._fault or reply.sentence
            self._owed.settle(writing.error(TOO_LATE) if late else b"")
            return ()
        self._owed.settle(b"")
        join = self._joining
        assert join is not None, "all but a move is asked to join"
        intents = list(self._go_on(join, asked, reply))
        while self._held and self._joining is None:
            intents += self._take(self._held.popleft())
        self._say_last()
        return intents

    def _go_on(self, join: Join, asked: AnyIntent, reply: AnyReply) -> Sequence[AnyIntent]:
        """The next step of a join."""
        match asked, reply:
            case ((TakeUp() | Enter()), Welcome(player=player, tables=tables)):
                self._player, self._id = player, join.id
                self._tables.extend(tables)
                return self._look(join)
            case TakeUp(), _:
                return self._be(join)
            case Show(table=table), Shown() if self._resume(table, reply):
                self._settled()
                return ()
            case Show(), _:
                return self._look(join)
            case _, Refused(sentence=sentence):
                self._settled()
                self._error(sentence)
                return ()
            case Gather(), _:
                self._settled()
                self._waiting = True
                self._tour = reply if isinstance(reply, TourJoined) else None
                if self._options.waiting:
                    awaited = IN_TOUR if self._tour is not None else self._options.awaited
                    self._unsaid = writing.waiting(awaited)
                return ()
            case _:
                assert self._player is not None, "only who is somebody takes another name"
                self._id = join.id
                return self._gather(join, self._player)

    def _be(self, join: Join) -> Sequence[AnyIntent]:
        """There is no seat to take up: be somebody of this id."""
        if self._player is None:
            return self._ask(Enter(join.id, NAME))
        if self._id != join.id:
            return self._ask(Rename(join.id, self._player))
        return self._gather(join, self._player)

    def _gather(self, join: Join, player: PlayerId) -> Sequence[AnyIntent]:
        return self._ask(self._options.gather(join.age, player))

    def _look(self, join: Join) -> Sequence[AnyIntent]:
        """Look at the next table where the seat may be; if there is none, join anew."""
        if self._tables:
            return self._ask(Show(self._tables.popleft(), self._player))
        return self._be(join)

    def _settled(self) -> None:
        self._joining = None
        self._tables.clear()

    def _resume(self, table: TableId, shown: Shown) -> bool:
        """Take the seat up, if it is one in a running game: state, colour, the open request."""
        view, seat = shown.view, shown.seat
        if not isinstance(view, FishView) or seat is None or shown.line.status != "playing":
            return False
        if view.players[seat].removed:
            return False
        self._table, self._seat = table, seat
        ids = self._ids([line.player_name for line in shown.line.seats])
        self._owed.news(writing.state(view, ids))
        self._owed.news(writing.color(seat, len(ids)))
        self._give_turn(view.turn, view.phase)
        return True

    # -- what happens at the table

    def _news(self, news: News) -> None:
        scene, event = news.scene, news.happened.event
        if isinstance(event, Started) and self._waiting and self._player in scene.players:
            self._waiting, self._fault = False, ""
            self._table = news.happened.table
            self._seat = Seat(scene.players.index(self._player))
            self._owed.news(self._state(scene))
            self._owed.news(writing.color(self._seat, len(scene.players)))
        if news.happened.table != self._table:
            return
        match event:
            case Ended(outcome):
                view = writing.view_of(scene)
                self._owed.news(self._state(scene))
                self._owed.news(writing.game_over(view, self._ids(scene.names), outcome.winners))
                self._table, self._turn, self._asked = None, None, False
            case Started() | Played():
                self._next_turn(news)
            case Out(seat, why):
                if seat == self._seat:
                    self._owed.news(writing.removal(why, self._fault))
                if seat == self._turn:  # else it changes nobody's turn
                    self._next_turn(news)
            case _:
                pass

    def _next_turn(self, news: News) -> None:
        """Everyone sees how things stand, and one is asked; unless it is over."""
        scene = news.scene
        if news.happened.to_act:
            self._owed.news(self._state(scene))
            self._give_turn(news.happened.to_act[0], scene.game.phase(scene.state))

    def _hear_of_tour(self, news: TourNews) -> None:
        if self._tour is None or not is_over(self._tour, news):
            return
        self._tour = None
        if self._waiting:
            self._waiting = False
            self._error(TOUR_OVER)

    def _state(self, scene: Scene) -> bytes:
        return _herald.state(scene, self._ids(scene.names))

    def _ids(self, names: Sequence[str]) -> tuple[str, ...]:
        """What everyone at the table is called here: its own player as it said."""
        return writing.ids_of(names, self._seat, self._id)

    def _give_turn(self, turn: Seat | None, phase: str) -> None:
        self._turn = turn
        self._asked = turn == self._seat
        if self._asked:
            self._owed.news(writing.request(phase))


_herald: Final = writing.Herald()  # one for all connections, which is the point of it
