"""Closing a table: the organiser ends it, whatever happens there.

A game that runs is over and nobody has won it; a match of a tour comes out so, and can be
voided to have it played again. At a table that waits everyone gets up. The reason is in the
log, and all who are there are told.
"""

from rookery.core.events import Closed, Left
from rookery.core.ids import Seat, Status
from rookery.core.intents import CloseTable
from rookery.core.messages import Done, Notice, Refused
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.presence import Presence
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.referee import called_off
from rookery.hall.tables.rulings.ruling import Ruling, TableChange
from rookery.hall.tables.table import Table, evolve

CLOSED = "closed"  # how a game ends whose table is closed


def close(asking: Asking, table: Table, reason: str, floor: Floor, presence: Presence) -> None:
    """Close a table that may be closed, for this reason, and tell the session that asked."""
    draft = asking.draft
    asking.tell(Done(table.id))
    if table.status is Status.PLAYING:
        floor.commit(draft, called_off(table, CLOSED, reason).changes)
        return
    for player in dict.fromkeys((*table.joined, *table.seats, table.owner)):
        sits = None if player is None else presence.session_of(player)
        if sits is not None:
            draft.tell(sits, Notice(CLOSED, f"Table {table.id}: {reason}"))
    # They hear of it though they sit there no more.
    floor.commit(draft, cleared(table, reason).changes, floor.audiences.now(table))


def cleared(table: Table, reason: str) -> Ruling:
    """Everyone gets up from a table whose game has not begun, and the table is closed."""
    changes: list[TableChange] = []
    for n, player in enumerate(table.seats):
        if player is not None:
            left = Left(Seat(n), player)
            table = evolve(table, left)
            changes.append(TableChange(left, (), table))
    closed = Closed(reason)
    return Ruling((*changes, TableChange(closed, (), evolve(table, closed))))


def to_close(wish: CloseTable, floor: Floor) -> Table:
    """Find the table to be closed. Raises Refusal where there is none, or its game is over."""
    table = floor.tables.get(wish.table)
    if table is None:
        raise Refusal(floor.tables.refusal(wish.table))
    if table.status in (Status.OVER, Status.CLOSED):
        raise Refusal(Refused("over", f"Table {table.id} is over already.", table.id))
    return table


def why_closed(reason: str) -> str:
    """The sentence that tells everyone for which reason the organiser closed the table."""
    if not reason:
        return "The organiser closed the table."
    end = "" if reason.endswith((".", "!", "?", "…")) else "."
    return f"The organiser closed the table: {reason}{end}"
