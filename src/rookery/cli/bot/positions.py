"""Finds the legal moves of a view: the rules make a state that looks like it.

A view has all that decides what its seat may play, so any state that looks like it gives the
legal moves.
"""

from typing import Any

from rookery.core.chance import Chance
from rookery.core.errors import BadPosition
from rookery.core.game import AnyView, Imagining
from rookery.core.ids import Seat
from rookery.games import AnyGame


def moves_of(game: AnyGame, view: AnyView, seat: Seat) -> tuple[str, ...]:
    """The moves this seat may play; none where it is not its turn, or the view cannot be.

    Of a game that cannot be imagined, because it hides something, these are the moves that begin
    it: the server judges them, and one that was refused is not tried again.
    """
    state: Any  # of whatever kind the game has
    if isinstance(game, Imagining):
        try:
            state = game.imagine(view, seat, Chance(0))
        except BadPosition:
            return ()
    elif getattr(view, "turn", seat) != seat:  # nearly every view says whose turn it is
        return ()
    else:
        state = game.start(game.seat_counts[0], Chance(0))
        seat = min(game.to_act(state))
    return tuple(map(game.format_move, game.legal_moves(state, seat)))
