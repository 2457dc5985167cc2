"""The course's standard player: the first free tile, then maximin over its own turns.

It moves so that it has eaten the most after so many turns of its own, if everyone else
does nothing but keep it from eating. Of equal moves it takes the one that starts in the
lowest row, then column, and then the one that ends there. It looks a turn further each
time, and answers with the last look that it finished within its nodes.

Two facts make the last turn quick, and change no answer. It eats the best tile under a
penguin that can move. And a reply takes at most one tile away from beside a penguin, so
that nobody can shut in one that has more tiles beside it than there are replies.
"""

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.fish.sea import Sea, Slip, Spot, after, first_tile, look, moves_of, text_of
from rookery.core.chance import Chance
from rookery.games.fish.ice import beside


class FishMaximin(Struct, frozen=True):
    """The course's standard player, which looks `turns` turns of its own ahead."""

    turns: int = 2

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose the move of the deepest search that was finished."""
        sea, spot = look(sight)
        if len(spot.penguins[spot.turn]) < sea.each:
            return text_of(sea, first_tile(spot))
        best = min(moves_of(sea, spot))
        search = _Search(sea, spot.turn, nodes, halt)
        for turns in range(1, self.turns + 1):
            found = search.best(spot, turns)
            if search.stopped:
                break
            best = found
        return text_of(sea, best)


class _Search:
    """One search for one seat; it counts the spots it has looked at."""

    def __init__(self, sea: Sea, seat: int, nodes: int, halt: Halt) -> None:
        self._sea, self._seat = sea, seat
        self._left, self._halt = nodes, halt
        self.stopped = halt()

    def best(self, spot: Spot, turns: int) -> Slip:
        """The move that eats the most for certain, the lowest of several."""
        most, best = -1, (-1, -1)
        for promise, move in self._promising(spot, turns):
            floor = most - 1 if move < best else most
            if promise <= floor:
                continue
            value = self._gain(spot, move, turns, floor)
            if value > floor:
                best, most = move, value
        return best

    def _promising(self, spot: Spot, turns: int) -> list[tuple[int, Slip]]:
        """The moves and the most that each could eat, the best first, the lower before others."""
        fish, richest = self._sea.fish, len(self._sea.layers)
        own = spot.penguins[spot.turn]
        promises = []
        for at, to in moves_of(self._sea, spot):
            promise = fish[at]
            if turns > 1:
                promise += max([fish[to]] + [fish[bit] for bit in own if bit != at])
                promise += richest * (turns - 2)
            promises.append((promise, (at, to)))
        promises.sort(key=lambda pair: (-pair[0], pair[1]))
        return promises

    def _gain(self, spot: Spot, move: Slip, turns: int, floor: int) -> int:
        """The fish that our move eats now and later; exact only above `floor`."""
        eaten = self._sea.fish[move[0]]
        if turns == 1:
            return eaten
        return eaten + self._later(after(self._sea, spot, move), turns - 1, floor - eaten)

    def _later(self, spot: Spot, turns: int, floor: int) -> int:
        """The fish we can eat from here on whatever the others do; exact only above `floor`."""
        self._count()
        if spot.turn < 0 or self.stopped:
            return 0
        if turns == 1:
            low, high = self._bounds(spot)
            if low == high or high <= floor:
                return high
        if spot.turn == self._seat:
            return self._ours(spot, turns, floor)
        least = len(self._sea.layers) * turns
        for move in moves_of(self._sea, spot):
            least = min(least, self._later(after(self._sea, spot, move), turns, floor))
            if least <= floor:
                break
        return least

    def _ours(self, spot: Spot, turns: int, floor: int) -> int:
        most = 0
        for promise, move in self._promising(spot, turns):
            if promise <= max(most, floor):
                break
            most = max(most, self._gain(spot, move, turns, max(most, floor)))
        return most

    def _bounds(self, spot: Spot) -> tuple[int, int]:
        """The least and the most that our next move eats."""
        cols, free = self._sea.cols, spot.free
        replies = (self._seat - spot.turn) % len(spot.penguins)
        low = high = 0
        for at in spot.penguins[self._seat]:
            ways = (beside(cols, 1 << at) & free).bit_count()
            if ways:
                high = max(high, self._sea.fish[at])
            if ways > replies:
                low = max(low, self._sea.fish[at])
        return low, high

    def _count(self) -> None:
        self._left -= 1
        if self._left <= 0 or (self._left % 256 == 0 and self._halt()):
            self.stopped = True
