"""HTTP from an edge to its hall, for what only the hall knows: a request, an answer.

    client ── HTTP ──▶ edge: HttpForwarder ── HttpRequest ──▶ hall: HttpResponder ──▶ its own app
                                            ◀── HttpAnswerPart ──

An answer may be longer than a broker carries in one piece, so it comes in parts. A broker may
lose any of it; so an edge that has waited for a while asks whether the hall still works on its
requests, and the hall lists those that it does not know, or no longer.

A request waits while the hall lives, and no longer. When the hall is gone, all pending requests
fail at once; when another hall leads, those that only read are sent to it. A request that was to
change something and was sent to a hall that is gone may have been carried out: it is never sent
twice, and the client is told so. While the hall is silent nothing is sent to it, so requests that
come then are not in doubt. Nothing here reads a clock: beats are counted.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.types import ASGIApp, Message, Receive, Scope

from rookery.core.network import LOOPBACK, home_of
from rookery.server.limits import Awaited
from rookery.server.web.http import ASKER, Asker, asker_of
from rookery.server.web.routes import BODY_MAX

log = logging.getLogger(__name__)

PART_MAX_BYTES: Final = 256 << 10  # of a body in one part; NATS carries a megabyte
LAST_ANSWERS_S: Final = 0.1  # for answers that are nearly done, when the hall goes
# Beats that a living hall may take to answer: five minutes. An analysis takes more than one minute
# at worst, others wait before it, and this is how long browsers wait.
ANSWER_TIMEOUT_BEATS: Final = 3_000
ASK_AFTER_BEATS: Final = 10  # between two questions after requests that wait
TRIES_MAX: Final = 3  # of a request that only reads, if it is lost
READS: Final = frozenset({"GET", "HEAD"})
AWAITED: Final = Awaited()
NOBODY: Final = -1  # for a request that was sent to no hall yet

Header = tuple[bytes, bytes]
Run = Callable[[str, Any], Any]  # Any: work, to be awaited in the turn of a host
Why = Literal["no_hall", "in_doubt", "no_answer", "busy"]


class HttpRequest(Struct, frozen=True, array_like=True, tag=1):
    """A request for the hall, and from which host it came."""

    id: int
    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: tuple[Header, ...]
    body: bytes
    host: str
    scheme: str


class HttpStillWaiting(Struct, frozen=True, array_like=True, tag=2):
    """The edge asks whether the hall still works on these requests."""

    ids: tuple[int, ...]


class HttpClientLeft(Struct, frozen=True, array_like=True, tag=3):
    """The client of this request has left; what takes long need not be done for it."""

    id: int


class HttpAnswerPart(Struct, frozen=True, array_like=True, tag=1):
    """A part of an answer, counted from 0; each part repeats the head."""

    id: int
    n: int
    status: int
    headers: tuple[Header, ...]
    body: bytes
    last: bool


class HttpRequestsLost(Struct, frozen=True, array_like=True, tag=2):
    """The hall does not work on these requests; what it had to say of them it has sent before."""

    ids: tuple[int, ...]


HttpUp: TypeAlias = HttpRequest | HttpStillWaiting | HttpClientLeft
HttpDown: TypeAlias = HttpAnswerPart | HttpRequestsLost
encode: Final = msgspec.msgpack.Encoder().encode
_up: Final[msgspec.msgpack.Decoder[HttpUp]] = msgspec.msgpack.Decoder(HttpUp)
_down: Final[msgspec.msgpack.Decoder[HttpDown]] = msgspec.msgpack.Decoder(HttpDown)
read_down: Final = _down.decode


class HttpAnswer(Struct, frozen=True):
    """A whole answer."""

    status: int
    headers: tuple[Header, ...]
    body: bytes


# -- the hall's side


class HttpResponder:
    """The hall's own app answers requests of edges; `send` sends parts to an edge."""

    def __init__(self, app: ASGIApp, send: Callable[[str, bytes], None], run: Run) -> None:
        self._app = app
        self._send = send
        self._run = run
        # By edge and its number of the request.
        self._work: dict[tuple[str, int], tuple[asyncio.Task[None], Asker]] = {}

    def receive(self, edge: str, data: bytes) -> None:
        """Take a request of an edge, or its question which requests are still worked on."""
        match _up.decode(data):
            case HttpRequest() as asked:
                key, asker = (edge, asked.id), Asker()
                task = asyncio.get_running_loop().create_task(self._answer(edge, asked, asker))
                self._work[key] = task, asker
                task.add_done_callback(lambda _: self._work.pop(key, None))
            case HttpClientLeft(id=number):
                if (found := self._work.get((edge, number))) is not None:
                    found[1].leave()
            case HttpStillWaiting(ids):
                lost = tuple(one for one in ids if (edge, one) not in self._work)
                if lost:
                    self._send(edge, encode(HttpRequestsLost(lost)))

    async def finish(self) -> None:
        """Wait a moment for answers that are nearly done."""
        if self._work:
            tasks = [task for task, _ in self._work.values()]
            await asyncio.wait(tasks, timeout=LAST_ANSWERS_S)

    async def _answer(self, edge: str, asked: HttpRequest, asker: Asker) -> None:
        status, headers, body = int(HTTPStatus.INTERNAL_SERVER_ERROR), tuple[Header, ...](), b""
        heard = False

        async def receive() -> Message:
            nonlocal heard
            if heard:  # the client has said all
                await asyncio.get_running_loop().create_future()
            heard = True
            return {"type": "http.request", "body": asked.body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status, headers, body
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = tuple((bytes(name), bytes(value)) for name, value in message["headers"])
            else:
                body += message.get("body", b"")

        try:
            await self._run(asked.host, self._app(_scope(asked, asker), receive, send))
        except Exception:
            log.exception("a request of edge %s failed", edge)
        cuts = range(0, len(body), PART_MAX_BYTES)
        pieces = [body[at : at + PART_MAX_BYTES] for at in cuts] or [b""]
        for n, piece in enumerate(pieces):
            part = HttpAnswerPart(asked.id, n, status, headers, piece, n + 1 == len(pieces))
            self._send(edge, encode(part))


def _scope(asked: HttpRequest, asker: Asker) -> Scope:
    return {
        ASKER: asker,
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": asked.scheme,
        "path": asked.path,
        "raw_path": asked.raw_path,
        "query_string": asked.query,
        "root_path": "",
        "headers": list(asked.headers),
        "client": (asked.host, 0),
        "server": None,
    }


# -- the edge's side


class Unanswered(Exception):
    """The hall does not answer a request; `why` says the reason."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


class PendingRequest:
    """A request that has no answer yet."""

    __slots__ = ("answer", "asked", "beats", "bodies", "hall", "number", "reads", "tries")

    def __init__(self, asked: HttpRequest) -> None:
        self.number = 0  # by which the hall knows the request
        self.asked: HttpRequest | None = asked  # while it may have to be sent
        self.reads = asked.method in READS
        self.hall = NOBODY  # the epoch of the hall that was asked
        self.tries = 0
        self.beats = 0
        self.bodies: list[bytes] = []
        self.answer: asyncio.Future[HttpAnswer] = asyncio.get_running_loop().create_future()

    def take(self, part: HttpAnswerPart) -> None:
        """Take the next part of the answer; if one is missing, so is the answer, until we ask."""
        if self.answer.done() or part.n != len(self.bodies):
            return
        self.bodies.append(part.body)
        if part.last:
            self.answer.set_result(HttpAnswer(part.status, part.headers, b"".join(self.bodies)))

    def give_up(self, why: Why) -> None:
        """Fail the request, because there will be no answer."""
        doubt = self.hall != NOBODY and not self.reads
        if not self.answer.done():
            self.answer.set_exception(Unanswered("in_doubt" if doubt else why))


class HttpForwarder:
    """Has the hall answer what HTTP asks; `send` sends bytes to the hall of an epoch."""

    def __init__(
        self,
        send: Callable[[int, bytes], None],
        *,
        body_max: int = BODY_MAX,
        bounds: Awaited = AWAITED,
    ) -> None:
        """`body_max`: in bytes; the hall refuses longer ones."""
        self._send = send
        self._body_max = body_max
        self._bounds = bounds
        self._hall: int | None = None  # the epoch of the hall that is there
        self._quiet = False  # the hall has said nothing for a moment
        self._next = 0
        self._waiting: dict[int, PendingRequest] = {}
        self._hosts: Counter[str] = Counter()  # how many requests of each are here, whole or not
        self._here = 0  # how many there are in all

    # -- which hall there is

    def set_hall(self, hall: int | None, *, quiet: bool) -> None:
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
            if one.beats >= ANSWER_TIMEOUT_BEATS:
                one.give_up("no_answer")
            elif one.hall != NOBODY and not one.beats % ASK_AFTER_BEATS:
                late.append(number)
        if late and self._hall is not None and not self._quiet:
            self._send(self._hall, encode(HttpStillWaiting(tuple(late))))

    def receive(self, data: bytes) -> None:
        """Take a part of an answer, or the word that requests were lost."""
        match read_down(data):
            case HttpAnswerPart() as part:
                if (one := self._waiting.get(part.id)) is not None:
                    one.take(part)
            case HttpRequestsLost(ids):
                for number in ids:
                    if (one := self._waiting.get(number)) is not None and not one.answer.done():
                        self._put_again(one, "no_answer")

    # -- asking

    async def ask(self, scope: Scope, receive: Receive) -> HttpAnswer | None:
        """Return the hall's answer; None if the client has left before. Raises Unanswered."""
        client = scope.get("client")
        host = "" if client is None else client[0]
        home = home_of(host)
        most = self._bounds.loopback if host == LOOPBACK else self._bounds.host
        if self._hall is None:
            raise Unanswered("no_hall")
        if self._hosts[home] >= most or self._here >= self._bounds.all:
            raise Unanswered("busy")
        self._hosts[home] += 1
        self._here += 1
        try:
            if (body := await self._body(receive)) is None:
                return None
            return await self._answered(_asked(scope, host, body), asker_of(scope))
        finally:
            self._here -= 1
            self._hosts[home] -= 1
            if not self._hosts[home]:
                del self._hosts[home]

    async def _body(self, receive: Receive) -> bytes | None:
        """Read the body, up to one byte beyond the most; None if the client has gone before."""
        body = bytearray()
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body") or len(body) > self._body_max:
                return bytes(body[: self._body_max + 1])
        return None

    async def _answered(self, asked: HttpRequest, asker: Asker) -> HttpAnswer:
        if self._hall is None:  # the hall went while the body came
            raise Unanswered("no_hall")
        one = PendingRequest(asked)
        self._enter(one)
        asker.tell(partial(self._left, one))
        try:
            return await one.answer
        finally:
            asker.tell(None)
            del self._waiting[one.number]

    def _left(self, one: PendingRequest) -> None:
        """Tell the hall that the client of this request has left; it answers all the same."""
        if one.hall != NOBODY and one.hall == self._hall:
            self._send(one.hall, encode(HttpClientLeft(one.number)))

    def _enter(self, one: PendingRequest) -> None:
        """Let the request wait under a number that no other has had, and send it."""
        self._next += 1
        one.number = self._next
        self._waiting[one.number] = one
        self._put(one)

    def _put(self, one: PendingRequest) -> None:
        """Send the request to the hall, unless that is quiet or gone."""
        if self._hall is None or self._quiet:
            return
        assert one.asked is not None, "it is kept until it was sent, and longer where it only reads"
        one.hall, one.bodies = self._hall, []
        self._send(self._hall, encode(replace(one.asked, id=one.number)))
        if not one.reads:
            one.asked = None

    def _put_again(self, one: PendingRequest, why: Why) -> None:
        """Ask a lost request again, under a new number, if it only reads; else give it up."""
        one.tries += 1
        if not one.reads or one.tries >= TRIES_MAX:
            one.give_up(why)
            return
        del self._waiting[one.number]
        one.hall = NOBODY
        self._enter(one)


def _asked(scope: Scope, host: str, body: bytes) -> HttpRequest:
    return HttpRequest(
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
