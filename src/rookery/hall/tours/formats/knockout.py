"""Formats in which an entrant who loses is out: knock-out, and groups as the fish course plays it.

The bracket is folded: the best two seeds can meet only in the final, and the best have the
byes. The first round gives everyone a place in it; all else follows from the results. A tie
is one match, or legs with colours exchanged. If it is level, deciding matches follow one at
a time until one is won; after six the better seed goes on, and a final stays shared. An entrant
who has left does not go on. A play-off for third place has the round before the final's.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from rookery.core.options import check_flag, check_whole
from rookery.core.tour_values import WITHDRAWN, Field, Fixture, Match
from rookery.hall.tours.formats.base import UsualFormat

LEGS_MOST: Final = 10  # a longer tie keeps everybody else waiting
DECIDERS_MOST: Final = 6  # games like tic-tac-toe are drawn for ever between good players

Sides = tuple[int, ...]


class Tie(Struct, frozen=True):
    """All matches between two entrants in one round, in the order of pairing; or a bye."""

    sides: Sides  # as in its first match
    matches: tuple[Match, ...]

    @property
    def decided(self) -> bool:
        """Whether every match of the tie has come out."""
        return all(match.result is not None for match in self.matches)


class Knockout(UsualFormat, frozen=True):
    """Two meet, one goes on."""

    legs: Annotated[int, Meta(description="matches in a tie, colours exchanged")] = 1
    third: Annotated[bool, Meta(description="whether third place is played for")] = False

    name: ClassVar[str] = "knockout"
    fixed: ClassVar[bool] = False
    most: ClassVar[int] = 1024
    by_rounds: ClassVar[bool] = True
    seeded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Refuse options that are out of bounds."""
        check_whole("legs", self.legs, 1, LEGS_MOST)
        check_flag("third", self.third)

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """Deciding matches for level ties; else the next round, once all has come out."""
        if not field.matches:
            return self._first_round(field)
        deciders = self._deciders(field)
        if deciders or not field.decided:
            return deciders
        return self._next_round(field)

    def done(self, field: Field) -> bool:
        """Whether the final is decided, or nobody is left to go on."""
        return field.decided and not self.next(field)

    def _first_round(self, field: Field) -> tuple[Fixture, ...]:
        seeds = field.entrants
        if len(seeds) < 2:
            return ()
        order = bracket(len(seeds))
        ties = [
            (1, tuple(seeds[seed] for seed in pair if seed < len(seeds)))
            for pair in zip(order[::2], order[1::2], strict=True)
        ]
        return self._draw(field, ties)

    def _deciders(self, field: Field) -> tuple[Fixture, ...]:
        # The play-off for third place runs beside the final, and has the round before it.
        since = field.last_round - self.third
        inside = frozenset(field.entrants)
        return tuple(
            _return_match(tie)
            for tie in _ties(field, since)
            if inside.issuperset(tie.sides) and self._is_level(tie)
        )

    def _is_level(self, tie: Tie) -> bool:
        return (
            len(tie.sides) == 2
            and len(tie.matches) < self.legs + DECIDERS_MOST
            and tie.decided
            and self._ahead(tie) is None
        )

    def _next_round(self, field: Field) -> tuple[Fixture, ...]:
        first, last = _ties(field, 1, 1), field.last_round
        to_come = len(first) >> last  # ties of the next round, in a bracket that nobody left
        if to_come == 0:
            return ()
        inside = field.entrants
        ended = _ties(field, last)
        place = {side: index for index, tie in enumerate(first) for side in tie.sides}
        meeting: dict[int, Sides] = {}
        for tie in ended:
            for side in self._goes_on(tie, inside):
                meeting[place[side] >> last] = (*meeting.get(place[side] >> last, ()), side)
        going_on = frozenset(side for sides in meeting.values() for side in sides)
        play_off = (
            _beaten(ended, frozenset(inside) - going_on) if self.third and to_come == 1 else ()
        )
        paired = [(last + 1, play_off)] if play_off else []
        number = last + 1 + len(paired)
        paired += [(number, meeting[index]) for index in sorted(meeting)]
        return self._draw(field, paired)

    def _goes_on(self, tie: Tie, inside: Sides) -> Sides:
        """The side that goes on to the next round; nobody where the winner has left since."""
        left = tuple(side for side in inside if side in tie.sides)  # the better seed first
        ahead = tie.sides[0] if len(tie.sides) == 1 else self._ahead(tie)
        if ahead is None:
            return left[:1]
        if ahead in inside:
            return (ahead,)
        # An entrant who leaves before the last leg has lost the tie, however far ahead.
        return left if any(_walked_over(match) for match in tie.matches) else ()

    def _ahead(self, tie: Tie) -> int | None:
        """The side that won more legs, or the first deciding match that was won; None: level."""
        one, other = tie.sides
        lead = sum(_lead(match, one) for match in tie.matches[: self.legs])
        for match in tie.matches[self.legs :]:
            lead = lead or _lead(match, one)
        if lead == 0:
            return None
        return one if lead > 0 else other

    def _draw(self, field: Field, paired: Iterable[tuple[int, Sides]]) -> tuple[Fixture, ...]:
        """The fixtures of these ties and rounds; the side that was first less often is first."""
        firsts = Counter(m.fixture.sides[0] for m in field.matches if len(m.fixture.sides) == 2)
        seed = {side: n for n, side in enumerate(field.entrants)}
        fixtures: list[Fixture] = []
        for number, sides in paired:
            seated = tuple(sorted(sides, key=lambda side: (firsts[side], seed[side])))
            legs = self.legs if len(seated) == 2 else 1
            start = len(field.matches) + len(fixtures) + 1 if legs > 1 else 0
            fixtures += [
                Fixture(number, seated[::-1] if leg % 2 else seated, start) for leg in range(legs)
            ]
        return tuple(fixtures)


