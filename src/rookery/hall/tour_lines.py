"""A tour as people see it: lines, the standing and the matches, worked out from its value."""

from msgspec.structs import replace

from rookery.core.standing import Row
from rookery.core.tour_messages import MatchLine
from rookery.core.tours import Match, TourLine
from rookery.hall.formats.groups import Groups
from rookery.hall.points import Points, parse_points, shares
from rookery.hall.standing import standing
from rookery.hall.tour import Tour, TourStatus

OVER = (TourStatus.ENDED, TourStatus.CANCELLED)


def standing_of(
    tour: Tour, ratings: dict[int, tuple[float, float]] | None = None
) -> tuple[Row, ...]:
    """Everyone in the tour, the best first."""
    rows = standing(tour.entrants, tour.matches, tour.plan, by_rounds=tour.format.by_rounds)
    if not ratings:
        return rows
    return tuple(
        replace(row, rating=ratings[row.entrant][0], uncertainty=ratings[row.entrant][1])
        for row in rows
    )


def leaders(tour: Tour) -> tuple[int, ...]:
    """Who would win if the tour ended as it stands; nobody before anything was decided."""
    if not any(match.result is not None for match in tour.matches):
        return ()
    if isinstance(tour.format, Groups):
        # Who lost a round does not win because all who went on were removed.
        return tour.format.survivors(tour.field())
    first = (row for row in standing_of(tour) if row.place == 1)
    return tuple(row.entrant for row in first if not (row.out and tour.plan.strict))


def line_of(tour: Tour, running: int) -> TourLine:
    """The tour at a glance; so many of its matches run."""
    played = sum(match.result is not None for match in tour.matches)
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
        played=played,
        running=running,
        winners=tuple(tour.entrant(n).name for n in tour.winners) if tour.status in OVER else (),
    )


def match_lines(tour: Tour, after: int, page: int) -> tuple[MatchLine, ...]:
    """The matches after that number, at the most a page of them."""
    points = parse_points(tour.plan.points)
    after = max(0, after)
    some = tour.matches[after : after + page]
    return tuple(_line(number, match, points) for number, match in enumerate(some, after + 1))


def _line(number: int, match: Match, points: Points) -> MatchLine:
    fixture, result = match.fixture, match.result
    status = "waiting" if match.waiting else "playing" if match.running else "over"
    return MatchLine(
        number,
        fixture.round,
        fixture.sides,
        status,
        match.table,
        result,
        () if result is None else shares(result, fixture, points),
        fixture.teams,
        match.voided,
    )
