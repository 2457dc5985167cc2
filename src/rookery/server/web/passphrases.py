"""Passphrases: hashed and compared, a few at a time for one host and one account.

argon2 is slow on purpose, so hashes are made one after the other in a thread of their own. Wrong
guesses are counted by home.
"""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeVar
from unicodedata import normalize

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.names import skeleton
from rookery.core.network import Buckets, Rate
from rookery.server.web.problems import HttpProblem

if TYPE_CHECKING:
    from argon2 import PasswordHasher


class HashCosts(Struct, frozen=True):
    """How many rounds a hash takes, over how much memory in KiB."""

    rounds: int
    memory: int


SALT_BYTES: Final = 16  # as RFC 9106 recommends

# Of the ways that RFC 9106 leaves open the one for small machines: 19 MiB, twice over, as OWASP
# advises; 64 MiB a try would be much for what runs on a class-room's spare computer.
COSTS: Final = HashCosts(2, 19_456)


def draw_salt() -> bytes:
    """Draw a salt that no other hash has."""
    return secrets.token_bytes(SALT_BYTES)


# -- Whose passphrase is hashed next: hosts take turns, and guesses at one account are slowed down.
#
# argon2 takes tens of milliseconds on purpose, in a thread of its own and one at a time. The host
# that has had least of that lately is next. At one account at most ten guesses a second are looked
# at, wherever they come from: first those of hosts that its owner has signed in from before, and
# then of those that have guessed least; a host has one guess at an account waiting. Of hosts that
# have had the same, whoever came first and whoever came last are next in turns: a burst from fifty
# hosts takes five seconds, and whoever comes right before or right after it waits for none of them.
# So nobody is kept out by others who guess, and nobody guesses faster from many hosts. Where too
# much waits, whoever has had most is sent away.

T = TypeVar("T")

GUESS_EVERY_US: Final[Micros] = MICROS_A_SECOND // 10  # from one guess at an account to the next
WAITING_A_HOST: Final = 40  # a class that signs in at once, behind one router
WAITING_MAX: Final = 400  # of all hosts; at thirty a second, that is a quarter of a minute
# What a host has had counts for so long. Only the order depends on it.
HAD: Final = Rate(1, 10 * MICROS_A_SECOND)
PACED_MAX: Final = 1_000  # accounts remembered that are guessed at


class _Pace(Struct, frozen=True):
    """How guesses at an account go on: when the next is looked at, and whether the newest is."""

    at: Micros
    newest: bool = False


class _Wish:
    """A hash that somebody waits for."""

    def __init__(self, work: Callable[[], Any], home: str, account: str, *, known: bool) -> None:
        self.work, self.home, self.account, self.known = work, home, account, known
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class HashQueue:
    """Has passphrases hashed, one after the other."""

    def __init__(self, now: Callable[[], Micros]) -> None:
        self._now = now
        self._threads = ThreadPoolExecutor(1, "passphrases")
        self._waiting: list[_Wish] = []  # in the order they came
        self._had = Buckets(HAD, HAD)  # by home
        self._paced: dict[str, _Pace] = {}  # by account
        self._works = False
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Stop the thread: nobody asks any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def do(
        self, work: Callable[[], T], home: str, account: str = "", *, known: bool = False
    ) -> T:
        """Do this for a home, in its turn; `account` says at which it guesses. Raises HttpProblem.

        `known` says that the owner of the account has signed in from there before.
        """
        wish = _Wish(work, home, account, known=known)
        self._make_room(wish)
        self._waiting.append(wish)
        self._go_on()
        try:
            done: T = await wish.done
            return done
        finally:
            if wish in self._waiting:  # nobody waits for it any more
                self._waiting.remove(wish)

    def _make_room(self, wish: _Wish) -> None:
        """Check that one more may wait, or send another away. Raises HttpProblem."""
        mine = [one for one in self._waiting if one.home == wish.home]
        if wish.account and any(one.account == wish.account for one in mine):
            raise _too_many("Your host's last try at this name is still looked at; wait for that.")
        if len(mine) >= WAITING_A_HOST:
            raise _too_many("Too many passphrases of your host are looked at; try again soon.")
        if len(self._waiting) >= WAITING_MAX:
            sentence = "Too many passphrases are looked at just now; try again in a moment."
            most = max(self._waiting, key=self._order)
            if self._order(most) <= self._order(wish):
                raise _too_many(sentence)
            self._waiting.remove(most)
            most.done.set_exception(_too_many(sentence))

    def _order(self, wish: _Wish) -> tuple[Micros, bool]:
        return self._had.owed(wish.home, self._now()), not wish.known

    def _go_on(self) -> None:
        """Begin the next, if none is under way and it is time."""
        if self._works or not self._waiting:
            return
        now = self._now()
        ready = self._first_of_each(now)
        if not ready:
            soonest = min(self._paced[wish.account].at for wish in self._waiting)
            self._look_again(soonest - now)
            return
        wish = min(ready, key=self._order)
        self._waiting.remove(wish)
        self._had.spend(wish.home, now)
        if wish.account:
            self._pace(wish.account, now)
        self._works = True
        running = asyncio.get_running_loop().run_in_executor(self._threads, wish.work)
        running.add_done_callback(lambda done: self._done(wish, done))

    def _first_of_each(self, now: Micros) -> list[_Wish]:
        """For each account whose next guess may be looked at now, the first one."""
        first: dict[str, _Wish] = {}
        others = []
        for wish in self._waiting:
            if not wish.account:
                others.append(wish)
            elif (pace := self._paced.get(wish.account, _Pace(0))).at <= now:
                best = first.setdefault(wish.account, wish)
                mine = not wish.known, self._order(wish)
                least = not best.known, self._order(best)
                if mine < least or (mine == least and pace.newest):
                    first[wish.account] = wish
        return [*others, *first.values()]

    def _pace(self, account: str, now: Micros) -> None:
        if len(self._paced) >= PACED_MAX:
            self._paced = {one: pace for one, pace in self._paced.items() if pace.at > now}
        before = self._paced.get(account, _Pace(0))
        self._paced[account] = _Pace(now + GUESS_EVERY_US, newest=not before.newest)

    def _look_again(self, wait: Micros) -> None:
        if self._timer is not None:
            self._timer.cancel()
        later = asyncio.get_running_loop().call_later
        self._timer = later(max(1, wait) / MICROS_A_SECOND, self._go_on)

    def _done(self, wish: _Wish, done: "asyncio.Future[Any]") -> None:
        self._works = False
        if not wish.done.done() and not done.cancelled():
            if (wrong := done.exception()) is not None:
                wish.done.set_exception(wrong)
            else:
                wish.done.set_result(done.result())
        self._go_on()


