"""What the API can be asked: one `Call` for each method of each path, with its types.

The routes and the OpenAPI document are both made from these, so that what is described is
what is done. Query, path and body are read by msgspec into structs; what does not fit is
refused with its sentence before anything is asked.
"""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from http import HTTPStatus
from types import ModuleType
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import Admit, AnyIntent, GiveUpName, KeepName, Open
from rookery.core.messages import Done, Reply
from rookery.hall.hall import Hall
from rookery.server.addresses import HouseBots, ServerAddress
from rookery.server.jobs import PositionStudy
from rookery.server.web.guard import RequestGuard, bearer
from rookery.server.web.hall_client import HallClient, OrganisersIntent
from rookery.server.web.history import NUMBER_MAX, LogReader
from rookery.server.web.http import asker_of
from rookery.server.web.passphrases import Passphrases
from rookery.server.web.problems import HttpProblem, missing

BODY_MAX: Final = 64 * 1024  # bytes; the longest plan has a few hundred
PAGE: Final = 50  # lines of a page, where nobody says how many
PAGE_MAX: Final = 200

S = TypeVar("S", bound=Struct)
T = TypeVar("T")
R = TypeVar("R", bound=Reply)
Handler = Callable[..., Awaitable["Struct | Text"]]
H = TypeVar("H", bound=Handler)

JSON: Final = "application/json"
_CALL: Final = "call"  # the attribute of a handler that has its `Call`


Id = Annotated[int, Meta(ge=1, le=NUMBER_MAX, description="its number", examples=[1])]
After = Annotated[
    int,
    Meta(ge=0, le=NUMBER_MAX, description="`next` of the page before; 0 is the first page"),
]
Limit = Annotated[int, Meta(ge=1, le=PAGE_MAX, description="lines of the page, at most")]


Code = Annotated[str, Meta(max_length=40, description="of a private table")]


class Text(Struct, frozen=True):
    """An answer that is no JSON."""

    text: str
    kind: str
    name: str = ""  # of the file, where it is one to keep


class AppState(Struct, frozen=True):
    """What answers are made from."""

    hall_client: HallClient
    log_reader: LogReader
    guard: RequestGuard
    samples: Callable[[], dict[str, float]]  # for Prometheus, by the whole name of each
    failing: Callable[[], bool]  # whether the log cannot be written
    hall: Hall  # to be looked at in the event loop; what it knows may not be safe yet
    places: Sequence[ServerAddress]  # where the server listens, once it does
    bots: HouseBots | None  # that anyone can play with
    study: PositionStudy | None = None  # where positions are looked into
    passphrases: Passphrases | None = None  # where they are hashed and compared


