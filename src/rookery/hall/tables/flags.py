"""Flags: a seat whose time has run out is out of the game.

The clock says when a flag falls (`core/clock.py`), the floor looks at that moment (`tick`), and
so does the referee before it judges a move. This file decides what follows; it changes nothing.
"""

from rookery.core.errors import BROKEN
from rookery.core.game import Forfeit
from rookery.core.ids import Micros, Seat
from rookery.hall.tables.ruling import Ruling, RulingDraft, break_off
from rookery.hall.tables.table import Table


def fallen(table: Table, now: Micros, late: Seat | None = None) -> Ruling:
    """Put out every seat whose flag fell by `now`, the earliest first, and then the seat `late`.

    The flag of `late` may have fallen after `now`. It comes last, because others may have said
    something before it fell that is still on its way.
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
    """Put the seat out; it spent what it had on the clock, however late the server looks."""
    clock = draft.table.clock
    fell = clock.flag(seat)
    assert fell is not None, "a flag that has fallen was going to"
    draft.out(seat, Forfeit.LATE, clock.spent(seat, fell))
