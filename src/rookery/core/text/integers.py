"""Whole numbers as the wire languages write them, and as people say them.

On a wire a number has an optional sign, digits, and 32 bit.
"""

import re
from typing import Final

from rookery.core.errors import BadNotation

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,20}")
_LOW, _HIGH = -(1 << 31), (1 << 31) - 1


def parse_integer(text: str) -> int:
    """The number this text means. Raises BadNotation."""
    if not _INTEGER.fullmatch(text) or not _LOW <= int(text) <= _HIGH:
        raise BadNotation(f"{text[:40]!r} is not a whole number.")
    return int(text)


def counted(number: int, thing: str) -> str:
    """So many of a thing: `1 row`, `2 rows`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