class ApiRequest:
    """One request, and what it is answered from."""

    __slots__ = ("_request", "_token", "state")

    def __init__(self, state: AppState, request: Request) -> None:
        self.state = state
        self._request = request
        self._token = ""  # the organiser's, once it has been looked at

    def authorise(self) -> None:
        """Whoever may not write goes no further, whatever it wrote. Raises HttpProblem."""
        self._token = self.state.guard.token(self._request)

    def check_page(self) -> None:
        """Refuse what a page of anywhere else writes without a token. Raises HttpProblem."""
        self.state.guard.check_page(self._request)

    def path(self, kind: type[S]) -> S:
        """The numbers in the path. Raises HttpProblem."""
        try:
            return msgspec.convert(self._request.path_params, kind, strict=False)
        except msgspec.ValidationError:
            raise missing("There is nothing under that number.") from None

    def query(self, kind: type[S]) -> S:
        """What stands behind the question mark. Raises HttpProblem."""
        given = self._request.query_params
        if len(given.multi_items()) != len(given):
            raise unfit("A parameter is given twice.")
        try:
            return msgspec.convert(dict(given), kind, strict=False)
        except msgspec.ValidationError as wrong:
            raise unfit(f"A parameter does not fit: {wrong}.") from None

    async def body(self, kind: type[S]) -> S:
        """What was sent, as JSON. Raises HttpProblem."""
        try:
            return msgspec.json.decode(await self._bytes(), type=kind)
        except msgspec.ValidationError as wrong:
            raise unfit(f"The body does not fit: {wrong}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            sentence = "The body is no JSON that can be read."
            raise HttpProblem(HTTPStatus.BAD_REQUEST, "unreadable", sentence) from None

    async def ask(self, question: AnyIntent, kind: type[R]) -> R:
        """Ask the hall what anybody may know; what it says is safe then. Raises HttpProblem."""
        return await self.state.hall_client.ask(question, kind)

    async def act(self, intent: KeepName | Admit | GiveUpName, kind: type[R]) -> R:
        """Have the hall do this, which proves itself who asks. Raises HttpProblem."""
        return await self.state.hall_client.act(intent, kind)

    async def organise(self, intent: OrganisersIntent, kind: type[R]) -> R:
        """Have the hall do this for the organiser. Raises HttpProblem."""
        return await self.state.hall_client.organise(self._token, intent, kind)

    async def open_table(self, intent: Open) -> Done:
        """Open a table for the organiser. Raises HttpProblem."""
        return await self.state.hall_client.open_table(self._token, intent)

    async def safe(self) -> None:
        """Wait until all that the hall knows now is safe to tell. Raises HttpProblem."""
        await self.state.hall_client.safe()

    async def while_there(self, work: Coroutine[Any, Any, T]) -> T:
        """Do this, which takes long, only while the client waits for it. Raises Left."""
        return await asker_of(self._request.scope).while_here(work)

    async def read(self, work: Callable[[], T]) -> T:
        """Do this in the log reader's thread, in the turn of who asks. Raises HttpProblem."""
        return await self.state.log_reader.read(work, self.home)

    async def read_of(self, table: TableId, code: str, work: Callable[[], T]) -> T | None:
        """The same of a table, which is none where it is private and the code is not its own."""
        log_reader = self.state.log_reader

        async def look() -> T | None:
            return await self.read(lambda: work() if log_reader.may_see(table, code) else None)

        return await self.by_code(code, look)

    async def by_code(self, code: str, look: Callable[[], Awaitable[T | None]]) -> T | None:
        """What this finds. A code that finds nothing was a guess; there are only so many.

        Counted before anything is looked up, or many at once would all be the last that may; and
        of tables that are not there too, or the count would tell which are. Raises HttpProblem.
        """
        if not code:
            return await look()
        self.state.guard.try_code(self._request)
        found = await look()
        if found is not None:
            self.state.guard.knew_code(self._request)
        return found

    @property
    def home(self) -> str:
        """Where the request comes from, as hosts are counted."""
        return self.state.guard.home(self._request)

    def speaks_for(self, player: PlayerId) -> bool:
        """Whether the request shows this player's own token."""
        shown = bearer(self._request)
        return bool(shown) and self.state.hall.is_player(player, shown)

    async def _bytes(self) -> bytes:
        body = b""
        async for piece in self._request.stream():
            body += piece
            if len(body) > BODY_MAX:
                sentence = f"A body has at most {BODY_MAX} bytes."
                raise HttpProblem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long", sentence)
        return body


class Call(Struct, frozen=True):
    """One thing that can be asked of the API: a path, a method, and the handler of both."""

    method: str
    path: str
    topic: str
    about: str
    handle: Handler
    answer: type[Struct] | None  # None: text
    at: type[Struct] | None  # what is in the path
    query: type[Struct] | None
    body: type[Struct] | None
    kinds: tuple[str, ...] = (JSON,)  # of the answer
    refusals: tuple[int, ...] = ()  # beside those that every call of its kind has
    example: Struct | None = None  # of the body
    anyone: bool = False  # whether a POST needs no token: what it says proves who asks

    @property
    def writes(self) -> bool:
        """Whether it changes something, by the organiser's token."""
        return self.method == "POST" and not self.anyone

    @property
    def name(self) -> str:
        """What programs call it."""
        return self.handle.__name__

    async def answered(self, request: "ApiRequest") -> Struct | Text:
        """Answer this request. Raises HttpProblem.

        Whoever may not write goes no further, whatever was sent: the body is read last.
        """
        if self.writes:
            request.authorise()
        elif self.anyone:
            request.check_page()
        given: dict[str, Struct] = {}
        if self.at is not None:
            given["at"] = request.path(self.at)
        if self.query is not None:
            query = request.query(self.query)
            if self.query is not Nothing:
                given["query"] = query
        if self.body is not None:
            given["body"] = await request.body(self.body)
        return await self.handle(request, **given)


def get(path: str, topic: str, about: str, **more: Any) -> Callable[[H], H]:
    """Answer GET at this path by the handler below; `more` is as in `Call`."""
    return _attached("GET", path, topic, about, more)


def post(path: str, topic: str, about: str, **more: Any) -> Callable[[H], H]:
    """Answer POST at this path by the handler below; `more` is as in `Call`."""
    return _attached("POST", path, topic, about, more)


# Any: the fields of `Call`, which checks them.
def _attached(
    method: str, path: str, topic: str, about: str, more: dict[str, Any]
) -> Callable[[H], H]:
    def attach(handler: H) -> H:
        types = handler.__annotations__
        answer = types["return"]
        reads = types.get("query", Nothing if method == "GET" else None)
        text = None if answer is Text else answer
        shape = (text, types.get("at"), reads, types.get("body"))
        vars(handler)[_CALL] = Call(method, path, topic, about, handler, *shape, **more)
        return handler

    return attach


def calls_of(module: ModuleType) -> tuple[Call, ...]:
    """The calls of a module, in the order in which it has them."""
    found = (getattr(one, _CALL, None) for one in vars(module).values() if callable(one))
    named = (one for one in found if isinstance(one, Call))
    return tuple(one for one in named if one.handle.__module__ == module.__name__)


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters."""


class CodeGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing but the code of a private table."""

    code: Code = ""


def unfit(sentence: str) -> HttpProblem:
    """What was given is readable, and does not do."""
    return HttpProblem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_option", sentence)
