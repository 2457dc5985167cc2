"""A search that knows nothing but the rules: a tree that grows where it pays (UCT).

Every descent begins in a world that looks to the bot's seat as what it sees, goes down the
tree by what did well or was little tried, adds one spot, and finds out what that is worth: by
the game's own `evaluate`, or by playing on at random to the end. Every seat looks for its own
good, so any number of them may play.

A spot of the tree is what the seat to move *sees*. So worlds that a seat cannot tell apart
share their spots, and nobody in the tree knows what it could not know at the table; where
several are to act at once the one that moves second in the tree has not seen the first, if
the game keeps that secret. Of several to act the bot's own seat moves first, then the others.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from typing import Any, Final

from msgspec import Struct

from rookery.bots.any_game.worlds import Worlds, worlds
from rookery.bots.base import Halt, Sight
from rookery.bots.studying import CHOICES_MAX, Choice, Studied, percent
from rookery.core.chance import Chance
from rookery.core.game import Evaluating
from rookery.core.ids import Seat
from rookery.games import AnyGame

CURIOSITY: Final = 0.7  # how much it counts that a move was little tried
DEEPEST: Final = 60  # plies in the tree; games may go round in circles
LONGEST: Final = 400  # plies at random; a game that is not over then counts as level
SPOTS_MAX: Final = 50_000  # of a tree: beyond them it is only gone down
PATIENCE: Final = 50  # plies between two looks whether to halt
WORLDS_MAX: Final = 200  # different ones that a search draws before it takes them again
LEVEL: Final = 0.5  # and 1 is won alone


class TreeSearch(Struct, frozen=True):
    """The move that the tree was drawn to."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """A node is a move that was played, in the tree or beyond it."""
        begin = worlds(sight)
        if begin is None or len(sight.moves) == 1:
            return chance.choice(sight.moves)
        search = _Search(sight, begin, chance, halt)
        return search.won_at_once() or search.best(nodes)


class TreeAnalyst(Struct, frozen=True):
    """Studies positions of any game: tells what came of each move in the lines it tried."""

    nodes: int

    def study(self, sight: Sight, state: Any, halt: Halt, last: Halt) -> Studied:
        """Search from this state, and tell what came of its moves, the best first."""
        search = _Search(sight, lambda _: state, Chance(0), halt)
        search.best(self.nodes)
        return search.found()


class _Spot:
    """What a seat sees at a spot of the tree, and what came of its moves there."""

    __slots__ = ("counts", "totals", "visits", "worth")

    def __init__(self) -> None:
        self.visits = 0
        self.worth = 0.0  # of all visits together
        self.counts: dict[Any, int] = {}
        self.totals: dict[Any, float] = {}

    def pick(self, moves: Sequence[Any], chance: Chance) -> Any:
        """The move to look at next: good so far, or little tried; of new ones any."""
        new = [move for move in moves if move not in self.counts]
        usual = self.worth / self.visits if self.visits else LEVEL
        drawn = CURIOSITY * sqrt(log(self.visits + 1))
        best = chance.choice(new) if new else moves[0]
        top = usual + drawn if new else -1.0
        for move in moves:
            count = self.counts.get(move)
            if count:
                hope = self.totals[move] / count + drawn / sqrt(count)
                if hope > top:
                    best, top = move, hope
        return best

    def add(self, move: Any, worth: float) -> None:
        """Count one more try of this move, and how it turned out for its seat."""
        self.visits += 1
        self.worth += worth
        self.counts[move] = self.counts.get(move, 0) + 1
        self.totals[move] = self.totals.get(move, 0.0) + worth


class _Search:
    """One search: the tree, and what may still be spent on it."""

    def __init__(self, sight: Sight, begin: Worlds, chance: Chance, halt: Halt) -> None:
        self._game: AnyGame = sight.game
        self._seat = sight.seat
        self._texts = sight.moves
        self._moves = [sight.game.parse_move(text) for text in sight.moves]
        self._begin = begin
        self._chance = chance
        self._halt = halt
        self._spots: dict[tuple[Seat, Any], _Spot] = {}
        self._worlds: list[Any] = []
        self._root = _Spot()
        self._spent = self._asked = 0
        self._stopped = False

    def won_at_once(self) -> str | None:
        """A move that wins in every world that was drawn first; None if there is none."""
        drawn = [self._world() for _ in range(3)]
        for text, move in zip(self._texts, self._moves, strict=True):
            if all(self._wins(world, move) for world in drawn):
                return text
            if self._halt():
                break
        return None

    def best(self, nodes: int) -> str:
        """Descend until the nodes are used up; the move that was tried most."""
        self._descend()
        while self._spent < nodes and not self._late():
            self._descend()
        counts, totals = self._root.counts, self._root.totals
        best = max(
            range(len(self._moves)),
            key=lambda n: (counts.get(self._moves[n], 0), totals.get(self._moves[n], 0.0)),
        )
        return self._texts[best]

    def found(self) -> Studied:
        """What came of the moves so far, the moves that were tried most first."""
        root = self._root
        tried = sorted(
            ((root.counts.get(move, 0), text, move) for text, move in self._both()),
            key=lambda one: -one[0],
        )[:CHOICES_MAX]
        worths = [(text, root.totals[move] / count) for count, text, move in tried if count]
        choices = tuple(Choice(text, worth, percent(worth)) for text, worth in worths)
        return Studied(choices, root.visits, tried=True)

    def _both(self) -> Iterable[tuple[str, Any]]:
        return zip(self._texts, self._moves, strict=True)

    def _wins(self, world: Any, move: Any) -> bool:
        outcome = self._game.outcome(self._game.play(world, self._seat, move).state)
        return outcome is not None and not outcome.drawn and self._seat in outcome.winners

    def _world(self) -> Any:
        if len(self._worlds) < WORLDS_MAX:
            self._worlds.append(self._begin(self._chance))
            return self._worlds[-1]
        return self._chance.choice(self._worlds)

    def _late(self) -> bool:
        """Whether it must answer now; asked rarely enough to cost nothing."""
        if not self._stopped and self._spent - self._asked >= PATIENCE:
            self._asked = self._spent
            self._stopped = self._halt()
        return self._stopped

    def _descend(self) -> None:
        game, state = self._game, self._world()
        path: list[tuple[_Spot, Seat, Any]] = []
        spot, seat, known = self._root, self._seat, True
        moves: Sequence[Any] = self._moves
        while moves and known and len(path) < DEEPEST:
            move = spot.pick(moves, self._chance)
            path.append((spot, seat, move))
            state = game.play(state, seat, move).state
            self._spent += 1
            seat, moves = self._next(state, seat)
            if moves:
                key = (seat, game.view(state, seat))
                known = key in self._spots
                if not known and len(self._spots) < SPOTS_MAX:
                    self._spots[key] = _Spot()
                spot = self._spots.get(key, spot)
        worths = self._judge(state, {mover for _, mover, _ in path})
        for parent, mover, move in path:
            parent.add(move, worths[mover])

    def _next(self, state: Any, last: Seat) -> tuple[Seat, Sequence[Any]]:
        """The next seat to move, of several the one after the last; no moves at the end."""
        acting = sorted(self._game.to_act(state), key=lambda seat: (seat <= last, seat))
        for seat in acting:
            moves = tuple(self._game.legal_moves(state, seat))
            if moves:
                return seat, moves
        return last, ()

    def _judge(self, state: Any, movers: Iterable[Seat]) -> Mapping[Seat, float]:
        """A position's worth to each mover: by its outcome, the game's `evaluate`, or a playout."""
        game: object = self._game
        if isinstance(game, Evaluating) and self._game.outcome(state) is None:
            evaluating: Evaluating[Any] = game
            self._spent += 1
            return {seat: evaluating.evaluate(state, seat) for seat in movers}
        return self._played_out(state, movers)

    def _played_out(self, state: Any, movers: Iterable[Seat]) -> Mapping[Seat, float]:
        """What each mover gets when every seat moves at random from here to the end."""
        game, chance = self._game, self._chance
        for _ in range(LONGEST):
            outcome = game.outcome(state)
            if outcome is not None:
                worths = shares(outcome.places, game.teams(len(outcome.places)))
                return {seat: worths[seat] for seat in movers}
            acting = sorted(game.to_act(state))
            seat = acting[0] if len(acting) == 1 else chance.choice(acting)
            moves: Sequence[Any] = tuple(game.legal_moves(state, seat))
            if not moves:
                seat, moves = self._next(state, seat)
            if not moves or self._late():
                break
            state = game.play(state, seat, chance.choice(moves)).state
            self._spent += 1
        return dict.fromkeys(movers, LEVEL)


def shares(places: Sequence[int], teams: Sequence[int]) -> list[float]:
    """For each seat the part of its opponents that it is ahead of; a level one counts half."""
    worths = []
    for place, team in zip(places, teams, strict=True):
        others = [other for other, of in zip(places, teams, strict=True) if of != team]
        ahead = sum((other > place) + LEVEL * (other == place) for other in others)
        worths.append(ahead / max(1, len(others)))
    return worths
