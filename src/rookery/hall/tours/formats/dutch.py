"""The FIDE Dutch system, which py4swiss knows, behind one function of ours.

A tour goes in as numbers and results, the sides of one round come out. Between the two
stands what FIDE calls a report, a row for each entrant with a cell for each round, here
built in memory. A win is 1, a draw ½ and a loss 0, whatever the tour counts.

Where the rules as they stand allow no round, colours give way first, then the one bye a
head; that no two play twice never does.
"""

from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.tour_values import ABSENT, WITHDRAWN, Fixture, Match, Pairs, Puzzle, Result, Worth

if TYPE_CHECKING:
    from py4swiss.trf.sections import PlayerSection

WHITE, BLACK, NEITHER = "w", "b", "-"

# The codes of a report. What was not played has no colour, and the two may meet again.
WON, DREW, LOST = "1", "=", "0"
WALKED_OVER, FORFEITED = "+", "-"
BYE, FULL, HALF, ZERO = "U", "F", "H", "Z"  # paired with nobody; points for no game

_PLAYED: Final = (WON, DREW, LOST)
_TENTHS: Final = {WON: 10, DREW: 5, WALKED_OVER: 10, BYE: 10, HALF: 5}
_GIVEN: Final = {None: BYE, Worth.HALF: HALF, Worth.ZERO: ZERO}
_COLOURLESS: Final = {WON: FULL, DREW: HALF, LOST: ZERO}

Sides = tuple[int, ...]


class PairingCell(Struct, frozen=True):
    """One entrant's part in one round."""

    code: str = ZERO
    colour: str = NEITHER
    rival: int = 0


class Rules(Struct, frozen=True):
    """Says which of the rules that may give way are kept."""

    colours: bool
    byes: bool


Rows = dict[int, list[PairingCell]]

LADDER: Final = (
    Rules(colours=True, byes=True),
    Rules(colours=False, byes=True),
    Rules(colours=False, byes=False),
)


# A format is asked what is next, and whether it is done, after everything that happens;
# so the answer is kept, for a few tours at a time.
@lru_cache(maxsize=16)
def pair_round(
    entrants: tuple[int, ...], matches: tuple[Match, ...], *, last: bool
) -> tuple[Sides, ...] | None:
    """The sides of the next round, best pair first and a bye last; None if there can be none.

    Every match has come out. A side of the matches that is no entrant is not paired.
    """
    if not matches:
        return _first_round(entrants)
    rows = _rows(entrants, matches)
    for rules in LADDER:
        pairs = ask(rows, frozenset(entrants), rules, last=last)
        if pairs is None:
            continue
        return pairs if rules.colours else tuple(_coloured(pair, rows) for pair in pairs)
    return None


def _first_round(entrants: tuple[int, ...]) -> Pairs:
    """The upper half against the lower, white for odd numbers in the upper; an odd one is free.

    The library says the same, but for 500 it looks for a quarter of a minute for a better one.
    """
    half = len(entrants) // 2
    pairs = [
        (upper, lower) if upper % 2 else (lower, upper)
        for upper, lower in zip(entrants[:half], entrants[half : 2 * half], strict=True)
    ]
    return (*pairs, *((last,) for last in entrants[2 * half :]))


def warm() -> None:
    """Load the library now, so that the first round does not wait for it."""
    import_module("py4swiss.engines.dutch")


def solve(puzzle: Puzzle) -> Pairs | None:
    """The pairs of this round; None if it cannot be paired."""
    pairs = _solve(puzzle, puzzle.entrants)
    if pairs is None and puzzle.paused:
        seeds = puzzle.seeds or tuple(sorted((*puzzle.entrants, *puzzle.paused)))
        inside = frozenset((*puzzle.entrants, *puzzle.paused))
        pairs = _solve(puzzle, tuple(one for one in seeds if one in inside))
    return pairs


def _solve(puzzle: Puzzle, entrants: tuple[int, ...]) -> Pairs | None:
    """The pairs of the round among these entrants."""
    if not puzzle.seeds:
        return pair_round(entrants, puzzle.matches, last=puzzle.last)
    # To the system a number is a seed.
    seed = {number: n for n, number in enumerate(puzzle.seeds, 1)}
    pairs = pair_round(
        tuple(seed[one] for one in entrants),
        tuple(_renumbered(match, seed) for match in puzzle.matches),
        last=puzzle.last,
    )
    if pairs is None:
        return None
    return tuple(tuple(puzzle.seeds[n - 1] for n in pair) for pair in pairs)


