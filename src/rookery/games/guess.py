"""Guess: both seats look for the same hidden number, and hear only high, low or right.

Home guesses, then away; that is a round. The game ends after a round in which someone
was right, so away may still draw level. The number, and which numbers a seat has tried,
are secrets: the other seat and those who watch hear the answers alone, until the end.

A move is a whole number. Those off the range are all alike to the rules, so reading
one takes it to the nearest number just outside: with 1 to 100, to 0 or 101.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import BadOption, IllegalMove, game_over, not_your_turn
from rookery.core.game import (
    OVER,
    Effect,
    Forfeit,
    Forfeited,
    Outcome,
    Step,
    View,
    cap,
    draw,
    other,
    win,
)
from rookery.core.ids import NOBODY, Seat, alone
from rookery.core.options import check_whole, parse_integer
from rookery.core.presentation import Lesson, Showing, Teaching

HOME: Final = Seat(0)
AWAY: Final = Seat(1)

HIGH, LOW, RIGHT = "H", "L", "C"  # the guess was too high, too low, correct
NONE_YET: Final = "-"

FARTHEST: Final = (1 << 31) - 2  # one step past either end is still a 32-bit number
NUMBERS_MAX: Final = 1_000_000
ROUNDS_MAX: Final = 10_000  # a state remembers every guess

_NAMES: Final = ("home", "away")
_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" fill="none">
<style>:root{--paper:#f0ece2;--line:#ddd6c7;--ink:#22282a}
@media(prefers-color-scheme:dark){:root{--paper:#121516;--line:#343b3c;--ink:#e9e6de}}</style>
<rect x="2" y="2" width="36" height="36" rx="6" style="fill:var(--paper);stroke:var(--line)"/>
<path d="M14.5 15a5.5 5.5 0 1 1 8 5c-2 1-2.5 2-2.5 4.5" stroke-width="3" stroke-linecap="round"
style="stroke:var(--ink)"/><circle cx="20" cy="30" r="1.8" style="fill:var(--ink)"/></svg>"""


_TAUGHT: Final = Teaching(
    (
        (
            "A number is hidden. One guesses, then the other; each hears whether their guess was "
            "too high, too low or right."
        ),
        "The game ends after a round in which somebody was right; if both were, it is a draw.",
    ),
    (
        Lesson(
            task="It is one of 1 to 100. Guess so that you learn most, whatever you hear.",
            good=tuple(map(str, range(45, 57))),
            why="The middle halves what is left: seven guesses are always enough.",
        ),
        Lesson(
            task="50 was too high. Halve again what is left.",
            good=tuple(map(str, range(22, 29))),
            why="A quarter of all numbers is left now.",
            played=("50", "50"),
        ),
        Lesson(
            task="Only 1, 2 and 3 are left. Which guess tells you all?",
            good=("2",),
            why="Too high, too low or right: then you know it.",
            options="low=1 high=3",
        ),
    ),
)


class Answered(Effect, frozen=True, tag="answered"):
    """The answer to a seat's guess, for everyone: H too high, L too low, C correct."""

    seat: Seat
    answer: str

    def words(self, who: Callable[[Seat], str]) -> str:
        """The answer in words: too high, too low, or right."""
        return {HIGH: "too high", LOW: "too low", RIGHT: "right"}.get(self.answer, self.answer)


class Guessed(Struct, frozen=True):
    """A number that was tried, and the answer to it."""

    number: int
    answer: str


class State(Struct, frozen=True):
    """The hidden number, and all guesses of home and of away; their count tells the turn."""

    secret: int
    guesses: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    lost: Forfeited | None = None

    @property
    def turn(self) -> Seat:
        """The seat that would guess next, over or not."""
        return AWAY if len(self.guesses[HOME]) > len(self.guesses[AWAY]) else HOME


class GuessView(View, frozen=True, tag="guess_view"):
    """What a viewer may know: the last answers, its own guesses, and at the end the number."""

    low: int
    high: int
    turn: Seat | None
    round: int  # from 1; at the end the last one
    answers: tuple[str, str]  # of home and of away; `-` before the first guess
    own: tuple[Guessed, ...]  # nothing for those who watch
    secret: int | None  # None until the game is over


