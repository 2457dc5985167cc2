"""What an edge asks of its hall for HTTP: a request waits while that hall lives, and no longer.

The link knows whether there is a hall, and which. When the hall is gone, all requests that wait
are given up at once; when another hall leads, those that only read are sent to it. A request
that was to change something and went to a hall that is gone may have been done: nobody does it
a second time, and the client is told so. While nothing is heard of the hall nothing is sent to
it, so requests that come then are not in doubt. A broker may lose a request or its answer: the
edge asks the hall every so often what it still works on. Nothing here reads a clock: beats are
counted. It mutates, and lives in the event loop.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final, Literal

from msgspec.structs import replace
from starlette.types import Receive, Scope, Send

from rookery.core.network import LOOPBACK, home_of
from rookery.server.limits import Awaited
from rookery.server.links.requests import (
    WebAsked,
    WebLeft,
    WebLost,
    WebPart,
    WebStill,
    encode,
    read_down,
)
from rookery.server.web.http import Asker, asker_of

# Beats that a living hall may take to answer: five minutes. An analysis takes more than one minute
# at worst, others wait before it, and this is how long browsers wait.
PATIENCE: Final = 3_000
AFTER: Final = 10  # beats between two questions after requests that wait
TRIES: Final = 3  # of a request that only reads, if it is lost
READING: Final = frozenset({"GET", "HEAD"})
AWAITED: Final = Awaited()
NOBODY: Final = -1  # for a request that was sent to no hall yet

Why = Literal["no_hall", "in_doubt", "no_answer", "busy"]


class Unanswered(Exception):
    """The hall does not answer a request; `why` says the reason."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


class AwaitedAnswer:
    """A request that has no answer yet. It mutates."""

    __slots__ = ("answer", "asked", "beats", "bodies", "hall", "number", "reads", "tries")

    def __init__(self, asked: WebAsked) -> None:
        self.number = 0  # by which the hall knows the request
        self.asked: WebAsked | None = asked  # while it may have to be sent
        self.reads = asked.method in READING
        self.hall = NOBODY  # the epoch of the hall that was asked
        self.tries = 0
        self.beats = 0
        self.bodies: list[bytes] = []
        self.answer: asyncio.Future[WebPart] = asyncio.get_running_loop().create_future()

    def give_up(self, why: Why) -> None:
        """Fail the request, because there will be no answer."""
        doubt = self.hall != NOBODY and not self.reads
        if not self.answer.done():
            self.answer.set_exception(Unanswered("in_doubt" if doubt else why))


