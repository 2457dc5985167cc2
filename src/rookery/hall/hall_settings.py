"""The settings of a hall, which its maker may choose."""

from typing import Final

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.hall import limits
from rookery.hall.people.warden import Remark, quiet
from rookery.hall.tables.rulings.broken import Broke, unheard


class HallSettings(Struct, frozen=True):
    """How much each home may use up, and how long the hall waits for players who are away."""

    allowances: limits.Allowances = limits.Allowances()
    hold: Micros = limits.HOLD  # how long a game on hold waits with nobody there
    # How long seats of games not begun wait after a restart, where connections outlive the hall.
    returning: Micros = 0
    remark: Remark = quiet  # tells the operator something
    broke: Broke = unheard  # hears which game's rules broke, at which table, and how


HALL_SETTINGS: Final = HallSettings()
