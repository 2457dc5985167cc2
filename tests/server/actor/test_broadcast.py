"""Players are sent what happens before spectators, and nobody waits for all spectators."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import ClassVar

from rookery.core.ids import SessionId, TableId
from rookery.core.intents import Enter, ListGames, Play, Unwatch, Watch
from rookery.core.messages import AnyMessage, Notice
from rookery.hall.batch import Batch, Delivery
from rookery.server.actor.broadcast import AT_ONCE, SOME, Broadcaster
from rookery.server.net.fair import QUANTUM_NS, FairQueue
from tests.server.desk import Desk, Ear, turns, until
from tests.server.desk import story as desk_story
from tests.server.ticking import Ticking

MANY = 10 * SOME  # who look on


class Noted(Ear):
    """A connection that writes down when it was sent something. It mutates."""

    def __init__(self, desk: Desk, session: int, order: list[SessionId]) -> None:
        super().__init__(SessionId(session))
        self._order = order
        desk.runner.connect(self.session, "10.0.0.2", self)

    def flush(self) -> None:
        """Send, and write it down."""
        if len(self.told) > len(self.sent):
            self._order.append(self.session)
        super().flush()


class Watched:
    """A game that many look at. It mutates."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.order: list[SessionId] = []  # who was sent something, in turn
        self.ann, self.bob = Noted(desk, 901, self.order), Noted(desk, 902, self.order)
        self.bystander = Noted(desk, 903, self.order)
        self.watchers = [Noted(desk, 1000 + n, self.order) for n in range(MANY)]
        self.table = TableId(0)

    async def begin(self) -> None:
        """Two sit down, and all others look on."""
        for player, name in ((self.ann, "ann"), (self.bob, "bob")):
            self.desk.ask(player, Enter(name))
            await until(lambda player=player: player.kinds() == ["welcome"])  # type: ignore[misc]
        self.table = await self.desk.game(self.ann, self.bob, "tictactoe", "none")
        for watcher in self.watchers:
            self.desk.ask(watcher, Watch(self.table))
        await until(lambda: all(watcher.answers == 1 for watcher in self.watchers))
        await turns()
        self.order.clear()

    async def move(self, cell: str = "4") -> None:
        """Ann moves, and it is told to her; the others may not know it yet."""
        said = len(self.ann.sent)
        self.desk.ask(self.ann, Play(self.table, cell))
        await until_at_once(self.ann, said)


async def until_at_once(ear: Ear, said: int) -> None:
    """Let the loop turn until this one is sent more, and no further."""
    for _ in range(1_000_000):
        if len(ear.sent) > said:
            return
        await turns(1)
    raise AssertionError("nothing came")


def story(told: Callable[[Desk], Coroutine[None, None, None]]) -> None:
    """Run this where each look at the clock takes a quantum: one spectator is sent at a time."""
    desk_story(told, Ticking(0), elapsed=Ticking(QUANTUM_NS))


def test_who_plays_is_sent_a_move_before_anyone_who_looks_on() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        await watched.move()
        await until(lambda: len(watched.order) == MANY + 2)
        assert set(watched.order[:2]) == {watched.ann.session, watched.bob.session}
        assert watched.order[2:] == [watcher.session for watcher in watched.watchers]

    story(told)


def test_others_are_served_before_all_who_look_on_were_told() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        await watched.move()
        desk.ask(watched.bystander, ListGames())
        await until(lambda: len(watched.order) == MANY + 3)
        place = watched.order.index(watched.bystander.session)
        assert place < 2 + 5 * SOME

    story(told)


def test_all_who_look_on_are_told_the_very_same_message() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        await watched.move()
        await until(lambda: len(watched.order) == MANY + 2)
        assert len({id(watcher.sent[-1]) for watcher in watched.watchers}) == 1

    story(told)


