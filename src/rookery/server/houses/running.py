"""Running a house: find the hall, and send it bots until told to stop."""

import asyncio
import secrets
import signal
from itertools import count
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, SessionId
from rookery.core.messages import Notice
from rookery.plugins.watchman import watched
from rookery.runtime.fairtime import FairTime
from rookery.server.config import BadSetting, Settings
from rookery.server.connections.ports import Say
from rookery.server.edges.hall_end import HallEnd
from rookery.server.health_port import HealthPort, Seen
from rookery.server.house_bots.dispatcher import Dispatcher
from rookery.server.house_bots.pool import Pool
from rookery.server.houses.far_hall import FarHall
from rookery.server.links.broker_check import reach_broker
from rookery.server.links.house_desk import ALL, HouseNews, read_house_news
from rookery.server.machine import THIS, settle
from rookery.server.run import MILLIS_A_SECOND, loop_runner
from rookery.server.stopping import CRASHED, SIGNALS, Stop

EVERY: Final = 0.5  # seconds between asking the hall who waits
SELDOM: Final = 4  # of these, between two looks for seats of bots for which nobody plays


def run_house(settings: Settings, say: Say) -> int:
    """Run a house until it is told to stop; return the exit code. Raises Mistake before."""
    if not settings.nats:
        raise BadSetting("A house needs --nats, where its hall is to be found.")
    if settings.house_terms().enabled is False:
        raise BadSetting("The house is off: there is nothing to run.")
    return loop_runner()(_serve(settings, say))


async def _serve(settings: Settings, say: Say) -> int:
    loop, stop = asyncio.get_running_loop(), Stop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop.asked)
    loop.set_exception_handler(stop.complained)
    await reach_broker(settings.nats, settings.wait, stop.is_asked)
    house = House(settings, FairTime(THIS.monotonic, THIS.wall, looks=THIS.looks(loop)), stop)
    health = HealthPort(house.seen, house.samples)
    port = await health.open(settings.host, settings.port)
    say(f"A house of the hall {settings.hall} listens on {settings.host}:{port}")
    house.open()
    settle()
    with watched(settings.rules_timeout / MILLIS_A_SECOND):
        code = await stop.wait()
    health.close()
    if code != CRASHED:
        await house.close()
    for number in SIGNALS:
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
    return code


class House:
    """Everything between the bots and the broker. It mutates."""

    def __init__(self, settings: Settings, time: FairTime, stop: Stop) -> None:
        self._settings = settings
        self._end = end = HallEnd(settings, settings.hall, f"house-{secrets.token_hex(4)}", time)
        self._hall = FarHall(end.link, time)
        terms = settings.house_terms()
        self._bots = Dispatcher(
            self._hall,
            self._hall,
            time,
            Pool(size=terms.workers),
            terms,
            for_all=True,
            terms_of=self._hall.terms_of,
            crashed=stop.crashed,
        )
        end.link.dismiss = self._dismiss
        self._time = time
        self._began = THIS.monotonic()
        self._asking: asyncio.Task[None] | None = None
        self._opened = False

    def open(self) -> None:
        """Begin to look for the hall, and to ask it who waits."""
        self._end.hear_more(f"house.down.{self._end.name}", self._hear)
        self._end.open()
        self._asking = asyncio.get_running_loop().create_task(self._ask())

    async def close(self) -> None:
        """Stop all thinking and go; bots that sit keep their seats, for the next house."""
        if self._asking is not None:
            self._asking.cancel()
        await self._bots.close()
        await self._end.close()

    async def _ask(self) -> None:
        for times in count(1):
            self._end.say(f"house.up.{self._end.name}", b"" if self._opened else ALL)
            await asyncio.sleep(EVERY)
            # Of a house that was killed the hall gives the bots up after a while.
            if self._opened and not times % SELDOM and not self._hall.failing:
                self._bots.come_back()

    def _hear(self, said: bytes) -> None:
        news: HouseNews = read_house_news(said)
        self._hall.hear(news)
        if self._opened:
            if not self._hall.failing:
                self._bots.look_now()
        elif news.ours is not None and not self._end.link.away:
            self._opened = True
            self._bots.open()

    def _dismiss(self, session: SessionId, _: Notice | None) -> None:
        self._bots.lost(session)

    def seen(self) -> Seen:
        """How the house is, for `/healthz`."""
        away = self._end.link.away
        sentence = f"This is a house of the hall {self._settings.hall}."
        return Seen("no hall" if away else "ok", sentence, well=not away)

    def samples(self) -> dict[str, float]:
        """How the house and its link are, for Prometheus."""
        return self._end.samples() | {
            "rookery_house_bots": len(self._bots),
            "rookery_stalled_seconds_total": self._time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": (THIS.monotonic() - self._began) / MICROS_A_SECOND,
        }
