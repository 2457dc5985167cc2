"""The settings of a hall: what whoever makes it may choose."""

from typing import Final

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.hall import limits
from rookery.hall.people.warden import Remark, quiet
from rookery.hall.tables.rulings.broken import Broke, unheard


class HallSettings(Struct, frozen=True):
    """What homes may use up, and how long who is away is waited for."""

    allowances: limits.Allowances = limits.Allowances()
    hold: Micros = limits.HOLD  # with nobody there
    # How long seats of games not begun wait after a restart, where connections outlive the hall.
    returning: Micros = 0
    remark: Remark = quiet  # for what whoever runs the server should know
    broke: Broke = unheard  # for the rules of a game that broke, at which table, and how


HALL_SETTINGS: Final = HallSettings()
