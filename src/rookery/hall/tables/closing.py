"""Closing a table: the organiser ends it, whoever sits there and whatever is played.

A game that runs is over and nobody has won it; a match of a tour comes out so, and can be
voided to have it played again. At a table that waits everyone gets up. The reason is in the
log, and all who are there are told.
"""

from rookery.core.events import Closed, Left
from rookery.core.ids import Seat
from rookery.core.intents import CloseTable
from rookery.core.messages import Done, Notice, Refused
from rookery.core.status import Status
from rookery.hall.limits import REASON_MAX
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.presence import Presence
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.referee import called_off
from rookery.hall.tables.rulings.course import Ruling, Turn
from rookery.hall.tables.table import Table, evolve

CLOSED = "closed"  # how a game ends whose table the organiser closes


def close(asking: Asking, wish: CloseTable, floor: Floor, presence: Presence) -> None:
    """Close a table for whoever may, and say so."""
    draft = asking.draft
    table = _to_close(wish, floor, organiser=presence.is_organiser(asking.session))
    asking.tell(Done(table.id))
    sentence = _sentence(wish.reason.strip())
    if table.status is Status.PLAYING:
        floor.commit(draft, called_off(table, CLOSED, sentence).turns)
        return
    for player in dict.fromkeys((*table.joined, *table.seats, table.owner)):
        sits = None if player is None else presence.session_of(player)
        if sits is not None:
            draft.tell(sits, Notice(CLOSED, f"Table {table.id}: {sentence}"))
    # They hear of it though they sit there no more.
    floor.commit(draft, cleared(table, sentence).turns, floor.audiences.now(table))


def cleared(table: Table, reason: str) -> Ruling:
    """Everyone gets up from a table whose game has not begun, and it goes."""
    turns: list[Turn] = []
    for n, player in enumerate(table.seats):
        if player is not None:
            left = Left(Seat(n), player)
            table = evolve(table, left)
            turns.append(Turn(left, (), table))
    closed = Closed(reason)
    return Ruling((*turns, Turn(closed, (), evolve(table, closed))))


def _to_close(wish: CloseTable, floor: Floor, *, organiser: bool) -> Table:
    """The table to be closed. Raises Refusal where it may not be."""
    if not organiser:
        sentence = "Only the organiser closes tables; show the token first."
        raise Refusal(Refused("not_organiser", sentence))
    if len(wish.reason) > REASON_MAX or not wish.reason.isprintable():
        sentence = f"A reason is written in at most {REASON_MAX} printable characters."
        raise Refusal(Refused("bad_reason", sentence))
    table = floor.tables.get(wish.table)
    if table is None:
        raise Refusal(floor.tables.refusal(wish.table))
    if table.status in (Status.OVER, Status.CLOSED):
        raise Refusal(Refused("over", f"Table {table.id} is over already.", table.id))
    return table


def _sentence(reason: str) -> str:
    """Why, for everyone."""
    if not reason:
        return "The organiser closed the table."
    end = "" if reason.endswith((".", "!", "?", "…")) else "."
    return f"The organiser closed the table: {reason}{end}"
