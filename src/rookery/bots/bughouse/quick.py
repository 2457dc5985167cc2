"""One board as a bot thinks of it: a byte a square, changed in place and changed back.

The game's own board is exact and slow; this one is exact and quick, and knows nothing of reasons.
It belongs to one search. Sides are 0 for white and 1 for black; a piece is its kind, 1 to 6, plus 8
for black. A move is (from, to, kind): the kind a pawn becomes, or 0; a drop comes from `HAND` with
the kind that is dropped. Moves are made blindly: `exposed` says afterwards whether the king was
left in check.
"""

from typing import Final

from rookery.bots.bughouse.geometry import (
    AIMS,
    BISHOP_RAYS,
    CASTLING_LOST,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_STEPS,
    ROOK_RAYS,
    THROUGH,
)
from rookery.bots.bughouse.worth import GIFTS, HELD, PLACED
from rookery.games.bughouse.board import KINDS, Board

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
BLACK: Final = 8  # added to a kind
HAND: Final = -1  # where a drop comes from
NONE: Final = -1  # no square

_SLIDERS: Final = (ROOK, BISHOP)  # along straight lines, and along slanted ones

Move = tuple[int, int, int]
Undo = tuple[int, int, int, int, int]  # what stood there, and all that was different


class Quick:
    """Pieces, hands and rights, and the balance that grows and shrinks with them."""

    __slots__ = (
        "balance", "castling", "cells", "en_passant", "gifts", "hands", "kings", "promoted", "side",
    )  # fmt: skip

    def __init__(self, board: Board) -> None:
        self.cells = bytearray(64)
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        for kind, mask in enumerate(kinds, 1):
            for at in range(64):
                if mask >> at & 1:
                    self.cells[at] = kind + (BLACK if board.black >> at & 1 else 0)
        self.side = 0 if board.whites_turn else 1
        self.kings = [self.cells.index(KING), self.cells.index(KING + BLACK)]
        self.castling = board.castling
        self.en_passant = NONE if board.en_passant is None else board.en_passant
        self.promoted = board.promoted
        self.hands = [[0] * 6, [0] * 6]
        for side, hand in enumerate(board.hands):
            for letter in hand:
                self.hands[side][KINDS[letter]] += 1
        # By side: what a captured piece is worth to its partner.
        self.gifts: tuple[tuple[int, ...], tuple[int, ...]] = (GIFTS, GIFTS)
        self.balance = self._weigh()  # in hundredths of a pawn, for white

    def _weigh(self) -> int:
        """The balance, counted from nothing."""
        total = sum(PLACED[piece][at] for at, piece in enumerate(self.cells))
        white, black = self.hands
        return total + sum(HELD[k] * (white[k] - black[k]) for k in range(1, 6))

    def key(self) -> tuple[bytes, int, int, int, bytes, bytes]:
        """A key that is equal for equal positions."""
        white, black = self.hands
        return (
            bytes(self.cells), self.side, self.castling, self.en_passant, bytes(white), bytes(black)
        )  # fmt: skip

    def make(self, move: Move) -> Undo:
        """Play a move; returns what `unmake` needs to take it back."""
        start, end, kind = move
        cells, side, balance = self.cells, self.side, self.balance
        victim = cells[end]
        undo = (victim, self.castling, self.en_passant, self.promoted, balance)
        self.side = 1 - side
        if start == HAND:
            self._drop(side, kind, end)
            return undo
        piece = cells[start]
        cells[start] = 0
        bit = 1 << end
        if victim:
            taken = PAWN if self.promoted & bit else victim & 7
            gift = self.gifts[side][taken]
            balance += (-gift if side else gift) - PLACED[victim][end]
            self.promoted &= ~bit
        if self.promoted >> start & 1:
            self.promoted ^= 1 << start | bit
        balance -= PLACED[piece][start]
        plain = piece & 7
        passed, self.en_passant = self.en_passant, NONE
        if plain == PAWN:
            if kind:
                piece = kind + BLACK * side
                self.promoted |= bit
            elif end == passed:
                balance += self._pass(end, side)
            elif abs(end - start) == 16:
                self.en_passant = (start + end) // 2
        elif plain == KING:
            self.kings[side] = end
            if abs(end - start) == 2:
                balance += self._castle(start, end)
        cells[end] = piece
        self.castling &= CASTLING_LOST[start] & CASTLING_LOST[end]
        self.balance = balance + PLACED[piece][end]
        return undo

    def unmake(self, move: Move, undo: Undo) -> None:
        """Take back the move that was made last."""
        start, end, kind = move
        cells = self.cells
        side = self.side = 1 - self.side
        victim, self.castling, self.en_passant, self.promoted, self.balance = undo
        if start == HAND:
            cells[end] = 0
            self.hands[side][kind] += 1
            return
        piece = PAWN + BLACK * side if kind else cells[end]
        cells[start], cells[end] = piece, victim
        plain = piece & 7
        if plain == PAWN:
            if end == self.en_passant and (start - end) % 8:
                cells[end + (8 if side else -8)] = PAWN + BLACK * (1 - side)
        elif plain == KING:
            self.kings[side] = start
            if abs(end - start) == 2:
                rook, went = (end + 1, end - 1) if end > start else (end - 2, end + 1)
                cells[rook], cells[went] = cells[went], 0

    def _drop(self, side: int, kind: int, at: int) -> None:
        piece = self.cells[at] = kind + BLACK * side
        self.hands[side][kind] -= 1
        self.balance += PLACED[piece][at] + (HELD[kind] if side else -HELD[kind])
        self.en_passant = NONE

    def _pass(self, end: int, side: int) -> int:
        """Take the pawn that has just passed this square; returns the change of the balance."""
        at = end + (8 if side else -8)
        gift = self.gifts[side][PAWN]
        change = (-gift if side else gift) - PLACED[self.cells[at]][at]
        self.cells[at] = 0
        return change

    def _castle(self, start: int, end: int) -> int:
        """Move the rook of a castling; returns the change of the balance."""
        rook, goes = (end + 1, end - 1) if end > start else (end - 2, end + 1)
        piece = self.cells[rook]
        self.cells[rook], self.cells[goes] = 0, piece
        return PLACED[piece][goes] - PLACED[piece][rook]

    def attacked(self, at: int, by: int) -> bool:
        """Whether this side attacks this square."""
        cells, off = self.cells, BLACK * by
        knight, pawn, king = KNIGHT + off, PAWN + off, KING + off
        for to in KNIGHT_STEPS[at]:
            if cells[to] == knight:
                return True
        queen = QUEEN + off
        for rays, slider in ((ROOK_RAYS[at], ROOK + off), (BISHOP_RAYS[at], BISHOP + off)):
            for ray in rays:
                for to in ray:
                    piece = cells[to]
                    if piece:
                        if piece in (slider, queen):
                            return True
                        break
        for to in PAWN_STEPS[1 - by][at]:
            if cells[to] == pawn:
                return True
        return any(cells[to] == king for to in KING_STEPS[at])

    def checked(self) -> bool:
        """Whether the side to move is in check."""
        return self.attacked(self.kings[self.side], 1 - self.side)

    def exposed(self) -> bool:
        """Whether the side that has just moved left its king in check."""
        return self.attacked(self.kings[1 - self.side], self.side)

    def checks(self, move: Move, before: int) -> bool:
        """Whether the move just made, with this square for en passant before it, gives check.

        The same as `checked`, by looking along two lines at most.
        """
        start, end, _ = move
        king, piece = self.kings[self.side], self.cells[end]
        if AIMS[piece][end][king] and (piece & 7 <= KNIGHT or self._hit(king, end)):
            return True
        if start == HAND:
            return False
        if end == before or (piece & 7 == KING and abs(end - start) == 2):
            return self.checked()  # en passant, or castled: more than one piece has moved
        return self._hit(king, start)

    def exposes(self, move: Move, before: int, *, checked: bool) -> bool:
        """Whether the move just made, by a side that was in check or not, left its king in one.

        The same as `exposed`, by looking along one line where that is enough.
        """
        start, end, _ = move
        king = self.kings[1 - self.side]
        if checked or end in {before, king}:
            return self.exposed()
        return start != HAND and self._hit(king, start)

    def _hit(self, king: int, at: int) -> bool:
        """Whether this king is in check from somewhere on its line through this square."""
        cells = self.cells
        ray, slanted = THROUGH[king][at]
        for to in ray:
            piece = cells[to]
            if piece:
                off = cells[king] & BLACK ^ BLACK
                return piece in (_SLIDERS[slanted] + off, QUEEN + off)
        return False

    def guards(self) -> list[int]:
        """The squares where a drop would end the check; none where two pieces give it."""
        king, off = self.kings[self.side], BLACK * (1 - self.side)
        cells, found, checks = self.cells, [], 0
        for rays, slider in ((ROOK_RAYS, ROOK), (BISHOP_RAYS, BISHOP)):
            for ray in rays[king]:
                for far, to in enumerate(ray):
                    piece = cells[to]
                    if piece:
                        if piece in (slider + off, QUEEN + off):
                            checks += 1
                            found = list(ray[:far])
                        break
        for steps, kind in ((KNIGHT_STEPS[king], KNIGHT), (PAWN_STEPS[self.side][king], PAWN)):
            if any(cells[to] == kind + off for to in steps):
                return []  # beside the king, or a knight: there is nothing between
        return found if checks == 1 else []