def bracket(entrants: int) -> tuple[int, ...]:
    """The seeds, from 0, in the order of the bracket's lines; those beyond the last are byes."""
    order = [0]
    while len(order) < entrants:
        lowest = 2 * len(order) - 1
        order = [seed for better in order for seed in (better, lowest - better)]
    return tuple(order)


def _ties(field: Field, since: int, until: int | None = None) -> tuple[Tie, ...]:
    """The ties of these rounds, in the order they were paired."""
    found: dict[tuple[int, frozenset[int]], list[Match]] = {}
    for match in field.matches:
        number = match.fixture.round
        if number >= since and (until is None or number <= until):
            found.setdefault((number, frozenset(match.fixture.sides)), []).append(match)
    return tuple(Tie(matches[0].fixture.sides, tuple(matches)) for matches in found.values())


def _beaten(semifinals: tuple[Tie, ...], stayed: frozenset[int]) -> Sides:
    """The sides that play for third place; none, unless both semifinals were between two."""
    if [len(tie.sides) for tie in semifinals] != [2, 2]:
        return ()
    return tuple(side for tie in semifinals for side in tie.sides if side in stayed)


def _return_match(tie: Tie) -> Fixture:
    last = tie.matches[-1].fixture
    return Fixture(last.round, last.sides[::-1])


def _lead(match: Match, side: int) -> int:
    """1 if this side won, -1 if the other did; a draw, or nobody first, leaves them level."""
    assert match.result is not None, "a tie is looked at when all of it has come out"
    if 1 not in match.result.places or match.result.places == (1, 1):
        return 0
    return 1 if match.fixture.sides[match.result.places.index(1)] == side else -1


def _walked_over(match: Match) -> bool:
    return match.result is not None and match.result.how == WITHDRAWN


# Each round the players are dealt to tables of two to four in the order of signing up, and all
# who come first at theirs go on. It ends after a round of one game, which is the final, when
# fewer than two are left, or when a round leaves in everyone whom the round before left in:
# players who are equal twice would be equal for ever.
class Groups(UsualFormat, frozen=True):
    """The first of every table go on, until they fit at one."""

    name: ClassVar[str] = "groups"
    sides: ClassVar[range] = range(2, 5)  # the most at a table; there may be fewer
    fixed: ClassVar[bool] = False
    most: ClassVar[int] = 1024
    by_rounds: ClassVar[bool] = True
    smaller: ClassVar[bool] = True
    seeded: ClassVar[bool] = True

    def least(self, sides: int) -> int:
        """Two entrants, however many fit at a table."""
        assert sides in self.sides, "a plan has as many sides as its format can pair"
        return 2

    def next(self, field: Field) -> tuple[Fixture, ...]:
        """The next round, once all of the last has come out."""
        if not field.decided:
            return ()
        number = field.last_round
        played = tuple(match for match in field.matches if match.fixture.round == number)
        if len(played) == 1:
            return ()
        players = _going_on(field, played) if played else field.entrants
        # "It ends … when two rounds in a row have the same winners": who played this round
        # are the winners of the one before.
        if len(players) < 2 or (number > 1 and frozenset(players) == _players(played)):
            return ()
        return tuple(Fixture(number + 1, sides) for sides in _deal(players, field.sides))

    def survivors(self, field: Field) -> tuple[int, ...]:
        """The entrants still in who were first in the last round, or have yet to play it."""
        number = field.last_round
        played = tuple(match for match in field.matches if match.fixture.round == number)
        yet = _players(tuple(match for match in played if match.result is None))
        came = _going_on(field, tuple(match for match in played if match.result is not None))
        return tuple(side for side in field.entrants if side in yet or side in came)

    def done(self, field: Field) -> bool:
        """Whether there was a final, or there can be none."""
        return field.decided and not self.next(field)


def table_sizes(players: int, most: int) -> tuple[int, ...]:
    """How many sit at each table, with so many players and at most so many at one."""
    full, over = divmod(players, most)
    if over != 1:
        return (most,) * full + ((over,) if over else ())
    if most == 2 or full == 0:
        return (most,) * full + (1,)  # tables of one fewer are no tables: the last has a bye
    # "If fewer than 2 would remain, the last game is taken back and dealt with one fewer a
    # game": one full table and one player make a table of one fewer, and one of two.
    return (most,) * (full - 1) + (most - 1, 2)


def _deal(players: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    dealt, tables = 0, []
    for size in table_sizes(len(players), most):
        tables.append(players[dealt : dealt + size])
        dealt += size
    return tables


def _going_on(field: Field, played: tuple[Match, ...]) -> tuple[int, ...]:
    """The entrants who were first at a table and are still in, in the order of signing up."""
    first: set[int] = set()
    for match in played:
        assert match.result is not None, "a round is looked at when all of it has come out"
        ranked = zip(match.fixture.sides, match.result.places, strict=True)
        first.update(side for side, place in ranked if place == 1)
    return tuple(side for side in field.entrants if side in first)


def _players(played: tuple[Match, ...]) -> frozenset[int]:
    return frozenset(side for match in played for side in match.fixture.sides)
