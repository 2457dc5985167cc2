"""Fish: hexagons in staggered rows, each with the number of its fish.

A letter before the number is a penguin, a star a tile that one of the viewer's penguins
can reach, a dot a hole. Odd rows lie half a tile to the right, so the columns are
numbered above for the even rows and below for the odd ones.
"""

from typing import Final

from rich.text import Text

from rookery.cli.drawing.look import FAINT, HINT, Look, lines
from rookery.core.errors import BadNotation
from rookery.core.ids import Seat
from rookery.games.fish import Fish, FishView, Flock, Place, Slide
from rookery.games.fish.ice import Square

LETTERS: Final = "RWBK"  # red, white, brown, black, by seat
_STYLES: Final = ("white on red", "black on white", "black on yellow", "white on black")


def draw_fish(view: FishView, look: Look) -> Text:
    """The ice, then everyone's fish."""
    penguins = {at: flock.seat for flock in view.players for at in flock.places}
    framed = _ends(look.newest)
    # While penguins are placed every free tile will do: a star on each would say nothing.
    reached = frozenset(move[-1] for text in look.moves if len(move := _ends(text)) == 2)
    numbers = "  ".join(f"{col:>2}" for col in range(len(view.board[0])))
    drawn = [Text(f"    {numbers}", FAINT)]
    for row, tiles in enumerate(view.board):
        line = Text(f"{row:>2} {'  ' * (row % 2)}", FAINT)
        for col, fish in enumerate(tiles):
            at = (row, col)
            line.append_text(
                _tile(fish, penguins.get(at), reached=at in reached, framed=at in framed)
            )
        drawn.append(line)
    if len(view.board) > 1:
        drawn.append(Text(f"      {numbers}", FAINT))
    drawn += [_score(flock) for flock in view.players]
    return lines(drawn)


def _tile(fish: int, penguin: Seat | None, *, reached: bool, framed: bool) -> Text:
    left, right = "[]" if framed else "  "
    if penguin is not None:
        middle = Text(f"{LETTERS[penguin]}{fish}", _STYLES[penguin])
    elif not fish:
        middle = Text(" .", FAINT)
    else:
        middle = Text(f"*{fish}", HINT) if reached else Text(f" {fish}")
    return Text.assemble(left, middle, right)


def _score(flock: Flock) -> Text:
    away = "   out of the game" if flock.removed else ""
    letter = (LETTERS[flock.seat], _STYLES[flock.seat])
    return Text.assemble(" ", letter, f" {flock.color:<5} {flock.score:>3} fish{away}")


def _ends(text: str) -> tuple[Square, ...]:
    """The tiles that a move is about, where it ends last."""
    try:
        move = Fish().parse_move(text)
    except BadNotation:
        return ()
    match move:
        case Place(at):
            return (at,)
        case Slide(start, end):
            return (start, end)
