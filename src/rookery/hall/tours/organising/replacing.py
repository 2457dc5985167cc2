"""Replacing an entrant's player: another plays for it from now on, and its results stay.

As with the director, this gives back events or a refusal, and changes nothing. It
is not done in the middle of a game: nobody could say whose game that was.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import PlayerId
from rookery.core.manners import Manners
from rookery.core.messages import Refused
from rookery.core.tours.tour_events import Replaced
from rookery.core.tours.tour_intents import ReplaceEntrant
from rookery.hall.tours.director import Caller, Decision, may_change, not_inside
from rookery.hall.tours.tour import Tour

NO: Final = "cannot_replace"  # why nobody takes this one's place


class StandIn(Struct, frozen=True):
    """What the hall knows of the player who is to play from now on."""

    manners: Manners | None  # None: there is no such player, or nobody is connected for it
    own: bool  # whether the session that asks acts for it too
    refused: Refused | None  # why it may not be in this tour


def replace_entrant(
    tour: Tour, who: Caller, intent: ReplaceEntrant, other: StandIn, *, plays: bool
) -> Decision:
    """Let another player take over an entrant that does not play at the moment."""
    number = intent.entrant
    refused = may_change(tour, who) or not_inside(tour, number)
    if refused is not None:
        return refused
    known = tour.entrant(number)
    was = _whom(known.players, intent.was)
    if was is None:
        return Refused(NO, f"Say which of its players is replaced: {_listed(known.players)}.")
    if plays:
        sentence = f"Entrant {number} plays at the moment; wait for the end, or void the match."
        return Refused("playing", sentence)
    return _wrong(tour, who, intent.now, other) or (Replaced(number, was, intent.now),)


def _wrong(tour: Tour, who: Caller, now: PlayerId, other: StandIn) -> Refused | None:
    """Why this player cannot take over; None if they can."""
    if other.manners is None:
        return Refused("no_player", f"There is no player {now} who is connected.")
    if not other.manners.tours:
        sentence = f"Player {now} speaks {other.manners.name}, which has no words for tours."
        return Refused("wrong_dialect", sentence)
    if not (who.organiser or other.own):
        return Refused("not_owner", f"Only the organiser puts player {now} into a tour.")
    if tour.entrant_of(now) is not None:
        return Refused("joined_before", f"Player {now} is in tour {tour.id} already.")
    return other.refused


def _whom(players: tuple[PlayerId, ...], was: PlayerId | None) -> PlayerId | None:
    if was is None:
        return players[0] if len(players) == 1 else None
    return was if was in players else None


def _listed(players: tuple[PlayerId, ...]) -> str:
    return ", ".join(map(str, players))
