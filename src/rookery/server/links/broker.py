"""The broker: NATS, as edges and halls know it. They send again what the broker loses.

Each hall has subjects of its own: `rookery.HALL.lead`, where its leader says that it is there;
`…up.EPOCH.EDGE` and `…down.EDGE` for frames; `…web` and `…web.EDGE` for what HTTP asks. It
mutates, and lives in the event loop.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, Protocol, cast
from urllib.parse import urlsplit

from msgspec import DecodeError

from rookery.core.errors import Mistake

log = logging.getLogger(__name__)

AGAIN: Final = 0.1  # seconds until a broker that is away is called again
PENDING: Final = 32 << 20  # bytes that wait for a broker that is away
QUIET: Final = 10.0  # seconds between two complaints that it cannot be reached
PATIENCE: Final = 2  # seconds for a broker to answer, before it is taken for gone
HALL_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")

Heard = Callable[[str, bytes], None]  # the last word of a subject, and what was said


class NoBroker(Mistake):
    """There is no broker to carry between machines, or we cannot speak with it."""


class Carried(Protocol):
    """A message that was sent under a subject."""

    subject: str
    data: bytes


class Carrying(Protocol):
    """A connection to NATS, as far as it is used of nats-py."""

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there, as far as is known."""

    async def connect(self, servers: str, **options: Any) -> None:  # Any: as nats-py has them
        """Call the broker, until it is there."""

    async def publish(self, subject: str, payload: bytes) -> None:
        """Send this under a subject; while the broker is away the message waits."""

    async def subscribe(
        self, subject: str, *, cb: Callable[[Carried], Awaitable[None]], **limits: int
    ) -> object:
        """Be told what is sent under this subject."""

    async def settle(self) -> None:
        """Wait until the broker has all that was sent. Raises an error if that is not sure."""

    async def close(self) -> None:
        """Hang up on the broker."""


def nats_client() -> Carrying:
    """A connection to NATS that is not made yet. Raises NoBroker if nats-py is missing."""
    try:
        from nats.aio.client import Client  # noqa: PLC0415 # only where it is wanted
    except ImportError:
        sentence = "A hall on another machine needs NATS: pip install 'rookery[cluster]'."
        raise NoBroker(sentence) from None

    class Settling(Client):
        """A client that can wait until the broker has everything it sent.

        A ping goes before what is still to be sent, so its answer proves nothing of that. But when
        the first is answered all of it is on its way, and a second ping goes behind it. A client
        that was cut off pings nobody, and does not say so: hence the question at the end.
        """

        async def settle(self) -> None:
            await self.flush()
            await self.flush()
            if not self.is_connected:
                raise ConnectionError("the broker is away")

    return cast("Carrying", Settling())  # whose messages are of a class of its own


