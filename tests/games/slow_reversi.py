"""Reversi once more, as slow and plain as the rules read: the quick one is held against it.

A board is a dictionary from (column, row) to a mark. Nothing here is shared with the
game itself.
"""

Board = dict[tuple[int, int], str]

DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
OPPONENT = {"X": "O", "O": "X"}


def start_board(size: int) -> Board:
    """Two of each crosswise in the middle."""
    board = {(col, row): "." for col in range(size) for row in range(size)}
    low, high = size // 2 - 1, size // 2
    board[low, low] = board[high, high] = "O"
    board[high, low] = board[low, high] = "X"
    return board


def flips(board: Board, mark: str, col: int, row: int) -> set[tuple[int, int]]:
    """The discs that would be turned over by this mark on this square."""
    if board.get((col, row)) != ".":
        return set()
    turned = set()
    for x, y in DIRECTIONS:
        line = []
        here = (col + x, row + y)
        while board.get(here) == OPPONENT[mark]:
            line.append(here)
            here = (here[0] + x, here[1] + y)
        if board.get(here) == mark:
            turned.update(line)
    return turned


def moves(board: Board, mark: str) -> list[tuple[int, int]]:
    """Every square where this mark would turn something over."""
    return [square for square in board if flips(board, mark, *square)]


def place(board: Board, mark: str, col: int, row: int) -> Board:
    """The board after the move."""
    after = dict(board)
    for square in {(col, row)} | flips(board, mark, col, row):
        after[square] = mark
    return after


def count(board: Board, mark: str, depth: int, known: dict[object, int]) -> int:
    """Positions so many moves from here; a pass is no move, an ended game is one position.

    Many ways lead to the same board: what was counted there is `known`, and not counted again.
    """
    if depth == 0:
        return 1
    here = (tuple(board.items()), mark, depth)
    if here not in known:
        squares = moves(board, mark)
        if not squares:
            mark = OPPONENT[mark]
            squares = moves(board, mark)
        after = [place(board, mark, *at) for at in squares]
        known[here] = sum(count(one, OPPONENT[mark], depth - 1, known) for one in after) or 1
    return known[here]


def slow_perft(size: int, depth: int) -> int:
    """The same, from the start."""
    return count(start_board(size), "X", depth, {})
