"""By which port somebody came, as far as the hall must know."""

from typing import Final

from msgspec import Struct

from rookery.core.policy import Return


class Doorway(Struct, frozen=True):
    """What holds for all who come by one port."""

    tour: str = ""  # the code of the tour they are bound for
    by: Return = Return.HOST  # how they come back


FRONT: Final = Doorway()  # where nothing is special
