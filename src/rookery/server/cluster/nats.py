"""NATS, as edges and halls know it: it carries, and may lose; they number and send again.

    rookery.HALL.lead                       its leader announces itself
    rookery.HALL.hello                      an edge asks for that
    rookery.HALL.up.EPOCH.EDGE, down.EDGE   frames
    rookery.HALL.web.up..., web.down...     what HTTP asks of the hall

`Broker` is one connection, which reconnects for ever. A broker that was once there may be away for
any while; at the start it is more likely that its address or password is wrong, so `reach_broker`
says that, and an operator who wants to wait says how long.

`BrokerMonitor` is what a stand-by knows. One that does not hear the broker should not lead. One
that has heard it without a pause for as long as a leader may be deaf is steady, and a leader that
is cut off may make way for it; so a broker that comes and goes makes no hall follow another.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Final, Protocol, cast
from urllib.parse import urlsplit

from msgspec import DecodeError

from rookery.core.errors import Mistake

log = logging.getLogger(__name__)

PORT: Final = 4222  # of a broker whose address names none
RECONNECT_EVERY_S: Final = 0.1
PENDING_MAX_BYTES: Final = 32 << 20  # that wait for a broker that is away
ANSWER_TIMEOUT_S: Final = 2  # for a broker to answer, before it is taken for gone
COMPLAIN_EVERY_S: Final = 10.0
PROBE_EVERY_S: Final = 0.25  # at the start
QUESTION_EVERY_S: Final = 0.5  # of a stand-by
UNHEARD_S: Final = 3.0  # without an answer until it is deaf: one question may take two
HALL_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
REFUSALS: Final = ("authorization", "authentication")  # words of a broker that does not let us in
OPEN_TO_ALL: Final = (
    "NATS at %s lets anybody in, and listens where strangers may call: whoever reaches it can act "
    "for any player. Give it a password and a certificate, or an address of your own network."
)

Receive = Callable[[str, bytes], None]  # takes the last word of a subject, and what was sent


class NoBroker(Mistake):
    """There is no broker to carry between machines, or we cannot speak with it."""


class NatsMessage(Protocol):
    """A message that was sent under a subject."""

    subject: str
    data: bytes


class NatsClient(Protocol):
    """A connection to NATS, as far as it is used of nats-py; made-up worlds have another."""

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there, as far as is known."""

    async def connect(self, servers: str, **options: Any) -> None:  # Any: as nats-py has them
        """Call the broker, until it is there."""

    async def publish(self, subject: str, payload: bytes) -> None:
        """Send this under a subject; while the broker is away the message waits."""

    async def subscribe(
        self, subject: str, *, cb: Callable[[NatsMessage], Awaitable[None]], **limits: int
    ) -> object:
        """Call `cb` with what is sent under this subject."""

    async def sync(self) -> None:
        """Wait until the broker has all that was sent. Raises an error if that is not sure."""

    async def close(self) -> None:
        """Hang up on the broker."""


def nats_client() -> NatsClient:
    """A connection to NATS that is not made yet. Raises NoBroker if nats-py is missing."""
    try:
        from nats.aio.client import Client  # noqa: PLC0415 # only where it is wanted
    except ImportError:
        sentence = "A hall on another machine needs NATS: pip install 'rookery[cluster]'."
        raise NoBroker(sentence) from None

    class SyncClient(Client):
        """A client that can wait until the broker has everything it sent.

        A ping goes before what is still to be sent, so its answer proves nothing of that. But when
        the first is answered all of it is on its way, and a second ping goes behind it. A client
        that was cut off pings nobody, and does not say so: hence the question at the end.
        """

        async def sync(self) -> None:
            await self.flush()
            await self.flush()
            if not self.is_connected:
                raise ConnectionError("the broker is away")

    return cast("NatsClient", SyncClient())  # whose messages are of a class of its own


