"""Divides the ice: every free tile belongs to the seat that can be there first.

All seats spread over the ice from their penguins at once, a slide at a time. A tile that
several seats reach with the same number of slides is shared. A seat may hope for its score, the
fish of its tiles, and half of those that it shares.
"""

from rookery.bots.fish.sea import Sea, Spot


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
