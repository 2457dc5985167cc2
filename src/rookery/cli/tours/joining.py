"""How a player joins a tour: what to send, in each wire language that can play it."""

import json

from rookery.cli.connection.tours import Place
from rookery.cli.options.dialects import BEHIND_NAMES
from rookery.core.tours.tour_messages import TourShown
from rookery.dialects import DIALECTS
from rookery.games import parse_variant
from rookery.hall.people.languages import can_play
from rookery.hall.scoring.formats import parse_format


def how_to_join(shown: TourShown) -> list[tuple[str, str]]:
    """Dialects and what a player says in them; those that cannot join are left out."""
    plan = shown.plan
    game, form = parse_variant(plan.variant), parse_format(plan.format)
    seats = game.seat_counts[0] if plan.seats is None else plan.seats
    teams = not form.solo and len(set(game.teams(seats))) < seats
    found = []
    for dialect in DIALECTS:
        if not can_play(dialect, game) or plan.policy.only not in ("", dialect):
            continue
        said = _said(dialect, shown, teams=teams)
        if said:
            found.append((dialect, said))
    return found


def _said(dialect: str, shown: TourShown, *, teams: bool) -> str:
    code = shown.code
    if dialect == "native":
        wish: dict[str, object] = {"type": "join_tour"}
        wish |= {"code": code} if code else {"tour": shown.line.tour}
        return json.dumps(wish | ({"team": "red"} if teams else {}))
    if dialect == "tourney":
        return f"@TOUR:JOIN:{code or shown.line.tour}"
    # Without a code nothing tells such a client's wish for a game from a wish for this tour.
    return BEHIND_NAMES[dialect].format(code=code, team="@red" if teams else "") if code else ""


def invitation(shown: TourShown, place: Place) -> list[str]:
    """The lines that a player needs."""
    lines = [f"Players join at {place.address}, each in its own language:"]
    lines += [f"  {dialect:<12}{said}" for dialect, said in how_to_join(shown)]
    return lines
