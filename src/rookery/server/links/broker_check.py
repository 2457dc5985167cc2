"""Whether there is a broker at all: asked once, before a part of a cluster begins.

A broker that was once there may be away for any while (`broker.py`). At the start it is more
likely that its address or password is wrong; so we say that, and an operator who wants to wait
says how long.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from rookery.server.links.broker import PATIENCE, NoBroker, nats_client

log = logging.getLogger(__name__)

AGAIN: Final = 0.25  # seconds between two tries
REFUSED: Final = ("authorization", "authentication")  # words of a broker that lets us not in
OPEN: Final = (
    "NATS at %s lets anybody in, and listens where strangers may call: whoever reaches it can act "
    "for any player. Give it a password and a certificate, or an address of your own network."
)


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
            await asyncio.sleep(AGAIN)
        else:
            if lets_anybody_in(greeting):
                log.warning(OPEN, _places(url))
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


def _places(url: str) -> str:
    """The addresses in this URL of brokers, without passwords."""
    found = [urlsplit(one.strip() if "//" in one else f"//{one.strip()}") for one in url.split(",")]
    return ", ".join(f"{one.hostname}:{_port(one.netloc)}" for one in found)


def _port(netloc: str) -> str:
    port = netloc.rpartition("@")[2].rpartition(":")[2]
    return port if port.isdigit() else "4222"


async def _greeting(url: str) -> dict[str, Any]:  # Any: as NATS has it
    """Connect once, and return what the broker says of itself. Raises NoBroker."""
    client: Any = nats_client()  # Any: more of it is used than elsewhere
    wrongs: list[Exception] = []

    async def note(wrong: Exception) -> None:
        wrongs.append(wrong)

    once = {"allow_reconnect": False, "max_reconnect_attempts": 1, "reconnect_time_wait": 0.01}
    try:
        await client.connect(url, connect_timeout=PATIENCE, error_cb=note, **once)
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
    if any(word in words for word in REFUSED):
        return f"NATS at {place} refuses the user and password of --nats, or wants some."
    if any(isinstance(wrong, json.JSONDecodeError) for wrong in wrongs) or "info message" in words:
        return f"What answers at {place} is no NATS server."
    if "ssl" in words or "certificate" in words:
        return f"NATS at {place} has no certificate that we trust: {wrongs[0]}."
    why = next((str(one) for one in wrongs if isinstance(one, OSError) and str(one)), "no answer")
    return f"There is no NATS server at {place}: {why.rstrip('.')}."
