"""One connection that speaks fish: it joins, waits, plays, is told the end, and may join again.

A join is a conversation with the hall: is there a seat to take up, else who am I, then wait
with the others. In a game only the answer to an open request counts. An answer that cannot
be read is still a move, and the table removes the player who sent it; anything that the
client sends unasked is answered with an Error and changes nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rookery.core.errors import NOT_YOUR_TURN
from rookery.core.events import Ended, Out, Played, Started
from rookery.core.ids import PlayerId, Seat, Status, TableId
from rookery.core.intents import AnyIntent, Enter, Play, Rename, Resign, Show, TakeUp
from rookery.core.manners import Directory
from rookery.core.messages import (
    AnyMessage,
    News,
    Notice,
    Refused,
    RoomNews,
    Scene,
    Shown,
    TourJoined,
    TourNews,
    Welcome,
)
from rookery.dialects.base import Lines
from rookery.dialects.conversation import TOUR_OVER, Bound, Conversation, Unasked
from rookery.dialects.fish import wire
from rookery.dialects.fish.profile import LINE_MAX, NAME, WAITING_MAX, FishOptions
from rookery.dialects.fish.wire import Join, Placing, Unreadable, read
from rookery.games.fish import FishView

NO_MOVE: Final = "?"  # what the table is told where an answer cannot be read
TOO_LONG: Final = f"A line has at most {LINE_MAX} bytes."
TOO_MANY: Final = f"At most {WAITING_MAX} lines wait for the answer to joinGame."
NOT_ASKED: Final = "Nobody asked you for that."
TOO_LATE: Final = "That came too late."
IN_TOUR: Final = "You have joined, and wait for your match."
WAIT: Final = "You have joined; wait for the game."
# The table did not judge the move, because the time for it was over.
UNJUDGED: Final = frozenset({NOT_YOUR_TURN, "over", "not_started", "not_seated"})


class FishDialect(Bound[bytes]):
    """One connection."""

    def __init__(self, options: FishOptions, directory: Directory) -> None:
        lines = Lines(LINE_MAX)
        super().__init__(lines, WAITING_MAX, too_long=TOO_LONG, too_many=TOO_MANY)
        self._options = options
        self._player: PlayerId | None = None
        self._id = ""  # as the client wrote it
        self._wait = b""  # how it was said that one waits
        self._fault = ""  # what was wrong with our last answer
        self._table: TableId | None = None  # where the game is
        self._seat = Seat(0)
        self._turn: Seat | None = None  # whose move everyone waits for
        self._asked = False  # whether it is ours, and not answered yet

    # -- what the client says

    def _put(self, requests: Iterable[bytes]) -> Sequence[AnyIntent]:
        asked = super()._put(requests)
        while len(self._inbox) > WAITING_MAX:  # what was too much is not answered
            self._inbox.pop()
        return asked

    def _begin(self, request: bytes) -> Conversation[None] | None:
        if not request.strip():
            return None
        said = read(request)
        match said:
            case Placing(move):
                return self._answer(move, NOT_ASKED)
            case Unreadable(sentence):
                return self._answer(NO_MOVE, sentence)
            case Join():
                if not self._waiting and self._table is None:
                    return self._join(said)
                self._error(WAIT if self._waiting else NOT_ASKED)
                return None

    def _answer(self, move: str, sentence: str) -> Conversation[None] | None:
        """Play the answer to the open request; tell the client what is wrong where none is open."""
        if self._table is None or not self._asked:
            self._error(sentence)
            return None
        self._asked = False
        self._fault = sentence if move == NO_MOVE else ""
        return self._move(self._table, move)

    def _move(self, table: TableId, move: str) -> Conversation[None]:
        reply = yield Play(table, move, player=self._player)
        if isinstance(reply, Refused):
            self._fault = self._fault or reply.sentence
            if reply.code in UNJUDGED:
                self._error(TOO_LATE)
            else:
                # "A player who plays an illegal placement or move ... is removed", also where a
                # tour's table would forgive it; where it does not, this is refused, too.
                yield Resign(table, player=self._player)

    def _say_last(self, sentence: str) -> None:
        self._error(sentence)

    def _error(self, sentence: str) -> None:
        self._said.append(wire.error(sentence))

    # -- joining

    def _join(self, join: Join) -> Conversation[None]:
        back = False
        if self._tour is None or self._player is None:
            # "joinGame with the same id from the same host takes the seat up again."
            reply = yield TakeUp(join.id)
            if not isinstance(reply, Welcome):
                reply = yield from self._be(join.id)
            match reply:
                case Refused(sentence=sentence):
                    self._error(sentence)
                    return
                case Welcome():
                    self._player, self._id = reply.player, join.id
                    back = yield from self._take_up(reply)
                case _:
                    pass  # the same player as before
        if not back:
            self._id = join.id
            yield from self._gather(join)

    def _be(self, name: str) -> Conversation[AnyMessage | None]:
        """Enter the hall under this id, or rename the player; None where it has that name."""
        if self._player is None:
            return (yield Enter(name, NAME))
        return None if self._id == name else (yield Rename(name, player=self._player))

    def _take_up(self, welcome: Welcome) -> Conversation[bool]:
        """Take up the player's seat in a running game; return whether there was one."""
        for table in welcome.tables:
            shown = yield Show(table, player=welcome.player)
            if isinstance(shown, Shown) and self._resume(table, shown):
                return True
        return False

    def _gather(self, join: Join) -> Conversation[None]:
        """Ask the hall for a game, and tell the client that it waits for others, or for a match."""
        assert self._player is not None, "who has joined is somebody"
        reply = yield self._options.gather(join.age, self._player)
        if isinstance(reply, Refused):
            self._error(reply.sentence)
            return
        self._waiting = True
        self._tour = reply if isinstance(reply, TourJoined) else None
        if self._options.waiting:
            awaited = IN_TOUR if self._tour is not None else self._options.awaited
            self._wait = wire.waiting(awaited)
            self._said.append(self._wait)

    def _wait_no_more(self) -> None:
        """End the client's wait; a Waiting message that was not sent yet is dropped."""
        self._waiting = False
        if self._said and self._said[-1] is self._wait:
            self._said.pop()

    def _resume(self, table: TableId, shown: Shown) -> bool:
        """Tell the client of its running game, and of its turn if it is that; False: none runs."""
        view, seat = shown.view, shown.seat
        if not isinstance(view, FishView) or seat is None or shown.line.status != Status.PLAYING:
            return False
        if view.players[seat].removed:
            return False
        self._table, self._seat = table, seat
        ids = self._ids(tuple(line.player_name for line in shown.line.seats))
        self._said.append(wire.state(view, ids))
        self._said.append(wire.color(seat, len(ids)))
        self._give_turn(view.turn, view.phase)
        return True

    # -- what happens at the table

    def _hear(self, news: Unasked) -> None:
        match news:
            case News():
                self._hear_of_table(news)
            case TourNews():
                self._hear_of_tour(news)
            case RoomNews() | Notice():
                pass  # this dialect has no word for it

    def _hear_of_table(self, news: News) -> None:
        scene, event = news.scene, news.happened.event
        if isinstance(event, Started) and self._waiting and self._player in scene.players:
            self._wait_no_more()
            self._fault = ""
            self._table = news.happened.table
            self._seat = Seat(scene.players.index(self._player))
            self._said.append(self._state(scene))
            self._said.append(wire.color(self._seat, len(scene.players)))
        if news.happened.table != self._table:
            return
        match event:
            case Ended(outcome):
                view = wire.view_of(scene)
                self._said.append(self._state(scene))
                self._said.append(wire.game_over(view, self._ids(scene.names), outcome.winners))
                self._table, self._turn, self._asked = None, None, False
            case Started() | Played():
                self._next_turn(news)
            case Out(seat, why):
                if seat == self._seat:
                    self._said.append(wire.removal(why, self._fault))
                if seat == self._turn:  # else it changes nobody's turn
                    self._next_turn(news)
            case _:
                pass

    def _next_turn(self, news: News) -> None:
        """Send the state, and the request if it is the client's turn; after the end neither."""
        scene = news.scene
        if news.happened.to_act:
            self._said.append(self._state(scene))
            self._give_turn(news.happened.to_act[0], scene.game.phase(scene.state))

    def _wait_in_vain(self) -> None:
        self._wait_no_more()
        self._error(TOUR_OVER)

    def _state(self, scene: Scene) -> bytes:
        return _herald.state(scene, self._ids(scene.names))

    def _ids(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of all at the table, with the client's own player called as the client wrote."""
        return wire.ids_of(names, self._seat, self._id)

    def _give_turn(self, turn: Seat | None, phase: str) -> None:
        self._turn = turn
        self._asked = turn == self._seat
        if self._asked:
            self._said.append(wire.request(phase))


_herald: Final = wire.StateHerald()  # one for all connections, which is the point of it
