"""Passphrases: hashed and compared in a thread of their own, and not often for one host.

argon2 takes tens of milliseconds on purpose, and lets other threads run meanwhile. One is
worked on at a time and few wait, so that nobody's guesses take the machine from those who play.
Tries are counted by home, and for each account by all homes that have not been its own: so a
guesser who tries an account from everywhere does not keep its owner out. It mutates, and lives
in the event loop.
"""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Final, TypeVar
from unicodedata import normalize

from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.visitors.buckets import Buckets, Rate
from rookery.server.web.api.problems import Trouble
from rookery.server.web.hash_costs import COSTS, HashCosts, draw_salt

T = TypeVar("T")

LEAST: Final = 10  # characters; four words have more
MOST: Final = 200
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz3479"  # none looks like another
WAITING_MAX: Final = 20  # of one home's and others' together; each takes tens of milliseconds
TRIES: Final = Rate(10, 10 * MICROS_A_SECOND)
TRIES_LOOPBACK: Final = Rate(100, MICROS_A_SECOND)
NAMES: Final = Rate(5, 600 * MICROS_A_SECOND)  # a family; a class has a few minutes to wait
NAMES_LOOPBACK: Final = Rate(200, MICROS_A_SECOND)
AT_ONE: Final = Rate(30, 60 * MICROS_A_SECOND)  # at one account, from homes that are not its own
HOMES_MAX: Final = 100_000  # pairs of accounts and homes remembered


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
        self._accounts = Buckets(AT_ONE, AT_ONE)
        self._homes: dict[tuple[PlayerId, str], None] = {}  # where an account is at home
        self._threads = ThreadPoolExecutor(1, "passphrases")
        self._waiting = 0

    async def keep(self, passphrase: str, home: str) -> str:
        """Return the hash of a passphrase that is to keep a name. Raises Trouble."""
        self._spend(self._names, home, "Too many names were kept from your host")
        return await self.hashed(passphrase)

    async def hashed(self, passphrase: str) -> str:
        """Return the hash of a passphrase, if it is long enough. Raises Trouble."""
        if not LEAST <= len(passphrase) <= MOST:
            sentence = f"A passphrase has {LEAST} to {MOST} characters: a few words will do."
            raise Trouble(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_passphrase", sentence)
        salt = self._salt()
        return await self._in_thread(lambda: _hashed(passphrase, self._costs, salt))

    async def check(self, player: PlayerId | None, kept: str, said: str, home: str) -> None:
        """Check that this is the passphrase of the kept hash. Raises Trouble if it is not."""
        known = player is not None and (player, home) in self._homes
        self._spend(self._tries, home, "Too many passphrases were tried from your host")
        if player is not None and not known:
            self._spend(self._accounts, f"account {player}", "Too many tried to be this player")
        kept = kept or _nobodys(self._costs)
        fits = await self._in_thread(lambda: _fits(kept, said[:MOST], self._costs))
        if player is None or not fits:
            sentence = "There is no such name with that passphrase."
            raise Trouble(HTTPStatus.FORBIDDEN, "bad_passphrase", sentence)
        self._tries.give(home, 1)
        if len(self._homes) >= HOMES_MAX:
            self._homes.clear()
        self._homes[player, home] = None

    def close(self) -> None:
        """Stop the thread: nobody asks any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _spend(self, buckets: Buckets, home: str, what: str) -> None:
        wait = buckets.take(home, self._now())
        if wait:
            seconds = -(-wait // MICROS_A_SECOND)
            sentence = f"{what}; try again in {seconds} s."
            headers = {"Retry-After": str(seconds)}
            raise Trouble(HTTPStatus.TOO_MANY_REQUESTS, "too_fast", sentence, headers)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._waiting >= WAITING_MAX:
            sentence = "Too many passphrases are looked at just now; try again in a moment."
            headers = {"Retry-After": "1"}
            raise Trouble(HTTPStatus.SERVICE_UNAVAILABLE, "busy", sentence, headers)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


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
