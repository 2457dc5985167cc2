"""Formats in which those who are to meet meet whatever comes of it: nothing depends on results.

Round robin: everyone meets everyone, in the order of the Berger tables. `Joining` is the tourney
page's order of pairs, a double round robin that grows as players join. In a gauntlet a few
champions each meet every challenger; in a duel the same few meet again and again.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from rookery.core.options import check_whole
from rookery.core.tour_values import Field, Fixture
from rookery.hall.tours.formats.base import UsualFormat

LEGS_MAX: Final = 4  # what two pairs of legs make; 128 entrants then play 32,512 matches


class RoundRobin(UsualFormat, frozen=True):
    """Everyone meets everyone, once or several times."""

    name: ClassVar = "round_robin"
    most: ClassVar = 128
    seeded: ClassVar = True

    legs: Annotated[int, Meta(description="how often everyone meets everyone, 1 to 4")] = 1

    def __post_init__(self) -> None:
        check_whole("legs", self.legs, 1, LEGS_MAX)

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The whole table at the start, and nothing after it."""
        if field.matches:
            return ()
        table = [
            (number, field.entrants[first], field.entrants[second])
            for number, pairs in enumerate(berger(len(field.entrants)))
            for first, second in pairs
        ]
        return tuple(self._fixtures(table))

    def done(self, field: Field) -> bool:
        """Whether the whole table is played."""
        return field.decided and not self.next(field)

    def _fixtures(self, table: list[tuple[int, int, int]]) -> Iterator[Fixture]:
        rounds = 1 + max((number for number, _, _ in table), default=0)
        for leg in range(self.legs):
            for place, (number, first, second) in enumerate(table, 1):
                sides = (second, first) if leg % 2 else (first, second)
                # Legs 1 and 2 are a pair, and so are 3 and 4; a last odd leg is by itself.
                paired = leg - leg % 2 + 1 < self.legs
                start = place + (leg - leg % 2) * len(table) if paired else 0
                yield Fixture(leg * rounds + number + 1, sides, start)


