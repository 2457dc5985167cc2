"""The writer: what it is given is written in order, and whoever gave it hears what came of it."""

import asyncio
from collections.abc import Sequence

from rookery.core.events import PlayerMade, Record
from rookery.core.ids import PlayerId
from rookery.server.actor.log_writer import LogWriter
from rookery.store import StoreFailed
from rookery.store.sqlite import SqliteStore
from tests.server.desk import until


class FullOnce(SqliteStore):
    """A store whose disk is full for the first batch. It mutates."""

    full = True

    def append(self, records: Sequence[Record]) -> None:
        if self.full:
            self.full = False
            raise StoreFailed("The disk is full.")
        super().append(records)


def record(seq: int) -> Record:
    return Record(seq, "hall", seq, 0, PlayerMade(PlayerId(1), "ann", "10.0.0.1", "", "native"))


def test_what_was_given_is_safe_once_the_scribe_is_let_go() -> None:
    async def run() -> None:
        store = SqliteStore()
        writer = LogWriter(store, lambda _, __: None)
        writer.write([record(1)])
        writer.write([record(2), record(3)])
        writer.let_go()
        assert [one.seq for one in store.read()] == [1, 2, 3]

    asyncio.run(run())


def test_a_failure_is_told_to_who_gave_the_records_and_the_same_may_be_given_again() -> None:
    async def run() -> None:
        told: list[tuple[int, bool]] = []

        def written(records: list[Record], failure: BaseException | None) -> None:
            told.append((len(records), isinstance(failure, StoreFailed)))

        writer = LogWriter(FullOnce(), written)
        writer.write([record(1)])
        await until(lambda: told == [(1, True)])
        writer.write([record(1)])
        await until(lambda: told == [(1, True), (1, False)])
        writer.let_go()

    asyncio.run(run())


class Staged(SqliteStore):
    """A store that is staged first, and whose commits take so many nanoseconds. It mutates."""

    takes = 300_000
    now = 0
    full = False

    def stage(self, records: Sequence[Record]) -> bool:
        self._given = records
        return True

    def commit(self) -> None:
        self.now += self.takes
        if self.full:
            raise StoreFailed("The disk is full.")
        self.append(self._given)


class Told:
    """What a writer said of what it was given. It mutates."""

    def __init__(self, store: Staged) -> None:
        self.store = store
        self.told: list[BaseException | None] = []
        self.writer = LogWriter(
            store, lambda _, failed: self.told.append(failed), lambda: store.now
        )
        self._seq = 0

    def write(self, *, alone: bool) -> bool:
        """Give it a record; whether that was safe, or could not be, before this was over."""
        self._seq += 1
        before = len(self.told)
        self.writer.write([record(self._seq)], alone=alone)
        return len(self.told) > before

    async def learn(self) -> None:
        """Let it see for long enough how long the disk takes."""
        for n in range(60):
            self.write(alone=False)
            await until(lambda n=n: len(self.told) > n)  # type: ignore[misc]


def test_what_is_alone_is_safe_at_once_where_the_disk_is_known_to_be_quick() -> None:
    async def run() -> None:
        desk = Told(Staged())
        assert not desk.write(alone=True), "nothing is known of the disk yet"
        await until(lambda: len(desk.told) == 1)
        await desk.learn()
        assert desk.write(alone=True)
        assert not desk.write(alone=False), "others would wait for it"
        desk.writer.let_go()

    asyncio.run(run())


def test_one_slow_commit_is_enough_for_the_loop_to_wait_for_no_more_of_them() -> None:
    async def run() -> None:
        desk = Told(Staged())
        await desk.learn()
        desk.store.takes = 20_000_000
        assert desk.write(alone=True)
        assert not desk.write(alone=True)
        desk.writer.let_go()

    asyncio.run(run())


def test_a_disk_that_fails_while_the_loop_waits_is_told_like_any_other() -> None:
    async def run() -> None:
        desk = Told(Staged())
        await desk.learn()
        desk.store.full = True
        assert desk.write(alone=True)
        assert isinstance(desk.told[-1], StoreFailed)
        desk.writer.let_go()

    asyncio.run(run())
