"""What happened in a tour, as sentences for a person, and how a player joins it in each language.

Entrants are called by their names and matches by their numbers, as far as they are known: a
damaged log is read out too.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from rookery.cli.connection.tours import TourServer
from rookery.cli.table.words import clock_words, listed
from rookery.core import events
from rookery.core.ids import put
from rookery.core.manners import Manners
from rookery.core.messages import TourShown
from rookery.core.tour_values import Fixture, Result
from rookery.dialects import LANGUAGES
from rookery.games import parse_variant
from rookery.hall.tours.formats import parse_format
from rookery.hall.tours.tour import CANCELLED


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


PAIRS_SAID: Final = 6  # of a pairing; more are only counted

_CLOSING: Final = {
    "played": "all is played",
    "ended": "its owner ends the tour",
    "cancelled": "the tour is called off",
}


class TourNames(Protocol):
    """The names of a tour's entrants, by number from 1, and its pairings, by match from 1."""

    @property
    def paired(self) -> int:
        """How many matches have been paired so far."""
        ...

    def who(self, entrant: int) -> str:
        """The entrant's name, or its number."""
        ...

    def sides(self, match: int) -> tuple[int, ...]:
        """The entrants who meet in a match; none if it was never paired."""
        ...


class LoggedNames(Struct, frozen=True):
    """The names and pairings of a tour, as the events of a log tell them."""

    names: tuple[str, ...] = ()
    fixtures: tuple[Fixture, ...] = ()

    @property
    def paired(self) -> int:
        """How many matches have been paired so far."""
        return len(self.fixtures)

    def who(self, entrant: int) -> str:
        """The entrant's name, or its number."""
        known = 1 <= entrant <= len(self.names)
        return (self.names[entrant - 1] if known else "") or f"entrant {entrant}"

    def sides(self, match: int) -> tuple[int, ...]:
        """The entrants who meet in a match; none if it was never paired."""
        return self.fixtures[match - 1].sides if 1 <= match <= len(self.fixtures) else ()


def names_after(known: LoggedNames, event: events.TourEvent) -> LoggedNames:
    """The names and pairings after this event."""
    match event:
        case events.Joined(name=name):
            return replace(known, names=(*known.names, name))
        case events.Renamed(entrant, name) if 1 <= entrant <= len(known.names):
            return replace(known, names=put(known.names, entrant - 1, name))
        case events.Paired(fixtures):
            return replace(known, fixtures=(*known.fixtures, *fixtures))
        case _:
            return known


def tour_words(event: events.TourEvent, known: TourNames) -> str:
    """An event of a tour as a sentence; `known` are the names before it."""
    match event:
        case events.EntrantWord():
            return _entrant_words(event, known)
        case events.TourSeeded(order):
            return f"The seeds are {listed([known.who(one) for one in order])}."
        case events.Paired(fixtures):
            return _pairing(fixtures, known)
        case events.MatchBegun(match, table):
            return f"Match {match} begins at table {table}: {meeting(known.sides(match), known)}."
        case events.MatchEnded(match, result):
            return result_words(match, result, known)
        case events.MatchRuled(match, result):
            return f"By hand: {result_words(match, result, known)}"
        case events.MatchVoided(match):
            return f"Match {match} counts for nothing, and is to be played again."
        case _:
            return _life(event, known)


def _entrant_words(event: events.EntrantEvent, known: TourNames) -> str:
    """A sentence for an event about one entrant: that it joins, returns, or is out."""
    match event:
        case events.Joined(entrant, name):
            return f"{name or 'Somebody'} joins as entrant {entrant}."
        case events.Partnered(entrant, player):
            return f"Player {player} joins {known.who(entrant)}."
        case events.Returned(entrant, was, now):
            return f"{known.who(entrant)} is back: player {was} is player {now} now."
        case events.Renamed(entrant, name):
            return f"{known.who(entrant)} is called {name} from now on."
        case events.EntrantPaused(entrant):
            return f"{known.who(entrant)} is away and paused: its matches wait."
        case events.EntrantResumed(entrant):
            return f"{known.who(entrant)} is back, and plays on."
        case events.Withdrawn(entrant, why):
            return f"{known.who(entrant)} is out of the tour ({why})."


def _life(event: events.TourOpened | events.TourKeyed | events.LifeEvent, known: TourNames) -> str:
    """A sentence for an event in the life of a tour, from its opening to its end."""
    match event:
        case events.TourOpened(plan):
            name = f" {plan.name!r}" if plan.name else ""
            clock = "no clock" if plan.time == "none" else f"clock {plan.time}"
            return f"The tour{name} is opened: {plan.variant}, {plan.format}, {clock}."
        case events.TourKeyed(seed, code):
            joins = f"one joins with {code}" if code else "anyone may join"
            return f"The seed is {seed}, and {joins}."
        case events.TourStarted():
            return "The tour runs."
        case events.TourPaused(left):
            rest = "" if left is None else f", with {clock_words(left)} left"
            return f"The tour pauses{rest}."
        case events.TourClosing(how):
            return f"No match begins any more: {_CLOSING.get(how, how)}."
        case events.Parted(entrant):
            return f"{known.who(entrant)} has taken the end of the tour."
        case events.TourEnded(how, winners):
            names = [known.who(winner) for winner in winners]
            return end_words("The tour", names, cancelled=how == CANCELLED)


def end_words(tour: str, winners: Sequence[str], *, cancelled: bool) -> str:
    """A sentence that says how a tour came out; `tour` is the name to call it by."""
    if cancelled:
        return f"{tour} was called off."
    if not winners:
        return f"{tour} is over; nobody has won it."
    won = "wins" if len(winners) == 1 else "share first place"
    return f"{tour} is over: {listed(winners)} {won}."


def result_words(match: int, result: Result, known: TourNames) -> str:
    """How a match came out: `Match 3, ann – bob: ann wins. Home took the last stick.`."""
    sides = known.sides(match)
    if len(sides) == 1:
        return f"Match {match}: {meeting(sides, known)}."
    ranked = zip(sides, result.places, strict=False)  # a damaged log may have fewer of either
    first = [known.who(side) for side, place in ranked if place == 1]
    if not first:
        how = "nobody wins"
    elif set(result.places) == {1}:
        how = "a draw"
    else:
        how = f"{listed(first)} {'wins' if len(first) == 1 else 'win'}"
    return f"Match {match}, {meeting(sides, known)}: {how}. {result.reason or f'({result.how})'}"


def meeting(sides: tuple[int, ...], known: TourNames) -> str:
    """The sides of a match: `ann – bob`, or that one of them has a bye."""
    if len(sides) == 1:
        return f"{known.who(sides[0])} has a bye"
    return " – ".join(known.who(side) for side in sides) or "nobody"


def _pairing(fixtures: tuple[Fixture, ...], known: TourNames) -> str:
    first, last = known.paired + 1, known.paired + len(fixtures)
    which = f"Match {first} is" if first == last else f"Matches {first} to {last} are"
    pairs = [meeting(fixture.sides, known) for fixture in fixtures[:PAIRS_SAID]]
    more = len(fixtures) - PAIRS_SAID
    rest = f", and {more} more" if more > 0 else ""
    return f"{which} paired: {', '.join(pairs)}{rest}."
