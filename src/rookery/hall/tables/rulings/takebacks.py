"""Taking a move back: one player asks, the other agrees, and the position is what it was.

The game goes back to before the last move of the seat that asked, so that this seat moves
again: one move where the other has not answered, two where it has, more where the rules passed
somebody over. Time is not given back, and no increment is given twice. The event says how long
each seat had thought about its next move.
"""

from rookery.core.events import TakebackAsked, TakebackDeclined, TakenBack
from rookery.core.ids import Micros, Seat
from rookery.core.messages import Refused
from rookery.hall.limits import TAKEBACKS_A_TABLE
from rookery.hall.tables.rulings.ruling import Ruling, RulingDraft
from rookery.hall.tables.table import Table


def take_back(table: Table, seat: Seat, now: Micros) -> Ruling:
    """Ask for the seat's last move back, or agree with the other seat that has asked."""
    if (refused := _why_not(table, seat)) is not None:
        return Ruling(refused=refused)
    draft = RulingDraft(table)
    asks = table.takeback
    if asks is None or asks == seat:
        draft.add(TakebackAsked(seat))
    else:
        thought = tuple(table.clock.spent(Seat(n), now) for n in range(len(table.seats)))
        draft.add(TakenBack(asks, plies_back(table, asks), thought))
    return draft.ruling()


def decline(table: Table, seat: Seat) -> Ruling:
    """Refuse the other seat's request for a move back, or withdraw one's own."""
    if table.takeback is None:
        return Ruling(refused=_no(table, "no_request", "Nobody has asked for a move back."))
    draft = RulingDraft(table)
    draft.add(TakebackDeclined(seat))
    return draft.ruling()


def plies_back(table: Table, seat: Seat) -> int:
    """How many moves must be undone to undo this seat's last one; 0 where it has made none."""
    movers = [one.seat for one in reversed(table.earlier)]
    return movers.index(seat) + 1 if seat in movers else 0


def _why_not(table: Table, seat: Seat) -> Refused | None:
    if not table.opened.takebacks:
        return _no(table, "no_takebacks", "No move is taken back at this table.")
    if table.out:
        return _no(table, "out", "No move is taken back once somebody is out.")
    if table.takeback not in (None, seat):
        return None  # a yes is always heard
    if not plies_back(table, seat):
        return _no(table, "nothing_played", "You have made no move that could be taken back.")
    if table.takebacks >= TAKEBACKS_A_TABLE:
        return _no(table, "too_many", "Enough moves have been taken back in this game.")
    if seat in table.begged:  # or a log could be filled with asking
        again = "You have asked already; you may ask again after the next move."
        return _no(table, "asked_before", again)
    return None


def _no(table: Table, code: str, sentence: str) -> Refused:
    return Refused(code, sentence, table.id)
