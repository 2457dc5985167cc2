"""A tour as a client knows it: what the server showed, and the news since.

Each piece of news makes a new `KnownTour`; places and ratings are worked out by the server,
and the client asks for them again now and then.
"""

from msgspec import Struct
from msgspec.structs import replace

from rookery.cli.tours.words import end_words
from rookery.core import events
from rookery.core.ids import TOUR_OVER, MatchStatus, TourStatus, put
from rookery.core.messages import EntrantLine, MatchLine, TourShown


class KnownTour(Struct, frozen=True):
    """A tour as far as the client knows it, after `n` events."""

    shown: TourShown
    matches: tuple[MatchLine, ...]
    n: int

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.shown.line.status in TOUR_OVER

    @property
    def played(self) -> int:
        """How many matches have come out."""
        return sum(line.result is not None for line in self.matches)

    @property
    def running(self) -> tuple[MatchLine, ...]:
        """The matches that are being played."""
        return tuple(line for line in self.matches if line.status == MatchStatus.PLAYING)

    @property
    def paired(self) -> int:
        """How many matches have been paired so far."""
        return len(self.matches)

    def who(self, entrant: int) -> str:
        """The entrant's name, or its number."""
        names = (one.name for one in self.shown.entrants if one.entrant == entrant)
        return next(names, "") or f"entrant {entrant}"

    def sides(self, match: int) -> tuple[int, ...]:
        """The entrants who meet in a match; none if it is not known yet."""
        return self.matches[match - 1].sides if 1 <= match <= len(self.matches) else ()

    def outcome(self) -> str:
        """How a tour that is over came out, in a sentence."""
        line = self.shown.line
        cancelled = line.status == TourStatus.CANCELLED
        return end_words(f"Tour {line.tour}", line.winners, cancelled=cancelled)


def known(shown: TourShown, matches: tuple[MatchLine, ...]) -> KnownTour:
    """The tour as the server just showed it; matches paired after that come as news."""
    return KnownTour(shown, matches[: shown.line.matches], shown.n)


def heard(before: KnownTour, n: int, event: events.PublicTourEvent) -> KnownTour:
    """The tour after this piece of news."""
    after = replace(before, n=n)
    match event:
        case events.Joined(entrant, name) if entrant > len(before.shown.entrants):
            # Only its name matters until the tour is asked for again.
            entrants = (*before.shown.entrants, EntrantLine(entrant, name, (), ""))
            return replace(after, shown=replace(before.shown, entrants=entrants))
        case events.Renamed(entrant, name) if entrant <= len(before.shown.entrants):
            called = replace(before.shown.entrants[entrant - 1], name=name)
            entrants = put(before.shown.entrants, entrant - 1, called)
            return replace(after, shown=replace(before.shown, entrants=entrants))
        case events.TourStarted():
            return _with_status(after, TourStatus.RUNNING)
        case events.TourPaused():
            return _with_status(after, TourStatus.PAUSED)
        case events.Paired(fixtures):
            waiting = MatchStatus.WAITING
            fresh = tuple(
                MatchLine(number, one.round, one.sides, waiting, None, None, (), one.teams)
                for number, one in enumerate(fixtures, len(before.matches) + 1)
            )
            return replace(after, matches=(*before.matches, *fresh))
        case events.MatchWord():
            at = event.match - 1
            if not 0 <= at < len(before.matches):
                return after  # it will be there when the whole tour is asked for again
            line = _match(before.matches[at], event)
            return replace(after, matches=put(before.matches, at, line))
        case _:
            return after


def _with_status(now: KnownTour, status: TourStatus) -> KnownTour:
    line = replace(now.shown.line, status=status.value)
    return replace(now, shown=replace(now.shown, line=line))


def _match(line: MatchLine, event: events.MatchEvent) -> MatchLine:
    match event:
        case events.MatchBegun(table=table):
            return replace(line, status=MatchStatus.PLAYING, table=table)
        case events.MatchEnded(result=result):
            return replace(line, status=MatchStatus.OVER, result=result)
        case events.MatchRuled(result=result):
            kept = None if line.status == MatchStatus.PLAYING else line.table
            return replace(line, status=MatchStatus.OVER, table=kept, result=result)
        case events.MatchVoided():
            return replace(line, status=MatchStatus.WAITING, table=None, result=None, points=())