class Broker:
    """One connection to NATS, for one hall or one of its edges."""

    def __init__(self, url: str, hall: str, client: Callable[[], NatsClient] = nats_client) -> None:
        """Raises NoBroker where we do not speak its language."""
        if not HALL_NAME.fullmatch(hall):
            raise NoBroker(f"A hall's name is small letters and digits, not {hall!r}.")
        self.hall = hall
        self._url = url
        self._client = client()
        self._open = False  # we have called it, and not hung up since
        self._away = False  # it was cut off, and has not been told that it is back
        self._came_back: Callable[[], None] = lambda: None
        self._out: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._complained: dict[str, float] = {}  # of what, and when

    @property
    def connected(self) -> bool:
        """Whether the broker is there, as far as we know.

        nats-py calls itself connected before the broker has answered it again, and says so to us
        after that. In between nobody could be heard: silence tells nothing of anyone.
        """
        return self._open and self._client.is_connected and not self._away

    async def open(self, came_back: Callable[[], None] = lambda: None) -> None:
        """Call the broker, until it is there; call `came_back` whenever it is there again."""
        self._open, self._came_back = True, came_back
        await self._client.connect(
            self._url,
            max_reconnect_attempts=-1,
            reconnect_time_wait=RECONNECT_EVERY_S,
            connect_timeout=ANSWER_TIMEOUT_S,
            ping_interval=1,
            max_outstanding_pings=3,
            pending_size=PENDING_MAX_BYTES,
            reconnected_cb=self._reconnected,
            disconnected_cb=self._disconnected,
            error_cb=self._wrong,
        )
        self._writing = asyncio.get_running_loop().create_task(self._write())

    async def close(self) -> None:
        """Hang up on the broker."""
        if not self._open:
            return
        self._open = False
        if self._writing is not None:
            self._writing.cancel()
        with suppress(Exception):  # where it is away, the client falls over its own socket
            await self._client.close()

    def abort(self) -> None:
        """Hang up on the broker without waiting for anybody."""
        self._closing = asyncio.get_running_loop().create_task(self.close())

    def send(self, subject: str, data: bytes) -> None:
        """Send this under a subject of the hall; it may be lost."""
        self._out.put_nowait((f"rookery.{self.hall}.{subject}", data))

    async def _write(self) -> None:
        while True:
            subject, data = await self._out.get()
            try:
                await self._client.publish(subject, data)
            except Exception as wrong:  # noqa: BLE001 # the sender sends it again
                log.warning("the broker does not take what we say: %r", wrong)
            self._out.task_done()

    async def say_all(self) -> None:
        """Wait until the broker has all that we sent, or for `ANSWER_TIMEOUT_S`."""
        if not self._open or self._writing is None:
            return
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self._out.join()
                await self._client.sync()
        except (TimeoutError, Exception) as wrong:  # noqa: BLE001 # it is away: so be it
            log.warning("the broker did not hear our last words: %r", wrong)

    async def answers(self) -> bool:
        """Whether the broker answers a question now."""
        if not self._open or not self._client.is_connected:
            return False
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                await self._client.sync()
        except (TimeoutError, Exception):  # noqa: BLE001 # whatever it was, there was no answer
            return False
        return True

    async def subscribe(self, subject: str, receive: Receive) -> None:
        """Receive what is sent under this subject, whose last word may be `*`.

        Returns once the broker knows that, however often we are cut off first.
        """
        if not self._open:
            return  # we have hung up meanwhile

        async def take(message: NatsMessage) -> None:
            try:
                receive(message.subject.rpartition(".")[2], message.data)
            except DecodeError as strange:  # of another version, or of a stranger: not our mistake
                if self._may_complain(DecodeError.__name__):
                    log.warning("what was said as %s cannot be read: %s", message.subject, strange)
            except Exception as mistake:  # noqa: BLE001 # the client would only note it
                report = {"message": "what came over the broker", "exception": mistake}
                asyncio.get_running_loop().call_exception_handler(report)

        subject = f"rookery.{self.hall}.{subject}"
        limits = {"pending_bytes_limit": -1, "pending_msgs_limit": -1}
        await self._client.subscribe(subject, cb=take, **limits)
        while self._open:
            try:
                await self._client.sync()
            except Exception as wrong:  # noqa: BLE001 # the client subscribes again when it is back
                log.debug("the broker did not answer: %r", wrong)
                await asyncio.sleep(RECONNECT_EVERY_S)
            else:
                return

    async def _reconnected(self) -> None:
        log.warning("the broker is there again")
        self._away = False
        self._came_back()

    async def _disconnected(self) -> None:
        self._away = True
        log.warning("the broker is away")

    async def _wrong(self, wrong: Exception) -> None:
        if self.connected or not self._may_complain("away"):
            log.debug("the broker: %r", wrong)
        else:
            log.warning("no broker at %s yet (%r)", _places(self._url), wrong)

    def _may_complain(self, of: str) -> bool:
        """Whether we have not complained of this for a while; then it counts as done."""
        now = asyncio.get_running_loop().time()
        if of in self._complained and now < self._complained[of] + COMPLAIN_EVERY_S:
            return False
        self._complained[of] = now
        return True


def report(task: "asyncio.Task[None]") -> None:
    """Tell the loop's exception handler what went wrong in this task, if anything did."""
    if not task.cancelled() and (mistake := task.exception()) is not None:
        words = {"message": "what goes over the broker", "exception": mistake}
        asyncio.get_running_loop().call_exception_handler(words)


