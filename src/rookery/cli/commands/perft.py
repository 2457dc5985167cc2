"""`rookery perft`: how many positions a game reaches in 1, 2, 3… moves.

Such counts are known for many games, so they are the quickest proof that rules are
right. A ply is a move: being passed over is none. A game that has ended is one leaf.

A game may count part of a position itself: of bughouse the counts that others have
published are of one board, so half of a position will do.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Final

import click

from rookery.cli.commands.games import seats_text
from rookery.cli.options import WholeNumber, words_option
from rookery.core.chance import SEED_BITS, Chance
from rookery.core.errors import BadOption, BadPosition
from rookery.core.game import Counting, Game, M, Positioned, S
from rookery.core.options import make_variant, split_options
from rookery.games import AnyGame, find_game

DEEPEST: Final = 100  # more than any count will reach; a bound for the recursion

_EXAMPLES: Final = """\b
Examples:
  rookery perft reversi --depth 6
  rookery perft reversi --size 10 --depth 5
  rookery perft tictactoe --position X...O.... --depth 7
  rookery perft fish --seats 3 --seed 7 --depth 3
"""

Count = Callable[[int], int]  # the number of positions at this depth


@click.command(short_help="Count the positions a game can reach.", epilog=_EXAMPLES)
@click.argument("game")
@click.option(
    "-d", "--depth", type=WholeNumber(1, DEEPEST), required=True, help="How many moves deep."
)
@words_option
@click.option("--size", metavar="N", help="Short for -o size=N.")
@click.option("--position", metavar="P", help="Count from here, not from the start.")
@click.option("--seats", type=int, help="How many play; the fewest if not said.")
@click.option(
    "--seed",
    type=WholeNumber(0, (1 << SEED_BITS) - 1),
    help="What the start is dealt from; 0 if not said.",
)
def command(
    *,
    game: str,
    depth: int,
    words: tuple[str, ...],
    size: str | None,
    position: str | None,
    seats: int | None,
    seed: int | None,
) -> None:
    """Count the positions that GAME reaches in 1, 2, … up to --depth moves.

    One line a depth, printed as soon as it is known. A pass is not a move, and a game
    that is over counts as one position.

    For bughouse --position may be one board in FEN, with its hands, and that board
    alone is counted; with two (and | between), or without it, both are.
    """
    if size is not None:
        words = (f"size={size}", *words)
    variant = make_variant(find_game(game), game, split_options(words))
    if position is None:
        count = _from_start(variant, seats, seed)
    elif seats is None and seed is None:
        count = _from_position(variant, position)
    else:
        raise BadOption("A position is not dealt: --seats and --seed do not go with --position.")
    _report(count, depth)


def _from_start(game: AnyGame, seats: int | None, seed: int | None) -> Count:
    if seats is None:
        seats = game.seat_counts[0]
    if seats not in game.seat_counts:
        some = seats_text(tuple(game.seat_counts))
        raise BadOption(f"The game {game.name} has {some}, not {seats}.")
    start = game.start(seats, Chance(seed or 0))
    return lambda depth: perft(game, start, depth)


def _from_position(game: AnyGame, position: str) -> Count:
    if isinstance(game, Counting) and (count := game.counts_of(position)) is not None:
        return count
    if not isinstance(game, Positioned):
        raise BadPosition(f"The game {game.name} has secrets, so it has no --position.")
    state = game.parse_position(position)
    return lambda depth: perft(game, state, depth)


def _report(count: Count, deepest: int) -> None:
    began, nodes = perf_counter(), 0
    for depth in range(1, deepest + 1):
        found = count(depth)
        nodes += found
        click.echo(f"depth {depth}: {found}")  # echo flushes: the next depth may take hours
    rate = nodes / max(perf_counter() - began, 1e-9)
    click.echo(f"nodes/s: {rate:.0f}")


def perft(game: Game[S, M], state: S, depth: int) -> int:
    """How many positions are `depth` moves from here, ended games counting as one each.

    Every move of every seat to act is tried, also where two may move at once. The last ply is
    counted without being played, which is what makes it quick.
    """
    if depth == 0:
        return 1
    seats = game.to_act(state)
    if not seats:
        return 1
    # A seat to act may have to wait: in bughouse, for a piece that its partner takes.
    choices = [(seat, tuple(game.legal_moves(state, seat))) for seat in seats]
    assert any(moves for _, moves in choices), "somebody can move until the game is over"
    if depth == 1:
        return sum(len(moves) for _, moves in choices)
    return sum(
        perft(game, game.play(state, seat, move).state, depth - 1)
        for seat, moves in choices
        for move in moves
    )
