"""What an edge asks of its hall for HTTP: how long it waits, and what it does when the hall goes.

Both sides are the real ones, in one loop; what goes between them is in the test's hand.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from rookery.server.cluster import http_forward
from rookery.server.cluster.http_forward import (
    ANSWER_TIMEOUT_BEATS,
    ASK_AFTER_BEATS,
    TRIES_MAX,
    HttpForwarder,
    HttpResponder,
    Unanswered,
)
from rookery.server.jobs import PROVING_MS, STUDY_GRACE_S, STUDY_START_S
from rookery.server.limits import Awaited
from rookery.server.web.http import ASKER, Asker, Left, asker_of
from tests.server.desk import turns

BODY_MAX = 100
LONG = b"a long answer in several parts"
Lose = Callable[[int], bool]  # which of all that goes between, counted from 1


async def run_at_once(_: str, work: Any) -> None:  # Any: as ASGI has it
    """Work on it in nobody's turn."""
    await work


class Halls:
    """An edge, and one hall after the other; each does what it is asked when the test says."""

    def __init__(self, lose: Lose = lambda _: False, bounds: Awaited | None = None) -> None:
        self.asking = HttpForwarder(self._up, body_max=BODY_MAX, bounds=bounds or Awaited())
        self.epoch = 0
        self.done: list[tuple[int, str, bytes]] = []  # by which hall, what, and with which body
        self.held: list[tuple[int, asyncio.Event]] = []  # what has been done and not answered
        self.holds = False
        self.carried = 0
        self._lose = lose
        self._halls: dict[int, HttpResponder] = {}
        self.lead()

    def lead(self) -> None:
        """Another hall leads; the one before may live on, and not know."""
        self.epoch += 1
        self._halls[self.epoch] = HttpResponder(self._app(self.epoch), self._down, run_at_once)
        self.there()

    def there(self, *, quiet: bool = False) -> None:
        """The hall is there; perhaps it has said nothing for a moment."""
        self.asking.set_hall(self.epoch, quiet=quiet)

    def gone(self) -> None:
        """The link knows that it is not."""
        self.asking.set_hall(None, quiet=False)

    async def passes(self, beats: int = ASK_AFTER_BEATS) -> None:
        """Time passes at the edge."""
        await turns()
        for _ in range(beats):
            self.asking.beat()
        await turns()

    async def ask(
        self,
        method: str = "GET",
        body: bytes = b"",
        host: str = "10.0.0.1",
        asker: Asker | None = None,
    ) -> Any:
        """The answer's body, or why there is none; Any: the test knows which it wants."""

        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        try:
            asked = scope(method, host) | {ASKER: asker or Asker()}
            answer = await self.asking.ask(asked, receive)
        except Unanswered as wrong:
            return wrong.why
        assert answer is not None
        return answer.body

    def begin(self, method: str = "GET", body: bytes = b"", host: str = "10.0.0.1") -> Any:
        """The same, to be awaited later."""
        return asyncio.ensure_future(self.ask(method, body, host))

    # -- what goes between

    def _up(self, epoch: int, said: bytes) -> None:
        self._carry(lambda: self._halls[epoch].receive("edge", said))

    def _down(self, edge: str, said: bytes) -> None:
        assert edge == "edge"
        self._carry(lambda: self.asking.receive(said))

    def _carry(self, over: Callable[[], None]) -> None:
        self.carried += 1
        if not self._lose(self.carried):
            asyncio.get_running_loop().call_soon(over)

    def _app(self, epoch: int) -> Any:  # Any: as ASGI has it
        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            body = (await receive())["body"]
            self.done.append((epoch, scope["method"], body))
            if self.holds:
                self.held.append((epoch, asyncio.Event()))
                try:
                    await asker_of(scope).while_here(self.held[-1][1].wait())
                except Left:
                    body = b"left"
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"%d: %b" % (epoch, body)})

        return answer


def scope(method: str, host: str) -> dict[str, Any]:
    path, headers = "/api/tables/7", list[tuple[bytes, bytes]]()
    of = {"method": method, "path": path, "query_string": b"", "headers": headers}
    return of | {"scheme": "http", "client": (host, 0)}


