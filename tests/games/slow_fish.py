"""Fish once more, written plainly from its page and with no thought of speed.

The ice is a dict from (row, column) to fish, a step looks at the row's parity, and
everything is worked out afresh when asked. It shares no code with the game it checks.
"""

from collections.abc import Callable

Spot = tuple[int, int]
Steps = Callable[[int, int], Spot]

EVEN: tuple[Steps, ...] = (
    lambda r, c: (r - 2, c),
    lambda r, c: (r - 1, c),
    lambda r, c: (r + 1, c),
    lambda r, c: (r + 2, c),
    lambda r, c: (r + 1, c - 1),
    lambda r, c: (r - 1, c - 1),
)
ODD: tuple[Steps, ...] = (
    lambda r, c: (r - 2, c),
    lambda r, c: (r - 1, c + 1),
    lambda r, c: (r + 1, c + 1),
    lambda r, c: (r + 2, c),
    lambda r, c: (r + 1, c),
    lambda r, c: (r - 1, c),
)


def neighbour(spot: Spot, direction: int) -> Spot:
    """The spot one step away; directions are N, NE, SE, S, SW, NW."""
    row, col = spot
    return (ODD if row % 2 else EVEN)[direction](row, col)


class SlowFish:
    """One game, changed by every call of `place`, `slide` and `remove`."""

    def __init__(self, board: tuple[tuple[int, ...], ...], seats: int) -> None:
        self.ice = {(r, c): n for r, row in enumerate(board) for c, n in enumerate(row) if n > 0}
        self.seats = seats
        self.penguins: dict[int, list[Spot]] = {seat: [] for seat in range(seats)}
        self.score = dict.fromkeys(range(seats), 0)
        self.inside = list(range(seats))
        self.turn: int | None = 0

    def placing(self) -> bool:
        return any(len(self.penguins[seat]) < 6 - self.seats for seat in self.inside)

    def is_free(self, spot: Spot) -> bool:
        return spot in self.ice and not any(spot in own for own in self.penguins.values())

    def placements(self) -> list[Spot]:
        return sorted(spot for spot in self.ice if self.is_free(spot))

    def slides(self, seat: int) -> list[tuple[Spot, Spot]]:
        found = []
        for start in self.penguins[seat]:
            for direction in range(6):
                spot = neighbour(start, direction)
                while self.is_free(spot):
                    found.append((start, spot))
                    spot = neighbour(spot, direction)
        return found

    def place(self, seat: int, spot: Spot) -> None:
        self.penguins[seat].append(spot)
        self.pass_on(seat)

    def slide(self, seat: int, start: Spot, end: Spot) -> None:
        own = self.penguins[seat]
        own[own.index(start)] = end
        self.score[seat] += self.ice.pop(start)
        self.pass_on(seat)

    def remove(self, seat: int) -> None:
        self.inside.remove(seat)
        self.penguins[seat] = []
        self.score[seat] = 0
        if self.turn == seat:
            self.pass_on(seat)

    def pass_on(self, last: int) -> None:
        """The next seat in the order that has something to do, the last one included."""
        placing = self.placing()
        self.turn = None
        for n in range(1, self.seats + 1):
            seat = (last + n) % self.seats
            if seat not in self.inside:
                continue
            wants = len(self.penguins[seat]) < 6 - self.seats if placing else self.slides(seat)
            if wants:
                self.turn = seat
                return

    def winners(self) -> set[int]:
        best = max((self.score[seat] for seat in self.inside), default=0)
        return {seat for seat in self.inside if self.score[seat] == best}

    def places(self) -> list[int]:
        """Sorted by score, those removed at the end; equals share the better place."""
        if not self.inside:
            return [2] * self.seats
        ranking = sorted(-self.score[seat] for seat in self.inside)
        return [
            ranking.index(-self.score[seat]) + 1 if seat in self.inside else len(ranking) + 1
            for seat in range(self.seats)
        ]
