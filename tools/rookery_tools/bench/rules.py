"""How long the rules alone take a move, in microseconds, for every registered game.

Random games are prepared first, as the texts of their moves, with fixed seeds: every
run on every machine times the same games. Then they are played again against the
clock, as a referee does it: read the move, play it, ask who is next and whether it is
over. The best of several runs counts, in the process's own time, so that a busy
machine disturbs little. Beside it stands a bare loop that makes as many calls to a
function that does nothing: no Python could be quicker.
"""

from collections.abc import Callable, Mapping
from time import process_time_ns
from typing import Any, Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.core.presentation import shown_of
from rookery.games import GAMES, AnyGame, parse_variant

GAMES_EACH: Final = 20  # random games a variant
LONGEST: Final = 200  # moves; random bughouse could go on for ever
RUNS: Final = 3  # at least; more for as long as the next two lines say
SPAN_A_GAME: Final = 10_000_000  # nanoseconds
SPAN: Final = 300_000_000  # nanoseconds, however many games
# Nanoseconds that a run lasts, about: short ones are repeated. A process that is moved to another
# processor may be told that it took no time for what it has just done.
RUN_LASTS: Final = 1_000_000

# Microseconds a move, on a machine of 2 cores with CPython 3.11. Shown, never asserted.
BUDGETS: Final[Mapping[str, int]] = {"reversi": 20, "nim": 8, "fish": 30, "bughouse": 150}


class RulesCase(Struct, frozen=True):
    """One line of the measurement: a variant, and how many play it."""

    game: str
    variant: str
    seats: int


class Timing(Struct, frozen=True):
    """The timing of one case. `budget` is None where there is none, and then so is `within`."""

    game: str
    variant: str
    seats: int
    games: int
    moves: int  # timed in one run
    micros: float  # a move
    bare_micros: float  # a move, of the loop that does nothing
    ratio: float
    budget: int | None
    within: bool | None


class Prepared(Struct, frozen=True):
    """One random game: where it started, and every move as its seat and text."""

    start: Any  # a state of the game's own, only ever given back to it
    moves: tuple[tuple[Seat, str], ...]


def suite() -> tuple[RulesCase, ...]:
    """Every game with the fewest and the most seats, and the variants it offers."""
    return tuple(
        RulesCase(name, variant, seats)
        for name, game in GAMES.items()
        for variant in (name, *(f"{name} {options}" for options in shown_of(game).offers))
        for seats in sorted({game.seat_counts[0], game.seat_counts[-1]})
    )


def time_rules(case: RulesCase, games: int) -> Timing:
    """Prepare this many random games of the case, then time them."""
    game = parse_variant(case.variant)
    prepared = tuple(prepare(game, case.seats, Chance(seed)) for seed in range(games))
    moves = sum(len(one.moves) for one in prepared)
    span = min(SPAN, games * SPAN_A_GAME)
    micros = best(lambda: _replay(game, prepared), span) / 1000 / moves
    bare = best(lambda: _bare(prepared), span) / 1000 / moves
    budget = BUDGETS.get(case.game)
    return Timing(
        game=case.game,
        variant=case.variant,
        seats=case.seats,
        games=games,
        moves=moves,
        micros=round(micros, 3),
        bare_micros=round(bare, 3),
        ratio=round(micros / bare, 1),
        budget=budget,
        within=None if budget is None else micros <= budget,
    )


def prepare(game: AnyGame, seats: int, chance: Chance) -> Prepared:
    """A random game, to its end or to the longest that is timed."""
    start = state = game.start(seats, chance)
    moves: list[tuple[Seat, str]] = []
    while len(moves) < LONGEST:
        choices = [(s, tuple(game.legal_moves(state, s))) for s in sorted(game.to_act(state))]
        able = [(seat, legal) for seat, legal in choices if legal]
        if not able:
            break
        seat, legal = chance.choice(able)
        move = chance.choice(legal)
        moves.append((seat, game.format_move(move)))
        state = game.play(state, seat, move).state
    return Prepared(start, tuple(moves))


def best(run: Callable[[], None], span: int, clock: Callable[[], int] = process_time_ns) -> float:
    """The shortest of several runs, in nanoseconds."""

    def timed(repeats: int) -> int:
        began = clock()
        for _ in range(repeats):
            run()
        return max(1, clock() - began)

    repeats = 1
    while timed(repeats) < RUN_LASTS:
        repeats *= 2
    times: list[int] = []
    while len(times) < RUNS or sum(times) < span:
        times.append(timed(repeats))
    return min(times) / repeats


def _replay(game: AnyGame, prepared: tuple[Prepared, ...]) -> None:
    for one in prepared:
        state = one.start
        for seat, text in one.moves:
            state = game.play(state, seat, game.parse_move(text)).state
            game.to_act(state)
            game.outcome(state)


def _bare(prepared: tuple[Prepared, ...]) -> None:
    for one in prepared:
        state = one.start
        for seat, text in one.moves:
            _nothing(text)
            _nothing(state, seat, text)
            _nothing(state)
            _nothing(state)


def _nothing(*what: object) -> None:
    """The empty function that the bare loop calls."""
