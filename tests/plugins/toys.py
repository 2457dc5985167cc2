"""Plug-ins to try out: one small game as text, in which a test may change what it will.

A heap of pebbles; who takes the last one or two wins. It imports nothing but the kit. And a
format: everyone meets the first.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rookery import bots, dialects, games
from rookery.hall.tables.table import judge_of, variant_of
from rookery.hall.tours import formats
from rookery.plugins import loading

KEPT = (  # what is registered in a process, for good
    (games, ("_games", "_origins", "_suspended")),
    (bots, ("_levels", "_origins")),
    (dialects, ("_dialects", "_origins")),
    (formats, ("_formats", "_origins")),
)

HEAP = '''"""A heap of pebbles."""

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery import sdk


class State(Struct, frozen=True):
    heap: int
    turn: sdk.Seat
    lost: sdk.Forfeited | None = None


class HeapView(sdk.View, frozen=True):
    heap: int
    turn: sdk.Seat | None


class Clacked(sdk.Effect, frozen=True):
    pebbles: int


class Heap(Struct, frozen=True):
    """Take one or two; who takes the last one wins."""

    name: ClassVar = "heap"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = True
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)

    pebbles: Annotated[int, Meta(description="how many there are; 1 to 40")] = 10

    def __post_init__(self) -> None:
        sdk.check_whole("pebbles", self.pebbles, 1, 40)

    def seat_name(self, seat: sdk.Seat) -> str:
        return ("near", "far")[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        return tuple(range(seats))

    def start(self, seats: int, chance: sdk.Chance) -> State:
        return State(self.pebbles, sdk.Seat(0))

    def phase(self, state: State) -> str:
        return "play" if self.outcome(state) is None else sdk.OVER

    def to_act(self, state: State) -> frozenset[sdk.Seat]:
        return sdk.alone(state.turn) if self.outcome(state) is None else sdk.NOBODY

    def legal_moves(self, state: State, seat: sdk.Seat) -> Iterable[int]:
        return range(1, min(2, state.heap) + 1) if seat in self.to_act(state) else ()

    def play(self, state: State, seat: sdk.Seat, move: int) -> sdk.Step[State]:
        if self.outcome(state) is not None:
            raise sdk.game_over()
        if seat != state.turn:
            raise sdk.not_your_turn()
        if not 1 <= move <= min(2, state.heap):
            raise sdk.IllegalMove("out_of_range", "One takes one or two.")
        return sdk.Step(State(state.heap - move, sdk.Seat(1 - seat)), (Clacked(move),))

    def forfeit(self, state: State, seat: sdk.Seat, why: sdk.Forfeit) -> sdk.Step[State]:
        if self.outcome(state) is not None:
            raise sdk.game_over()
        return sdk.Step(replace(state, lost=sdk.Forfeited(seat, why)))

    def outcome(self, state: State) -> sdk.Outcome | None:
        if state.lost is not None:
            words = state.lost.sentence(self.seat_name(state.lost.seat))
            return sdk.win(2, sdk.other(state.lost.seat), state.lost.why, words)
        if state.heap:
            return None
        return sdk.win(2, sdk.other(state.turn), "last", "The last pebble is taken.")

    def view(self, state: State, viewer: sdk.Seat | None) -> HeapView:
        return HeapView(state.heap, state.turn if self.outcome(state) is None else None)

    def parse_move(self, text: str) -> int:
        return sdk.parse_integer(text)

    def format_move(self, move: int) -> str:
        return str(move)
'''


ONCE = '''"""Everyone meets the first."""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from rookery.sdk.formats import Field, Fixture


class Once(Struct, frozen=True):
    """Everyone meets the first, once."""

    name: ClassVar = "once"
    sides: ClassVar = range(2, 3)
    solo: ClassVar = False
    eager: ClassVar = False
    fixed: ClassVar = True
    late: ClassVar = False
    most: ClassVar = 128
    by_rounds: ClassVar = False
    smaller: ClassVar = False
    seeded: ClassVar = True

    legs: Annotated[int, Meta(description="how often they meet")] = 1

    def least(self, sides: int) -> int:
        return sides

    def lasts(self) -> None:
        return None

    def next(self, field: Field) -> tuple[Fixture, ...]:
        if field.matches:
            return ()
        first, *rest = field.entrants
        return tuple(Fixture(n, (first, one), 0) for n, one in enumerate(rest, 1))

    def done(self, field: Field) -> bool:
        return field.decided
'''


def toy(folder: Path, *changes: tuple[str, str], name: str = "heap.py", more: str = "") -> Path:
    """The game in a file, with these words changed."""
    text = HEAP
    for old, new in changes:
        assert old in text, f"{old!r} is not in the toy"
        text = text.replace(old, new)
    file = folder / name
    file.write_text(text + more)
    return file


def raising(
    word: str, *, when: str = "True", what: str = "ZeroDivisionError('oh')"
) -> tuple[str, str]:
    """The change that makes this method raise, when this is so."""
    head = HEAP[HEAP.index(f"    def {word}(") :].partition(":\n")[0] + ":\n"
    return head, f"{head}        if {when}:\n            raise {what}\n"


@contextmanager
def own_registries() -> Iterator[None]:
    """Registries of its own for a test: what it loads is gone after it."""
    kept = [getattr(module, name) for module, names in KEPT for name in names]
    kept.append(dialects.LANGUAGES._declared)  # noqa: SLF001 # as those above
    variant_of.cache_clear()
    judge_of.cache_clear()
    before = [dict(one) for one in kept]
    lists: list[Any] = [loading._found, loading._files]  # noqa: SLF001
    entries = [list(one) for one in lists]
    with patch.dict("os.environ"):
        try:
            yield
        finally:
            for one, was in zip(kept, before, strict=True):
                one.clear()
                one.update(was)
            for found, had in zip(lists, entries, strict=True):
                found[:] = had
            variant_of.cache_clear()
            judge_of.cache_clear()
