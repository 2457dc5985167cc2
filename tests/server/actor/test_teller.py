"""Who plays is told before who looks on, and nobody waits until all who look on were told."""

import pytest

from rookery.core.ids import SessionId, TableId
from rookery.core.intents import Enter, ListGames, Play, Unwatch, Watch
from rookery.core.messages import Notice
from rookery.server.actor import broadcast as broadcaster
from rookery.server.actor.broadcast import SOME
from tests.server.desk import Desk, Ear, story, turns, until

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


@pytest.fixture(autouse=True)
def _short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Telling who looks on takes all the time there is, at once, whatever the machine."""
    monkeypatch.setattr(broadcaster, "SERVING", 0)


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