def _places(url: str) -> str:
    """The addresses in this URL of brokers, without passwords."""
    found = [urlsplit(one.strip() if "//" in one else f"//{one.strip()}") for one in url.split(",")]
    return ", ".join(f"{one.hostname}:{_port(one.netloc)}" for one in found)


def _port(netloc: str) -> str:
    port = netloc.rpartition("@")[2].rpartition(":")[2]
    return port if port.isdigit() else str(PORT)


# -- at the start


async def reach_broker(url: str, wait: float, stopped: Callable[[], bool] = lambda: False) -> None:
    """See that the broker lets us in, within so many seconds. Raises NoBroker."""
    until, noted = time.monotonic() + wait, False
    while not stopped():
        try:
            greeting = await _greeting(url)
        except NoBroker as wrong:
            left = until - time.monotonic()
            if left <= 0:
                raise
            if not noted:
                log.warning("%s Trying again for %.0f seconds.", wrong, left)
            noted = True
            await asyncio.sleep(PROBE_EVERY_S)
        else:
            if lets_anybody_in(greeting):
                log.warning(OPEN_TO_ALL, _places(url))
            return


def lets_anybody_in(greeting: dict[str, Any]) -> bool:  # Any: as NATS has it
    """Whether a broker that greets so wants no password, and can be called from elsewhere."""
    if greeting.get("auth_required") or greeting.get("tls_verify"):
        return False
    try:
        listens = ip_address(greeting.get("host", ""))
    except ValueError:
        return False
    return listens.is_unspecified or listens.is_global


async def _greeting(url: str) -> dict[str, Any]:  # Any: as NATS has it
    """Connect once, and return what the broker says of itself. Raises NoBroker."""
    client: Any = nats_client()  # Any: more of it is used than elsewhere
    wrongs: list[Exception] = []

    async def note(wrong: Exception) -> None:
        wrongs.append(wrong)

    once = {"allow_reconnect": False, "max_reconnect_attempts": 1, "reconnect_time_wait": 0.01}
    try:
        await client.connect(url, connect_timeout=ANSWER_TIMEOUT_S, error_cb=note, **once)
    except Exception as wrong:  # noqa: BLE001 # whatever its client raises for it
        sentence = _sentence(_places(url), [*wrongs, wrong])
        raise NoBroker(sentence) from None
    finally:
        with suppress(Exception):
            await client.close()
    greeting: dict[str, Any] = client._server_info  # noqa: SLF001 # it has no other way
    return greeting


def _sentence(place: str, wrongs: list[Exception]) -> str:
    """What is wrong with the broker, in a sentence made from what was raised."""
    words = " ".join(f"{wrong!r}" for wrong in wrongs).lower()
    if any(word in words for word in REFUSALS):
        return f"NATS at {place} refuses the user and password of --nats, or wants some."
    if any(isinstance(wrong, json.JSONDecodeError) for wrong in wrongs) or "info message" in words:
        return f"What answers at {place} is no NATS server."
    if "ssl" in words or "certificate" in words:
        return f"NATS at {place} has no certificate that we trust: {wrongs[0]}."
    why = next((str(one) for one in wrongs if isinstance(one, OSError) and str(one)), "no answer")
    return f"There is no NATS server at {place}: {why.rstrip('.')}."


# -- a stand-by


class BrokerMonitor:
    """What a stand-by knows of the broker: asked twice a second, over a connection of its own."""

    def __init__(
        self, steady: float, *, deaf: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`deaf`: it begins without hearing the broker; after `steady` seconds it is steady.

        It is read by the thread that waits for the lease.
        """
        self._clock, self._steady = clock, steady
        self._answered = clock() - UNHEARD_S if deaf else clock()  # when it last did, or might have
        self._since: float | None = None  # since when it has answered every time

    async def watch(self, broker: Broker) -> None:
        """Ask the broker again and again whether it answers, until cancelled."""
        try:
            await broker.open()
            while True:
                self._note(answers=await broker.answers())
                await asyncio.sleep(QUESTION_EVERY_S)
        finally:
            broker.abort()  # who is to lead now does not wait

    def _note(self, *, answers: bool) -> None:
        if not answers:
            self._since = None
            return
        self._answered = self._clock()
        self._since = self._answered if self._since is None else self._since

    def is_deaf(self) -> bool:
        """Whether it does not hear the broker now."""
        return self.silent_for() >= UNHEARD_S

    def silent_for(self) -> float:
        """Seconds since the broker was heard last."""
        return self._clock() - self._answered

    def is_steady(self) -> bool:
        """Whether it has heard the broker for long enough."""
        since = self._since
        return since is not None and self._clock() - since >= self._steady and not self.is_deaf()
