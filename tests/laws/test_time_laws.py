"""Laws of time: a slow disk, a stalled server or a restart changes nobody's clock.

The same people play the same game in a quick world and in slow ones. Each thinks as long
in every world, counted from when the turn is put into their hands. What they are charged,
what they have left and who loses on time must be the same.
"""

from functools import cache

import pytest

from rookery.core.chance import Chance
from rookery.core.game import Forfeit
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.games import parse_variant
from rookery.testing import GameCase
from tests.laws.worlds import Plan, World

SECOND = MICROS_A_SECOND
WORLDS = 8  # slow ones that each plan is tried in
LONGEST_THINK = 4 * SECOND

GAMES = ("tictactoe", "reversi size=4", "nim sticks=3,4,5", "guess high=5", "fish rows=3 cols=5")
TIMES = ("none", "10m", "5m+3s", "4m delay 2s", "4s/move", "4s/move first 9s of phase")
# Quiet moves, so that neither board depends on when the other moves.
BUGHOUSE = tuple(
    tuple(f"{board}:{move}" for move in moves)
    for board in (1, 2)
    for moves in (("e2e3", "d2d3", "a2a3", "h2h3"), ("e7e6", "d7d6", "a7a6", "h7h6"))
)
PATIENT = ("none", "10m", "5m+3s", "4m delay 2s", "2m/move first 3m")  # for boards that wait
FIRST_SEED = Chance(1).bits()  # of the first table in a house

every_clock = pytest.mark.parametrize(
    ("variant", "time"),
    [
        *((game, time) for game in GAMES for time in TIMES),
        *(("bughouse", time) for time in PATIENT),
    ],
)


@cache
def moves_of(variant: str) -> tuple[tuple[str, ...], ...]:
    """A whole game by chance, by seat."""
    if variant == "bughouse":
        return BUGHOUSE
    game = parse_variant(variant)
    case = GameCase(game, game.seat_counts[-1], variant)
    walk = case.walk(FIRST_SEED)
    assert walk is not None
    plies = walk.plies
    return tuple(
        tuple(game.format_move(ply.move) for ply in plies if ply.seat == seat)
        for seat in range(case.seats)
    )


def plan(variant: str, time: str, chance: Chance) -> Plan:
    """Everybody thinks as long as they like, but for a clock that is enough."""
    moves = moves_of(variant)
    thinks = tuple(tuple(chance.below(LONGEST_THINK) for _ in seat) for seat in moves)
    return Plan(variant, time, moves, thinks)


def dawdle(made: Plan, seat: int, move: int, think: Micros) -> Plan:
    """The same plan, but for one move."""
    own = list(made.thinks[seat])
    own[move] = think
    thinks = (*made.thinks[:seat], tuple(own), *made.thinks[seat + 1 :])
    return Plan(made.variant, made.time, made.moves, thinks)


@every_clock
def test_a_slow_disk_and_a_stalled_server_change_nobodys_time(variant: str, time: str) -> None:
    for seed in range(WORLDS):
        made = plan(variant, time, Chance(seed))
        quick = World(made).live()
        assert quick.spent == made.thinks, "everyone is charged just what they thought"
        assert World(made, Chance(seed)).live() == quick, seed


@every_clock
def test_restarts_change_nobodys_time(variant: str, time: str) -> None:
    """A turn that a restart interrupts is given again, and nothing is charged for before."""
    died = 0
    for seed in range(WORLDS):
        made = plan(variant, time, Chance(seed))
        slow = World(made, Chance(seed), deaths=3)
        assert slow.live() == World(made).live(), seed
        died += slow.deaths
    assert died > WORLDS, "the server did die"


@pytest.mark.parametrize(
    ("time", "seconds"),
    [("20s", 20), ("8s+3s", 8), ("9s delay 2s", 11), ("4s/move", 4), ("4s/move first 9s", 9)],
)
@pytest.mark.parametrize("variant", GAMES)
def test_who_thinks_too_long_loses_on_time_whoever_notices(
    variant: str, time: str, seconds: int
) -> None:
    """In some worlds the timer rings first, in others the late move comes in first."""
    for seed in range(WORLDS):
        chance = Chance(seed)
        think = seconds * SECOND + chance.below(6 * SECOND)
        made = dawdle(plan(variant, time, chance), 1, 0, think)
        quick = World(made).live()
        assert [out.why for out in quick.late if out.seat == 1] == [Forfeit.LATE]
        assert quick.left[1] == 0, "a flag that fell leaves nothing"
        slow = World(made, Chance(seed), deaths=seed % 2)
        assert slow.live() == quick, seed


@pytest.mark.parametrize("slowness", [None, *range(20)])
def test_an_answer_that_was_read_in_time_is_in_time_however_late_it_is_decided(
    slowness: int | None,
) -> None:
    made = plan("tictactoe", "4s/move", Chance(1))
    made = dawdle(made, 0, 1, 4 * SECOND - 1)
    world = World(made, None if slowness is None else Chance(slowness))
    told = world.live()
    assert told.late == ()
    assert told.spent == made.thinks


@pytest.mark.parametrize("slowness", [None, *range(20)])
def test_an_answer_that_was_read_when_the_flag_fell_is_late(slowness: int | None) -> None:
    made = plan("tictactoe", "4s/move", Chance(1))
    made = dawdle(made, 0, 1, 4 * SECOND)
    world = World(made, None if slowness is None else Chance(slowness))
    assert [(out.seat, out.why, out.spent) for out in world.live().late] == [
        (0, Forfeit.LATE, 4 * SECOND)
    ]
