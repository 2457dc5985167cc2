"""Stopping: for what reason a server goes, how, and with which exit code."""

import asyncio
import contextlib
import logging
import signal
from typing import Any, Final

from rookery.core.messages import Notice
from rookery.server import limits
from rookery.server.actor.runner import HallRunner
from rookery.server.cluster.gateway import FarEdges
from rookery.server.net.listener import Listener
from rookery.server.web.routes import Sources
from rookery.store import Store, StoreTaken

log = logging.getLogger(__name__)

CRASHED: Final = 70  # the exit code of our own mistakes (sysexits: EX_SOFTWARE)
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
TAKEN: Final = 75  # another server has taken the hall over (sysexits: EX_TEMPFAIL)
MADE_WAY: Final = 69  # for a stand-by that hears the broker (sysexits: EX_UNAVAILABLE)
UNSAVED: Final = 74  # went down while the log could not be written (sysexits: EX_IOERR)


class Stop:
    """What the server waits for: a signal, or a mistake of our own."""

    def __init__(self) -> None:
        self._code: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._fallen: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._told = False  # somebody has asked us to stop

    async def wait(self) -> int:
        """Wait until there is a reason to stop; return the exit code."""
        return await self._code

    def code(self) -> int:
        """The exit code, once there is a reason to stop."""
        return 0 if self._told and self._is_orderly() else self._code.result()

    def is_asked(self) -> bool:
        """Whether there is a reason to stop."""
        return self._code.done()

    def asked(self) -> None:
        """Stop, because somebody asked us to."""
        self._told = True
        self._set(0)

    def make_way(self, standby: str) -> None:
        """Stop, because we do not hear the broker, and this stand-by does."""
        if not self._code.done():
            log.warning("the broker is not heard here, and %s hears it: making way", standby)
            self._set(MADE_WAY)

    def crashed(self, mistake: BaseException) -> None:
        """Stop, because of a mistake of ours, or because another server has taken over."""
        if isinstance(mistake, StoreTaken):
            log.critical("%s", mistake)
            self._fall(TAKEN)
            return
        log.critical("the server made a mistake and stops", exc_info=mistake)
        self._fall(CRASHED)

    def complained(self, _: asyncio.AbstractEventLoop, report: dict[str, Any]) -> None:
        """Take what went wrong in a callback: log the world's doing, stop for our own."""
        mistake = report.get("exception")
        if isinstance(mistake, Exception) and not isinstance(mistake, OSError):
            self.crashed(mistake)
        else:
            log.warning("%s: %s", report.get("message"), mistake)

    async def falls_before(self, work: asyncio.Task[bool]) -> int | None:
        """Wait for this work; the exit code if something goes wrong before it is done.

        A server that was asked to stop, and is taken over from before all was written, has done as
        it was told: nobody was told what is not written, and the next hall is asked for it.
        """
        work.add_done_callback(lambda _: self._fallen.cancel())
        with contextlib.suppress(asyncio.CancelledError):
            fell = await self._fallen
            work.cancel()
            return self.code() if fell == TAKEN and self._is_orderly() else fell
        return None

    def _is_orderly(self) -> bool:
        """Whether we stop because we were asked to, or to make way."""
        return self._code.result() in (0, MADE_WAY)

    def _fall(self, code: int) -> None:
        if not self._fallen.done():
            self._fallen.set_result(code)
        self._set(code)

    def _set(self, code: int) -> None:
        if not self._code.done():
            self._code.set_result(code)


async def shut(
    runner: HallRunner,
    listener: Listener,
    web: Sources,
    stop: Stop,
    *,
    edges: FarEdges | None,
    store: Store,
) -> int:
    """Finish the batch, tell the clients, and close everything; return the exit code."""
    if web.study is not None:
        await web.study.close()
    closing = asyncio.ensure_future(runner.close(limits.SHUTDOWN_PATIENCE))
    if (fell := await stop.falls_before(closing)) is not None:
        web.log_reader.close()  # whatever we would say now may not be so
        listener.abort()
        runner.let_go()
        return fell
    web.desk.close()
    if edges is not None:
        await edges.part()
        store.close()  # now, so that a stand-by can take over
        await edges.close()
    web.log_reader.close()
    listener.close(Notice("closing", "The server is going down; your games are safe."))
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(limits.SHUTDOWN_PATIENCE):
            await listener.empty.wait()
    listener.abort()
    if not closing.result():
        log.error("what was asked last could not be written; what anyone was told is safe")
        return UNSAVED
    return stop.code()
