"""Positions as text: a FEN for each board, the hands in brackets, ` | ` between the two.

A hand is white's pieces in upper case, then black's in lower case, each in order of
arrival: `.../RNBQKBNR[Qpp] w KQkq - 0 1`. It is also read after a ninth `/`, and may be
missing, as may the two counters. A promoted piece has a `~` behind it. Drops make much
possible that chess does not know: twelve pawns of a colour, twenty pieces, checks that
no piece could have moved to give. More than two sets have is as impossible as ever.
"""

import re
from collections.abc import Sequence
from typing import Final

import chess

from rookery.core.errors import BadPosition
from rookery.games.bughouse.board import KINDS, PIECES, Board, Hands, freeze, thaw

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
BETWEEN: Final = " | "
LONGEST: Final = 400  # letters in a FEN; all the pieces of two sets need fewer

_FEN: Final = re.compile(
    r"(?P<pieces>[1-8KQRBNPkqrbnp~]+(?:/[1-8KQRBNPkqrbnp~]+){7})"
    r"(?:\[(?P<hands>[A-Za-z]*)\]|/(?P<ninth>[A-Za-z]*))?"
    r" (?P<turn>[wb]) (?P<castling>-|(?=[KQkq])K?Q?k?q?) (?P<en_passant>-|[a-h][36])"
    r"(?: (?P<quiet>[0-9]{1,5}) (?P<number>[0-9]{1,5}))?"
)
_CASTLING: Final = (
    ("K", chess.BB_H1), ("Q", chess.BB_A1), ("k", chess.BB_H8), ("q", chess.BB_A8),
)  # fmt: skip
_TWO_SETS: Final = {"P": 16, "N": 4, "B": 4, "R": 4, "Q": 2}  # of each colour
_WRONG: Final = (
    (chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING, "A king is missing."),
    (chess.STATUS_TOO_MANY_KINGS, "There is more than one king of a colour."),
    (chess.STATUS_PAWNS_ON_BACKRANK, "There is a pawn on the first or last rank."),
    (chess.STATUS_OPPOSITE_CHECK, "The side that is not to move is in check."),
    (chess.STATUS_BAD_CASTLING_RIGHTS, "A castling right needs its king and rook at home."),
    (chess.STATUS_INVALID_EP_SQUARE, "No pawn has just passed the en passant square."),
)


def parse_boards(text: str) -> tuple[Board, Board]:
    """The two boards of a position. Raises BadPosition."""
    fens = text.strip().split(BETWEEN.strip())
    if len(fens) != 2:
        raise BadPosition("A position is two FENs with | between them.")
    boards = parse_board(fens[0]), parse_board(fens[1])
    _check_material(boards)
    if boards[0].mated and boards[1].mated:
        raise BadPosition("Both boards are mated, and the game ends at the first.")
    return boards


def parse_board(fen: str) -> Board:
    """One board alone, from a FEN with or without hands. Raises BadPosition."""
    read = _FEN.fullmatch(" ".join(fen.split())) if len(fen) <= LONGEST else None
    if read is None:
        raise BadPosition(f"A board is written like {START}, not {fen[:120]!r}.")
    thawed = chess.Board(None)
    try:
        thawed.set_board_fen(read["pieces"])
    except ValueError:
        raise BadPosition("The pieces are not in eight rows of eight squares.") from None
    thawed.turn = read["turn"] == "w"
    thawed.castling_rights = sum(bit for right, bit in _CASTLING if right in read["castling"])
    if read["en_passant"] != "-":
        thawed.ep_square = chess.parse_square(read["en_passant"])
    thawed.halfmove_clock = int(read["quiet"] or 0)
    thawed.fullmove_number = max(1, int(read["number"] or 1))  # some programs count from 0
    _check_board(thawed)
    board = freeze(thawed, _parse_hands(read["hands"] or read["ninth"] or ""))
    _check_material((board,))
    return board


def format_boards(boards: tuple[Board, Board]) -> str:
    """Both boards, as `parse_boards` reads them."""
    return BETWEEN.join(format_board(board) for board in boards)


def format_board(board: Board) -> str:
    """One board as a FEN with hands."""
    white, black = board.hands
    castling = "".join(right for right, bit in _CASTLING if board.castling & bit) or "-"
    passed = "-" if board.en_passant is None else chess.SQUARE_NAMES[board.en_passant]
    return (
        f"{thaw(board).board_fen(promoted=True)}[{white}{black.lower()}]"
        f" {'w' if board.whites_turn else 'b'} {castling} {passed} {board.quiet} {board.number}"
    )


def _parse_hands(text: str) -> Hands:
    if unknown := set(text.upper()) - set(PIECES):
        raise BadPosition(f"A hand holds {', '.join(PIECES)}, and not {min(unknown)}.")
    white = "".join(letter for letter in text if letter.isupper())
    black = "".join(letter.upper() for letter in text if letter.islower())
    return white, black


def _check_board(thawed: chess.Board) -> None:
    """Raise BadPosition for pieces and rights that no game could reach."""
    status = thawed.status()
    for wrong, sentence in _WRONG:
        if status & wrong:
            raise BadPosition(sentence)
    if thawed.promoted & (thawed.pawns | thawed.kings):
        raise BadPosition("A pawn promotes to a queen, rook, bishop or knight.")


def _check_material(boards: Sequence[Board]) -> None:
    """Raise BadPosition where there are more pieces than two sets have."""
    for side, colour in enumerate(("white", "black")):
        for letter, most in _TWO_SETS.items():
            count = sum(_count(board, letter, side) for board in boards)
            if count > most:
                name = chess.piece_name(KINDS[letter])
                raise BadPosition(
                    f"Two sets have {most} {colour} {name}s, and here are {count};"
                    " a promoted piece has a ~ behind it, and counts as a pawn."
                )


def _count(board: Board, letter: str, side: int) -> int:
    """How many of this kind a side has here: on the board by origin, and in hand."""
    own = board.black if side else board.white
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens)
    standing = kinds[KINDS[letter] - 1] & ~board.promoted
    if letter == "P":
        standing |= board.promoted
    return (standing & own).bit_count() + board.hands[side].count(letter)
