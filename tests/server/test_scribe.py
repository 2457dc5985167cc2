"""The scribe: what it is given is written in order, and whoever gave it hears what came of it."""

import asyncio
from collections.abc import Sequence

from rookery.core.events import PlayerMade, Record
from rookery.core.ids import PlayerId
from rookery.server.keeping.scribe import Scribe
from rookery.store import StoreFailed
from rookery.store.memory import MemoryStore
from tests.server.desk import until


class FullOnce(MemoryStore):
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
        store = MemoryStore()
        scribe = Scribe(store, lambda _, __: None)
        scribe.write([record(1)])
        scribe.write([record(2), record(3)])
        scribe.let_go()
        assert [one.seq for one in store.read()] == [1, 2, 3]

    asyncio.run(run())


def test_a_failure_is_told_to_who_gave_the_records_and_the_same_may_be_given_again() -> None:
    async def run() -> None:
        told: list[tuple[int, bool]] = []

        def written(records: list[Record], failure: BaseException | None) -> None:
            told.append((len(records), isinstance(failure, StoreFailed)))

        scribe = Scribe(FullOnce(), written)
        scribe.write([record(1)])
        await until(lambda: told == [(1, True)])
        scribe.write([record(1)])
        await until(lambda: told == [(1, True), (1, False)])
        scribe.let_go()

    asyncio.run(run())
