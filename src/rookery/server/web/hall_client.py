"""The desk: asks the hall in a request's name, and waits until the answer is safe to tell.

Requests go to the runner like everybody's, so an answer never tells of what might yet be
lost. Requests that only ask share one session. A request that writes has a session of its own
for as long as that takes, and shows the organiser's token in it. Tables are opened by a player
of the desk's own, who stays. It mutates, and lives in the event loop.
"""

import asyncio
from collections import deque
from http import HTTPStatus
from typing import ClassVar, Final, TypeVar

from rookery.core.ids import Micros, SessionId
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
from rookery.core.messages import AnyMessage, Refused, Reply
from rookery.core.network import API
from rookery.hall.hall import Hall
from rookery.server.actor.runner import HallRunner
from rookery.server.fairtime import FairTime
from rookery.server.web.problems import Trouble, refusal

PATIENCE: Final = 10.0  # seconds to wait for the hall, which waits itself for the disk
WAITING_MAX: Final = 500  # questions on their way to the hall; more is a flood

T = TypeVar("T")

OrganisersIntent = TourAct | OrganiserAct | ResetPassphrase

NAME: Final = "organiser"  # of the player who opens tables
DIALECT: Final = "api"
FIRST: Final = -(1 << 40)  # the desk's sessions count down from here: the house's end before it


class Errand:
    """A session of the desk's, whose questions are answered in order.

    A client that asked may go away: its question keeps its place until the hall has answered it.
    """

    writes: ClassVar[bool] = False

    def __init__(self, runner: HallRunner, time: FairTime, session: SessionId) -> None:
        self._runner = runner
        self._time = time
        self._session = session
        self._waiting: deque[asyncio.Future[Reply]] = deque()
        self._reply: Reply | None = None
        runner.connect(session, API, self, DIALECT)

    def ask(self, intent: AnyIntent) -> "asyncio.Future[Reply]":
        """Ask the hall; the answer may be long in coming. Raises Trouble if too much waits."""
        if len(self._waiting) >= WAITING_MAX:
            raise busy()
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        self._runner.ask(self._session, (intent,), self._time.all_read())
        return answer

    def give_up(self) -> None:
        """Fail all questions that wait, because the server goes down."""
        for answer in self._waiting:
            if not answer.done():
                answer.set_exception(going())

    def close(self) -> None:
        """End the session."""
        self._runner.hang_up(self._session, self._time.now())

    # -- what the runner calls

    def tell(self, message: AnyMessage) -> None:
        """Keep the first message after a question, which is its answer; the rest is news."""
        if self._reply is None and isinstance(message, Reply):
            self._reply = message

    def flush(self) -> None:
        """Do nothing: no message is kept back."""

    def answered(self) -> None:
        """Give the oldest question its answer."""
        answer, reply = self._waiting.popleft(), self._reply
        self._reply = None
        assert reply is not None, "every intent has one reply"
        if not answer.done():
            answer.set_result(reply)


class HallDesk:
    """Asks the hall for requests over HTTP."""

    def __init__(
        self, runner: HallRunner, hall: Hall, time: FairTime, *, patience: float = PATIENCE
    ) -> None:
        self._runner = runner
        self._hall = hall
        self._time = time
        self._patience = patience
        self._next = FIRST
        self._errands: dict[Errand, None] = {}
        self._questions = self._errand()
        self._owner: asyncio.Task[Errand] | None = None  # the player who opens tables
        self._closed = False

    def now(self) -> Micros:
        """The time that a question asked now is answered for."""
        return self._time.all_read()

    async def ask(self, question: AnyIntent) -> Reply:
        """Ask what anybody may know. Raises Trouble."""
        return _granted(await self._send(self._questions, question))

    async def ask_alone(self, intent: KeepName | Admit | GiveUpName) -> Reply:
        """Ask for a change, in a session of its own. Raises Trouble."""
        errand = self._errand()
        try:
            return _granted(await self._send(errand, intent))
        finally:
            self._dismiss(errand)

    async def organise(self, token: str, intent: OrganisersIntent | None) -> Reply:
        """Do this as the organiser, if the token is right. Raises Trouble."""
        errand = self._errand()
        try:
            reply = _granted(await self._send(errand, Organise(token)))
            return reply if intent is None else _granted(await self._send(errand, intent))
        finally:
            self._dismiss(errand)

    async def open_table(self, token: str, intent: Open) -> Reply:
        """Open a table at which nobody sits yet, as the organiser. Raises Trouble."""
        await self.organise(token, None)
        if self._owner is None:
            self._owner = asyncio.create_task(self._become_owner())
            self._owner.add_done_callback(self._became_owner)
        # All wait for the same task: one who stops waiting must not cancel it.
        owner = await self._patiently(asyncio.shield(self._owner))
        # The owner acts as the organiser, so its session must have shown the token too.
        _granted(await self._send(owner, Organise(token)))
        return _granted(await self._send(owner, intent))

    def close(self) -> None:
        """Tell those who still wait that the server goes down."""
        self._closed = True
        for errand in self._errands:
            errand.give_up()

    # -- the player who opens tables

    async def _become_owner(self) -> Errand:
        """Become the player who opens tables, of old or new. Raises Trouble."""
        errand = self._errand()
        known = self._hall.players_from(API).get(NAME)
        being = Enter(NAME, DIALECT) if known is None else Resume(known)
        try:
            _granted(await errand.ask(being))
        except BaseException:
            self._dismiss(errand)
            raise
        return errand

    def _became_owner(self, task: "asyncio.Task[Errand]") -> None:
        """Let the next who opens a table try again, if there could be no owner."""
        if task.cancelled() or task.exception() is not None:
            self._owner = None

    # -- asking

    async def _send(self, errand: Errand, intent: AnyIntent) -> Reply:
        if self._closed:
            raise going()
        if self._runner.failing:
            raise no_disk()
        return await self._patiently(errand.ask(intent))

    async def _patiently(self, answer: "asyncio.Future[T]") -> T:
        try:
            async with asyncio.timeout(self._patience):
                return await answer
        except TimeoutError:
            raise no_disk() from None

    def _errand(self) -> Errand:
        self._next -= 1
        errand = Errand(self._runner, self._time, SessionId(self._next))
        self._errands[errand] = None
        return errand

    def _dismiss(self, errand: Errand) -> None:
        self._errands.pop(errand, None)
        errand.close()


def _granted(reply: Reply) -> Reply:
    if isinstance(reply, Refused):
        raise refusal(reply)
    return reply


def busy() -> Trouble:
    """The trouble that too much is asked at once."""
    sentence = "Too much is asked at once; try again in a moment."
    return Trouble(HTTPStatus.SERVICE_UNAVAILABLE, "busy", sentence, {"Retry-After": "1"})


def going() -> Trouble:
    """The trouble that nothing is answered any more."""
    return Trouble(HTTPStatus.SERVICE_UNAVAILABLE, "closing", "The server is going down.")


def no_disk() -> Trouble:
    """The trouble that the hall decides nothing while the log cannot be written."""
    sentence = "The server cannot write its log now; what you asked may be done when it can."
    return Trouble(HTTPStatus.SERVICE_UNAVAILABLE, "no_disk", sentence, {"Retry-After": "5"})
