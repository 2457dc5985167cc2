"""What is spoken on one port, and on what terms its callers come."""

from typing import Final

from msgspec import Struct

from rookery.core.network import Doorway
from rookery.core.policy import Return
from rookery.dialects import DIALECTS
from rookery.server.house_bots.terms import BotTerms


class Port(Struct, frozen=True):
    """What is spoken on one port: one dialect with its options, or whatever is recognised."""

    dialect: str = ""
    port: int = 0  # the number
    options: Struct | None = None
    tour: str = ""  # the code of the tour that its callers are bound for
    by: Return = Return.HOST  # how its callers come back
    page: int = 0  # the port where a browser should have called, where this one has a dialect

    @property
    def house(self) -> BotTerms | None:
        """When a house bot joins a client that waits; None if the port has no terms of its own."""
        if self.options is None:
            return None
        bot = DIALECTS[self.dialect].house_bot(self.options)
        return None if bot is None else BotTerms(bot.after, bot.level)

    def doorway(self, *, private: bool) -> Doorway:
        """What the hall must know of a client that came here; `private`: none overhears it."""
        return Doorway(self.tour, self.by, private)


ANY: Final = Port()
