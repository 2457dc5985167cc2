"""How a player joins a tour: what to send, in each wire language that can play it."""

from rookery.cli.connection.tours import TourServer
from rookery.core.manners import Manners
from rookery.core.messages import TourShown
from rookery.dialects import LANGUAGES
from rookery.games import parse_variant
from rookery.hall.tours.formats import parse_format


def how_to_join(shown: TourShown) -> list[tuple[str, str]]:
    """The dialects that can join a tour, each with what its player says to do so."""
    plan = shown.plan
    game, form = parse_variant(plan.variant), parse_format(plan.format)
    seats = game.seat_counts[0] if plan.seats is None else plan.seats
    teams = not form.solo and len(set(game.teams(seats))) < seats
    found = []
    for manners in LANGUAGES:
        if not manners.speaks(game) or plan.policy.only not in ("", manners.name):
            continue
        said = _said(manners, shown, teams=teams)
        if said:
            found.append((manners.name, said))
    return found


def _said(manners: Manners, shown: TourShown, *, teams: bool) -> str:
    """What a player of this dialect says to join the tour; empty where it cannot."""
    if not shown.code:
        # Without a code nothing tells most clients' wish for a game from a wish for this tour.
        words = manners.joins_open
    else:
        words = manners.joins or 'come to a port that has tour = "{code}" in the settings'
    said = words.replace("{code}", shown.code).replace("{tour}", str(shown.line.tour))
    return said.replace("{team}", manners.joins_team if teams else "")


def invitation(shown: TourShown, place: TourServer) -> list[str]:
    """The lines that a player needs."""
    lines = [f"Players join at {place.address}, each in its own language:"]
    lines += [f"  {dialect:<12}{said}" for dialect, said in how_to_join(shown)]
    return lines
