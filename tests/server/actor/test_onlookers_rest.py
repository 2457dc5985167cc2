"""Where many look on they are told in rounds, with rests in which only who plays is told."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import ClassVar, Protocol

from rookery.core.ids import SessionId
from rookery.core.intents import Play, Say, Watch
from rookery.core.messages import AnyMessage, Notice
from rookery.dialects import LANGUAGES
from rookery.hall.batch import Batch, Delivery
from rookery.hall.hall import Hall
from rookery.server.actor.broadcast import (
    AT_ONCE,
    CALM,
    CROWDED,
    LONG_ROUND,
    REST_MAX,
    SERVING,
    SOME,
    Broadcaster,
)
from rookery.server.actor.intent_queue import Clerk
from rookery.server.net.fair import Throttle
from rookery.store.sqlite import SqliteStore
from tests.server.desk import Desk, Ear, until

MILLI = 1_000_000  # nanoseconds


class Timed(Protocol):
    """What has the time."""

    now: int


class Slow(Ear):
    """A connection whose words and socket take their time. It mutates."""

    def __init__(self, crowd: Timed, session: int, takes: int) -> None:
        super().__init__(SessionId(session))
        self._crowd, self._takes = crowd, takes
        self.words = 0  # nanoseconds that putting something into words takes
        self.flushes = 0

    def tell(self, message: AnyMessage) -> None:
        """Keep it, which takes so long."""
        super().tell(message)
        self._crowd.now += self.words

    def flush(self) -> None:
        """Send it, which takes so long."""
        super().flush()
        self.flushes += 1
        self._crowd.now += self._takes


class Distant(Slow):
    """A connection at an edge. It mutates."""

    writes: ClassVar[bool] = False


class Crowd:
    """A broadcaster, and so many who look on; time goes on where they are sent something."""

    def __init__(self, size: int, takes: int) -> None:
        self.now = 1
        hall = Hall(
            languages=LANGUAGES,
            seeds=lambda: 1,
            tokens=lambda: "t",
            archive=SqliteStore().read_stream,
        )
        self.broadcaster = Broadcaster(
            Clerk(hall, lambda: 0, Throttle(lambda: 0)), lambda: self.now
        )
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
        """Tell them until there is a rest, or nobody waits."""
        while self.broadcaster.is_due:
            self.broadcaster.serve()

    def round(self) -> None:
        """Tell them of something, and before all know it something else happens."""
        self.happens()
        self.broadcaster.serve()
        self.happens()
        self.serve()


def test_few_are_told_at_once_and_each_time() -> None:
    crowd = Crowd(10, LONG_ROUND // 10)
    for _ in range(3):
        crowd.happens()
        crowd.serve()
    assert [ear.flushes for ear in crowd.ears] == [3] * 10


def test_many_are_told_at_once_where_the_next_move_comes_after_all_know_the_last() -> None:
    crowd = Crowd(1_000, MILLI // 4)
    for _ in range(3):
        crowd.happens()
        crowd.serve()
    assert [ear.flushes for ear in crowd.ears] == [3] * 1_000


def test_after_a_long_round_there_is_a_rest_four_times_as_long() -> None:
    crowd = Crowd(20, MILLI // 4)  # 5 ms a round
    crowd.round()
    assert crowd.broadcaster
    assert not crowd.broadcaster.is_due
    assert crowd.broadcaster.rest() == 0.020
    crowd.now += 20 * MILLI
    crowd.serve()
    assert [ear.flushes for ear in crowd.ears] == [2] + [1] * 19  # who had both in one write


def test_a_rest_is_no_longer_than_a_twentieth_of_a_second() -> None:
    crowd = Crowd(1_000, MILLI // 4)
    crowd.round()
    assert crowd.broadcaster.rest() == REST_MAX / 1e9 == 0.05


def test_what_happens_in_a_rest_goes_out_in_one_write_and_in_order() -> None:
    crowd = Crowd(20, MILLI // 4)
    crowd.round()
    for _ in range(38):
        crowd.happens()
        crowd.serve()
    crowd.now += REST_MAX
    crowd.serve()
    assert not crowd.broadcaster
    for ear in crowd.ears:
        assert ear.kinds() == [str(n) for n in range(40)]
        assert ear.flushes == 2


def test_a_round_ends_with_who_waited_when_it_began() -> None:
    """Else there was never a rest where things happen faster than all can be told."""
    crowd = Crowd(20, MILLI // 4)
    crowd.happens()
    while crowd.broadcaster.is_due:
        crowd.broadcaster.serve()
        crowd.happens()
    assert [ear.flushes for ear in crowd.ears] == [1] * 20
    assert crowd.broadcaster


def test_one_with_very_much_to_hear_keeps_others_waiting_for_one_slice() -> None:
    crowd = Crowd(2, SERVING)
    slow, other = crowd.ears
    for _ in range(100):
        crowd.happens([slow])
    crowd.happens([other])
    slow.words = SERVING // 8
    crowd.broadcaster.serve()
    assert (slow.flushes, other.flushes) == (1, 0)
    crowd.broadcaster.serve()
    assert (slow.flushes, other.flushes) == (1, 1)


def test_there_is_no_rest_while_very_much_waits() -> None:
    crowd = Crowd(100, MILLI)
    crowd.round()
    for _ in range(CROWDED // 100):
        assert not crowd.broadcaster.is_due
        crowd.happens()
    assert crowd.broadcaster.is_due


def test_more_are_told_in_one_go_where_nobody_else_waits() -> None:
    told = []
    for calm in (False, True):
        crowd = Crowd(100, SERVING // 10)
        crowd.happens()
        crowd.broadcaster.serve(calm=calm)
        told.append(sum(ear.flushes for ear in crowd.ears))
    assert told == [10, 10 * CALM]


def test_a_question_counts_as_answered_once_its_answer_was_told() -> None:
    """Else who says no more is hung up on before it hears, and who asks on is never slowed down."""
    crowd = Crowd(1, 0)
    [asker] = crowd.ears
    for _ in range(AT_ONCE + 1):
        crowd.happens()
    answers = [Notice("first", ""), Notice("second", "")]
    for answer in answers:
        told = (Delivery(asker.session, answer),)
        crowd.broadcaster.deliver([(asker.session, Batch(deliveries=told))])
        assert asker.answers == 0
    asker.words = SERVING // SOME  # so that it is told some at a time
    while crowd.broadcaster:
        crowd.broadcaster.serve()
        assert asker.answers <= sum(answer in asker.told for answer in answers)
    assert asker.kinds()[-3:] == [str(AT_ONCE), "first", "second"]
    assert asker.answers == 2


def test_an_answer_without_words_waits_behind_what_was_to_be_told_before_it() -> None:
    crowd = Crowd(1, 0)
    [asker] = crowd.ears
    for _ in range(AT_ONCE + 1):
        crowd.happens()
    crowd.broadcaster.deliver([(asker.session, Batch())])
    assert asker.answers == 0
    crowd.serve()
    assert (len(asker.told), asker.answers) == (AT_ONCE + 1, 1)


# -- in a rest, at a runner's


class Resting:
    """A runner with two games, at one of which many look, in a rest of theirs. It mutates."""

    def __init__(self) -> None:
        self.now = 1
        self.desk = Desk(elapsed=lambda: self.now)
        self.crowd = [Slow(self, 1_000 + n, MILLI // 4) for n in range(40)]

    async def begin(self) -> None:
        """Ann plays at one table, and looks on at the other, as the crowd does."""
        names = ("ann", "bob", "cyd", "dan")
        self.ann, self.bob, self.cyd, dan = [await self.desk.player(name) for name in names]
        self.mine = await self.desk.game(self.ann, self.bob, "tictactoe", "60m")
        self.other = await self.desk.game(self.cyd, dan, "tictactoe", "none")
        for ear in self.crowd:
            self.desk.runner.connect(ear.session, "10.0.0.2", ear)
        for one in (*self.crowd, self.ann):
            self.desk.ask(one, Watch(self.other))
        self.desk.ask(self.ann, Play(self.mine, "0"))
        await self.desk.settled()
        await until(lambda: not self.broadcaster)
        self.says("first")
        await until(lambda: bool(self.broadcaster))
        self.says("second")
        await until(lambda: self.broadcaster.rest() > 0)

    def says(self, *words: str) -> None:
        """Something happens at the table that they look at."""
        self.desk.ask(self.cyd, *(Say(self.other, word) for word in words))

    @property
    def broadcaster(self) -> Broadcaster:
        """Who tells them."""
        return self.desk.runner._broadcaster  # noqa: SLF001


def resting(told: Callable[[Resting], Coroutine[None, None, None]]) -> None:
    """Run this in a rest, in a loop of its own."""

    async def run() -> None:
        scene = Resting()
        await scene.begin()
        try:
            await told(scene)
        finally:
            scene.desk.runner.let_go()
        assert scene.desk.mistakes == []

    asyncio.run(run())


def test_who_plays_is_told_its_turn_in_a_rest_however_much_it_looks_at() -> None:
    async def told(scene: Resting) -> None:
        said = [str(n) for n in range(4 * SOME)]
        for word in said:
            scene.says(word)
            await scene.desk.settled()
            scene.desk.passes(2_000_000)
        scene.desk.ask(scene.bob, Play(scene.mine, "3"))
        await until(lambda: scene.ann.kinds()[-1] == "played")
        assert scene.ann.kinds().count("said") == 2 + len(said)
        assert scene.broadcaster.rest() > 0

    resting(told)


def test_who_is_hung_up_on_in_a_rest_is_told_first_what_waited_for_it() -> None:
    async def told(scene: Resting) -> None:
        scene.says("third")
        await scene.desk.settled()
        gone = scene.crowd[-1]
        scene.broadcaster.dismiss(gone.session, Notice("banned", "Go."))
        assert gone.closed
        assert gone.kinds()[-4:] == ["said", "said", "said", "banned"]

    resting(told)


def test_the_keeper_closes_in_a_rest_when_all_were_told() -> None:
    async def told(scene: Resting) -> None:
        scene.says("third")
        await scene.desk.settled()
        for ear in scene.crowd[:20]:
            scene.desk.runner.hang_up(ear.session, scene.desk.time.now())
        scene.now += REST_MAX
        assert await scene.desk.runner.close(30)
        assert all(ear.kinds().count("said") == 3 for ear in scene.crowd[20:])

    resting(told)


def test_who_is_at_an_edge_waits_for_no_rest() -> None:
    crowd = Crowd(20, MILLI // 4)
    crowd.round()
    edge = Distant(crowd, 100, 0)
    crowd.broadcaster.subscribers[edge.session] = edge
    crowd.happens([edge])
    assert edge.kinds() == ["2"]
    assert not crowd.broadcaster.is_due
