"""What the API asks of the hall: answers at once, told when all that they say is safe.

A request is decided where it is made, in the event loop, and its answer waits at a barrier until
everything that was decided by then is in the log (`HallRunner.safe`): so an answer never tells of
what might yet be lost. Reads share one session. A request that writes has a session of its own
while it is decided, and shows the organiser's token in it. Tables are opened by a player of our
own, who stays.
"""

import asyncio
from http import HTTPStatus
from typing import Final, TypeVar

from rookery.core.ids import SessionId
from rookery.core.intents import (
    Admit,
    AnyIntent,
    Enter,
    GiveUpName,
    KeepName,
    Open,
    Organise,
    OrganiserAct,
    ResetPassphrase,
    Resume,
    TourAct,
)
from rookery.core.messages import Done, Refused, Reply
from rookery.core.network import API
from rookery.hall.hall import Hall
from rookery.server.actor.runner import HallRunner
from rookery.server.web.problems import HttpProblem, refusal

R = TypeVar("R", bound=Reply)

OrganisersIntent = TourAct | OrganiserAct | ResetPassphrase

SAFE_TIMEOUT_S: Final = 10.0  # for the log, which may be slow and still be there
WAITING_MAX: Final = 500  # answers that wait to be safe; more is a flood

NAME: Final = "organiser"  # of the player who opens tables
DIALECT: Final = "api"
FIRST: Final = -(1 << 40)  # our sessions count down from here: the edges' end before it


class HallClient:
    """Asks the hall for requests over HTTP."""

    def __init__(
        self, runner: HallRunner, hall: Hall, *, safe_timeout: float = SAFE_TIMEOUT_S
    ) -> None:
        self._runner = runner
        self._hall = hall
        self._safe_timeout = safe_timeout
        self._last = FIRST
        self._waiting: set[asyncio.Future[None]] = set()
        self._reader = self._connect()
        self._owner: SessionId | None = None  # of the player who opens tables
        self._closed = False

    async def ask(self, question: AnyIntent, kind: type[R]) -> R:
        """Ask what anybody may know. Raises HttpProblem."""
        self._check()
        reply = self._decide(self._reader, question, kind)
        await self.safe()
        return reply

    async def act(self, intent: KeepName | Admit | GiveUpName, kind: type[R]) -> R:
        """Ask for a change that needs no token. Raises HttpProblem."""
        return await self._act("", intent, kind)

    async def organise(self, token: str, intent: OrganisersIntent, kind: type[R]) -> R:
        """Do this as the organiser, if the token is right. Raises HttpProblem."""
        return await self._act(token, intent, kind)

    async def open_table(self, token: str, intent: Open) -> Done:
        """Open a table at which nobody sits yet, as the organiser. Raises HttpProblem."""
        self._check()
        if self._owner is None:
            self._owner = self._become_owner(token)
        try:
            # The owner acts as the organiser, so its session must have shown the token too.
            self._decide(self._owner, Organise(token), Reply)
            return self._decide(self._owner, intent, Done)
        finally:
            await self.safe()

    async def safe(self) -> None:
        """Wait until all that has been decided is safe to tell. Raises HttpProblem."""
        self._check()
        safe = self._runner.safe()
        if safe is None:
            return
        if len(self._waiting) >= WAITING_MAX:
            raise busy()
        self._waiting.add(safe)
        try:
            async with asyncio.timeout(self._safe_timeout):
                await safe
        except TimeoutError:
            raise no_disk() from None
        finally:
            self._waiting.discard(safe)

    def close(self) -> None:
        """Fail whatever still waits, because the server goes down."""
        self._closed = True
        for safe in self._waiting:
            if not safe.done():
                safe.set_exception(going())

    def _check(self) -> None:
        if self._closed or self._runner.leaving:
            raise going()
        if self._runner.failing:
            raise no_disk()

    async def _act(self, token: str, intent: AnyIntent, kind: type[R]) -> R:
        """Do this in a session that has shown the token; also what is refused waits to be safe."""
        self._check()
        session = self._connect()
        try:
            if token:
                self._decide(session, Organise(token), Reply)
            return self._decide(session, intent, kind)
        finally:
            self._runner.part_now(session)
            await self.safe()

    def _become_owner(self, token: str) -> SessionId:
        """Become the player who opens tables, as in the log or new. Raises HttpProblem."""
        session = self._connect()
        known = self._hall.players_from(API).get(NAME)
        try:
            self._decide(session, Organise(token), Reply)
            self._decide(session, Enter(NAME, DIALECT) if known is None else Resume(known), Reply)
        except HttpProblem:
            self._runner.part_now(session)
            raise
        return session

    def _decide(self, session: SessionId, intent: AnyIntent, kind: type[R]) -> R:
        reply = self._runner.decide_now(session, intent)
        if isinstance(reply, Refused):
            raise refusal(reply)
        assert isinstance(reply, kind), f"what is granted is answered by {kind.__name__}"
        return reply

    def _connect(self) -> SessionId:
        self._last -= 1
        session = SessionId(self._last)
        self._hall.connect(session, API, DIALECT)
        return session


def busy() -> HttpProblem:
    """Too much is asked at once."""
    sentence = "Too much is asked at once; try again in a moment."
    return HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", sentence, {"Retry-After": "1"})


def going() -> HttpProblem:
    """Nothing is answered any more."""
    return HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, "closing", "The server is going down.")


def no_disk() -> HttpProblem:
    """The hall decides nothing while the log cannot be written."""
    sentence = "The server cannot write its log now; what you asked may be done when it can."
    return HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, "no_disk", sentence, {"Retry-After": "5"})