def test_who_asks_is_told_first_what_waited_for_it() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        last = watched.watchers[-1]
        await watched.move()
        desk.ask(last, Unwatch(watched.table), ListGames())
        await until(lambda: last.answers == 3)
        assert last.kinds()[-3:] == ["played", "done", "games"]
        assert watched.order.index(last.session) < 2 + 5 * SOME

    story(told)


def test_moves_are_told_in_order_however_many_wait() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        for player, cell in ((0, "0"), (1, "3"), (0, "1"), (1, "4"), (0, "2")):
            desk.ask((watched.ann, watched.bob)[player], Play(watched.table, cell))
            await turns(3)
        await until(lambda: all("ended" in watcher.kinds() for watcher in watched.watchers))
        for watcher in watched.watchers:
            assert watcher.kinds()[-6:] == ["played"] * 5 + ["ended"]
            numbers = [message.happened.n for message in watcher.sent[-6:]]  # type: ignore[union-attr]
            assert numbers == sorted(numbers)

    story(told)


def test_who_hangs_up_meanwhile_is_told_nothing_and_the_others_are() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        gone = watched.watchers[-5:]
        await watched.move()
        for watcher in gone:
            desk.runner.hang_up(watcher.session, desk.time.now())
        await until(lambda: len(watched.order) == MANY + 2 - len(gone))
        await turns()
        assert not any("played" in watcher.kinds() for watcher in gone)

    story(told)


def test_nobody_who_looks_on_hears_of_what_is_not_safe() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        tried = len(desk.store.tried)
        desk.store.gate.clear()
        desk.ask(watched.ann, Play(watched.table, "4"))
        await until(lambda: len(desk.store.tried) == tried + 1)
        await turns()
        assert watched.order == []

    story(told)


def test_the_server_closes_when_all_who_look_on_were_told() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        await watched.move()
        assert await desk.runner.close(30)
        assert len(watched.order) == MANY + 2

    story(told)


def test_when_the_log_fails_everyone_hears_of_it_after_what_waited() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        await watched.move()
        watched.desk.runner._broadcaster.tell_all(Notice("no_disk", "Full."))  # noqa: SLF001
        assert all(one.kinds()[-2:] == ["played", "no_disk"] for one in watched.watchers)

    story(told)


def test_a_spectator_who_plays_elsewhere_is_told_its_turn_however_much_waits_for_it() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        last = watched.watchers[-1]
        for one, name in ((watched.bystander, "cyd"), (last, "dan")):
            desk.ask(one, Enter(name))
        await desk.settled()
        mine = await desk.game(watched.bystander, last, "tictactoe", "none")
        watched.order.clear()
        await watched.move()
        desk.ask(watched.bystander, Play(mine, "0"))
        await until(lambda: last.kinds()[-2:] == ["played", "played"])
        assert len(watched.order) < MANY

    story(told)


def test_a_spectator_whose_connection_is_closed_is_sent_first_what_waited_for_it() -> None:
    async def told(desk: Desk) -> None:
        watched = Watched(desk)
        await watched.begin()
        await watched.move()
        gone = watched.watchers[-1]
        desk.runner._broadcaster.dismiss(gone.session, Notice("banned", "Go."))  # noqa: SLF001
        assert gone.closed
        assert gone.kinds()[-2:] == ["played", "banned"]

    story(told)


# -- alone


class Slow(Ear):
    """A connection whose words and socket take their time. It mutates."""

    def __init__(self, crowd: "Crowd", session: int, takes: int) -> None:
        super().__init__(SessionId(session))
        self._crowd, self._takes = crowd, takes
        self.words = 0  # nanoseconds that putting something into words takes
        self.flushes = 0

    def tell(self, message: AnyMessage) -> None:
        """Keep it, which takes so long."""
        super().tell(message)
        self._crowd.clock.now += self.words

    def flush(self) -> None:
        """Send it, which takes so long."""
        super().flush()
        self.flushes += 1
        self._crowd.clock.now += self._takes


class Distant(Slow):
    """A connection at an edge. It mutates."""

    writes: ClassVar[bool] = False


