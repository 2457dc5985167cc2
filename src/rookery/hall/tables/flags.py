"""Flags: who has no time left is out of the game.

The clock says when a flag falls (`core/clocks/`), the floor looks at the moment (`tick`), and so
does the referee before it judges a move. What follows is decided here; nothing is changed.
"""

from rookery.core.errors import BROKEN
from rookery.core.game import Forfeit
from rookery.core.ids import Micros
from rookery.hall.tables.rulings.course import Course, Ruling, break_off
from rookery.hall.tables.table import Table


def fallen(table: Table, now: Micros) -> Ruling:
    """Everyone whose flag has fallen by now is out, the earliest first."""
    course = Course(table)
    while (seat := course.table.clock.fallen(now)) is not None:
        clock = course.table.clock
        fell = clock.flag(seat)
        assert fell is not None, "a flag that has fallen was going to"
        # All it had, and not more because we were slow to look.
        try:
            course.out(seat, Forfeit.LATE, clock.spent(seat, fell))
        except BROKEN as wrong:
            return break_off(table, wrong)
    return course.ruling()