def tried(
    told: Callable[[Halls], Coroutine[None, None, None]],
    lose: Lose = lambda _: False,
    bounds: Awaited | None = None,
) -> None:
    """Run this with halls of its own, in a loop of its own."""

    async def run() -> None:
        await told(Halls(lose, bounds))

    asyncio.run(run())


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes are several parts."""
    monkeypatch.setattr(http_forward, "PART_MAX_BYTES", 8)


# -- while the hall lives


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_edge_waits_while_its_hall_works_on_it(method: str) -> None:
    async def told(halls: Halls) -> None:
        halls.holds = True
        asked = halls.begin(method, LONG)
        await halls.passes(ANSWER_TIMEOUT_BEATS - 1)
        assert not asked.done()
        halls.held[0][1].set()
        assert await asked == b"1: " + LONG
        assert len(halls.done) == 1

    tried(told)


def test_a_hall_that_lives_and_never_answers_does_not_keep_a_request_for_ever() -> None:
    async def told(halls: Halls) -> None:
        halls.holds = True
        asked = [halls.begin("GET"), halls.begin("POST")]
        await halls.passes(ANSWER_TIMEOUT_BEATS)
        assert await asyncio.gather(*asked) == ["no_answer", "in_doubt"]

    tried(told)


def test_a_hall_is_told_of_a_client_that_has_left_its_edge() -> None:
    async def told(halls: Halls) -> None:
        halls.holds = True
        here, gone = Asker(), Asker()
        stays = asyncio.ensure_future(halls.ask(asker=here))
        asked = asyncio.ensure_future(halls.ask(asker=gone))
        await turns()
        gone.leave()
        assert await asked == b"1: left"
        assert not stays.done()
        halls.held[0][1].set()
        assert await stays == b"1: "

    tried(told)


def test_the_longest_analysis_is_answered_before_an_edge_gives_up() -> None:
    assert ANSWER_TIMEOUT_BEATS / 10 > PROVING_MS / 1000 + STUDY_GRACE_S + STUDY_START_S


# -- when it goes


def test_when_the_hall_is_gone_all_that_waits_is_given_up_at_once() -> None:
    async def told(halls: Halls) -> None:
        halls.holds = True
        asked = [halls.begin("GET"), halls.begin("HEAD"), halls.begin("POST"), halls.begin("PUT")]
        await turns()
        halls.gone()
        assert await asyncio.gather(*asked) == ["no_hall", "no_hall", "in_doubt", "in_doubt"]
        assert await halls.ask("POST") == "no_hall"  # it was not even asked
        halls.there()
        halls.holds = False
        assert await halls.ask("POST", b"again") == b"1: again"

    tried(told)


def test_when_another_hall_leads_it_is_asked_what_only_reads_and_nothing_is_done_twice() -> None:
    async def told(halls: Halls) -> None:
        halls.holds = True
        asked = [halls.begin("GET", LONG), halls.begin("POST", LONG)]
        await turns()
        halls.holds = False
        halls.lead()
        assert await asyncio.gather(*asked) == [b"2: " + LONG, "in_doubt"]
        assert [(epoch, method) for epoch, method, _ in halls.done] == [
            (1, "GET"),
            (1, "POST"),
            (2, "GET"),
        ]

    tried(told)


def test_what_a_hall_says_that_does_not_know_it_is_over_is_not_believed() -> None:
    async def told(halls: Halls) -> None:
        halls.holds = True
        asked = halls.begin("GET", LONG)
        await turns()
        halls.lead()
        await turns()
        old, new = halls.held
        old[1].set()  # it wakes up
        await halls.passes()
        assert not asked.done()
        new[1].set()
        assert await asked == b"2: " + LONG

    tried(told)


def test_what_is_asked_while_the_hall_is_quiet_is_asked_when_it_is_heard() -> None:
    async def told(halls: Halls) -> None:
        halls.there(quiet=True)
        asked = halls.begin("POST", b"wait")
        await halls.passes()
        assert halls.done == []
        halls.there()
        assert await asked == b"1: wait"
        assert len(halls.done) == 1

    tried(told)


def test_what_was_never_asked_of_a_hall_is_not_in_doubt() -> None:
    async def told(halls: Halls) -> None:
        halls.there(quiet=True)
        asked = halls.begin("POST")
        await turns()
        halls.gone()
        assert await asked == "no_hall"
        assert halls.done == []

    tried(told)


def test_what_comes_without_its_end_is_asked_of_nobody() -> None:
    async def told(halls: Halls) -> None:
        half: Message = {"type": "http.request", "body": b"half", "more_body": True}
        said: list[Message] = [half, {"type": "http.disconnect"}]

        async def receive() -> Message:
            return said.pop(0)

        assert await halls.asking.ask(scope("POST", "10.0.0.1"), receive) is None
        await turns()
        assert halls.done == []

    tried(told)


# -- what a broker loses


@pytest.mark.parametrize("lost", range(1, 7))  # the request, or one of the five parts
def test_what_is_lost_on_the_way_is_asked_again_where_it_only_reads(lost: int) -> None:
    async def told(halls: Halls) -> None:
        asked = halls.begin("GET", LONG)
        await turns()
        assert not asked.done()
        await halls.passes()
        assert await asked == b"1: " + LONG

    tried(told, lose=lambda n: n == lost)


@pytest.mark.parametrize("lost", range(1, 7))
def test_what_is_lost_on_the_way_is_in_doubt_where_it_does_something(lost: int) -> None:
    async def told(halls: Halls) -> None:
        asked = halls.begin("POST", LONG)
        await turns()
        assert not asked.done()
        await halls.passes()
        assert await asked == "in_doubt"
        assert len(halls.done) == (lost != 1)

    tried(told, lose=lambda n: n == lost)


def test_what_is_lost_every_time_is_given_up() -> None:
    async def told(halls: Halls) -> None:
        asked = halls.begin("GET", LONG)
        for _ in range(TRIES_MAX):
            await halls.passes()
        assert await asked == "no_answer"
        assert len(halls.done) == TRIES_MAX

    # Of each try the second part: what is asked, five parts, what is asked after, and its answer.
    tried(told, lose=lambda n: n % 8 == 3)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_lost_every_request_ends_rightly_and_nothing_is_done_twice(seed: int) -> None:
    chance = random.Random(seed)

    async def told(halls: Halls) -> None:
        methods = {n: chance.choice(["GET", "POST"]) for n in range(30)}
        asked = {n: halls.begin(method, b"number %d" % n) for n, method in methods.items()}
        for _ in range(20):
            match chance.randrange(8):
                case 0:
                    halls.lead()
                case 1:
                    halls.there(quiet=True)
                case 2:
                    halls.gone()
                case 3:
                    halls.holds = not halls.holds
                    for _, held in halls.held:
                        held.set()
                case _:
                    halls.there()
            await halls.passes(chance.randrange(2 * ASK_AFTER_BEATS))
        halls.gone()
        for n, one in asked.items():
            said = await one
            if isinstance(said, bytes):
                assert said.partition(b": ")[2] == b"number %d" % n
            else:
                assert said in ("no_hall", "no_answer", "in_doubt")
                assert said != "in_doubt" or methods[n] == "POST"
            done = [epoch for epoch, _, body in halls.done if body == b"number %d" % n]
            if methods[n] == "POST":
                assert len(done) <= 1
                assert not done or said != "no_hall"

    tried(told, lose=lambda n: random.Random(seed * 1000 + n).randrange(5) == 0)


# -- how many


def test_so_many_requests_of_a_host_wait_and_no_more() -> None:
    async def told(halls: Halls) -> None:
        halls.holds = True
        near = [halls.begin(host="10.0.0.1") for _ in range(3)]
        await turns()
        assert await halls.ask(host="10.0.0.1") == "busy"
        own = [halls.begin(host="127.0.0.1") for _ in range(4)]
        await turns()
        assert await halls.ask(host="127.0.0.1") == "busy"
        last = halls.begin(host="10.0.0.2")
        await turns()
        assert await halls.ask(host="10.0.0.3") == "busy"
        for _, held in halls.held:
            held.set()
        assert await asyncio.gather(*near, *own, last) == [b"1: "] * 8
        halls.holds = False
        assert await halls.ask(host="10.0.0.1") == b"1: "

    tried(told, bounds=Awaited(host=3, loopback=4, all=8))


# -- a hall that goes in good order


def test_a_hall_that_goes_says_what_it_has_all_but_answered() -> None:
    async def run() -> None:
        said, answer = list[bytes](), asyncio.Event()

        async def app(_: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await answer.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"done"})

        answering = HttpResponder(app, lambda _, part: said.append(part), run_at_once)
        asking = HttpForwarder(lambda _, up: answering.receive("edge", up), body_max=BODY_MAX)
        asking.set_hall(1, quiet=False)

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        asked = asyncio.ensure_future(asking.ask(scope("POST", "10.0.0.1"), receive))
        await turns()
        answer.set()
        assert said == []
        await answering.finish()
        assert len(said) == 1
        asked.cancel()

    asyncio.run(run())
