"""Positions of fish as text: `1203/1111/… red:3@0,1@2,2 white:out brown:0 red`.

First the rows from the top, a digit a tile, 0 a hole; then every seat in order with
its score and its places in order of placing, or `out` where it was removed; last whose
turn it is, or `-` when it is over. The phase follows from the number of penguins.
"""

import re
from typing import Final

from rookery.core.errors import BadPosition
from rookery.core.ids import Seat
from rookery.games.fish.ice import Square, bit_of, bits_of, square_of
from rookery.games.fish.state import COLORS, MOST_FISH, SEAT_COUNTS, State, next_turn, quota

_SEAT: Final = re.compile(r"([a-z]+):(?:out|([0-9]{1,6})((?:@[0-9]{1,2},[0-9]{1,2})*))")
_DIGITS: Final = frozenset("/" + "".join(map(str, range(MOST_FISH + 1))))


def parse(rows: int, cols: int, text: str) -> State:
    """The state this text means; if the seat on turn cannot act, the next one that can does."""
    words = text.split()
    if len(words) - 2 not in SEAT_COUNTS:
        raise BadPosition("A position is the rows, 2 to 4 players and whose turn it is.")
    board, *players, turn = words
    fish = _board(rows, cols, board)
    colors = COLORS[: len(players)]
    read = [_player(color, word) for color, word in zip(colors, players, strict=True)]
    gone = frozenset(Seat(n) for n, player in enumerate(read) if player is None)
    penguins = tuple(
        () if player is None else tuple(bit_of(cols, square) for square in player[1])
        for player in read
    )
    placed = [square for player in read if player is not None for square in player[1]]
    free = _free(rows, cols, fish, placed)
    enough = quota(len(read))
    missing = enough * (len(read) - len(gone)) - len(placed)
    if any(len(own) > enough for own in penguins) or missing > free.bit_count():
        raise BadPosition(f"Each of {len(read)} players places {enough} penguins, on free tiles.")
    if turn not in (*colors, "-"):
        raise BadPosition(f"A position ends in whose turn it is: {', '.join(colors)} or -.")
    seat, _ = next_turn(cols, free, penguins, gone, 0 if turn == "-" else colors.index(turn))
    if turn == "-" and seat is not None:
        raise BadPosition(f"The game is not over, for {COLORS[seat]} can act.")
    scores = tuple(0 if player is None else player[0] for player in read)
    return State(fish, free, penguins, scores, seat, gone)


def write(cols: int, state: State) -> str:
    """The state as text; `parse` reads it back as an equal one."""
    digits = "".join(map(str, state.fish))
    words = ["/".join(digits[at : at + cols] for at in range(0, len(digits), cols))]
    for n, own in enumerate(state.penguins):
        places = "".join("@{},{}".format(*square_of(cols, at)) for at in own)
        words.append(f"{COLORS[n]}:{'out' if n in state.gone else f'{state.scores[n]}{places}'}")
    words.append("-" if state.turn is None else COLORS[state.turn])
    return " ".join(words)


def _board(rows: int, cols: int, text: str) -> bytes:
    """The fish of every tile, row by row. Raises BadPosition."""
    lines = text.split("/")
    if len(lines) != rows or any(len(line) != cols for line in lines):
        raise BadPosition(f"A position has {rows} rows of {cols} tiles, with / between them.")
    if not _DIGITS.issuperset(text):
        raise BadPosition(f"A row is made of digits from 0 to {MOST_FISH}, one a tile.")
    return bytes(int(digit) for line in lines for digit in line)


def _player(color: str, word: str) -> tuple[int, tuple[Square, ...]] | None:
    """The score and places of this seat; None where it was removed. Raises BadPosition."""
    read = _SEAT.fullmatch(word)
    if read is None or read[1] != color:
        raise BadPosition(f"A player is written like {color}:3@0,1@2,2, not {word[:40]!r}.")
    if read[2] is None:
        return None
    pairs = (place.split(",") for place in read[3].split("@")[1:])
    return int(read[2]), tuple((int(row), int(col)) for row, col in pairs)


def _free(rows: int, cols: int, fish: bytes, placed: list[Square]) -> int:
    """The bits of tiles with fish and without a penguin. Raises BadPosition."""
    free = bits_of(cols, fish)
    for row, col in placed:
        bit = 1 << bit_of(cols, (row, col)) if row < rows and col < cols else 0
        if not free & bit:
            raise BadPosition(f"A penguin cannot stand on {row},{col}: there is no free tile.")
        free ^= bit
    return free
