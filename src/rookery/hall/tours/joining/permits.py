"""Who may open a tour or play in it: the bounds, and a guard against guessing codes."""

from rookery.core.ids import PlayerId, SessionId
from rookery.core.manners import Manners
from rookery.core.messages import Refused
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.people.asking import wrong_dialect
from rookery.hall.people.players import Player
from rookery.hall.people.warden import Warden
from rookery.hall.tours.director import Caller
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book


def may_not_open(
    draft: Draft, session: SessionId, who: Caller, code: str | None, *, book: Book, warden: Warden
) -> Refused | None:
    """Why this caller may not open a tour under this code; None if they may."""
    most = limits.TOURS_MAX - (0 if who.organiser else limits.TOURS_RESERVED)
    if len(book) >= most:
        sentence = f"There are {most} tours, and no room for more; come back later."
        return Refused("too_many", sentence)
    if who.player is not None and not who.organiser:
        owners = [tour.opened.by for tour in book.all()]
        if owners.count(who.player) >= limits.TOURS_A_PLAYER:
            sentence = f"A player owns at most {limits.TOURS_A_PLAYER} tours at once."
            return Refused("too_many", sentence)
        refused = warden.too_many_tours(who.player, owners)
        if refused is not None:
            return refused
    if not code:
        return None
    return _bad_code(draft, session, who, code, book=book, warden=warden)


def may_not_enter(manners: Manners, tour: Tour) -> Refused | None:
    """Why a player with these manners may not play in the tour; None if they may."""
    if not manners.speaks(tour.game):
        sentence = f"The dialect {manners.name} has no words for {tour.plan.variant}."
        return Refused("wrong_dialect", sentence)
    return wrong_dialect(tour.plan.policy, manners.name, "join")


def elsewhere(player: PlayerId, manners: Manners, book: Book) -> Refused | None:
    """Why a player may not be in one more tour, where its dialect allows only one; else None."""
    if not manners.several and book.attached(player) is not None:
        return Refused("in_tour", "You own a tour or are in one that is not over.")
    return None


def may_not_play(
    player: Player, manners: Manners, tour: Tour, *, book: Book, warden: Warden
) -> Refused | None:
    """Why this player may not be in the tour; None if they may."""
    refused = may_not_enter(manners, tour) or elsewhere(player.id, manners, book)
    return refused or warden.too_many_entries(player.host)


def _bad_code(
    draft: Draft, session: SessionId, who: Caller, code: str, *, book: Book, warden: Warden
) -> Refused | None:
    """Why a caller may not choose this code for its tour; None if it may."""
    if len(code) > limits.CODE_MAX or not (code.isascii() and code.isalnum()):
        sentence = f"A code is 1 to {limits.CODE_MAX} letters and digits."
        return Refused("bad_code", sentence)
    if code.isdigit():
        return Refused("bad_code", "A code has a letter in it: a number is a tour's.")
    if not who.organiser and book.has_codes():
        # A caller who hears that a code is taken has found it: choosing one is guessing, too.
        refused = warden.guesses_too_much(session, draft.now)
        if refused is not None:
            return refused
        warden.guessed(session, draft.now)
    if book.with_code(code) is not None:
        return Refused("bad_code", "Another tour has that code.")
    return None
