"""The director: decides what someone's wish about a tour leads to. It changes nothing itself.

As with the referee, it gives back events or a refusal. Anyone joins and withdraws for
themselves; the rest is for the tour's owner, or for a session that has shown the organiser's
token.
"""

from msgspec import Struct

from rookery.core import events
from rookery.core.ids import TOUR_CLOSED, TOUR_OVER, PlayerId, TourStatus, Wall
from rookery.core.intents import JoinTour, PauseTour, StartTour, VoidMatch, Withdraw
from rookery.core.messages import Refused
from rookery.core.tour_values import (
    ABSENT,
    BYE,
    UNPLAYABLE,
    WITHDRAWN,
    Entrant,
    Fixture,
    Result,
    Solution,
    Worth,
)
from rookery.hall.people.players import bad_name
from rookery.hall.tables import opening
from rookery.hall.tours.tour import Tour

REMOVED = "removed"  # why an entrant is out whom the organiser put out
# Why an entrant has a bye that is not the odd one's: it joined late, or was away.
GIVEN = {
    Worth.HALF: "A round that was not to be played, for a draw's points.",
    Worth.ZERO: "Away when the round was paired, for nothing.",
}
BAD_CODE = "bad_code"  # why nobody joins who does not know the code


class Caller(Struct, frozen=True):
    """The player who asks (None: no player in particular), and whether as the organiser."""

    player: PlayerId | None
    name: str = ""
    organiser: bool = False


Decision = tuple[events.TourEvent, ...] | Refused


def may_run(tour: Tour, who: Caller) -> Refused | None:
    """Why this caller may not run the tour; None if they may."""
    if who.organiser or (who.player is not None and who.player == tour.opened.by):
        return None
    return Refused("not_owner", f"Tour {tour.id} is somebody else's.")


def may_change(tour: Tour, who: Caller) -> Refused | None:
    """Why this caller may decide nothing more in the tour; None if they may."""
    return may_run(tour, who) or over(tour)


def over(tour: Tour) -> Refused | None:
    """Why nothing is decided in the tour any more, because it is closed; None while it is not."""
    return _is_over(tour) if tour.status in TOUR_CLOSED else None


def _is_over(tour: Tour) -> Refused:
    return Refused("over", f"Tour {tour.id} is over.")


def no_entrant(tour: Tour, number: int) -> Refused | None:
    """Why this is no entrant's number; None if it is one."""
    if 1 <= number <= len(tour.entrants):
        return None
    return Refused("no_entrant", f"Tour {tour.id} has no entrant {number}.")


def not_inside(tour: Tour, number: int) -> Refused | None:
    """Why this entrant is not in the tour: it is out, or there is none; None if it is in."""
    return no_entrant(tour, number) or _is_out(tour.entrant(number))


def _is_out(known: Entrant) -> Refused | None:
    if not known.out:
        return None
    return Refused("not_in_tour", f"{known.name or 'The entrant'} is out of it already.")


def join(tour: Tour, who: PlayerId, name: str, intent: JoinTour) -> Decision:
    """Let a player join, alone or with a team."""
    no = may_not_join(tour, intent.code)
    if no is not None:
        return no
    known = tour.entrant_of(who)
    if known is not None:
        sentence = f"You are in tour {tour.id} already, or were."
        return Refused("joined_before", sentence)
    if tour.size > 1:
        return _join_team(tour, who, intent.team)
    if intent.team:
        return Refused("no_teams", f"Tour {tour.id} has no teams.")
    return (events.Joined(len(tour.entrants) + 1, name, who),)


def may_not_join(tour: Tour, code: str) -> Refused | None:
    """Why nobody may join this tour now with that code; None if a player may."""
    no = may_not_return(tour, code)
    if no is not None:
        return no
    if tour.started and not takes_late(tour):
        return Refused("too_late", f"Tour {tour.id} has begun, and takes nobody any more.")
    return _full(tour) if tour.size == 1 else None  # a team may still lack a player


def may_not_return(tour: Tour, code: str) -> Refused | None:
    """Why nobody may take up a place in this tour again with that code; None if a player may."""
    no = over(tour)
    if no is not None:
        return no
    if tour.code and code.upper() != tour.code:
        return Refused(BAD_CODE, f"Tour {tour.id} is joined with its code, and that is not it.")
    return None


def takes_late(tour: Tour) -> bool:
    """Whether players may join the tour after its start."""
    return tour.plan.late and tour.format.late and tour.size == 1


def _full(tour: Tour) -> Refused | None:
    if len(tour.entrants) < tour.format.most:
        return None
    return Refused("full", f"Tour {tour.id} takes at most {tour.format.most}.")


def _join_team(tour: Tour, who: PlayerId, team: str) -> Decision:
    if not team:
        return Refused("no_team", f"In tour {tour.id} one plays in a team: say in which.")
    wrong = bad_name(team)
    if wrong is not None:
        return Refused("bad_name", wrong)
    known = next((one for one in tour.entrants if one.name == team and not one.out), None)
    if known is None:
        return _full(tour) or (events.Joined(len(tour.entrants) + 1, team, who),)
    if len(known.players) >= tour.size:
        return Refused("full", f"The team {team} has its {tour.size} players.")
    return (events.Partnered(known.number, who),)


