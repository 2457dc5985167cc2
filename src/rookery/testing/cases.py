"""What laws are tried on: a variant at a table of so many seats, and random games of it.

The games are played once, by seeds, and looked at by every law. Some cost a thousand times
what others do, so a law looks at a spread of positions and moves and not at all of them.

A game that breaks a law may break in the middle of one of these games. That game just stops
there, for the law that was broken to find; all others look at what there is.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, TypeVar

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import TookTooLong
from rookery.core.game import Aside, Effect, Step
from rookery.core.ids import Seat
from rookery.core.options import variant_text
from rookery.games import AnyGame
from rookery.plugins.watchdog import at_most
from rookery.testing.law import WAITS

T = TypeVar("T")

PATIENCE: Final = 10.0  # seconds for one trial, or one game: longer is for ever
ANY_GAME_ENDS: Final = 5000  # plies; enough for any game we would want to watch


class Effort(Struct, frozen=True):
    """How much of a game is looked at."""

    games: int  # at most, where they are short
    plies: int  # enough of them, where they are long; two games are played in any case
    positions: int  # that a law looks at
    moves: int  # of one position that a law tries
    texts: int  # that a reader is tried with
    worlds: int  # beginnings of games in which something is hidden


QUICK: Final = Effort(games=10, plies=200, positions=15, moves=20, texts=40, worlds=80)
USUAL: Final = Effort(games=40, plies=1200, positions=60, moves=80, texts=200, worlds=400)
DEEP: Final = Effort(games=400, plies=20_000, positions=600, moves=200, texts=5000, worlds=4000)
EFFORTS: Final = {"quick": QUICK, "usual": USUAL, "deep": DEEP}


# Any: these hold states and moves of every game, and only pass them back to it.
class Ply(Struct, frozen=True):
    """One move of a random game."""

    before: Any
    seat: Seat
    move: Any
    step: Step[Any]


class Walk(Struct, frozen=True):
    """A game from its start, every move by chance; to its end, if nothing stopped it."""

    seed: int
    start: Any
    plies: tuple[Ply, ...]

    def state(self, at: int) -> Any:
        """The position after so many plies."""
        return self.plies[at - 1].step.state if at else self.start

    @property
    def end(self) -> Any:
        """The last position."""
        return self.state(len(self.plies))


class PositionOf(Struct, frozen=True):
    """A position of one of those games, so that it can be told how it came about."""

    case: "GameCase"
    walk: Walk
    at: int

    @property
    def state(self) -> Any:
        """The position itself."""
        return self.walk.state(self.at)

    @property
    def plies(self) -> tuple[Ply, ...]:
        """What led to it."""
        return self.walk.plies[: self.at]

    def smaller(self) -> Iterator["PositionOf"]:
        """Positions that some of the moves lead to."""
        size = self.at
        while size:
            for first in range(self.at - size, -1, -1):
                left = (*self.plies[:first], *self.plies[first + size :])
                walk = self.case.again(self.walk.seed, [(ply.seat, ply.move) for ply in left])
                if walk is not None:
                    yield PositionOf(self.case, walk, len(walk.plies))
            size //= 2

    def told(self) -> Iterator[tuple[str, str]]:
        """The seed, the moves as text, and the position as Python shows it."""
        yield "seed", str(self.walk.seed)
        said = [
            f"{self.case.seat_word(ply.seat)} {self.case.written(ply.move)}" for ply in self.plies
        ]
        yield "moves", ", ".join(said) or "none yet"
        yield "position", repr(self.state)


class GameCase:
    """A variant, how many seats sit down to it, and games of it, which it keeps once played."""

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        title: str = "",
        longest: int = ANY_GAME_ENDS,
        *,
        seed: int = 1,
        effort: Effort = USUAL,
        patience: float = PATIENCE,
    ) -> None:
        self.game = game
        self.seats = seats
        self.title = title or title_of(game)
        self.longest = longest
        self.seed = seed
        self.effort = effort
        self.patience = patience
        self._late = False  # whether one of those games did not come back

    def __str__(self) -> str:
        return f"{self.title} for {self.seats}"

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """Every seat at the table."""
        return tuple(Seat(n) for n in range(self.seats))

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Every seat, and somebody who only watches."""
        return (None, *self.all_seats)

    def legal(self, state: Any, seat: Seat) -> tuple[Any, ...]:
        """The seat's legal moves, listed."""
        return tuple(self.game.legal_moves(state, seat))

    def acting(self, state: Any) -> list[Seat]:
        """The seats to act, in order."""
        return sorted(self.game.to_act(state))

    def walk_on(self, state: Any, chance: Chance) -> Iterator[Ply]:
        """Play on from here to the end, or to where there is nothing to play, or too much."""
        for _ in range(self.longest + 1):
            able = [
                (seat, moves) for seat in self.acting(state) if (moves := self.legal(state, seat))
            ]
            if not able:
                return
            seat, moves = chance.choice(able)
            move = chance.choice(moves)
            ply = Ply(state, seat, move, self.game.play(state, seat, move))
            yield ply
            state = ply.step.state

    def walk(self, seed: int) -> Walk | None:
        """One game, as far as it goes where the rules fail; None if it does not even begin."""
        chance, plies = Chance(seed), list[Ply]()
        try:
            start = self.game.start(self.seats, chance)
        except Exception:  # noqa: BLE001 - the law of beginnings tells of it
            return None
        try:
            with at_most(self.patience * WAITS, work=self.patience):
                plies.extend(self.walk_on(start, chance))
        except TookTooLong:
            self._late = True
        except Exception:  # noqa: BLE001, S110 - whose law it breaks finds it where it stopped
            pass
        return Walk(seed, start, tuple(plies))

    def again(self, seed: int, moves: Iterable[tuple[Seat, Any]]) -> Walk | None:
        """The game of these moves, each by its seat or whoever may; None where it cannot be."""
        plies: list[Ply] = []
        try:
            start = state = self.game.start(self.seats, Chance(seed))
            for seat, move in moves:
                able = [one for one in self.acting(state) if move in self.legal(state, one)]
                mover = seat if seat in able else able[0]
                plies.append(Ply(state, mover, move, self.game.play(state, mover, move)))
                state = plies[-1].step.state
        except Exception:  # noqa: BLE001 - then it is no game, whatever the reason
            return None
        return Walk(seed, start, tuple(plies))

    def seat_word(self, seat: Seat | None) -> str:
        """What a report calls a seat."""
        if seat is None:
            return "a spectator"
        with suppress(Exception):  # a law of its own says that seats have names
            return self.game.seat_name(seat)
        return f"seat {seat}"

    def written(self, move: Any) -> str:
        """What a report calls a move."""
        with suppress(Exception):  # likewise
            return self.game.format_move(move)
        return repr(move)

    @cached_property
    def walks(self) -> tuple[Walk, ...]:
        """A few games of this variant."""
        played: list[Walk] = []
        plies = 0
        for seed in range(self.seed, self.seed + self.effort.games):
            walk = self.walk(seed)
            if walk is not None:
                played.append(walk)
                plies += len(walk.plies)
            if self._late or (plies >= self.effort.plies and len(played) >= 2):
                break
        return tuple(played)

    @cached_property
    def ended(self) -> tuple[Walk, ...]:
        """Those that came to an end."""
        return tuple(walk for walk in self.walks if self.game.outcome(walk.end) is not None)

    @cached_property
    def spots(self) -> tuple[PositionOf, ...]:
        """Positions from all stages of those games, ends included."""
        running = [PositionOf(self, one, at) for one in self.walks for at in range(len(one.plies))]
        ends = [PositionOf(self, one, len(one.plies)) for one in self.walks]
        few = self.effort.positions
        return (*spread(running, few), *spread(ends, max(2, few // 4)))

    @cached_property
    def running(self) -> tuple[PositionOf, ...]:
        """Those of them where the game goes on."""
        return tuple(spot for spot in self.spots if self.game.to_act(spot.state))

    @cached_property
    def some_moves(self) -> tuple[Any, ...]:
        """Moves that were legal for someone, somewhere in those games."""
        found: dict[str, Any] = {}  # by how they look: what is no value has no hash
        for spot in self.spots:
            for seat in self.all_seats:
                for move in spread(self.legal(spot.state, seat), self.effort.moves):
                    found.setdefault(repr(move), move)
        return tuple(spread(tuple(found.values()), 3 * self.effort.moves))

    @property
    def effects(self) -> Iterator[Effect | Aside]:
        """Everything the moves of those games did."""
        return (effect for one in self.walks for ply in one.plies for effect in ply.step.effects)


def title_of(game: AnyGame) -> str:
    """The variant as text, as far as it can be written."""
    return variant_text(game, game.name) if isinstance(game, Struct) else type(game).__name__


def cases_of(game: AnyGame, *, seed: int = 1, effort: Effort = USUAL) -> tuple[GameCase, ...]:
    """This variant, for every number of seats that it can have."""
    return tuple(GameCase(game, seats, seed=seed, effort=effort) for seats in game.seat_counts)


def spread(things: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of them, evenly spaced, the first and the last included."""
    if len(things) <= most:
        return things
    return [things[n * (len(things) - 1) // (most - 1)] for n in range(most)]


def is_sentence(text: str) -> bool:
    """Whether this is one line that ends in a full stop."""
    return len(text) > 1 and text.endswith(".") and "\n" not in text and text == text.strip()
