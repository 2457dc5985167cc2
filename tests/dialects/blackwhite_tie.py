"""A game on ten by ten that fills the board, fifty stones each, with two passes on the way."""

from typing import Final

# Who moves, then column and row.
_MOVES: Final = """
b43 w53 b64 w33 b56 w74 b63 w57 b67 w72 b58 w35 b52 w65 b75 w85
b73 w82 b26 w25 b86 w62 b42 w76 b34 w24 b16 w32 b81 w71 b14 w36
b66 w07 b84 w91 b70 w23 b90 w04 b92 w27 b15 w80 b61 w06 b12 w87
b77 w46 b98 w22 b11 w60 b17 w51 b31 w37 b40 w50 b38 w47 b41 w18
b48 w01 b02 w03 b05 w13 b28 w10 b09 w93 b08 w94 b00 w20 b83 w96
b21 w30 b95 w97 w99 w29 b39 w68 b69 w49 b88 w89 b78 w19 b59 w79
"""

# Seat, column and row.
TIE_GAME: Final = tuple(
    ("bw".index(move[0]), int(move[1]), int(move[2])) for move in _MOVES.split()
)
