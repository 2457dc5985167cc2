"""A game that is a file and a line has all of it: players, bots, drawings and a log that replays.

The toy below is known to nothing but the registry, and to that only while a test runs.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, cast

import msgspec
import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.bots.answering import think
from rookery.bots.asking import Thought, read_thought, write
from rookery.cli.commands.replay import from_log
from rookery.cli.table.picture import picture, sentence
from rookery.clients.native.table import heard, opened
from rookery.core.chance import Chance
from rookery.core.errors import IllegalMove, game_over, not_your_turn
from rookery.core.events import Opened, TableEvent, table_of
from rookery.core.game import OVER, Effect, Forfeit, Forfeited, Outcome, Step, View, win
from rookery.core.ids import NOBODY, Seat, Status, alone
from rookery.core.options import check_whole, parse_integer
from rookery.games import GAMES, read_view, view_type
from rookery_tools.strength.levels import steps
from tests.cli.bots import Bots, level_one


class State(Struct, frozen=True):
    """What lies there, whose turn it is, and who gave up."""

    heap: int
    turn: Seat
    lost: Forfeited | None = None


class PebblesView(View, frozen=True):
    """A heap as a picture, and whose turn it is."""

    heap: tuple[str, ...]
    turn: Seat | None


class Clacked(Effect, frozen=True):
    """Pebbles were taken, and one could hear it."""

    pebbles: int


class Pebbles(Struct, frozen=True):
    """Take one to three pebbles; who takes the last one wins."""

    name: ClassVar = "pebbles"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = False
    secret_moves: ClassVar = False
    phases: ClassVar[tuple[str, ...]] = ("play",)

    pebbles: Annotated[int, Meta(description="how many there are; 1 to 40")] = 10

    def __post_init__(self) -> None:
        check_whole("pebbles", self.pebbles, 1, 40)

    def seat_name(self, seat: Seat) -> str:
        return ("near", "far")[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:  # noqa: ARG002
        return State(self.pebbles, Seat(0))

    def phase(self, state: State) -> str:
        return "play" if self.outcome(state) is None else OVER

    def to_act(self, state: State) -> frozenset[Seat]:
        return alone(state.turn) if self.outcome(state) is None else NOBODY

    def legal_moves(self, state: State, seat: Seat) -> Iterable[int]:
        return range(1, min(3, state.heap) + 1) if seat in self.to_act(state) else ()

    def play(self, state: State, seat: Seat, move: int) -> Step[State]:
        if self.outcome(state) is not None:
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        if not 1 <= move <= min(3, state.heap):
            raise IllegalMove("out_of_range", "One takes one to three of those that are there.")
        after = State(state.heap - move, Seat(1 - seat))
        return Step(after, (Clacked(move),))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        if self.outcome(state) is not None:
            raise game_over()
        return Step(replace(state, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        if state.lost is not None:
            said = state.lost.sentence(self.seat_name(state.lost.seat))
            return win(2, Seat(1 - state.lost.seat), state.lost.why, said)
        if state.heap:
            return None
        winner = Seat(1 - state.turn)
        return win(2, winner, "last", f"{self.seat_name(winner)} took the last pebble.")

    def view(self, state: State, viewer: Seat | None) -> PebblesView:  # noqa: ARG002
        rows = tuple("o" * min(5, state.heap - n) for n in range(0, state.heap, 5))
        return PebblesView(rows, state.turn if self.outcome(state) is None else None)

    def parse_move(self, text: str) -> int:
        return parse_integer(text)

    def format_move(self, move: int) -> str:
        return str(move)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    registry = cast("dict[str, Any]", GAMES)  # Any: no game of ours
    monkeypatch.setitem(registry, Pebbles.name, Pebbles)
    yield
    assert "rookery.games.pebbles" not in sys.modules


def played(choose: Any = level_one) -> Bots:
    bots = Bots(choose)
    bots.come("native", "pebbles pebbles=12", "ann", "bob")
    bots.settle()
    return bots


def test_bots_of_level_one_play_it_over_native_to_the_end() -> None:
    bots = played()
    assert sorted(map(len, bots.results.values())) == [1, 1]
    assert bots.moves.total() > 3


def test_its_log_replays() -> None:
    table = played().table(1)
    assert table.status is Status.OVER
    assert table.outcome is not None
    assert table.outcome.how == "last"


def test_it_goes_on_after_a_restart() -> None:
    bots = Bots()
    bots.come("native", "pebbles", "ann", "bob")
    bots.settle(2)
    bots.hall.restart()
    assert bots.table(1).state.heap < 10


def test_it_is_drawn_as_text_and_told_in_words() -> None:
    records = [one for one in played().hall.records if table_of(one.stream) == 1]
    told = list(from_log(_table(), ((r.n, r.at, _event(r.event)) for r in records)))
    first = _event(records[0].event)
    assert isinstance(first, Opened)
    room, said = opened(_table(), first), []
    drawings = []
    for one in told[1:]:
        said.append(sentence(room, one))
        room = heard(room, one)
        drawings.append(picture(room).plain)
    assert any("heap:\n  ooooo\n  ooooo\n  oo\nturn: 0" in drawn for drawn in drawings)
    assert any("took the last pebble" in words for words in said)


def test_its_views_are_read_back_from_json() -> None:
    game = Pebbles()
    view = game.view(game.start(2, Chance(0)), None)
    assert view_type(cast("Any", Pebbles)) is PebblesView
    assert read_view(msgspec.json.decode(msgspec.json.encode(view))) == view
    thought = Thought("pebbles", 1, Seat(0), view, ("1", "2", "3"), 1, 1000)
    assert read_thought(write(thought)) == thought


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_the_higher_levels_look_ahead(level: int) -> None:
    game = Pebbles(pebbles=3)
    view = game.view(game.start(2, Chance(0)), Seat(0))
    asked = Thought("pebbles pebbles=3", level, Seat(0), view, ("1", "2", "3"), 7, 1000, played=())
    assert think(asked, lambda: False) == "3", "it takes all that is left"


def test_where_nobody_knows_what_was_played_the_higher_levels_move_anyhow() -> None:
    game = Pebbles()
    view = game.view(game.start(2, Chance(0)), Seat(0))
    asked = [
        Thought("pebbles", 5, Seat(0), view, ("1", "2", "3"), seed, 1000) for seed in range(40)
    ]
    assert {think(one, lambda: False) for one in asked} == {"1", "2", "3"}


def test_how_strong_its_levels_are_can_be_measured() -> None:
    assert [step.level for step in steps(["pebbles"])] == [2, 3, 4, 5]


def _table() -> Any:
    return table_of("table/1")


def _event(event: object) -> TableEvent:
    assert isinstance(event, TableEvent)
    return event