def _too_many(sentence: str) -> HttpProblem:
    return HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", sentence, {"Retry-After": "1"})


# -- Passphrases: hashed and compared, and not often for one host.
#
# In which order that is done, and how fast for one account, is the queue's. Wrong
# ones are counted by home, and there are only so many.

LEAST: Final = 10  # characters; four words have more
MOST: Final = 200
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz3479"  # none looks like another
TRIES: Final = Rate(10, 10 * MICROS_A_SECOND)
TRIES_LOOPBACK: Final = Rate(100, MICROS_A_SECOND)
NAMES: Final = Rate(5, 600 * MICROS_A_SECOND)  # a family; a class has a few minutes to wait
NAMES_LOOPBACK: Final = Rate(200, MICROS_A_SECOND)


class Passphrases:
    """Hashes and compares passphrases, within each host's limits."""

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
        """Return the hash of a passphrase that is to keep a name. Raises HttpProblem."""
        self._spend(self._names, home, "Too many names were kept from your host")
        return await self.hashed(passphrase, home)

    async def hashed(self, passphrase: str, home: str) -> str:
        """Return the hash of a passphrase, if it is long enough. Raises HttpProblem."""
        if not LEAST <= len(passphrase) <= MOST:
            sentence = f"A passphrase has {LEAST} to {MOST} characters: a few words will do."
            raise HttpProblem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_passphrase", sentence)
        salt = self._salt()
        return await self._queue.do(lambda: _hashed(passphrase, self._costs, salt), home)

    async def check(
        self, name: str, kept: str, said: str, home: str, *, known: bool = False
    ) -> None:
        """Check that this is the passphrase of the name with this hash. Raises HttpProblem if not.

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
            raise HttpProblem(HTTPStatus.FORBIDDEN, "bad_passphrase", sentence)
        self._tries.give(home, 1)

    def _spend(self, buckets: Buckets, home: str, what: str) -> None:
        wait = buckets.take(home, self._now())
        if wait:
            seconds = -(-wait // MICROS_A_SECOND)
            sentence = f"{what}; try again in {seconds} s."
            headers = {"Retry-After": str(seconds)}
            raise HttpProblem(HTTPStatus.TOO_MANY_REQUESTS, "too_fast", sentence, headers)


def draw_passphrase() -> str:
    """Draw a passphrase that nobody guesses, and that can be read aloud: one of 2^76."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
    return "-".join(groups)


def _nobodys(costs: HashCosts) -> str:
    """A hash that no passphrase has: the time must not tell whether a name is kept."""
    said = f"m={costs.memory},t={costs.rounds},p=1"
    return f"$argon2id$v=19${said}$c29tZXNhbHRzb21lc2FsdA${'A' * 43}"


# argon2 is imported in the thread that hashes, when it first does: a server at which nobody keeps
# a name does without it, which is 0.6 MB.


def _hashed(passphrase: str, costs: HashCosts, salt: bytes) -> str:
    return _hasher(costs).hash(_normal(passphrase), salt=salt)


def _fits(kept: str, said: str, costs: HashCosts) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415

    try:
        return _hasher(costs).verify(kept, _normal(said))
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher(costs: HashCosts) -> "PasswordHasher":
    from argon2 import PasswordHasher  # noqa: PLC0415

    return PasswordHasher(time_cost=costs.rounds, memory_cost=costs.memory, parallelism=1)


def _normal(passphrase: str) -> bytes:
    """The passphrase as bytes, the same from every keyboard."""
    return normalize("NFKC", passphrase).encode(errors="surrogatepass")
