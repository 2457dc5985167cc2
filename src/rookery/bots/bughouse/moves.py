"""The moves of a quick board: those that may leave the own king in check are among them."""

from rookery.bots.bughouse.geometry import (
    BISHOP_RAYS,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_STEPS,
    ROOK_RAYS,
    Rays,
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

_RAYS = {
    BISHOP: BISHOP_RAYS,
    ROOK: ROOK_RAYS,
    QUEEN: tuple((*ROOK_RAYS[at], *BISHOP_RAYS[at]) for at in range(64)),
}
_STEPS = {KNIGHT: KNIGHT_STEPS, KING: KING_STEPS}
# By side: the rook's square, the king's, where it goes, what must be empty, what it crosses.
_CASTLES = (
    ((7, 4, 6, (5, 6), 5), (0, 4, 2, (1, 2, 3), 3)),
    ((63, 60, 62, (61, 62), 61), (56, 60, 58, (57, 58, 59), 59)),
)


def goes(board: Quick, *, captures: bool = False) -> list[Move]:
    """The moves of pieces on the board; `captures` wants only those that take or promote."""
    cells, side = board.cells, board.side
    low, high = (9, 14) if side else (1, 6)
    enemy_low, enemy_high = (1, 6) if side else (9, 14)
    moves: list[Move] = []
    for at, piece in enumerate(cells):
        if not low <= piece <= high:
            continue
        kind = piece & 7
        if kind == PAWN:
            _pawn(board, at, moves, captures=captures)
        elif kind in _RAYS:
            ends, takes = _slides(cells, _RAYS[kind][at])
            moves += [(at, to, 0) for to in takes if enemy_low <= cells[to] <= enemy_high]
            if not captures:
                moves += [(at, to, 0) for to in ends]
        else:
            for to in _STEPS[kind][at]:
                there = cells[to]
                if enemy_low <= there <= enemy_high or not (there or captures):
                    moves.append((at, to, 0))
    if board.castling and not captures:
        _castles(board, moves)
    return moves


def _slides(cells: bytearray, rays: Rays) -> tuple[list[int], list[int]]:
    """The empty squares along the rays, and the first piece on each."""
    ends, takes = [], []
    for ray in rays:
        for to in ray:
            if cells[to]:
                takes.append(to)
                break
            ends.append(to)
    return ends, takes


def _pawn(board: Quick, at: int, moves: list[Move], *, captures: bool) -> None:
    cells, side = board.cells, board.side
    ahead = -8 if side else 8
    enemy_low, enemy_high = (1, 6) if side else (9, 14)
    ends = [
        to
        for to in PAWN_STEPS[side][at]
        if enemy_low <= cells[to] <= enemy_high or to == board.en_passant
    ]
    to = at + ahead
    last = not 8 <= to < 56
    if not cells[to] and (last or not captures):
        ends.append(to)
        if at // 8 == (6 if side else 1) and not cells[to + ahead]:
            ends.append(to + ahead)
    for end in ends:
        if last:
            moves.extend((at, end, kind) for kind in (QUEEN, KNIGHT, ROOK, BISHOP))
        else:
            moves.append((at, end, 0))


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
