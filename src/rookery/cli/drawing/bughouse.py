"""Bughouse: two boards side by side, the viewer's own on the left, the viewer's team below.

White's pieces are upper case, black's lower case; one that was promoted has a `~` behind it.
Under each board stand the hands, and who is to move. Moves are written as chess players write
them, `exd5` and `N@f3+`: a game notes its moves from its own position (`Noting`). A client has
only the view, so the game imagines a position from it; where it cannot, the plain text stands.
"""

from collections.abc import Sequence
from typing import Final

from chess import UNICODE_PIECE_SYMBOLS
from rich.text import Text

from rookery.cli.drawing.look import FAINT, SEAT_STYLES, DrawnCell, Look, lines, row_of
from rookery.core.chance import Chance
from rookery.core.errors import BadNotation, Mistake
from rookery.core.game import AnyView, Imagining, Noting
from rookery.core.ids import Seat
from rookery.games import AnyGame
from rookery.games.bughouse import Bughouse, BughouseView, Drop, Go, board_of, is_white, seat_on

GAP: Final = 5  # columns between the boards
NAME_MAX: Final = 14  # characters of a name below a board
_COLOURS: Final = (SEAT_STYLES[0], SEAT_STYLES[1])  # of white and of black


def draw_bughouse(view: BughouseView, look: Look) -> Text:
    """Both boards, and the hands below them."""
    viewer = Seat(0) if look.viewer is None else look.viewer
    boards = [board_of(viewer), 3 - board_of(viewer)]
    # Partners play different colours on different boards, and both sit below.
    below = [is_white(viewer), not is_white(viewer)]
    left, right = (
        _board(view, look, board, white_below=white)
        for board, white in zip(boards, below, strict=True)
    )
    width = max(len(line) for line in left)
    for line in left:
        line.pad_right(width + GAP - len(line))
    return lines([Text.assemble(one, two) for one, two in zip(left, right, strict=True)])


def _board(view: BughouseView, look: Look, board: int, *, white_below: bool) -> list[Text]:
    own = look.viewer is not None and board_of(look.viewer) == board
    ranks = _ranks(view.fens[board - 1])
    framed = _ends(look, board)
    files = list(range(8)) if white_below else list(range(7, -1, -1))
    drawn = [Text(f"board {board}{' (yours)' if own else ''}", "bold")]
    for rank in reversed(files):
        cells = [_cell(ranks[rank][f], look, framed=8 * rank + f in framed) for f in files]
        drawn.append(Text.assemble((f"{rank + 1} ", FAINT), row_of(cells)))
    drawn.append(Text(f"   {' '.join('abcdefgh'[f] for f in files)}", FAINT))
    hands = (seat_on(board, white=white) for white in (not white_below, white_below))
    return drawn + [_hand(view, seat, look) for seat in hands]


def _cell(square: str, look: Look, *, framed: bool) -> DrawnCell:
    mark, tail = square[0], square[1:] or " "
    if mark == ".":
        return DrawnCell(mark, FAINT, framed)
    return DrawnCell(_piece(mark, look), _COLOURS[mark.islower()], framed, tail)


def _piece(letter: str, look: Look) -> str:
    return UNICODE_PIECE_SYMBOLS[letter] if look.unicode else letter


def _hand(view: BughouseView, seat: Seat, look: Look) -> Text:
    white = is_white(seat)
    held = [_piece(letter if white else letter.lower(), look) for letter in view.hands[seat]]
    name = look.names[seat] if seat < len(look.names) else ""
    called = f"{name[:NAME_MAX]} " if name else ""
    line = Text.assemble("white " if white else "black ", called, "holds ")
    line.append(" ".join(held) or "-", _COLOURS[not white])
    states = [("to move", view.turns), ("in check", view.in_check)]
    if now := ", ".join(word for word, seats in states if seat in seats):
        line.append(f"  {now}", "bold")
    return line


def _ranks(fen: str) -> list[list[str]]:
    """The squares of a FEN by rank from the first: a letter, one with `~`, or a dot."""
    ranks: list[list[str]] = []
    for row in fen.partition("[")[0].split("/"):
        squares: list[str] = []
        for letter in row:
            if letter == "~":
                squares[-1] += letter
            else:
                squares += ["."] * int(letter) if letter.isdigit() else [letter]
        ranks.insert(0, squares)
    return ranks


def _ends(look: Look, board: int) -> frozenset[int]:
    """The squares of the last move on this board."""
    for text in reversed(look.last):
        try:
            move = Bughouse().parse_move(text)
        except BadNotation:
            continue
        if move.board == board:
            match move:
                case Go(start=start, end=end):
                    return frozenset({start, end})
                case Drop(at=at):
                    return frozenset({at})
    return frozenset()


def noted(game: AnyGame, view: AnyView | None, moves: Sequence[str]) -> tuple[str, ...]:
    """Moves from the position in view as players write them; unchanged where that cannot be."""
    if view is None or not isinstance(game, Noting) or not isinstance(game, Imagining):
        return tuple(moves)
    try:
        state = game.imagine(view, Seat(0), Chance(0))
        return tuple(game.noted(state, game.parse_move(move)) for move in moves)
    except (Mistake, ValueError, AssertionError):  # of moves that are not legal there
        return tuple(moves)


def told(game: AnyGame, view: AnyView | None, move: str) -> str:
    """A move that was played, with its number where boards have their own: `12... exd5`."""
    (written,) = noted(game, view, (move,))
    if written == move or not isinstance(view, BughouseView):
        return move
    fields = view.fens[Bughouse().parse_move(move).board - 1].split()
    return f"{fields[-1]}{'.' if fields[1] == 'w' else '...'} {written}"


def meant(game: AnyGame, view: AnyView | None, typed: str, moves: Sequence[str]) -> str:
    """The move that a person typed as players write it; the typed text where none is meant."""
    if typed in moves:
        return typed
    wanted = _bare(typed.rpartition(":")[2])
    written = zip(moves, noted(game, view, moves), strict=True)
    found = [move for move, text in written if move != text and _bare(text) == wanted]
    return found[0] if len(found) == 1 else typed


def _bare(written: str) -> str:
    """A written move without its remarks: `Nf3+` is `Nf3`, `0-0` is `O-O`, `P@e4` is `@e4`."""
    bare = written.strip().rstrip("+#!?").replace("0", "O")
    return bare.removeprefix("P") if bare.startswith("P@") else bare
