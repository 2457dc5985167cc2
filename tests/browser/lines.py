"""Games as the rules have them, to be played over again in the browser."""

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.game import Outcome
from rookery.core.ids import Seat
from rookery.games import AnyGame, parse_variant


class Turn(Struct, frozen=True):
    """Whose turn it is, what may be played, and which of it is."""

    seat: Seat
    legal: list[str]
    move: str


def first_moves(variant: str) -> tuple[list[Turn], Outcome]:
    """A game of two in which everybody plays the first legal move, and how it ends."""
    game: AnyGame = parse_variant(variant)
    state = game.start(2, Chance(0))
    turns: list[Turn] = []
    while (outcome := game.outcome(state)) is None:
        (seat,) = game.to_act(state)
        moves = list(game.legal_moves(state, seat))
        legal = [game.format_move(move) for move in moves]
        turns.append(Turn(seat, legal, legal[0]))
        state = game.play(state, seat, moves[0]).state
    return turns, outcome
