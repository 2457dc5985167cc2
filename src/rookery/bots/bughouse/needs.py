"""What the other board needs: which captured piece would mate there, on either side.

A piece we capture goes to our partner, one we lose to our partner's enemy. If one more
piece of a kind would let its owner mate with a drop, that kind is worth the game there.
"""

from typing import Final

from rookery.bots.bughouse.moves import drops
from rookery.bots.bughouse.quick import Quick
from rookery.bots.bughouse.safety import danger
from rookery.bots.bughouse.search import mates
from rookery.bots.bughouse.worth import GIFTS

MATES: Final = 900  # what a piece is worth that mates when it arrives

Gifts = tuple[int, ...]


def gifts(there: Quick, side: int) -> Gifts:
    """For each kind, what one more piece of it is worth to this side of the other board."""
    turn = there.side
    # An enemy on turn who is in check answers that first: nothing can be said of what follows.
    clear = turn == side or not there.checked()
    there.side = side
    pull = 100 + min(danger(there, 1 - side), 200) // 4
    found = [gift * pull // 100 for gift in GIFTS]
    for kind in range(1, 6):
        if clear and _mating(there, side, kind):
            found[kind] += MATES if turn == side else MATES // 2
    there.side = turn
    return tuple(found)


def _mating(there: Quick, side: int, kind: int) -> bool:
    """Whether a drop of this kind would mate at once."""
    hand = there.hands[side]
    held, there.hands[side] = hand, [0] * 6
    there.hands[side][kind] = 1
    squares = there.guards() if there.checked() else list(range(64))
    found = False
    for move in drops(there, squares):
        undo = there.make(move)
        check = there.checked() and not there.exposed()
        there.unmake(move, undo)
        if check and mates(there, move):
            found = True
            break
    there.hands[side] = held
    return found
