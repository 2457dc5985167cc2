"""What happened in a tour, as sentences for a person.

Entrants are called by their names and matches by their numbers, as far as the events before
have told them: a damaged log is read out too.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.cli.cast import listed
from rookery.cli.words import clock_words
from rookery.core.tour_events import (
    Joined,
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Paired,
    Parted,
    Partnered,
    Returned,
    TourClosing,
    TourEnded,
    TourEvent,
    TourKeyed,
    TourOpened,
    TourPaused,
    TourStarted,
    Withdrawn,
)
from rookery.core.tours import Fixture, Result

PAIRS_SAID: Final = 6  # of a pairing; more are only counted

_CLOSING: Final = {
    "played": "all is played",
    "ended": "its owner ends the tour",
    "cancelled": "the tour is called off",
}


class Known(Struct, frozen=True):
    """Who is in a tour, by number from 1, and who meets whom, by match from 1."""

    names: tuple[str, ...] = ()
    fixtures: tuple[Fixture, ...] = ()

    def who(self, entrant: int) -> str:
        """The entrant's name."""
        known = 1 <= entrant <= len(self.names)
        return (self.names[entrant - 1] if known else "") or f"entrant {entrant}"

    def all_of(self, entrants: tuple[int, ...]) -> str:
        """`ann, bob and cid`."""
        return listed([self.who(entrant) for entrant in entrants]) if entrants else "nobody"

    def sides(self, match: int) -> tuple[int, ...]:
        """Who plays it; nobody in a match that was never paired."""
        return self.fixtures[match - 1].sides if 1 <= match <= len(self.fixtures) else ()


def known_after(known: Known, event: TourEvent) -> Known:
    """What is known after this event."""
    match event:
        case Joined(name=name):
            return replace(known, names=(*known.names, name))
        case Paired(fixtures):
            return replace(known, fixtures=(*known.fixtures, *fixtures))
        case _:
            return known


def tour_words(event: TourEvent, known: Known) -> str:
    """The event in a sentence, with what was known before it."""
    match event:
        case Joined(entrant, name):
            return f"{name or 'Somebody'} joins as entrant {entrant}."
        case Partnered(entrant, player):
            return f"Player {player} joins {known.who(entrant)}."
        case Returned(entrant, was, now):
            return f"{known.who(entrant)} is back: player {was} is player {now} now."
        case Withdrawn(entrant, why):
            return f"{known.who(entrant)} is out of the tour ({why})."
        case Parted(entrant):
            return f"{known.who(entrant)} has taken the end of the tour."
        case Paired(fixtures):
            return _pairing(fixtures, known)
        case MatchBegun(match, table):
            return f"Match {match} begins at table {table}: {_meeting(known.sides(match), known)}."
        case MatchEnded(match, result):
            return f"Match {match}: {_result(result, known.sides(match), known)}"
        case MatchVoided(match):
            return f"Match {match} counts for nothing, and is to be played again."
        case _:
            return _life(event, known)


def _life(
    event: TourOpened | TourKeyed | TourStarted | TourPaused | TourClosing | TourEnded,
    known: Known,
) -> str:
    """Where the tour is in its life."""
    match event:
        case TourOpened(plan):
            name = f" {plan.name!r}" if plan.name else ""
            clock = "no clock" if plan.time == "none" else f"clock {plan.time}"
            return f"The tour{name} is opened: {plan.variant}, {plan.format}, {clock}."
        case TourKeyed(seed, code):
            joins = f"one joins with {code}" if code else "anyone may join"
            return f"The seed is {seed}, and {joins}."
        case TourStarted():
            return "The tour runs."
        case TourPaused(left):
            rest = "" if left is None else f", with {clock_words(left)} left"
            return f"The tour pauses{rest}."
        case TourClosing(how):
            return f"No match begins any more: {_CLOSING.get(how, how)}."
        case TourEnded(how, winners):
            if how == "cancelled":
                return "The tour is over, and counts for nothing."
            verb = "win" if len(winners) > 1 else "wins"
            return f"The tour is over: {known.all_of(winners)} {verb}."


def _pairing(fixtures: tuple[Fixture, ...], known: Known) -> str:
    first, last = len(known.fixtures) + 1, len(known.fixtures) + len(fixtures)
    which = f"Match {first} is" if first == last else f"Matches {first} to {last} are"
    pairs = [_meeting(fixture.sides, known) for fixture in fixtures[:PAIRS_SAID]]
    more = len(fixtures) - PAIRS_SAID
    rest = f", and {more} more" if more > 0 else ""
    return f"{which} paired: {', '.join(pairs)}{rest}."


def _meeting(sides: tuple[int, ...], known: Known) -> str:
    if len(sides) == 1:
        return f"{known.who(sides[0])} has a bye"
    return " – ".join(known.who(side) for side in sides) or "nobody"


def _result(result: Result, sides: tuple[int, ...], known: Known) -> str:
    why = result.reason or f"({result.how})"
    if len(sides) == 1:
        return f"{known.who(sides[0])} has a bye."
    if 1 not in result.places:
        return f"Nobody wins: {why}"
    if set(result.places) == {1}:
        return f"A draw: {why}"
    ranked = zip(sides, result.places, strict=False)  # a damaged log may have fewer of either
    first = tuple(side for side, place in ranked if place == 1)
    return f"{known.all_of(first)} {'win' if len(first) > 1 else 'wins'}: {why}"
