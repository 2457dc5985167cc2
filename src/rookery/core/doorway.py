"""By which port somebody came, and how, as far as the hall must know."""

from typing import Final

from msgspec import Struct

from rookery.core.policy import Return


class Doorway(Struct, frozen=True):
    """What holds for whoever came so."""

    tour: str = ""  # the code of the tour they are bound for
    by: Return = Return.HOST  # how they come back
    private: bool = True  # whether nobody on the way need hear what is said


FRONT: Final = Doorway()  # where nothing is special
