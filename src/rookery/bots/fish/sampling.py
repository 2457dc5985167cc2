"""A stronger player: a tree that grows where it pays (UCT with a prior), for 2 to 4 seats.

Every visit walks down the tree to a new spot, plays on by chance for a few plies, judges
what has become of it, and adds the verdict to all the moves on the way; every seat looks
for its own good. A spot is judged by who will eat what there, a finished game by who has
won it. The move that was visited most is played.
"""

from math import exp, sqrt
from typing import Final

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.fish.sea import NOWHERE, Sea, Slip, Spot, after, look, moves_of, text_of
from rookery.core.chance import Chance
from rookery.games.fish.ice import beside


# All seats spread over the ice from their penguins at once, a slide at a time. A tile that
# several seats reach with the same number of slides is shared. A seat may hope for its score, the
# fish of its tiles, and half of those that it shares.
def hopes(sea: Sea, spot: Spot) -> list[float]:
    """How many fish each seat may hope to have at the end."""
    rest = spot.free
    fronts = [sum([1 << at for at in own]) for own in spot.penguins]
    owned, shared = [0] * len(fronts), [0] * len(fronts)
    while True:
        once = twice = 0
        for seat, front in enumerate(fronts):
            if front:
                reached = fronts[seat] = slides(sea.cols, rest, front)
                twice |= once & reached
                once |= reached
        if not once:
            break
        rest &= ~once
        for seat, front in enumerate(fronts):
            owned[seat] |= front & ~twice
            shared[seat] |= front & twice
    return [
        score + sea.worth(owned[seat]) + sea.worth(shared[seat]) / 2
        for seat, score in enumerate(spot.scores)
    ]


def slides(cols: int, free: int, start: int) -> int:
    """All tiles that one slide leads to from any of these."""
    width = 2 * cols
    reached = 0
    for step in (2 * width, width - 1, width + 1):
        up = down = start
        while up or down:
            up = up << step & free
            down = down >> step & free
            reached |= up | down
    return reached


CURIOSITY: Final = 0.6  # how much a good first impression and few visits count
DOUBT: Final = 0.1  # how much worse an unseen move is taken to be than its spot
LEAD: Final = 6.0  # fish ahead that make a win likely, 73 in 100
SURE: Final = 1.5  # the same when the game is over: by a little is as good as by a lot
SURELY: Final = 30.0  # beyond this a lead makes no difference, and large boards have large ones
VERDICT: Final = 10  # nodes: what it costs to judge a spot, in moves that are weighed
PATIENCE: Final = 500  # nodes between two looks whether to halt


class FishSampler(Struct, frozen=True):
    """The move that the tree was drawn to; `plies` are played by chance before a verdict."""

    plies: int = 4

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose the move visited most; nodes are spent on moves weighed and on verdicts."""
        sea, spot = look(sight)
        root = _Node(sea, spot)
        left, asked = nodes if len(root.moves) > 1 else 0, nodes
        stopped = halt()
        while left > 0 and not stopped:
            left -= self._visit(sea, root, chance)
            if asked - left >= PATIENCE:
                asked, stopped = left, halt()
        most = max(range(len(root.moves)), key=lambda n: (root.counts[n], root.priors[n]))
        return text_of(sea, root.moves[most])

    def _visit(self, sea: Sea, root: "_Node", chance: Chance) -> int:
        """Walk down the tree once; returns how many nodes that took."""
        path, node, cost = [], root, VERDICT
        while node.moves:
            nth = node.pick()
            path.append((node, nth))
            child = node.children[nth]
            if child is None:
                child = _Node(sea, after(sea, node.spot, node.moves[nth]))
                node.children[nth] = node = child
                cost += len(child.moves)
                break
            node = child
        verdict = _judge(sea, self._wander(sea, node.spot, chance))
        for parent, nth in path:
            parent.add(nth, verdict[parent.spot.turn])
        return cost

    def _wander(self, sea: Sea, spot: Spot, chance: Chance) -> Spot:
        """The spot after some plies by chance."""
        for _ in range(self.plies):
            if spot.turn < 0:
                break
            spot = after(sea, spot, chance.choice(moves_of(sea, spot)))
        return spot


class _Node:
    """A spot in the tree, and what came of each of its moves."""

    __slots__ = ("children", "counts", "moves", "priors", "spot", "total", "totals", "visits")

    def __init__(self, sea: Sea, spot: Spot) -> None:
        self.spot = spot
        self.moves = moves_of(sea, spot) if spot.turn >= 0 else []
        self.priors = _impressions(sea, spot, self.moves)
        self.children: list[_Node | None] = [None] * len(self.moves)
        self.counts = [0] * len(self.moves)
        self.totals = [0.0] * len(self.moves)
        self.visits, self.total = 0, 0.0

    def pick(self) -> int:
        """The move to look at next: good so far, or promising and little seen."""
        unseen = self.total / self.visits - DOUBT if self.visits else 0.5
        wish = CURIOSITY * sqrt(self.visits + 1)
        best, top = 0, -1.0
        seen = zip(self.counts, self.totals, self.priors, strict=True)
        for nth, (count, total, prior) in enumerate(seen):
            hope = (total / count if count else unseen) + wish * prior / (1 + count)
            if hope > top:
                best, top = nth, hope
        return best

    def add(self, nth: int, verdict: float) -> None:
        """Count one more visit to this move, and how it turned out for its seat."""
        self.visits += 1
        self.total += verdict
        self.counts[nth] += 1
        self.totals[nth] += verdict


def _impressions(sea: Sea, spot: Spot, moves: list[Slip]) -> list[float]:
    """How likely each move looks at first sight, by fish and by room where it goes; sums to 1."""
    fish, cols, free = sea.fish, sea.cols, spot.free
    weights = []
    for at, to in moves:
        room = (beside(cols, 1 << to) & free).bit_count()
        weights.append(exp(0.3 * room if at == NOWHERE else (fish[at] + fish[to]) / 2 + 0.2 * room))
    whole = sum(weights)
    return [weight / whole for weight in weights]


def _judge(sea: Sea, spot: Spot) -> list[float]:
    """For each seat how likely it is to win, from 0 to 1."""
    over = spot.turn < 0
    ends = list(spot.scores) if over else hopes(sea, spot)
    chances = []
    for seat, end in enumerate(ends):
        best = max(other for n, other in enumerate(ends) if n != seat)
        behind = (best - end) / (SURE if over else LEAD)
        chances.append(1 / (1 + exp(max(-SURELY, min(SURELY, behind)))))
    return chances