def withdraw(tour: Tour, who: Caller, intent: Withdraw) -> Decision:
    """Let an entrant leave the tour, or put it out for its owner."""
    no = over(tour)
    if no is not None:
        return no
    if intent.entrant is not None:
        no = may_run(tour, who) or not_inside(tour, intent.entrant)
        return no or (events.Withdrawn(intent.entrant, REMOVED),)
    known = None if who.player is None else tour.entrant_of(who.player)
    if known is None:
        return Refused("not_in_tour", f"You are not in tour {tour.id}.")
    return _is_out(known) or (events.Withdrawn(known.number, WITHDRAWN),)


def start(tour: Tour, who: Caller, _: StartTour, at: Wall) -> Decision:
    """Start the tour, or let it go on after a pause."""
    refused = may_run(tour, who)
    if refused is not None:
        return refused
    match tour.status:
        case TourStatus.RUNNING:
            return Refused("running", f"Tour {tour.id} runs already.")
        case TourStatus.CLOSING | TourStatus.ENDED | TourStatus.CANCELLED:
            return _is_over(tour)
        case TourStatus.PAUSED:
            return (events.TourStarted(None if tour.left is None else at + tour.left),)
        case TourStatus.OPEN:
            refused = _not_ready(tour)
            lasts = tour.format.lasts()
            return refused or (events.TourStarted(None if lasts is None else at + lasts),)


def too_few_for_ever(tour: Tour) -> Refused | None:
    """Why a tour that nobody can join late may not begin: it has too few entrants. Else None."""
    return None if takes_late(tour) else _too_few(tour)


def _not_ready(tour: Tour) -> Refused | None:
    refused = None if tour.format.eager else _too_few(tour)
    there = [one for one in tour.entrants if not one.out]
    for one in there if refused is None else ():
        if len(one.players) < tour.size:
            has = len(one.players)
            sentence = f"The team {one.name} has {has} of {tour.size} players."
            return Refused("too_few", sentence)
    return refused


def _too_few(tour: Tour) -> Refused | None:
    there, least = sum(not one.out for one in tour.entrants), tour.format.least(tour.sides)
    if there < least:
        what = "teams" if tour.size > 1 else "entrants"
        return Refused("too_few", f"A tour like this needs {least} {what}, and has {there}.")
    return None


def pause(tour: Tour, who: Caller, _: PauseTour, at: Wall) -> Decision:
    """Pause the tour: no match begins until it is started again."""
    refused = may_run(tour, who)
    if refused is not None:
        return refused
    if tour.status is not TourStatus.RUNNING:
        return Refused("not_running", f"Tour {tour.id} does not run.")
    return (events.TourPaused(None if tour.until is None else max(0, tour.until - at)),)


def may_end(tour: Tour, who: Caller, *, cancel: bool) -> Refused | None:
    """Why this caller may not end or cancel the tour now; None if they may."""
    refused = may_run(tour, who)
    if refused is not None:
        return refused
    gone = TOUR_OVER if cancel else TOUR_CLOSED
    return _is_over(tour) if tour.status in gone else None


def void(tour: Tour, who: Caller, intent: VoidMatch) -> Decision:
    """Void a match, which is then to be played again."""
    refused = may_change(tour, who)
    if refused is not None:
        return refused
    if not 1 <= intent.match <= len(tour.matches):
        return Refused("no_match", f"Tour {tour.id} has no match {intent.match}.")
    match_ = tour.match(intent.match)
    if match_.waiting:
        return Refused("not_begun", f"Match {intent.match} has not begun.")
    if len(match_.fixture.sides) == 1:
        return Refused("bye", "A bye is nobody's game, and stays.")
    if any(tour.entrant(side).out for side in match_.fixture.sides):
        return Refused("not_in_tour", "Somebody who played it is out of the tour.")
    depended = match_.result is not None and not tour.format.fixed
    if depended and match_.fixture.round < tour.field().last_round:
        sentence = "The next round was paired by that result already."
        return Refused("too_late", sentence)
    return (events.MatchVoided(intent.match),)


# -- what follows by itself


def pair(
    tour: Tour, free: frozenset[int], at: Wall, solution: Solution | None = None
) -> events.Paired | None:
    """The pairings that the tour's format makes next; None if it makes none now."""
    fixtures = tour.format.next(tour.field(free, at, solution))
    return events.Paired(fixtures) if fixtures else None


def unplayable(tour: Tour, fixture: Fixture) -> Result | None:
    """The result of a match for which the game has no room; None where it can be played.

    No plan is accepted that leads to one. But a plug-in may be another by now, or its rules fail.
    """
    wrong = opening.unplayable(tour.plan.variant, len(fixture.sides) * tour.size)
    return Result((1,) * len(fixture.sides), UNPLAYABLE, wrong) if wrong else None


def bye(fixture: Fixture) -> Result:
    """The result of a match of one side."""
    return Result((1,), BYE, "" if fixture.rest is None else GIVEN[fixture.rest])


def walkover(fixture: Fixture, missing: frozenset[int], how: str) -> Result:
    """The result of a match that the `missing` sides will not play."""
    there = [side not in missing for side in fixture.sides]
    teams = fixture.teams or tuple(range(len(fixture.sides)))
    # A team that lacks a player cannot play: its partners do not win by themselves.
    lost = {team for team, here in zip(teams, there, strict=True) if not here}
    left = len(set(teams) - lost)
    places = tuple(left + 1 if team in lost else 1 for team in teams)
    if not left:
        places = (2,) * len(teams)
    forfeits = tuple(n for n, here in enumerate(there) if not here)
    what = "did not come" if how == ABSENT else "left the tour"
    reason = f"{'Nobody was there' if not left else 'Somebody ' + what}."
    return Result(places, how, reason, forfeits)