class WebAsking:
    """An app that asks the hall; `send` sends bytes to the hall of an epoch."""

    def __init__(
        self, send: Callable[[int, bytes], None], *, most: int, bounds: Awaited = AWAITED
    ) -> None:
        self._send = send
        self._most = most  # bytes of a body; the hall refuses longer ones
        self._bounds = bounds
        self._hall: int | None = None  # the epoch of the hall that is there
        self._quiet = False  # the hall has said nothing for a moment
        self._next = 0
        self._waiting: dict[int, AwaitedAnswer] = {}
        self._homes: Counter[str] = Counter()  # how many requests of each are here, whole or not
        self._here = 0  # how many there are in all

    # -- which hall there is

    def mind(self, hall: int | None, *, quiet: bool) -> None:
        """Note the epoch of the hall there is, None if there is none, and whether it is quiet."""
        if hall == self._hall and quiet == self._quiet:
            return
        self._hall, self._quiet = hall, quiet
        for one in list(self._waiting.values()):
            if hall is None:
                one.give_up("no_hall")
            elif one.hall == NOBODY:
                self._put(one)
            elif one.hall != hall:
                self._put_again(one, "no_hall")

    def beat(self) -> None:
        """Ask the hall after requests that have waited a while; give up those too old."""
        late: list[int] = []
        for number, one in self._waiting.items():
            one.beats += 1
            if one.beats >= PATIENCE:
                one.give_up("no_answer")
            elif one.hall != NOBODY and not one.beats % AFTER:
                late.append(number)
        if late and self._hall is not None and not self._quiet:
            self._send(self._hall, encode(WebStill(tuple(late))))

    def receive(self, said: bytes) -> None:
        """Take a part of an answer, or the word that requests were lost."""
        match read_down(said):
            case WebPart() as part:
                one = self._waiting.get(part.id)
                # If a part is missing, so is the answer: we shall ask after it.
                if one is None or one.answer.done() or part.n != len(one.bodies):
                    return
                one.bodies.append(part.body)
                if part.last:
                    one.answer.set_result(part)
            case WebLost(ids):
                for number in ids:
                    if (one := self._waiting.get(number)) is not None and not one.answer.done():
                        self._put_again(one, "no_answer")

    # -- asking

    async def ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the hall answer this request, and send the client its answer. Raises Unanswered."""
        client = scope.get("client")
        host = "" if client is None else client[0]
        home = home_of(host)
        most = self._bounds.loopback if host == LOOPBACK else self._bounds.host
        if self._hall is None:
            raise Unanswered("no_hall")
        if self._homes[home] >= most or self._here >= self._bounds.all:
            raise Unanswered("busy")
        self._homes[home] += 1
        self._here += 1
        try:
            if (body := await self._body(receive)) is None:
                return
            part, bodies = await self._answered(_asked(scope, host, body), asker_of(scope))
        finally:
            self._here -= 1
            self._homes[home] -= 1
            if not self._homes[home]:
                del self._homes[home]
        head = {"type": "http.response.start", "status": part.status, "headers": [*part.headers]}
        await send(head)
        await send({"type": "http.response.body", "body": b"".join(bodies)})

    async def _body(self, receive: Receive) -> bytes | None:
        """Read the body, up to one byte beyond the most; None if the client has gone before."""
        body = bytearray()
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body") or len(body) > self._most:
                return bytes(body[: self._most + 1])
        return None

    async def _answered(self, asked: WebAsked, asker: Asker) -> tuple[WebPart, list[bytes]]:
        if self._hall is None:  # the hall went while the body came
            raise Unanswered("no_hall")
        one = AwaitedAnswer(asked)
        self._enter(one)
        asker.tell(partial(self._left, one))
        try:
            return await one.answer, one.bodies
        finally:
            asker.tell(None)
            del self._waiting[one.number]

    def _left(self, one: AwaitedAnswer) -> None:
        """Tell the hall that the client of this request has left; it answers all the same."""
        if one.hall != NOBODY and one.hall == self._hall:
            self._send(one.hall, encode(WebLeft(one.number)))

    def _enter(self, one: AwaitedAnswer) -> None:
        """Let the request wait under a number that no other has had, and send it."""
        self._next += 1
        one.number = self._next
        self._waiting[one.number] = one
        self._put(one)

    def _put(self, one: AwaitedAnswer) -> None:
        """Send the request to the hall, unless that is quiet or gone."""
        if self._hall is None or self._quiet:
            return
        assert one.asked is not None, "it is kept until it was sent, and longer where it only reads"
        one.hall, one.bodies = self._hall, []
        self._send(self._hall, encode(replace(one.asked, id=one.number)))
        if not one.reads:
            one.asked = None

    def _put_again(self, one: AwaitedAnswer, why: Why) -> None:
        """Ask a lost request again, under a new number, if it only reads; else give it up."""
        one.tries += 1
        if not one.reads or one.tries >= TRIES:
            one.give_up(why)
            return
        del self._waiting[one.number]
        one.hall = NOBODY
        self._enter(one)


def _asked(scope: Scope, host: str, body: bytes) -> WebAsked:
    return WebAsked(
        0,
        scope["method"],
        scope["path"],
        scope.get("raw_path") or scope["path"].encode(),
        scope["query_string"],
        tuple(scope["headers"]),
        body,
        host,
        scope["scheme"],
    )
