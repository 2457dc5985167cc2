"""Hashes of passphrases, by argon2. Imported in the thread that hashes, when it first does.

A server at which nobody keeps a name does without argon2, which is 0.6 MB.
"""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from rookery.server.web.hash_costs import HashCosts


def hash_of(words: bytes, costs: HashCosts, salt: bytes) -> str:
    """A hash of these words, with this salt."""
    return _hasher(costs).hash(words, salt=salt)


def fits(kept: str, words: bytes, costs: HashCosts) -> bool:
    """Whether this is the hash of these words."""
    try:
        return _hasher(costs).verify(kept, words)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher(costs: HashCosts) -> PasswordHasher:
    return PasswordHasher(time_cost=costs.rounds, memory_cost=costs.memory, parallelism=1)
