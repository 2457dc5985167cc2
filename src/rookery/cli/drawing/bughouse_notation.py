"""Moves as a game's own players write them: chess moves in bughouse are `exd5` and `N@f3+`.

A game writes its moves itself, from its own position (`Noting`). A client has only the view,
so the game imagines a position from it; where it cannot, the plain text of a move stands.
"""

from collections.abc import Sequence

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.game import AnyView, Imagining, Noting
from rookery.core.ids import Seat
from rookery.games import AnyGame
from rookery.games.bughouse import Bughouse, BughouseView


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
