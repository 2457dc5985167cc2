"""A tour's results as plain rows, from a server's messages about it: names instead of numbers.

Every text of a tour (CSV, JSON, Markdown) is written from these rows, so that they all say
the same. The cross-table is here too: how many points each took from each.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from rookery.core.ids import TOUR_OVER, MatchStatus
from rookery.core.messages import MatchLine, TourShown
from rookery.core.tour_values import ABSENT, BYE, WITHDRAWN

ITSELF: Final = "×"  # nobody meets oneself
PLAYING: Final = "*"
WAITING: Final = "."
PAUSED: Final = "paused"  # the mark of an entrant that has been away for too long
LEGS_SHOWN: Final = 4  # in a cell; where two met more often, it is a sum

_UNPLAYED: Final = frozenset({ABSENT, WITHDRAWN})


class Standing(Struct, frozen=True):
    """One entrant, and how it did."""

    place: int
    entrant: int
    name: str
    players: tuple[str, ...]
    points: float
    played: int
    wins: int
    draws: int
    losses: int
    byes: int
    forfeits: int
    ties: dict[str, float]  # by the tie-break's name, in the plan's order
    rating: float | None
    uncertainty: float | None
    out: str  # why it is in the tour no more; empty while it is
    away: bool  # whether somebody of it is not connected, while the tour is not over
    paused: bool  # whether it has been away for longer than the tour allows

    @property
    def mark(self) -> str:
        """Why the entrant does not play: the reason it is out, or that it is paused; or empty."""
        return self.out or (PAUSED if self.paused else "")


class PlayedMatch(Struct, frozen=True):
    """One match, and how it came out."""

    match: int
    round: int
    table: int | None
    status: str  # waiting, playing, over
    entrants: tuple[int, ...]
    sides: tuple[str, ...]
    points: tuple[float, ...]
    result: str  # win, draw, nobody, bye; empty until it has come out
    winners: tuple[str, ...]
    how: str
    reason: str
    voided: int
    by_hand: bool  # whether somebody entered the result


def standing_rows(shown: TourShown) -> tuple[Standing, ...]:
    """The rows of everyone who is or was in the tour, the best first."""
    players = {
        entrant.entrant: tuple(member.name for member in entrant.players)
        for entrant in shown.entrants
    }
    away = away_from(shown)
    return tuple(
        Standing(
            place=row.place,
            entrant=row.entrant,
            name=row.name,
            players=players.get(row.entrant, ()),
            points=row.points,
            played=row.played,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            byes=row.byes,
            forfeits=row.forfeits,
            ties=dict(zip(shown.plan.ties, row.ties, strict=False)),
            rating=row.rating,
            uncertainty=row.uncertainty,
            out=row.out,
            away=row.entrant in away,
            paused=row.paused,
        )
        for row in shown.standing
    )


def away_from(shown: TourShown) -> frozenset[int]:
    """The entrants who are in the tour and not all connected; nobody once it is over."""
    if shown.line.status in TOUR_OVER:
        return frozenset()
    return frozenset(
        one.entrant
        for one in shown.entrants
        if not one.out and not all(member.connected for member in one.players)
    )


def match_rows(shown: TourShown, matches: Iterable[MatchLine]) -> tuple[PlayedMatch, ...]:
    """The rows of the matches, in the order they were paired."""
    names = names_of(shown)
    return tuple(_played(line, names) for line in matches)


def names_of(shown: TourShown) -> dict[int, str]:
    """The name of each entrant, by its number."""
    return {entrant.entrant: entrant.name for entrant in shown.entrants}


def cross_table(shown: TourShown, matches: Iterable[MatchLine]) -> tuple[tuple[str, ...], ...]:
    """What each took from each, both in the order of the standing: `1 ½` after two legs.

    1, ½ and 0 whatever the tour counts; + and - without a game; * is being played and . is
    to be. After many legs it is a sum, `3½/5`.
    """
    order = [row.entrant for row in shown.standing]
    legs: dict[tuple[int, int], list[str]] = {}
    for line in matches:
        for side, one in enumerate(line.sides):
            for against, other in enumerate(line.sides):
                if one != other and not _partners(line, side, against):
                    legs.setdefault((one, other), []).append(_leg(line, side, against))
    return tuple(
        tuple(ITSELF if one == other else _cell(legs.get((one, other), ())) for other in order)
        for one in order
    )


def halves(points: float) -> str:
    """Points as people write them: `0`, `½`, `2½`; any other number with its point."""
    whole, rest = divmod(points, 1)
    if rest == 0.5 and points > 0:
        return f"{int(whole) or ''}½"
    return f"{points:g}"


def _played(line: MatchLine, names: dict[int, str]) -> PlayedMatch:
    sides = tuple(names.get(side, str(side)) for side in line.sides)
    result = line.result
    places = () if result is None else result.places
    return PlayedMatch(
        match=line.match,
        round=line.round,
        table=line.table,
        status=line.status,
        entrants=line.sides,
        sides=sides,
        points=line.points,
        result=_result(line),
        winners=tuple(name for name, place in zip(sides, places, strict=False) if place == 1)
        if _result(line) == "win"
        else (),
        how="" if result is None else result.how,
        reason="" if result is None else result.reason,
        voided=line.voided,
        by_hand=result is not None and result.by_hand,
    )


def _result(line: MatchLine) -> str:
    if line.result is None:
        return ""
    if line.result.how == BYE:
        return BYE
    places = set(line.result.places)
    if 1 not in places:
        return "nobody"
    return "draw" if places == {1} else "win"


def _partners(line: MatchLine, one: int, other: int) -> bool:
    return bool(line.teams) and line.teams[one] == line.teams[other]


def _leg(line: MatchLine, side: int, against: int) -> str:
    """The sign for what one side took from another in one match."""
    if line.result is None:
        return PLAYING if line.status == MatchStatus.PLAYING else WAITING
    places = line.result.places
    unplayed = line.result.how in _UNPLAYED
    if 1 not in places or places[side] > places[against]:
        return "-" if unplayed else "0"
    if places[side] == places[against]:
        return "½"
    return "+" if unplayed else "1"


def _cell(legs: Sequence[str]) -> str:
    if len(legs) <= LEGS_SHOWN:
        return " ".join(legs)
    worth = {"1": 1.0, "+": 1.0, "½": 0.5, "0": 0.0, "-": 0.0}
    out = [worth[leg] for leg in legs if leg in worth]
    return f"{halves(sum(out))}/{len(out)}"
