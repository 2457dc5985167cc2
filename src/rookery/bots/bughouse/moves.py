"""The moves of a quick board: those that may leave the own king in check are among them."""

from itertools import compress
from typing import Final

from rookery.bots.bughouse.geometry import (
    BISHOP_RAYS,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_STEPS,
    ROOK_RAYS,
    Rays,
    Steps,
)
from rookery.bots.bughouse.quick import (
    BISHOP,
    HAND,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    Move,
    Quick,
)

_SQUARES: Final = range(64)
_MEN: Final = (  # by side: its men marked among all pieces
    bytes(1 <= piece <= 6 for piece in range(256)),
    bytes(9 <= piece <= 14 for piece in range(256)),
)

_OPEN: Final = (  # by side: where its men may go, the enemy's or nobody
    bytes(piece == 0 or 9 <= piece <= 14 for piece in range(256)),
    bytes(0 <= piece <= 6 for piece in range(256)),
)

# Every move there can be is made once, and stands beside the square it goes to.
_To = tuple[int, Move]
_Rays = tuple[tuple[_To, ...], ...]


def _toward(at: int, steps: Steps) -> tuple[_To, ...]:
    return tuple((to, (at, to, 0)) for to in steps)


def _along(rays: tuple[Rays, ...]) -> tuple[_Rays, ...]:
    return tuple(tuple(_toward(at, ray) for ray in rays[at]) for at in _SQUARES)


def _of_a_pawn(at: int, to: int) -> tuple[Move, ...]:
    """The moves of a pawn to a square: one, or four promotions on the last rank."""
    if 8 <= to < 56:
        return ((at, to, 0),)
    return tuple((at, to, kind) for kind in (QUEEN, KNIGHT, ROOK, BISHOP))


def _ahead(side: int, at: int) -> tuple[int, tuple[Move, ...], Move | None]:
    """The square before a pawn, its moves there, and its move over it."""
    ahead = -8 if side else 8
    to = at + ahead
    further = (at, to + ahead, 0) if at // 8 == (6 if side else 1) else None
    return to, _of_a_pawn(at, to) if 0 <= to < 64 else (), further


_SLIDES: Final = {
    BISHOP: _along(BISHOP_RAYS),
    ROOK: _along(ROOK_RAYS),
    QUEEN: _along(tuple((*ROOK_RAYS[at], *BISHOP_RAYS[at]) for at in _SQUARES)),
}
_LEAPS: Final = {
    KNIGHT: tuple(_toward(at, KNIGHT_STEPS[at]) for at in _SQUARES),
    KING: tuple(_toward(at, KING_STEPS[at]) for at in _SQUARES),
}
_PAWN_TAKES: Final = tuple(
    tuple(tuple((to, _of_a_pawn(at, to)) for to in PAWN_STEPS[side][at]) for at in _SQUARES)
    for side in (0, 1)
)
_PAWN_GOES: Final = tuple(tuple(_ahead(side, at) for at in _SQUARES) for side in (0, 1))
# By side: the rook's square, the king's, where it goes, what must be empty, what it crosses.
_CASTLES = (
    ((7, 4, 6, (5, 6), 5), (0, 4, 2, (1, 2, 3), 3)),
    ((63, 60, 62, (61, 62), 61), (56, 60, 58, (57, 58, 59), 59)),
)


def goes(board: Quick) -> list[Move]:
    """The moves of pieces on the board."""
    cells, side = board.cells, board.side
    foe, open_to = _MEN[1 - side], _OPEN[side]
    moves: list[Move] = []
    for at in compress(_SQUARES, cells.translate(_MEN[side])):
        kind = cells[at] & 7
        if kind == PAWN:
            _pawn(board, at, moves)
        elif kind in _SLIDES:
            ends: list[Move] = []
            for ray in _SLIDES[kind][at]:
                for to, move in ray:
                    if there := cells[to]:
                        if foe[there]:
                            moves.append(move)
                        break
                    ends.append(move)
            moves += ends
        else:
            moves += [move for to, move in _LEAPS[kind][at] if open_to[cells[to]]]
    if board.castling:
        _castles(board, moves)
    return moves


def _pawn(board: Quick, at: int, moves: list[Move]) -> None:
    cells, side, passed = board.cells, board.side, board.en_passant
    foe = _MEN[1 - side]
    for to, found in _PAWN_TAKES[side][at]:
        if foe[cells[to]] or to == passed:
            moves += found
    to, found, further = _PAWN_GOES[side][at]
    if not cells[to]:
        moves += found
        if further is not None and not cells[further[1]]:
            moves.append(further)


def takes(board: Quick) -> list[Move]:
    """The moves of `goes` that take or promote, in the same order; the search's usual question."""
    cells, side, passed = board.cells, board.side, board.en_passant
    foe, pawn_takes, pawn_goes = _MEN[1 - side], _PAWN_TAKES[side], _PAWN_GOES[side]
    moves: list[Move] = []
    for at in compress(_SQUARES, cells.translate(_MEN[side])):
        kind = cells[at] & 7
        if kind == PAWN:
            for to, found in pawn_takes[at]:
                if foe[cells[to]] or to == passed:
                    moves += found
            to, found, _ = pawn_goes[at]
            if len(found) > 1 and not cells[to]:
                moves += found
        elif kind in _SLIDES:
            for ray in _SLIDES[kind][at]:
                for to, move in ray:
                    if there := cells[to]:
                        if foe[there]:
                            moves.append(move)
                        break
        else:
            moves += [move for to, move in _LEAPS[kind][at] if foe[cells[to]]]
    return moves


def _castles(board: Quick, moves: list[Move]) -> None:
    side = board.side
    for rook, king, end, way, middle in _CASTLES[side]:
        if not board.castling >> rook & 1 or any(board.cells[at] for at in way):
            continue
        if not any(board.attacked(at, 1 - side) for at in (king, middle)):
            moves.append((king, end, 0))


def drops(board: Quick, squares: list[int]) -> list[Move]:
    """Every kind in the hand on every one of these squares that is empty."""
    hand, cells = board.hands[board.side], board.cells
    return [
        (HAND, at, kind)
        for kind in range(1, 6)
        if hand[kind]
        for at in squares
        if not cells[at] and (kind != PAWN or 8 <= at < 56)
    ]


def sharp_drops(board: Quick) -> list[Move]:
    """The drops that give check, and all that land beside the enemy's king."""
    side, cells = board.side, board.cells
    hand, king = board.hands[side], board.kings[1 - side]
    if not any(hand):
        return []
    beside = KING_STEPS[king]
    found = drops(board, list(beside))
    ring = set(beside)
    if hand[KNIGHT]:
        found += [(HAND, at, KNIGHT) for at in KNIGHT_STEPS[king] if not cells[at]]
    for rays, slider in ((ROOK_RAYS, ROOK), (BISHOP_RAYS, BISHOP)):
        kinds = [kind for kind in (slider, QUEEN) if hand[kind]]
        if not kinds:
            continue
        for ray in rays[king]:
            for at in ray:
                if cells[at]:
                    break
                if at not in ring:
                    found.extend((HAND, at, kind) for kind in kinds)
    return found


def legal(board: Quick) -> list[Move]:
    """All legal moves, drops last."""
    moves = goes(board)
    if any(board.hands[board.side]):
        moves += drops(board, board.guards() if board.checked() else list(range(64)))
    return [move for move in moves if is_legal(board, move)]


def is_legal(board: Quick, move: Move) -> bool:
    """Whether this move leaves the own king in no check."""
    undo = board.make(move)
    exposed = board.exposed()
    board.unmake(move, undo)
    return not exposed
