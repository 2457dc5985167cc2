"""A tiny game that can be broken on purpose, to see that the laws notice.

Two seats put 1 or 2 on a pile by turns, until it holds five; whoever reaches it wins.
Moves are secret, and so is a lucky number that changes nothing. `fault` names what is
wrong with it; without one it keeps every law.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import BadNotation, IllegalMove, game_over, not_your_turn
from rookery.core.game import OVER, Effect, Forfeit, Forfeited, Outcome, Step, View, other, win
from rookery.core.ids import NOBODY, Seat, alone

FULL: Final = 5


class Grown(Effect, frozen=True):
    """The pile is that high now."""

    pile: int


class State(Struct, frozen=True):
    lucky: int
    pile: int = 0
    turn: Seat = Seat(0)
    lost: Forfeited | None = None
    moves: list[int] | None = None  # never to be done: a list is no value


class PileView(View, frozen=True):
    pile: int
    turn: Seat
    hint: int = 0


class Pile(Struct, frozen=True):
    """The game; see above for the rules."""

    name: ClassVar = "pile"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = False
    secret_moves: ClassVar = True
    phases: ClassVar[tuple[str, ...]] = ("play",)

    fault: str = ""

    def seat_name(self, seat: Seat) -> str:
        return ("left", "right")[seat]

    def teams(self, seats: int) -> tuple[int, ...]:  # noqa: ARG002
        return (0, 0) if self.fault == "splits a team" else (0, 1)

    def start(self, seats: int, chance: Chance) -> State:  # noqa: ARG002
        return State(chance.between(1, 9))

    def phase(self, state: State) -> str:
        over = self.outcome(state) is not None and self.fault != "plays in the end"
        return OVER if over else "quiet" if self.fault == "plays in silence" else "play"

    def to_act(self, state: State) -> frozenset[Seat]:
        return NOBODY if self.outcome(state) is not None else alone(state.turn)

    def legal_moves(self, state: State, seat: Seat) -> Iterable[int]:
        if seat not in self.to_act(state):
            return ()
        if self.fault == "lists too much":
            return (1, 2, 3)
        if self.fault == "lists too little":
            return (1, 2) if state.pile in (0, 2) else (1,)
        return (1, 2) if state.pile < FULL - 1 else (1,)

    def play(self, state: State, seat: Seat, move: int) -> Step[State]:
        if self.outcome(state) is not None:
            raise game_over()
        if seat != state.turn and self.fault != "takes any seat":
            raise not_your_turn()
        if move not in (1, 2) or state.pile + move > FULL:
            if self.fault == "crashes":
                raise KeyError(move)
            raise IllegalMove("wrong_number", "" if self.fault == "mumbles" else "Too many.")
        while self.fault == "never ends" and state.pile == 1:
            pass
        if self.fault == "stands still":
            return Step(replace(state, turn=other(seat)))
        pile = state.pile + move
        moves = [*(state.moves or ()), move] if self.fault == "keeps a list" else None
        return Step(State(state.lucky, pile, other(seat), moves=moves), (Grown(pile),))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        if self.outcome(state) is not None and self.fault != "forfeits for ever":
            raise game_over()
        return Step(replace(state, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        if state.lost is not None:
            winner = state.lost.seat if self.fault == "rewards" else other(state.lost.seat)
            return win(2, winner, state.lost.why, state.lost.sentence("left"))
        if state.pile < FULL:
            return None
        if self.fault == "ranks badly":
            return Outcome((1, 3), "full", "The pile is full.")
        return win(2, other(state.turn), "full", "The pile is full.")

    def view(self, state: State, viewer: Seat | None) -> PileView:  # noqa: ARG002
        over = self.outcome(state) is not None
        match self.fault:
            case "leaks later":
                hint = state.lucky if state.pile > 2 else 0
            case "leaks at once":
                hint = state.lucky
            case _:
                hint = state.lucky if over else 0
        return PileView(state.pile, state.turn, hint)

    def parse_move(self, text: str) -> int:
        if self.fault == "trusts int":
            return int(text)
        if text not in ("1", "2", "3"):
            raise BadNotation("A move is 1, 2 or 3.")
        return int(text)

    def format_move(self, move: int) -> str:
        return "1" if self.fault == "writes one thing" else str(move)

    def evaluate(self, state: State, seat: Seat) -> float:
        return 2.0 if self.fault == "hopes too much" else 0.75 if seat == state.turn else 0.25

    def imagine(self, view: PileView, seat: Seat, chance: Chance) -> State:  # noqa: ARG002
        pile = 0 if self.fault == "sees another" else view.pile
        return State(chance.between(1, 9), pile, view.turn)
