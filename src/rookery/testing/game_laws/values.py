"""Laws of values: they hash, compare, and go to JSON and back."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from rookery.core.game import Aside, Effect, Forfeit, Outcome
from rookery.core.ids import Seat
from rookery.testing.cases import GameCase, PositionOf
from rookery.testing.game_laws.declared import once
from rookery.testing.game_laws.play import every_spot, spots
from rookery.testing.law import Broken, Law


class ShownValue(Struct, frozen=True):
    """Some value, as a report shows it."""

    value: Any

    def told(self) -> Iterator[tuple[str, str]]:
        """As Python shows it."""
        yield "value", repr(self.value)


def variants_are_values(case: GameCase, _: None) -> None:
    """The game itself."""
    _check_value("a variant", case.game)


def states_are_values_and_differ_after_every_move(_: GameCase, spot: PositionOf) -> None:
    """So that they can be kept, compared and looked up."""
    _check_value("a state", spot.state)
    if spot.at and spot.state == spot.plies[-1].before:
        raise Broken("another state after the last move", "the same as before it")


def moves_are_values(_: GameCase, move: ShownValue) -> None:
    """So that they can be looked up."""
    _check_value("a move", move.value)


def views_are_values_and_go_to_json_and_back(case: GameCase, spot: PositionOf) -> None:
    """Of every viewer."""
    for viewer in case.viewers:
        view = case.game.view(spot.state, viewer)
        _check_value(f"what {case.seat_word(viewer)} sees", view)
        _check_json(view)


def effects_are_values_and_go_to_json_and_back(case: GameCase, effect: ShownValue) -> None:
    """Those for one seat alone too, and that seat is at the table."""
    _check_value("an effect", effect.value)
    told = effect.value
    if isinstance(told, Aside):
        if told.seat not in case.all_seats:
            raise Broken("an aside for a seat of the table", told)
        told = told.effect
    if not isinstance(told, Effect):
        raise Broken("a subclass of Effect", type(told))
    _check_json(told)


def outcomes_are_values_and_go_to_json_and_back(_: GameCase, outcome: ShownValue) -> None:
    """Of games played out, and forfeited."""
    _check_value("an outcome", outcome.value)
    if outcome.value is not None:
        _check_json(outcome.value)


def _check_value(what: str, thing: object) -> None:
    try:
        hash(thing)
    except TypeError as wrong:
        raise Broken(f"that {what} is a value, which hashes", f"{wrong}: {thing!r}") from wrong
    if thing != thing or thing == object():  # noqa: PLR0124 - that is the question
        raise Broken(f"that {what} equals itself and nothing else", repr(thing))


def _check_json(value: Any) -> None:
    text = msgspec.json.encode(value)
    again = msgspec.json.decode(text, type=type(value))
    if again != value:
        raise Broken(f"{value!r} from JSON as it went there", repr(again))


def _outcomes(case: GameCase) -> Iterator[ShownValue]:
    """How those games ended, and how they would have by a forfeit."""
    yield from (ShownValue(case.game.outcome(one.end)) for one in case.walks)
    for one in case.walks[:1]:
        for why in Forfeit:
            after: Outcome | None = case.game.outcome(
                case.game.forfeit(one.start, Seat(0), why).state
            )
            yield ShownValue(after)


def _moves(case: GameCase) -> Iterator[ShownValue]:
    return map(ShownValue, case.some_moves)


def _effects(case: GameCase) -> Iterator[ShownValue]:
    return map(ShownValue, case.effects)


LAWS: Final[tuple[Law[GameCase], ...]] = (
    Law("Variants are values.", once, variants_are_values, "variant"),
    Law(
        "States are values and differ after every move.",
        every_spot,
        states_are_values_and_differ_after_every_move,
    ),
    Law("Moves are values.", _moves, moves_are_values, "move"),
    Law(
        "Views are values and go to JSON and back.",
        spots,
        views_are_values_and_go_to_json_and_back,
    ),
    Law(
        "Effects are values and go to JSON and back.",
        _effects,
        effects_are_values_and_go_to_json_and_back,
        "effect",
    ),
    Law(
        "Outcomes are values and go to JSON and back.",
        _outcomes,
        outcomes_are_values_and_go_to_json_and_back,
        "outcome",
    ),
)
