"""Flags: who has no time left is out of the game.

The clock says when a flag falls (`core/clocks/`), the floor looks at the moment (`tick`), and so
does the referee before it judges a move. What follows is decided here; nothing is changed.
"""

from rookery.core.errors import BROKEN
from rookery.core.game import Forfeit
from rookery.core.ids import Micros, Seat
from rookery.hall.tables.rulings.ruling import Ruling, RulingDraft, break_off
from rookery.hall.tables.table import Table


def fallen(table: Table, now: Micros, late: Seat | None = None) -> Ruling:
    """Everyone whose flag has fallen by now is out, the earliest first; and then who is `late`.

    That one's flag has fallen too, though others may have said something before it did that is
    on its way.
    """
    draft = RulingDraft(table)
    try:
        while (seat := draft.table.clock.fallen(now)) is not None:
            _fall(draft, seat)
        if late is not None and draft.table.clock.flag(late) is not None:
            _fall(draft, late)
    except BROKEN as wrong:
        return break_off(table, wrong)
    return draft.ruling()


def _fall(draft: RulingDraft, seat: Seat) -> None:
    """This one's flag falls: it took all that it had, and not more because we were slow to look."""
    clock = draft.table.clock
    fell = clock.flag(seat)
    assert fell is not None, "a flag that has fallen was going to"
    draft.out(seat, Forfeit.LATE, clock.spent(seat, fell))