class Broker:
    """One connection to NATS."""

    def __init__(
        self,
        url: str,
        hall: str,
        carrying: Callable[[], Carrying] = nats_client,
        came_back: Callable[[], None] = lambda: None,
    ) -> None:
        """Raises NoBroker where we do not speak its language."""
        if not HALL_NAME.fullmatch(hall):
            raise NoBroker(f"A hall's name is small letters and digits, not {hall!r}.")
        self._url = url
        self._root = f"rookery.{hall}"
        self._came_back = came_back
        self._carrying = carrying()
        self._client: Carrying | None = None
        self._away = False  # it was cut off, and has not been told that it is back
        self._out: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None
        self._quiet_until = self._read_until = 0.0

    @property
    def connected(self) -> bool:
        """Whether the broker is there, as far as we know.

        nats-py calls itself connected before the broker has answered it again, and says so to us
        after that. In between nobody could be heard: silence tells nothing of anyone.
        """
        return self._client is not None and self._client.is_connected and not self._away

    async def open(self) -> None:
        """Call the broker, until it is there."""
        self._client = self._carrying
        await self._client.connect(
            self._url,
            max_reconnect_attempts=-1,
            reconnect_time_wait=AGAIN,
            connect_timeout=PATIENCE,
            ping_interval=1,
            max_outstanding_pings=3,
            pending_size=PENDING,
            reconnected_cb=self._reconnected,
            disconnected_cb=self._disconnected,
            error_cb=self._wrong,
        )
        self._writing = asyncio.get_running_loop().create_task(self._write(self._client))

    def send(self, subject: str, said: bytes) -> None:
        """Send this under a subject of the hall; it may be lost."""
        self._out.put_nowait((f"{self._root}.{subject}", said))

    async def hear(self, subject: str, heard: Heard) -> None:
        """Be told what is sent under this subject, whose last word may be `*`."""
        if (client := self._client) is None:
            return  # we have hung up meanwhile

        async def told(message: Carried) -> None:
            try:
                heard(message.subject.rpartition(".")[2], message.data)
            except DecodeError as strange:  # of another version, or of a stranger: not our mistake
                self._unread(message.subject, strange)
            except Exception as mistake:  # noqa: BLE001 # the client would only note it
                report = {"message": "what came over the broker", "exception": mistake}
                asyncio.get_running_loop().call_exception_handler(report)

        await client.subscribe(
            f"{self._root}.{subject}", cb=told, pending_bytes_limit=-1, pending_msgs_limit=-1
        )
        await self._heard()

    def _unread(self, subject: str, strange: DecodeError) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._read_until:
            self._read_until = now + QUIET
            log.warning("what was said as %s cannot be read: %s", subject, strange)

    async def _heard(self) -> None:
        """Wait until the broker knows what we want to hear, however often we are cut off first."""
        while (client := self._client) is not None:
            try:
                await client.settle()
            except Exception as wrong:  # noqa: BLE001 # what we want is said again by the client
                log.debug("the broker did not answer: %r", wrong)
                await asyncio.sleep(AGAIN)
            else:
                return

    async def answers(self) -> bool:
        """Whether the broker answers a question now."""
        client = self._client
        if client is None or not client.is_connected:
            return False
        try:
            async with asyncio.timeout(PATIENCE):
                await client.settle()
        except (TimeoutError, Exception):  # noqa: BLE001 # whatever it was, there was no answer
            return False
        return True

    async def say_all(self) -> None:
        """Wait until the broker has all that we sent, or for `PATIENCE`."""
        if (client := self._client) is None or self._writing is None:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                await self._out.join()
                await client.settle()
        except (TimeoutError, Exception) as wrong:  # noqa: BLE001 # it is away: so be it
            log.warning("the broker did not hear our last words: %r", wrong)

    async def close(self) -> None:
        """Hang up on the broker."""
        client, self._client = self._client, None
        if client is None:
            return
        if self._writing is not None:
            self._writing.cancel()
        with suppress(Exception):  # where it is away, the client falls over its own socket
            await client.close()

    def abandon(self) -> None:
        """Hang up on the broker without waiting for anybody."""
        client, self._client = self._client, None
        if self._writing is not None:
            self._writing.cancel()
        if client is not None:
            leaving = asyncio.get_running_loop().create_task(client.close())
            leaving.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _write(self, client: Carrying) -> None:
        while True:
            subject, said = await self._out.get()
            try:
                await client.publish(subject, said)
            except Exception as wrong:  # noqa: BLE001 # the sender sends it again
                log.warning("the broker does not take what we say: %r", wrong)
            self._out.task_done()

    async def _reconnected(self) -> None:
        log.warning("the broker is there again")
        self._away = False
        self._came_back()

    async def _disconnected(self) -> None:
        self._away = True
        log.warning("the broker is away")

    async def _wrong(self, wrong: Exception) -> None:
        now = asyncio.get_running_loop().time()
        if self.connected or now < self._quiet_until:
            log.debug("the broker: %r", wrong)
            return
        self._quiet_until = now + QUIET
        place = urlsplit(self._url)  # which may have a password in it
        log.warning("no broker at %s:%s yet (%r)", place.hostname, place.port or 4222, wrong)


def report(task: "asyncio.Task[None]") -> None:
    """Tell the loop's exception handler what went wrong in this task, if anything did."""
    if not task.cancelled() and (mistake := task.exception()) is not None:
        words = {"message": "what goes over the broker", "exception": mistake}
        asyncio.get_running_loop().call_exception_handler(words)