class Guess(Struct, frozen=True):
    """Find the hidden number in fewer rounds than the other seat."""

    name: ClassVar = "guess"
    rules: ClassVar = 1
    seat_counts: ClassVar = range(2, 3)
    can_draw: ClassVar = False
    secret_moves: ClassVar = True
    phases: ClassVar[tuple[str, ...]] = ("play",)
    taught: ClassVar = _TAUGHT
    shown: ClassVar = Showing(
        icon=_ICON,
        colours=("black", "white"),
        words={"home": "first", "away": "second", "low": "lowest number", "high": "highest number"},
    )

    low: Annotated[int, Meta(description="the smallest number it can be")] = 1
    high: Annotated[int, Meta(description="the largest number it can be")] = 100
    rounds: Annotated[int, Meta(description="rounds until it is a draw; at most 10000")] = 1000

    def __post_init__(self) -> None:
        check_whole("low", self.low, -FARTHEST, FARTHEST)
        check_whole("high", self.high, -FARTHEST, FARTHEST)
        check_whole("rounds", self.rounds, 1, ROUNDS_MAX)
        if not self.low <= self.high < self.low + NUMBERS_MAX:
            raise BadOption(
                f"From low to high there are 1 to {NUMBERS_MAX} numbers, "
                f"not {self.high - self.low + 1}."
            )

    def seat_name(self, seat: Seat) -> str:
        """`home` or `away`."""
        return _NAMES[seat]

    def teams(self, seats: int) -> tuple[int, ...]:
        """Each for itself."""
        return tuple(range(seats))

    def start(self, seats: int, chance: Chance) -> State:
        """Hide a number drawn by chance."""
        return State(chance.between(self.low, self.high))

    def phase(self, state: State) -> str:
        """`play`, then `over`."""
        return OVER if self._is_over(state) else "play"

    def to_act(self, state: State) -> frozenset[Seat]:
        """Home, then away, by turns; nobody when the game is over."""
        return NOBODY if self._is_over(state) else alone(state.turn)

    def legal_moves(self, state: State, seat: Seat) -> Iterable[int]:
        """Every number of the range, and one more at either end."""
        if seat not in self.to_act(state):
            return ()
        return range(self.low - 1, self.high + 2)

    def play(self, state: State, seat: Seat, move: int) -> Step[State]:
        """Try a number; everyone hears the answer."""
        if self._is_over(state):
            raise game_over()
        if seat != state.turn:
            raise not_your_turn()
        if not self.low - 1 <= move <= self.high + 1:
            raise IllegalMove(
                "out_of_range", f"A guess is a number from {self.low - 1} to {self.high + 1}."
            )
        home, away = state.guesses
        guesses = ((*home, move), away) if seat == HOME else (home, (*away, move))
        heard = Answered(seat, _answer(state.secret, move))
        return Step(State(state.secret, guesses), (heard,))

    def forfeit(self, state: State, seat: Seat, why: Forfeit) -> Step[State]:
        """The other seat wins."""
        if self._is_over(state):
            raise game_over()
        return Step(replace(state, lost=Forfeited(seat, why)))

    def outcome(self, state: State) -> Outcome | None:
        """The seat that was right in the last round wins; both or nobody is a draw."""
        if state.lost is not None:
            sentence = state.lost.sentence(self.seat_name(state.lost.seat))
            return win(2, other(state.lost.seat), state.lost.why, sentence)
        if not self._is_over(state):
            return None
        match [Seat(n) for n, tried in enumerate(state.guesses) if tried[-1] == state.secret]:
            case [winner]:
                sentence = f"{cap(_NAMES[winner])} found the number {state.secret}."
                return win(2, winner, "found", sentence)
            case []:
                sentence = f"Nobody found the number {state.secret} in {self.rounds} rounds."
                return draw(2, "rounds", sentence)
            case _:
                sentence = f"Both found the number {state.secret} in the same round."
                return draw(2, "both", sentence)

    def view(self, state: State, viewer: Seat | None) -> GuessView:
        """The answers, and the guesses of the viewer itself."""
        is_over = self._is_over(state)
        home, away = (
            _answer(state.secret, tried[-1]) if tried else NONE_YET for tried in state.guesses
        )
        tried = () if viewer is None else state.guesses[viewer]
        return GuessView(
            low=self.low,
            high=self.high,
            turn=None if is_over else state.turn,
            round=len(state.guesses[AWAY]) + (0 if is_over and state.lost is None else 1),
            answers=(home, away),
            own=tuple(Guessed(number, _answer(state.secret, number)) for number in tried),
            secret=state.secret if is_over else None,
        )

    def parse_move(self, text: str) -> int:
        """A whole number; one off the range becomes the nearest just outside."""
        return min(max(parse_integer(text), self.low - 1), self.high + 1)

    def format_move(self, move: int) -> str:
        """A whole number."""
        return str(move)

    def _is_over(self, state: State) -> bool:
        if state.lost is not None:
            return True
        home, away = state.guesses
        if not home or len(home) != len(away):
            return False
        return state.secret in (home[-1], away[-1]) or len(home) >= self.rounds


def _answer(secret: int, number: int) -> str:
    if number == secret:
        return RIGHT
    return HIGH if number > secret else LOW
