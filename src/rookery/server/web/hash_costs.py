"""How much work it is to hash a passphrase, which is much on purpose, and with which salt."""

import secrets
from typing import Final

from msgspec import Struct


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
