"""What the API asks of the hall: whatever others and the disk do, each has its own answer."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import cast

import pytest
from starlette.requests import Request

from rookery.core.events import HALL_STREAM, PlayerMade, Record
from rookery.core.ids import SessionId
from rookery.core.intents import ListGames, ListPlayers, ListTables, Open, OpenTour
from rookery.core.messages import Done, Games, Players, Reply, Tables, TourMade
from rookery.core.tour_values import Plan
from rookery.dialects import LANGUAGES
from rookery.hall.hall import Hall
from rookery.server.actor.runner import HallRunner
from rookery.server.web.api_tables import TableAt, show_table
from rookery.server.web.guard import RequestGuard
from rookery.server.web.hall_client import FIRST, WAITING_MAX, HallClient
from rookery.server.web.history import LogReader
from rookery.server.web.problems import HttpProblem
from rookery.server.web.routes import ApiRequest, AppState, CodeGiven
from rookery.store import StoreFailed
from rookery.store.sqlite import SqliteStore
from tests.server.desk import Desk as Around
from tests.server.desk import turns, until

TOKEN = "letmein"
NIM = Open("nim", sit=False)


class Place:
    """A client of a runner whose disk the test holds. It mutates."""

    def __init__(self, patience: float) -> None:
        self.around = Around()
        self.store, self.time = self.around.store, self.around.time
        self.hall = Hall(
            languages=LANGUAGES,
            seeds=lambda: 1,
            tokens=lambda: "t",
            archive=self.store.read_stream,
            organiser=TOKEN,
        )
        self.runner = HallRunner(
            self.hall, self.store, self.time, self.around.mistakes.append, retry_after=0.0
        )
        self.client = HallClient(self.runner, self.hall, safe_timeout=patience)


def story(told: Callable[[Place], Coroutine[None, None, None]], patience: float = 30.0) -> None:
    """Run this with a client of its own, in a loop of its own; we make no mistake in it."""

    async def run() -> None:
        place = Place(patience)
        try:
            await told(place)
        finally:
            place.store.failures.clear()
            place.store.gate.set()
            place.client.close()
            place.runner.let_go()
            place.around.runner.let_go()
        assert place.around.mistakes == []

    asyncio.run(run())


async def code_of(asked: Awaitable[Reply]) -> str:
    with pytest.raises(HttpProblem) as refused:
        await asked
    return refused.value.problem.code


def test_questions_of_one_session_have_each_their_own_answer() -> None:
    async def told(place: Place) -> None:
        asked = [place.client.ask(one, Reply) for one in (ListGames(), ListPlayers(), ListTables())]
        assert [type(reply) for reply in await asyncio.gather(*asked)] == [Games, Players, Tables]

    story(told)


def test_who_goes_away_while_asking_leaves_the_others_their_answers() -> None:
    async def told(place: Place) -> None:
        place.store.gate.clear()
        write = asyncio.create_task(place.client.organise(TOKEN, OpenTour(Plan("nim")), TourMade))
        await turns()
        gone = asyncio.create_task(place.client.ask(ListGames(), Games))
        stays = asyncio.create_task(place.client.ask(ListPlayers(), Players))
        await turns()  # both are decided, and told after what is being written
        gone.cancel()
        await turns()
        assert gone.cancelled()
        place.store.gate.set()
        await write
        assert isinstance(await stays, Players)
        assert isinstance(await place.client.ask(ListTables(), Tables), Tables)

    story(told)


def test_who_goes_away_while_a_table_is_opened_leaves_the_next_one_its_own() -> None:
    async def told(place: Place) -> None:
        first = await place.client.open_table(TOKEN, NIM)
        place.store.gate.clear()
        gone = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        await turns()
        gone.cancel()
        stays = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        await turns()
        place.store.gate.set()
        third = await stays
        assert isinstance(first, Done)
        assert isinstance(third, Done)
        assert (first.table, third.table) == (1, 3)  # the second was opened all the same

    story(told)


def test_who_goes_away_while_the_organiser_enters_does_not_stop_it() -> None:
    async def told(place: Place) -> None:
        place.store.gate.clear()
        gone = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        stays = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        await turns()
        gone.cancel()
        await turns()
        place.store.gate.set()
        assert isinstance(await stays, Done)
        assert list(place.hall.players_from("api")) == ["organiser"]

    story(told)


def test_without_a_disk_no_half_made_organiser_stays() -> None:
    async def told(place: Place) -> None:
        place.store.gate.clear()
        asked = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        assert await code_of(asked) == "no_disk"  # its patience is over
        place.store.gate.set()
        await until(lambda: "organiser" in place.hall.players_from("api"))
        assert isinstance(await place.client.open_table(TOKEN, NIM), Done)
        made = [r for r in place.store.read(0, HALL_STREAM) if isinstance(r.event, PlayerMade)]
        assert len(made) == 1

    story(told, patience=2.0)


def test_where_the_token_was_wrong_nobody_is_made_and_the_next_one_tries_again() -> None:
    async def told(place: Place) -> None:
        assert await code_of(place.client.open_table("wrong", NIM)) == "bad_token"
        assert not place.hall.players_from("api")
        assert isinstance(await place.client.open_table(TOKEN, NIM), Done)
        assert await code_of(place.client.open_table("wrong", NIM)) == "bad_token"

    story(told)


def test_what_is_not_safe_yet_is_told_to_nobody_who_reads() -> None:
    async def told(place: Place) -> None:
        place.store.gate.clear()
        opened = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        await turns()
        read = asyncio.create_task(place.client.ask(ListTables(), Tables))
        await turns()
        assert not opened.done()
        assert not read.done()
        place.store.gate.set()
        assert [line.table for line in (await read).tables] == [(await opened).table]
        # Where nothing is on its way to the log, nobody waits for it.
        place.store.gate.clear()
        assert (await place.client.ask(ListTables(), Tables)).tables
        place.store.gate.set()

    story(told)


def test_while_the_log_cannot_be_written_nobody_waits_for_an_answer() -> None:
    async def told(place: Place) -> None:
        place.store.failures = [StoreFailed("full")] * 1_000_000
        place.around.runner.let_go()
        asked = asyncio.create_task(place.client.organise(TOKEN, OpenTour(Plan("nim")), TourMade))
        await until(lambda: place.runner.failing)
        assert await code_of(place.client.ask(ListGames(), Games)) == "no_disk"
        place.store.failures = []
        await asked
        await until(lambda: not place.runner.failing)
        assert isinstance(await place.client.ask(ListGames(), Games), Games)

    story(told)


def test_a_flood_of_questions_is_refused_and_the_rest_is_answered() -> None:
    async def told(place: Place) -> None:
        place.store.gate.clear()
        opened = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        await turns()
        asked = [
            asyncio.create_task(place.client.ask(ListGames(), Games))
            for _ in range(WAITING_MAX - 1)
        ]
        await turns()
        assert await code_of(place.client.ask(ListGames(), Games)) == "busy"
        place.store.gate.set()
        await opened
        assert all(isinstance(reply, Games) for reply in await asyncio.gather(*asked))

    story(told)


def test_when_the_server_goes_down_who_waits_is_told_so() -> None:
    async def told(place: Place) -> None:
        place.store.failures = [StoreFailed("full")] * 1_000_000
        opened = asyncio.create_task(place.client.open_table(TOKEN, NIM))
        await until(lambda: place.runner.failing)
        assert not await place.runner.close(0.0)
        place.client.close()
        assert await code_of(opened) == "closing"
        assert await code_of(place.client.ask(ListGames(), Games)) == "closing"

    story(told)


def test_what_is_asked_when_the_keeper_takes_no_more_is_told_so_too() -> None:
    async def told(place: Place) -> None:
        assert await place.runner.close(1.0)
        late = asyncio.create_task(place.client.ask(ListGames(), Games))
        await turns()
        place.client.close()
        assert await code_of(late) == "closing"

    story(told)


def test_whoever_wrote_has_no_session_afterwards() -> None:
    async def told(place: Place) -> None:
        await place.client.organise(TOKEN, OpenTour(Plan("nim")), TourMade)
        asks, wrote = SessionId(FIRST - 1), SessionId(FIRST - 2)
        now = place.time.now()
        assert place.hall.receive(asks, ListGames(), now).deliveries
        assert not place.hall.receive(wrote, ListGames(), now).deliveries

    story(told)


class Unread(SqliteStore):
    """A log that nobody may look into."""

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        raise AssertionError(f"{stream} is read after {after}")


def test_a_table_that_runs_is_shown_by_the_hall_and_not_read_from_the_log() -> None:
    async def told(place: Place) -> None:
        opened = await place.client.open_table(TOKEN, NIM)
        assert isinstance(opened, Done)
        log_reader = LogReader(Unread())
        sources = AppState(
            place.client,
            log_reader,
            cast("RequestGuard", None),
            dict,
            lambda: False,
            place.hall,
            (),
            None,
        )
        assert opened.table is not None
        asking = ApiRequest(sources, Request({"type": "http", "query_string": b""}))
        found = await show_table(asking, TableAt(opened.table), CodeGiven())
        assert (found.line.table, found.line.status) == (opened.table, "open")
        log_reader.close()

    story(told)
