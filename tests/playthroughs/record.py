"""A whole game as text: who moved, what it did, what each viewer saw, how it ended.

Moves are chosen by the chance that dealt the game, so a file changes exactly when the
rules do. A change of these files is a change of the rules, and is read before it is kept.
"""

from pathlib import Path
from typing import Any, Final

from rookery.core.chance import Chance
from rookery.core.game import Outcome, Step
from rookery.core.ids import Seat
from rookery.games import AnyGame, parse_variant
from tests.playthroughs.drawing import draw_effects, draw_view
from tests.playthroughs.games import Recorded

HERE: Final = Path(__file__).parent


def file_of(recorded: Recorded) -> Path:
    """Where its text is kept."""
    return HERE / f"{recorded.title}.txt"


def record(recorded: Recorded) -> str:
    """Play the game and write it down."""
    game: AnyGame = parse_variant(recorded.variant)
    chance = Chance(recorded.seed)
    state = game.start(recorded.seats, chance)
    lines = [*_header(game, recorded), "", "start", *_views(game, state, recorded.seats), ""]
    ply = 0
    while game.to_act(state):
        ply += 1
        step, what = _next(game, state, chance, recorded, ply)
        state = step.state
        lines.append(f"{ply:>3} {what}  {draw_effects(step.effects)}".rstrip())
        if ply % recorded.every == 0 and game.to_act(state):
            lines += ["", *_views(game, state, recorded.seats), ""]
    outcome = game.outcome(state)
    assert outcome is not None, "a game that nobody is to act in has ended"
    lines += ["", "end", *_views(game, state, recorded.seats), "", *_footer(outcome)]
    return "\n".join(lines) + "\n"


# Any: states of every game, only passed back to it.
def _next(
    game: AnyGame, state: Any, chance: Chance, recorded: Recorded, ply: int
) -> tuple[Step[Any], str]:
    """One move by chance, or the forfeit that is due; and its line."""
    for quits in recorded.quits:
        if quits.ply == ply:
            step = game.forfeit(state, quits.seat, quits.why)
            return step, f"{game.seat_name(quits.seat)} forfeits: {quits.why}"
    able = [
        (seat, moves)
        for seat in sorted(game.to_act(state))
        if (moves := tuple(game.legal_moves(state, seat)))
    ]
    seat, moves = chance.choice(able)
    move = chance.choice(moves)
    return game.play(state, seat, move), f"{game.seat_name(seat)} {game.format_move(move)}"


def _header(game: AnyGame, recorded: Recorded) -> list[str]:
    names = ", ".join(game.seat_name(Seat(n)) for n in range(recorded.seats))
    return [
        f"variant: {recorded.variant}",
        f"rules:   {game.rules}",
        f"seats:   {names}",
        f"seed:    {recorded.seed}",
    ]


def _views(game: AnyGame, state: Any, seats: int) -> list[str]:
    """What a watcher sees, and where a seat sees something else."""
    watched = game.view(state, None)
    lines = draw_view(watched)
    for seat in map(Seat, range(seats)):
        if more := draw_view(game.view(state, seat), beside=watched):
            lines += [f"  for {game.seat_name(seat)}", *more]
    return lines


def _footer(outcome: Outcome) -> list[str]:
    scores = " ".join(map(str, outcome.scores)) if outcome.scores is not None else "-"
    return [
        f"places:  {' '.join(map(str, outcome.places))}",
        f"scores:  {scores}",
        f"how:     {outcome.how}",
        f"reason:  {outcome.reason}",
    ]