class Crowd:
    """A broadcaster, and so many spectators; time goes on where they are sent something."""

    def __init__(self, size: int, takes: int) -> None:
        self.clock = Ticking(0)
        self.broadcaster = Broadcaster(FairQueue(self.clock), lambda _, __: None, lambda: None)
        self.ears = [Slow(self, n, takes) for n in range(1, size + 1)]
        for ear in self.ears:
            self.broadcaster.subscribers[ear.session] = ear
        self._said = 0

    def happens(self, to: Sequence[Ear] | None = None) -> None:
        """Something that all are told, or these."""
        message = Notice(str(self._said), "")
        self._said += 1
        told = tuple(Delivery(ear.session, message, onlooker=True) for ear in to or self.ears)
        self.broadcaster.deliver([(None, Batch(deliveries=told))])

    def serve(self) -> None:
        """Give the broadcaster a turn."""
        self.broadcaster._serve(self.clock.now + QUANTUM_NS)  # noqa: SLF001

    def serve_all(self) -> None:
        """Give it turns until nobody waits."""
        while self.broadcaster:
            self.serve()


def alone(told: Callable[[], None]) -> None:
    """Run this in a loop, which a queue needs."""

    async def run() -> None:
        told()

    asyncio.run(run())


def test_what_happens_while_they_wait_goes_out_in_one_write_and_in_order() -> None:
    def told() -> None:
        crowd = Crowd(20, QUANTUM_NS)
        crowd.happens()
        crowd.serve()  # to the first
        for _ in range(39):
            crowd.happens()
        crowd.serve_all()
        for ear in crowd.ears:
            assert ear.kinds() == [str(n) for n in range(40)]
        assert [ear.flushes for ear in crowd.ears[1:]] == [1] * 19

    alone(told)


def test_one_with_very_much_to_hear_keeps_others_waiting_for_one_turn() -> None:
    def told() -> None:
        crowd = Crowd(2, QUANTUM_NS)
        slow, other = crowd.ears
        for _ in range(100):
            crowd.happens([slow])
        crowd.happens([other])
        slow.words = QUANTUM_NS // 8
        crowd.serve()
        assert (slow.flushes, other.flushes) == (1, 0)
        crowd.serve()
        assert (slow.flushes, other.flushes) == (1, 1)

    alone(told)


def test_a_question_counts_as_answered_once_its_answer_was_told() -> None:
    """Else a client that asks no more is closed before it hears, or is never slowed down."""

    def told() -> None:
        crowd = Crowd(1, 0)
        [asker] = crowd.ears
        for _ in range(AT_ONCE + 1):
            crowd.happens()
        answers = [Notice("first", ""), Notice("second", "")]
        for answer in answers:
            given = (Delivery(asker.session, answer),)
            crowd.broadcaster.deliver([(asker.session, Batch(deliveries=given))])
            assert asker.answers == 0
        asker.words = QUANTUM_NS // SOME  # so that it is told some at a time
        while crowd.broadcaster:
            crowd.serve()
            assert asker.answers <= sum(answer in asker.told for answer in answers)
        assert asker.kinds()[-3:] == [str(AT_ONCE), "first", "second"]
        assert asker.answers == 2

    alone(told)


def test_an_answer_without_words_waits_behind_what_was_to_be_told_before_it() -> None:
    def told() -> None:
        crowd = Crowd(1, 0)
        [asker] = crowd.ears
        for _ in range(AT_ONCE + 1):
            crowd.happens()
        crowd.broadcaster.deliver([(asker.session, Batch())])
        assert asker.answers == 0
        crowd.serve_all()
        assert (len(asker.told), asker.answers) == (AT_ONCE + 1, 1)

    alone(told)


def test_a_spectator_at_an_edge_never_waits() -> None:
    def told() -> None:
        crowd = Crowd(20, QUANTUM_NS)
        edge = Distant(crowd, 100, 0)
        crowd.broadcaster.subscribers[edge.session] = edge
        crowd.happens([*crowd.ears, edge])
        assert edge.kinds() == ["0"]

    alone(told)
