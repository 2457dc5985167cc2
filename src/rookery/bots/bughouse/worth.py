"""What pieces are worth in bughouse, in hundredths of a pawn.

Long-range pieces are worth less than in chess and pawns and knights more, for boards are
full and kings in danger. A captured piece counts twice: it is gone here, and the partner
has it there. On the board a piece likes the centre and the enemy's side.
"""

from typing import Final

VALUES: Final = (0, 100, 280, 270, 360, 650, 0, 0)  # by kind, on the board
HELD: Final = (0, 125, 300, 270, 330, 600, 0)  # by kind, in the hand
GIFTS: Final = (0, 60, 150, 135, 165, 300, 0)  # by kind, in the partner's hand

_CENTRE: Final = (0, 1, 2, 3, 3, 2, 1, 0)  # by file, and by rank
_LIKES_CENTRE: Final = (0, 3, 9, 5, 1, 1, -4)  # by kind, for each step towards it
_LIKES_GOING: Final = (0, 4, 4, 3, 2, 2, -14)  # by kind, for each rank forward


def _placed(piece: int) -> tuple[int, ...]:
    kind, black = piece & 7, piece > 8
    if not 1 <= kind <= 6:
        return (0,) * 64
    table = []
    for at in range(64):
        rank, file = divmod(at, 8)
        forward = 7 - rank if black else rank
        likes = _LIKES_CENTRE[kind] * (_CENTRE[file] + _CENTRE[rank])
        going = _LIKES_GOING[kind] * min(forward, 5)
        total = VALUES[kind] + likes + going
        table.append(-total if black else total)
    return tuple(table)


# By piece and square, for white: black's are negative.
PLACED: Final = tuple(_placed(piece) for piece in range(16))
