"""A tour as somebody who listens knows it: what was shown, and what was heard since.

News change it as they come; places and ratings are the server's to work out, and are asked
for again now and then.
"""

from msgspec import Struct
from msgspec.structs import replace

from rookery.cli.cast import listed
from rookery.core.ids import put
from rookery.core.tour_events import (
    Joined,
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Paired,
    Parted,
    Partnered,
    PublicTourEvent,
    Returned,
    TourClosing,
    TourEnded,
    TourOpened,
    TourPaused,
    TourStarted,
    Withdrawn,
)
from rookery.core.tour_messages import EntrantLine, MatchLine, TourShown
from rookery.core.tours import BYE, Result
from rookery.hall.tour import TourStatus

OVER = (TourStatus.ENDED, TourStatus.CANCELLED)


class Known(Struct, frozen=True):
    """What is known of a tour; `n` events of it."""

    shown: TourShown
    matches: tuple[MatchLine, ...]
    n: int

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.shown.line.status in OVER

    @property
    def played(self) -> int:
        """How many matches have come out."""
        return sum(line.result is not None for line in self.matches)

    @property
    def running(self) -> tuple[MatchLine, ...]:
        """The matches that are being played."""
        return tuple(line for line in self.matches if line.status == "playing")

    def name(self, entrant: int) -> str:
        """What an entrant is called."""
        names = (one.name for one in self.shown.entrants if one.entrant == entrant)
        return next(names, f"entrant {entrant}")

    def versus(self, line: MatchLine) -> str:
        """`ann – bob`."""
        return " – ".join(self.name(side) for side in line.sides)


def known(shown: TourShown, matches: tuple[MatchLine, ...]) -> Known:
    """What was just asked; matches paired after it come as news."""
    return Known(shown, matches[: shown.line.matches], shown.n)


def heard(before: Known, n: int, event: PublicTourEvent) -> Known:
    """What is known after this news."""
    after = replace(before, n=n)
    match event:
        case Joined(entrant, name) if entrant > len(before.shown.entrants):
            # Only its name matters until the tour is asked for again.
            entrants = (*before.shown.entrants, EntrantLine(entrant, name, (), ""))
            return replace(after, shown=replace(before.shown, entrants=entrants))
        case TourStarted():
            return _with_status(after, TourStatus.RUNNING)
        case TourPaused():
            return _with_status(after, TourStatus.PAUSED)
        case Paired(fixtures):
            fresh = tuple(
                MatchLine(number, one.round, one.sides, "waiting", None, None, (), one.teams)
                for number, one in enumerate(fixtures, len(before.matches) + 1)
            )
            return replace(after, matches=(*before.matches, *fresh))
        case MatchBegun() | MatchEnded() | MatchVoided():
            at = event.match - 1
            if not 0 <= at < len(before.matches):
                return after  # it will be there when the whole tour is asked for again
            line = _match(before.matches[at], event)
            return replace(after, matches=put(before.matches, at, line))
        case _:
            return after


def _with_status(now: Known, status: TourStatus) -> Known:
    line = replace(now.shown.line, status=status.value)
    return replace(now, shown=replace(now.shown, line=line))


def _match(line: MatchLine, event: MatchBegun | MatchEnded | MatchVoided) -> MatchLine:
    match event:
        case MatchBegun(table=table):
            return replace(line, status="playing", table=table)
        case MatchEnded(result=result):
            return replace(line, status="over", result=result)
        case MatchVoided():
            return replace(line, status="waiting", table=None, result=None, points=())


def words(now: Known, event: PublicTourEvent) -> str:
    """The event in a sentence; nothing where it is no news to a person."""
    match event:
        case Joined(name=name):
            return f"{name} has joined."
        case Withdrawn(entrant, why):
            return f"{now.name(entrant)} is out of it: {why}."
        case Returned(entrant):
            return f"{now.name(entrant)} is back."
        case TourStarted():
            return f"Tour {now.shown.line.tour} runs."
        case TourPaused():
            return f"Tour {now.shown.line.tour} is paused."
        case MatchEnded(number, result) if number <= len(now.matches):
            return result_words(now, now.matches[number - 1], result)
        case MatchVoided(number):
            return f"Match {number} counts for nothing, and is played again."
        case TourClosing(how):
            ends = {"played": "All is played.", "ended": "No more matches begin."}
            return ends.get(how, "It is called off.")
        case TourOpened() | Partnered() | Parted() | TourEnded():
            return ""
        case Paired() | MatchBegun() | MatchEnded():
            return ""


def result_words(now: Known, line: MatchLine, result: Result) -> str:
    """How a match came out: `Match 3, ann – bob: ann wins. Home took the last stick.`."""
    who = f"Match {line.match}, {now.versus(line)}"
    first = [
        now.name(side) for side, place in zip(line.sides, result.places, strict=True) if place == 1
    ]
    if result.how == BYE:
        return f"Match {line.match}: {now.versus(line)} has a bye."
    if not first:
        how = "nobody wins."
    elif len(first) == len(line.sides):
        how = "a draw."
    else:
        how = f"{listed(first)} {'wins' if len(first) == 1 else 'win'}."
    return f"{who}: {how} {result.reason}".rstrip()


def winners_words(shown: TourShown) -> str:
    """How a tour that is over came out."""
    line = shown.line
    if line.status == TourStatus.CANCELLED:
        return f"Tour {line.tour} was called off."
    if not line.winners:
        return f"Tour {line.tour} is over; nobody has won it."
    won = "wins" if len(line.winners) == 1 else "share first place"
    return f"Tour {line.tour} is over: {listed(line.winners)} {won}."
