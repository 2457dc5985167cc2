"""Passphrases: hashed and compared, and not often for one host.

In which order that is done, and how fast for one account, is the queue's (`hash_queue.py`). Wrong
ones are counted by home, and there are only so many. It mutates, and lives in the event loop.
"""

import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from unicodedata import normalize

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.names import skeleton
from rookery.core.network import Buckets, Rate
from rookery.server.web.api.problems import Trouble
from rookery.server.web.hash_costs import COSTS, HashCosts, draw_salt
from rookery.server.web.hash_queue import HashQueue

LEAST: Final = 10  # characters; four words have more
MOST: Final = 200
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz3479"  # none looks like another
TRIES: Final = Rate(10, 10 * MICROS_A_SECOND)
TRIES_LOOPBACK: Final = Rate(100, MICROS_A_SECOND)
NAMES: Final = Rate(5, 600 * MICROS_A_SECOND)  # a family; a class has a few minutes to wait
NAMES_LOOPBACK: Final = Rate(200, MICROS_A_SECOND)


class Passphrases:
    """Hashes and compares passphrases, within each host's limits. It mutates."""

    def __init__(
        self,
        now: Callable[[], Micros],
        tries: Rate = TRIES,
        loopback: Rate = TRIES_LOOPBACK,
        *,
        costs: HashCosts = COSTS,
        salt: Callable[[], bytes] = draw_salt,
    ) -> None:
        self._costs, self._salt = costs, salt
        self._now = now
        self._tries = Buckets(tries, loopback)
        self._names = Buckets(NAMES, NAMES_LOOPBACK)
        self._queue = HashQueue(now)
        self.close = self._queue.close

    async def keep(self, passphrase: str, home: str) -> str:
        """Return the hash of a passphrase that is to keep a name. Raises Trouble."""
        self._spend(self._names, home, "Too many names were kept from your host")
        return await self.hashed(passphrase, home)

    async def hashed(self, passphrase: str, home: str) -> str:
        """Return the hash of a passphrase, if it is long enough. Raises Trouble."""
        if not LEAST <= len(passphrase) <= MOST:
            sentence = f"A passphrase has {LEAST} to {MOST} characters: a few words will do."
            raise Trouble(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_passphrase", sentence)
        salt = self._salt()
        return await self._queue.do(lambda: _hashed(passphrase, self._costs, salt), home)

    async def check(
        self, name: str, kept: str, said: str, home: str, *, known: bool = False
    ) -> None:
        """Check that this is the passphrase of the name with this hash. Raises Trouble if not.

        `known` says that its owner has signed in from this home before. What nobody keeps has no
        hash, and is looked at like any other.
        """
        self._spend(self._tries, home, "Too many passphrases were tried from your host")
        hashed = kept or _nobodys(self._costs)
        fits = await self._queue.do(
            lambda: _fits(hashed, said[:MOST], self._costs), home, skeleton(name), known=known
        )
        if not kept or not fits:
            sentence = "There is no such name with that passphrase."
            raise Trouble(HTTPStatus.FORBIDDEN, "bad_passphrase", sentence)
        self._tries.give(home, 1)

    def _spend(self, buckets: Buckets, home: str, what: str) -> None:
        wait = buckets.take(home, self._now())
        if wait:
            seconds = -(-wait // MICROS_A_SECOND)
            sentence = f"{what}; try again in {seconds} s."
            headers = {"Retry-After": str(seconds)}
            raise Trouble(HTTPStatus.TOO_MANY_REQUESTS, "too_fast", sentence, headers)


def draw_passphrase() -> str:
    """Draw a passphrase that nobody guesses, and that can be read aloud: one of 2^76."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
    return "-".join(groups)


def _nobodys(costs: HashCosts) -> str:
    """A hash that no passphrase has: the time must not tell whether a name is kept."""
    said = f"m={costs.memory},t={costs.rounds},p=1"
    return f"$argon2id$v=19${said}$c29tZXNhbHRzb21lc2FsdA${'A' * 43}"


def _hashed(passphrase: str, costs: HashCosts, salt: bytes) -> str:
    from rookery.server.web.hashing import hash_of  # noqa: PLC0415 # here in the thread

    return hash_of(_normal(passphrase), costs, salt)


def _fits(kept: str, said: str, costs: HashCosts) -> bool:
    from rookery.server.web.hashing import fits  # noqa: PLC0415 # as above

    return fits(kept, _normal(said), costs)


def _normal(passphrase: str) -> bytes:
    """The passphrase as bytes, the same from every keyboard."""
    return normalize("NFKC", passphrase).encode(errors="surrogatepass")
