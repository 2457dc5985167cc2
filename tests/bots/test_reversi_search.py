"""The quick search at reversi finds what a plain one finds, on boards of every size."""

import pytest

from rookery.bots.reversi.evaluation import WON, final, worth
from rookery.bots.reversi.leaves import Leaves
from rookery.bots.reversi.lines import Lines, lines_of
from rookery.bots.reversi.search import Search
from rookery.core.chance import Chance

INFINITE = 10 * WON
Sides = tuple[int, int]  # the discs of who moves, and the other's


def positions(size: int, seed: int) -> list[Sides]:
    """All positions of a game in which both sides move at random."""
    lines, chance = lines_of(size), Chance(seed)
    middle = size * (size // 2) + size // 2
    white = lines.marks[middle] | lines.marks[middle - size - 1]
    sides = (lines.marks[middle - 1] | lines.marks[middle - size], white)
    found = []
    while lines.can_move(*sides) or lines.can_move(*reversed(sides)):
        found.append(sides)
        moves = lines.moves(*sides)
        at = chance.choice(sorted(moves)) if moves else -1
        sides = after(lines, sides, at, moves[at]) if moves else (sides[1], sides[0])
    return found


def after(lines: Lines, sides: Sides, at: int, flips: int) -> Sides:
    return sides[1] ^ flips, sides[0] | lines.marks[at] | flips


def plain(lines: Lines, sides: Sides, depth: int) -> int:
    """What the side to move gets, by trying everything."""
    if depth == 0:
        return worth(lines, *sides)
    moves = lines.moves(*sides)
    if moves:
        return max(-plain(lines, after(lines, sides, *move), depth - 1) for move in moves.items())
    if lines.can_move(sides[1], sides[0]):
        return -plain(lines, (sides[1], sides[0]), depth)
    return final(lines, *sides)


@pytest.mark.parametrize(("size", "depth"), [(4, 3), (6, 1), (6, 3), (8, 2), (8, 3), (10, 2)])
def test_a_search_is_worth_what_trying_everything_is(size: int, depth: int) -> None:
    lines = lines_of(size)
    for sides in positions(size, seed=size)[:: 1 if size == 4 else 11]:
        search = Search(lines, 10**9, lambda: False)
        assert search.value(*sides, depth, -INFINITE, INFINITE) == plain(lines, sides, depth)


@pytest.mark.parametrize("window", [(-200, -199), (0, 1), (150, 600)])
def test_outside_the_window_the_answer_is_on_the_right_side(window: Sides) -> None:
    lines, (alpha, beta) = lines_of(8), window
    for sides in positions(8, seed=3)[::6]:
        value = Search(lines, 10**9, lambda: False).value(*sides, 3, alpha, beta)
        true = plain(lines, sides, 3)
        assert min(max(value, alpha), beta) == min(max(true, alpha), beta)


@pytest.mark.parametrize("size", [4, 8, 14])
def test_the_last_move_before_the_guess_is_guessed_as_any_position_is(size: int) -> None:
    lines = lines_of(size)
    leaves = Leaves(lines)
    for sides in positions(size, seed=1):
        moves = lines.moves(*sides)
        found = leaves.best(*sides, INFINITE)
        if moves:
            assert found == (plain(lines, sides, 1), len(moves))
        else:
            assert found is None


def test_one_move_is_turned_as_among_all() -> None:
    lines = lines_of(8)
    for sides in positions(8, seed=2):
        moves = lines.moves(*sides)
        free = lines.full ^ sides[0] ^ sides[1]
        for at, mark in enumerate(lines.marks):
            if mark & free:
                assert lines.turned(*sides, at) == moves.get(at, 0)
