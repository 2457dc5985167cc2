"""A tour as people see it: lines, the standing and the matches, worked out from its value."""

from itertools import islice

from msgspec.structs import replace

from rookery.core.ids import TOUR_OVER, MatchStatus
from rookery.core.messages import MatchLine
from rookery.core.tour_values import Match, Row, TourLine
from rookery.hall.scoring.scores import Points, shares
from rookery.hall.scoring.standing import standing
from rookery.hall.tours.formats.knockout import Groups
from rookery.hall.tours.tour import PAGE, Tour


def standing_of(
    tour: Tour, ratings: dict[int, tuple[float, float]] | None = None
) -> tuple[Row, ...]:
    """The standing: a row for everyone in the tour, the best first."""
    rows = standing(
        tour.entrants,
        tour.scores,
        tour.plan,
        by_rounds=tour.format.by_rounds,
        unbeaten=frozenset(_unbeaten(tour)),
    )
    if not ratings:
        return rows
    return tuple(
        replace(row, rating=ratings[row.entrant][0], uncertainty=ratings[row.entrant][1])
        for row in rows
    )


def leaders(tour: Tour) -> tuple[int, ...]:
    """The entrants who would win if the tour ended now; nobody before anything was decided."""
    if not tour.decided:
        return _alone(tour)
    if isinstance(tour.format, Groups):
        # An entrant who lost a round does not win because all who went on were removed.
        return _unbeaten(tour)
    first = (row for row in standing_of(tour) if row.place == 1)
    return tuple(row.entrant for row in first if not (row.out and tour.plan.strict))


def _alone(tour: Tour) -> tuple[int, ...]:
    """The only entrant left before any table of a knock-out in groups was dealt; else nobody."""
    left = tuple(one.number for one in tour.entrants if not one.out)
    dealt = tour.matches or not isinstance(tour.format, Groups)
    return left if tour.started and not dealt and len(left) == 1 else ()


def _unbeaten(tour: Tour) -> tuple[int, ...]:
    """The entrants who have lost no table yet, in a knock-out in groups; else nobody."""
    return tour.format.survivors(tour.field()) if isinstance(tour.format, Groups) else ()


def line_of(tour: Tour, running: int) -> TourLine:
    """The tour's line in a list; `running` is how many of its matches run."""
    winners = tour.winners if tour.status in TOUR_OVER else ()
    return TourLine(
        tour=tour.id,
        name=tour.plan.name,
        variant=tour.plan.variant,
        format=tour.plan.format,
        status=tour.status.value,
        owner=tour.opened.by,
        coded=bool(tour.code),
        entrants=sum(not one.out for one in tour.entrants),
        matches=len(tour.matches),
        played=tour.decided,
        running=running,
        winners=tuple(tour.entrant(n).name for n in winners),
        starts=tour.plan.starts,
    )


class KnownLines:
    """The lines of a tour's matches, kept for as long as nothing happens to them."""

    def __init__(self) -> None:
        self._pages: list[tuple[tuple[Match, ...], tuple[MatchLine, ...]]] = []

    def after(self, tour: Tour, after: int, most: int) -> tuple[MatchLine, ...]:
        """Do the same as `match_lines`, with the lines of unchanged matches reused."""
        after = max(0, after)
        first, skipped = divmod(after, PAGE)
        found: list[MatchLine] = []
        for at, matches in enumerate(tour.matches.pages[first:], first):
            found += self._page(tour, at, matches)
            if len(found) >= skipped + most:
                break
        return tuple(found[skipped : skipped + most])

    def _page(self, tour: Tour, at: int, matches: tuple[Match, ...]) -> tuple[MatchLine, ...]:
        while len(self._pages) <= at:
            self._pages.append(((), ()))
        before, lines = self._pages[at]
        if before is not matches:  # a page never changes: another one is put in its place
            lines = match_lines(tour, at * PAGE, len(matches))
            self._pages[at] = (matches, lines)
        return lines


def match_lines(tour: Tour, after: int, page: int) -> tuple[MatchLine, ...]:
    """The lines of the matches after that number, at most a page of them."""
    points = tour.scores.points
    after = max(0, after)
    some = islice(tour.matches.since(after), page)
    return tuple(_line(number, match, points) for number, match in enumerate(some, after + 1))


def _line(number: int, match: Match, points: Points) -> MatchLine:
    fixture, result = match.fixture, match.result
    if match.waiting:
        status = MatchStatus.WAITING
    else:
        status = MatchStatus.PLAYING if match.running else MatchStatus.OVER
    return MatchLine(
        number,
        fixture.round,
        fixture.sides,
        status.value,
        match.table,
        result,
        () if result is None else shares(result, fixture, points),
        fixture.teams,
        match.voided,
    )
