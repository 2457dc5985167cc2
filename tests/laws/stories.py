"""Games as their viewers hear them: for the law of views.

A viewer hears whose move it was, the move itself unless moves are secret and another's,
the effects told to all or to its own seat, and the phase. That is its story; what it is
shown beside that is its view.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.game import OVER, Aside, Effect, View
from rookery.core.ids import Seat
from tests.laws.variants import Case
from tests.laws.walks import Ply, all_seats, legal, seats_to_act, spread, walks

WORLDS: Final = 400  # beginnings of games in which something is hidden
BEGINNING: Final = 6  # plies; longer stories are hardly ever told twice
CHOICES: Final = 3  # moves to choose from at each, for the same reason


class Heard(Struct, frozen=True):
    """What one viewer hears of one move."""

    seat: Seat
    text: str | None
    effects: tuple[Effect, ...]
    phase: str


class Moment(Struct, frozen=True):
    """A viewer, all it has heard, and what it is shown then."""

    viewer: Seat | None
    start: View
    heard: tuple[Heard, ...]
    view: View
    world: Any  # the state at the start, secrets and all; only compared


def hides_something(case: Case) -> bool:
    """Whether games of this kind begin differently, and keep moves secret too."""
    starts = {case.game.start(case.seats, Chance(seed)) for seed in range(10)}
    return case.game.secret_moves and len(starts) > 1


def moments(case: Case) -> Iterator[Moment]:
    """Everything that every viewer is shown, in many games up to their ends."""
    for start, plies in _games(case):
        for viewer in (None, *all_seats(case)):
            yield from _told(case, start, plies, viewer)


def _games(case: Case) -> Iterator[tuple[Any, tuple[Ply, ...]]]:
    """Many beginnings with few moves to choose from, and two long games."""
    for seed in range(WORLDS if hides_something(case) else WORLDS // 20):
        chance = Chance(seed)
        start = state = case.game.start(case.seats, chance)
        plies: list[Ply] = []
        while len(plies) < BEGINNING and case.game.to_act(state):
            able = [
                (seat, moves)
                for seat in seats_to_act(case, state)
                if (moves := spread(legal(case, state, seat), CHOICES))
            ]
            seat, moves = chance.choice(able)
            move = chance.choice(moves)
            plies.append(Ply(state, seat, move, case.game.play(state, seat, move)))
            state = plies[-1].step.state
        yield start, tuple(plies)
    for one in walks(case)[:2]:
        yield one.start, one.plies[:100]


def _told(case: Case, start: Any, plies: tuple[Ply, ...], viewer: Seat | None) -> Iterator[Moment]:
    first = case.game.view(start, viewer)
    heard: tuple[Heard, ...] = ()
    for ply in plies:
        state = ply.step.state
        if case.game.phase(state) == OVER:
            return
        heard = (*heard, _hear(case, ply, viewer))
        yield Moment(viewer, first, heard, case.game.view(state, viewer), start)


def _hear(case: Case, ply: Ply, viewer: Seat | None) -> Heard:
    may_know = ply.seat == viewer or not case.game.secret_moves
    text = case.game.format_move(ply.move) if may_know else None
    effects: list[Effect] = []
    for effect in ply.step.effects:
        if not isinstance(effect, Aside):
            effects.append(effect)
        elif effect.seat == viewer:
            effects.append(effect.effect)
    return Heard(ply.seat, text, tuple(effects), case.game.phase(ply.step.state))
