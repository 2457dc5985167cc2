"""The log: every record there ever was, in order, and safe before anyone hears of it.

A store only grows. Records are numbered from 1 without a gap, `append` takes a batch whole or not
at all, and returns when it would survive the power going. `sqlite.py` keeps them in a file or in
memory, `postgres.py` in a database; the same laws are tried on all.
"""

from rookery.store.log import (
    StoreBroken,
    StoreFailed,
    StoreForeign,
    StoreLocked,
    StoreTaken,
)
from rookery.store.reader import Log, Store

__all__ = [
    "Log",
    "Store",
    "StoreBroken",
    "StoreFailed",
    "StoreForeign",
    "StoreLocked",
    "StoreTaken",
]