# A Berger table seats all but the highest number in a circle. Every round the circle turns
# by half the number of entrants; the one who then stands in front meets the highest number, and
# the others meet across. With an odd number of entrants nobody is the highest, and the one in
# front has a free round. Each further leg is the same table with sides exchanged.
def berger(count: int) -> Iterator[list[tuple[int, int]]]:
    """The rounds of so many entrants, counted from 0; of each pair, the first moves first."""
    if count < 2:
        return
    even = count + count % 2
    circle = even - 1
    for number in range(circle):
        front = number * (even // 2) % circle
        # The highest number has the second move in the first round, and then by turns.
        pairs = [(circle, front) if number % 2 else (front, circle)]
        pairs += [((front + k) % circle, (front - k) % circle) for k in range(1, even // 2)]
        yield [pair for pair in pairs if max(pair) < count]


# "When p joins, for each earlier player o in order of joining the matches (o home, p away),
# (p home, o away) are appended; joining late is allowed." Who has left gets no new ones.
#
# Rounds only name what could be played side by side. If all are there at the start and every
# match takes as long, numbers i and j, counted from 0, meet when i xor j other pairs are
# through: each match begins at the first time at which both are free, and the first number
# missing in a row and a column is nim's sum. So a round needs no look at other matches, and
# nobody has two matches in one, however late somebody joined.
class Joining(UsualFormat, frozen=True):
    """Everyone meets everyone twice; who joins meets all who are there."""

    name: ClassVar = "joining"
    eager: ClassVar = True
    late: ClassVar = True
    most: ClassVar = 128

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The matches of those who joined since the format was last asked."""
        return tuple(_fixtures(field))

    def done(self, field: Field) -> bool:
        """Whether all who are there have met; one who joins now makes it undone."""
        return field.decided and not self.next(field)


def _fixtures(field: Field) -> Iterator[Fixture]:
    # Pairs are made in the order of joining, so the last match tells who was paired last.
    newest = max(field.matches[-1].fixture.sides) if field.matches else 0
    start = len(field.matches) + 1
    for place, joined in enumerate(field.entrants):
        if joined <= newest:
            continue
        for earlier in field.entrants[:place]:
            pair = (earlier - 1) ^ (joined - 1)
            yield Fixture(2 * pair - 1, (earlier, joined), start)
            yield Fixture(2 * pair, (joined, earlier), start)
            start += 2


CHAMPIONS_MAX: Final = 16
GAUNTLET_LEGS_MAX: Final = 16  # with all champions and 112 challengers 28,672 matches


# The champions are the first to have joined of those who are there at the start, and stay
# it: a champion who leaves has no heir. A challenger may come late. Fixtures stand in the
# order of the challengers, so the first challenger's tell who the champions are. Champion i and
# challenger j, counted from 0, meet in round i xor j, and nobody plays twice in one.
class Gauntlet(UsualFormat, frozen=True):
    """The first to join meet everyone else."""

    name: ClassVar = "gauntlet"
    late: ClassVar = True
    most: ClassVar = 128

    champions: Annotated[int, Meta(description="how many meet all others, 1 to 16")] = 1
    legs: Annotated[int, Meta(description="how often they meet, 1 to 16")] = 2

    def __post_init__(self) -> None:
        check_whole("champions", self.champions, 1, CHAMPIONS_MAX)
        check_whole("legs", self.legs, 1, GAUNTLET_LEGS_MAX)

    def least(self, sides: int) -> int:
        """The champions, and the other sides of one match."""
        return self.champions + sides - 1

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The matches of the challengers who have none yet."""
        return tuple(self._fixtures(field))

    def done(self, field: Field) -> bool:
        """Whether every challenger is through; one who joins now makes it undone."""
        return field.decided and not self.next(field)

    def _fixtures(self, field: Field) -> Iterator[Fixture]:
        champions = self._champions(field)
        newest = max(field.matches[-1].fixture.sides if field.matches else champions, default=0)
        challengers = [number for number in field.entrants if number > newest]
        if not challengers:
            return
        met = {side for match in field.matches for side in match.fixture.sides}
        index = len(field.matches)
        for row, challenger in enumerate(challengers, len(met - set(champions))):
            for column, champion in enumerate(champions):
                if champion in field.entrants:
                    yield from self._legs(index, champion, challenger, (row, column))
                    index += self.legs

    def _champions(self, field: Field) -> tuple[int, ...]:
        if not field.matches:
            return field.entrants[: self.champions]
        opening = list(islice(field.matches, self.champions * self.legs))
        met = {side for match in opening for side in match.fixture.sides}
        return tuple(sorted(met - {max(met)}))

    def _legs(
        self, index: int, champion: int, challenger: int, at: tuple[int, int]
    ) -> Iterator[Fixture]:
        row, column = at
        for leg in range(self.legs):
            # A leg without a second is by itself; there the first move goes by turns.
            paired = leg - leg % 2 + 1 < self.legs
            start = index + leg - leg % 2 + 1 if paired else 0
            swapped = leg % 2 if paired else (row + column) % 2
            sides = (challenger, champion) if swapped else (champion, challenger)
            yield Fixture((row ^ column) * self.legs + leg + 1, sides, start)


GAMES_MAX = 100_000


# For measuring programs against each other. A start is played as often as a match has sides,
# and each time everyone moves up by one seat: for two that is a pair of games with colours
# exchanged.
class Duel(UsualFormat, frozen=True):
    """So many games between as many entrants as a match has sides."""

    name: ClassVar = "duel"
    sides: ClassVar = range(2, 5)
    most: ClassVar = 4

    games: Annotated[int, Meta(description="games to be played; 1 to 100000")] = 100

    def __post_init__(self) -> None:
        check_whole("games", self.games, 1, GAMES_MAX)

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """All games, once; a start after the other."""
        there = field.entrants[: field.sides]
        if field.matches or len(there) < field.sides:
            return ()
        fixtures = []
        for n in range(self.games):
            start, turn = divmod(n, field.sides)
            sides = (*there[turn:], *there[:turn])
            fixtures.append(Fixture(n + 1, sides, start + 1))
        return tuple(fixtures)

    def done(self, field: Field) -> bool:
        """Whether all games have come out."""
        return field.decided and bool(field.matches)
