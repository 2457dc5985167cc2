"""Whether a stand-by hears the broker: asked twice a second, over a connection of its own.

A stand-by that does not hear it should not lead. One that has heard it without a pause for as long
as a leader may be deaf is steady: a leader that is cut off may make way for it. So a broker that
comes and goes makes no hall follow another. Asked from the thread that waits for the lease.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from rookery.server.links.broker import Broker

LOOK: Final = 0.5  # seconds between two questions
GONE: Final = 3.0  # seconds without an answer until it is deaf: one question may take two


class BrokerEar:
    """What a stand-by knows of the broker; `deaf`: it begins without hearing it."""

    def __init__(
        self, steady: float, *, deaf: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock, self._steady = clock, steady
        self._answered = clock() - GONE if deaf else clock()  # when it last did, or might have
        self._since: float | None = None  # since when it has answered every time

    async def listen(self, broker: Broker) -> None:
        """Ask the broker again and again whether it answers, until cancelled."""
        try:
            await broker.open()
            while True:
                self.note(await broker.answers())
                await asyncio.sleep(LOOK)
        finally:
            broker.abandon()

    def note(self, answers: bool) -> None:  # it is all there is to say
        """Note whether the broker has answered now."""
        now = self._clock()
        if not answers:
            self._since = None
            return
        self._answered = now
        self._since = now if self._since is None else self._since

    def is_deaf(self) -> bool:
        """Whether it does not hear the broker now."""
        return self.silent_for() >= GONE

    def silent_for(self) -> float:
        """Seconds since the broker was heard last."""
        return self._clock() - self._answered

    def is_steady(self) -> bool:
        """Whether it has heard the broker for long enough."""
        since = self._since
        return since is not None and self._clock() - since >= self._steady and not self.is_deaf()
