"""Points for a match: how much a win, a draw and a loss are worth, and what each side gets.

A match is scored as if each team had met each other team by itself, so one measure serves
two players (1, ½, 0) and four (3, 2, 1, 0). Partners get the same points, each in full.
Points are multiples of a half, and sums of them are exact.
"""

import re
from typing import Final

from msgspec import Struct

from rookery.core.errors import BadOption
from rookery.core.tour_values import Fixture, Result, Worth

MOST: Final = 100  # for a win; more would be work for the reader, not for the player

_NUMBER: Final = re.compile(r"([0-9]{0,3})(½|\.5|\.0)?")


class Points(Struct, frozen=True):
    """What a win, a draw and a loss are worth against one other team."""

    win: float
    draw: float
    loss: float

    def __post_init__(self) -> None:
        values = (self.win, self.draw, self.loss)
        if not all(0 <= value <= MOST and value % 0.5 == 0 for value in values):
            raise BadOption(f"Points are whole or half numbers from 0 to {MOST}, not {self}.")
        if not self.win >= self.draw >= self.loss:
            raise BadOption(
                f"A draw is worth no more than a win and no less than a loss; {self} is not so."
            )
        if self.win == self.loss:
            raise BadOption(f"A win is worth more than a loss, and in {self} it is not.")

    def __str__(self) -> str:
        return f"{self.win:g}-{self.draw:g}-{self.loss:g}"


class Encounter(Struct, frozen=True):
    """What one side got from one other team."""

    opponents: tuple[int, ...]  # the entrants of that team
    points: float
    worth: float  # 1, ½ or 0, whatever the points


def parse_points(text: str) -> Points:
    """The points that `1-0.5-0`, `1-½-0` or `3-1-0` means. Raises BadOption."""
    parts = text.strip().split("-")
    values = [value for part in parts if (value := _number(part)) is not None]
    if len(values) != 3 or len(parts) != 3:
        raise BadOption(
            "Points are written win-draw-loss in whole or half numbers, "
            f"like 1-0.5-0 or 3-1-0, not {text[:40]!r}."
        )
    return Points(*values)


def shares(result: Result, fixture: Fixture, points: Points) -> tuple[float, ...]:
    """The points of each side. A bye is one win, unless it was given for less."""
    return tuple(total(met, fixture, points) for met in encounters(result, fixture, points))


def total(met: tuple[Encounter, ...], fixture: Fixture, points: Points) -> float:
    """The points of a side that had these encounters; a side without any had a bye."""
    if met:
        return sum(encounter.points for encounter in met)
    match fixture.rest:
        case None:
            return points.win
        case Worth.HALF:
            return points.draw
        case Worth.ZERO:
            return 0.0


def bye_worth(fixture: Fixture) -> float:
    """The worth of a bye, whatever the points: 1, ½ or 0, as an encounter has."""
    return {None: 1.0, Worth.HALF: 0.5, Worth.ZERO: 0.0}[fixture.rest]


def encounters(
    result: Result, fixture: Fixture, points: Points
) -> tuple[tuple[Encounter, ...], ...]:
    """What each side got from each other team, in the order of the teams; nothing in a bye."""
    sides, places = fixture.sides, result.places
    assert len(places) == len(sides), "every side of a match has a place"
    teams = fixture.teams or range(len(sides))
    members: dict[int, tuple[int, ...]] = {}
    for team, side in zip(teams, sides, strict=True):
        members[team] = (*members.get(team, ()), side)
    place_of = dict(zip(teams, places, strict=True))  # partners share their place
    won = 1 in places
    return tuple(
        tuple(
            _encounter(members[other], place_of[other] - place_of[team], points, won=won)
            for other in members
            if other != team
        )
        for team in teams
    )


def _encounter(opponents: tuple[int, ...], ahead: int, points: Points, *, won: bool) -> Encounter:
    if not won or ahead < 0:  # where nobody is first, everybody has lost
        return Encounter(opponents, points.loss, 0)
    if ahead == 0:
        return Encounter(opponents, points.draw, 0.5)
    return Encounter(opponents, points.win, 1)


def _number(text: str) -> float | None:
    found = _NUMBER.fullmatch(text)
    if found is None or not text:
        return None
    half = 0.5 if found[2] in ("½", ".5") else 0.0
    return int(found[1] or 0) + half
