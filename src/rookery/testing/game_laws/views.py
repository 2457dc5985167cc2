"""The law of views: what a viewer is shown follows from what it was told, and nothing else.

Two games that a viewer cannot tell apart by what it has heard must look the same to it,
whatever is hidden in them. So many games are played, what each viewer heard is kept,
and wherever two stories are the same the views are compared. Until the end, that is:
after it nothing is secret.

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
from rookery.testing.cases import GameCase, Ply, PositionOf, Walk, spread
from rookery.testing.game_laws.declared import once
from rookery.testing.law import Broken, Law

BEGINNING: Final = 6  # plies; longer stories are hardly ever told twice
CHOICES: Final = 3  # moves to choose from at each, for the same reason
TOGETHER: Final = 100  # plies of a long game that are looked at


class HeardOfMove(Struct, frozen=True):
    """What one viewer hears of one move."""

    seat: Seat
    text: str | None
    effects: tuple[Effect, ...]
    phase: str


class ViewersMoment(Struct, frozen=True):
    """A viewer, all it has heard, and what it is shown then."""

    viewer: Seat | None
    start: View
    heard: tuple[HeardOfMove, ...]
    view: View
    spot: PositionOf

    @property
    def world(self) -> Any:
        """The state at the start, secrets and all; only compared."""
        return self.spot.walk.start


def games_that_a_viewer_cannot_tell_apart_look_the_same_to_it(case: GameCase, _: None) -> None:
    """Wherever two of them were told alike."""
    first_told: dict[object, ViewersMoment] = {}
    for moment in moments(case):
        first = first_told.setdefault((moment.viewer, moment.start, moment.heard), moment)
        if moment.view != first.view:
            who, seed = case.seat_word(moment.viewer), first.spot.walk.seed
            raise Broken(
                f"that {who} sees {first.view}, as after the same moves from seed {seed}",
                moment.view,
                moment.spot,
            )


def worlds_that_differ_in_what_is_hidden_begin_and_sound_the_same(case: GameCase, _: None) -> None:
    """A view that gave a secret away at once would leave the law above nothing to compare."""
    stories: dict[object, set[object]] = {}
    for moment in moments(case):
        story = (moment.viewer, moment.start, moment.heard)
        stories.setdefault(story, set()).add(moment.world)
    alike = sum(len(worlds) - 1 for worlds in stories.values())
    if alike <= case.effort.worlds // 4:
        raise Broken(
            f"more than {case.effort.worlds // 4} moments that look alike in different games",
            f"{alike}: what is secret seems to show, in the view of a start or in an effect",
        )


def hides_something(case: GameCase) -> bool:
    """Whether games begin differently, and moves are secret or the starts look alike to some."""
    starts = [case.game.start(case.seats, Chance(seed)) for seed in range(10)]
    different = len(set(map(repr, starts)))
    return different > 1 and (
        case.game.secret_moves
        or any(
            len({repr(case.game.view(start, viewer)) for start in starts}) < different
            for viewer in case.viewers
        )
    )


def moments(case: GameCase) -> Iterator[ViewersMoment]:
    """Everything that every viewer is shown, in many games up to their ends."""
    for walk in _games(case):
        for viewer in case.viewers:
            yield from _told(case, walk, viewer)


def _games(case: GameCase) -> Iterator[Walk]:
    """Many beginnings with few moves to choose from, and two long games."""
    worlds = case.effort.worlds if hides_something(case) else max(2, case.effort.worlds // 20)
    for seed in range(case.seed - 1, case.seed - 1 + worlds):
        chance = Chance(seed)
        start = state = case.game.start(case.seats, chance)
        plies: list[Ply] = []
        while len(plies) < BEGINNING:
            able = [
                (seat, moves)
                for seat in case.acting(state)
                if (moves := spread(case.legal(state, seat), CHOICES))
            ]
            if not able:
                break
            seat, moves = chance.choice(able)
            move = chance.choice(moves)
            plies.append(Ply(state, seat, move, case.game.play(state, seat, move)))
            state = plies[-1].step.state
        yield Walk(seed, start, tuple(plies))
    yield from case.walks[:2]


def _told(case: GameCase, walk: Walk, viewer: Seat | None) -> Iterator[ViewersMoment]:
    first = case.game.view(walk.start, viewer)
    heard: tuple[HeardOfMove, ...] = ()
    for at, ply in enumerate(walk.plies[:TOGETHER], 1):
        state = ply.step.state
        if case.game.phase(state) == OVER:
            return
        heard = (*heard, _hear(case, ply, viewer))
        view = case.game.view(state, viewer)
        yield ViewersMoment(viewer, first, heard, view, PositionOf(case, walk, at))


def _hear(case: GameCase, ply: Ply, viewer: Seat | None) -> HeardOfMove:
    may_know = ply.seat == viewer or not case.game.secret_moves
    text = case.game.format_move(ply.move) if may_know else None
    effects: list[Effect] = []
    for effect in ply.step.effects:
        if not isinstance(effect, Aside):
            effects.append(effect)
        elif effect.seat == viewer:
            effects.append(effect.effect)
    return HeardOfMove(ply.seat, text, tuple(effects), case.game.phase(ply.step.state))


def _if_hidden(case: GameCase) -> tuple[None, ...]:
    return once(case) if case.game.secret_moves and hides_something(case) else ()


_ALIKE = games_that_a_viewer_cannot_tell_apart_look_the_same_to_it
_WORLDS = worlds_that_differ_in_what_is_hidden_begin_and_sound_the_same

LAWS: Final[tuple[Law[GameCase], ...]] = (
    Law("Games that a viewer cannot tell apart look the same to it.", once, _ALIKE, "variant"),
    Law(
        "Worlds that differ in what is hidden begin and sound the same.",
        _if_hidden,
        _WORLDS,
        "variant",
    ),
)