def _renumbered(match: Match, seed: dict[int, int]) -> Match:
    sides = tuple(seed[side] for side in match.fixture.sides)
    return replace(match, fixture=replace(match.fixture, sides=sides))


def _rows(entrants: Iterable[int], matches: tuple[Match, ...]) -> Rows:
    rounds = max((match.fixture.round for match in matches), default=0)
    numbers = {*entrants, *(side for match in matches for side in match.fixture.sides)}
    # An entrant who was not there yet, or no more, has nothing for the round.
    rows = {number: [PairingCell()] * rounds for number in sorted(numbers)}
    for match in matches:
        assert match.result is not None, "a round is paired when all before it came out"
        sides = match.fixture.sides
        for index, side in enumerate(sides):
            rows[side][match.fixture.round - 1] = _cell(match.fixture, index, match.result)
    return rows


def _cell(fixture: Fixture, index: int, result: Result) -> PairingCell:
    sides = fixture.sides
    if len(sides) == 1:
        return PairingCell(_GIVEN[fixture.rest])
    return PairingCell(_code(result, index), (WHITE, BLACK)[index], sides[1 - index])


def _code(result: Result, index: int) -> str:
    first = result.places[index] == 1
    winners = result.places.count(1)
    if winners == 0:
        return FORFEITED
    if result.how in (ABSENT, WITHDRAWN):
        return WALKED_OVER if first else FORFEITED
    if winners == 2:
        return DREW
    return WON if first else LOST


def ask(
    rows: Rows, entrants: frozenset[int], rules: Rules, *, last: bool
) -> tuple[Sides, ...] | None:
    """The library's pairs under these rules; None if it finds none."""
    # Here and not above: it takes 0.4 s to import, mostly pydantic, and the hall is imported
    # at every start of a server, where hardly one has a Swiss tour.
    from py4swiss.engines.common import PairingError  # noqa: PLC0415
    from py4swiss.engines.dutch import Engine  # noqa: PLC0415
    from py4swiss.trf import ParsedTrf  # noqa: PLC0415
    from py4swiss.trf.sections import XSection  # noqa: PLC0415

    report = ParsedTrf(
        player_sections=[_section(number, row, rules) for number, row in rows.items()],
        x_section=XSection(
            # In the last round the leaders may be given the same colour a third time.
            number_of_rounds=max(map(len, rows.values())) + (1 if last else 2),
            zeroed_ids=rows.keys() - entrants,
            forbidden_pairs=_met(rows),
        ),
    )
    try:
        pairings = Engine.generate_pairings(report)
    except PairingError:
        return None
    return tuple((p.white, p.black) if p.black else (p.white,) for p in pairings)


def _section(number: int, row: list[PairingCell], rules: Rules) -> "PlayerSection":
    from py4swiss.trf.codes import PlayerCode  # noqa: PLC0415
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult  # noqa: PLC0415
    from py4swiss.trf.sections import PlayerSection  # noqa: PLC0415

    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=number,
        rank=number,
        points_times_ten=sum(_TENTHS.get(cell.code, 0) for cell in row),
        results=[
            RoundResult(id=cell.rival, color=ColorToken(cell.colour), result=ResultToken(cell.code))
            for cell in (_under(rules, cell) for cell in row)
        ],
    )


def _under(rules: Rules, cell: PairingCell) -> PairingCell:
    """The cell as the library sees it, without what the rules to be kept do not need."""
    if not rules.colours and cell.code in _PLAYED:
        return PairingCell(_COLOURLESS[cell.code])
    if not rules.byes and cell.code in (BYE, WALKED_OVER):
        return PairingCell(FULL)
    return cell


def _met(rows: Rows) -> set[tuple[int, int]]:
    return {
        (number, cell.rival)
        for number, row in rows.items()
        for cell in row
        if cell.code in _PLAYED and number < cell.rival
    }


def _coloured(pair: Sides, rows: Rows) -> Sides:
    """First the one who had white less often, then who had black last, then the better one."""
    return tuple(sorted(pair, key=lambda number: _whiteness(rows[number])))


def _whiteness(row: list[PairingCell]) -> tuple[int, int]:
    colours = [1 if cell.colour == WHITE else -1 for cell in row if cell.code in _PLAYED]
    return sum(colours), colours[-1] if colours else 0
