"""The dialect `bughouse`: two boards and four players in lines of tab-separated numbers.

`wire` knows what things are called, `requests` what is asked of the hall and answered,
`broadcasts` what is told to whom unasked, `moves` how a move looks on the wire, `session` what a
connection remembers, `voice` how much it may be told at once, `speaking` is one connection, and
`profile` what is declared.
"""

from typing import Final

from rookery.dialects.base import Kind
from rookery.dialects.bughouse.profile import MANNERS, BughouseOptions, opens_with
from rookery.dialects.bughouse.speaking import BughouseDialect

KIND: Final[Kind] = Kind(MANNERS, BughouseOptions, BughouseDialect, opens_with)

__all__ = ["KIND", "BughouseDialect", "BughouseOptions"]
