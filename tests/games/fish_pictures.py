"""Fish positions drawn as they lie: odd rows half a tile to the right, digits for fish."""

from rookery.core.errors import IllegalMove
from rookery.core.ids import Seat
from rookery.games.fish import Fish
from rookery.games.fish.state import State

RED, WHITE, BROWN, BLACK = (Seat(n) for n in range(4))


def drawn(picture: str, seats: str) -> tuple[Fish, State]:
    """The game on a board of this size, and the state with these seats and this turn."""
    rows = ["".join(line.split()) for line in picture.strip().splitlines()]
    game = Fish(rows=len(rows), cols=len(rows[0]))
    return game, game.parse_position(f"{'/'.join(rows)} {seats}")


def play(game: Fish, state: State, moves: str) -> State:
    """The state after these moves, each by whoever is on turn."""
    for move in moves.split():
        assert state.turn is not None, f"somebody is there to play {move}"
        state = game.play(state, state.turn, game.parse_move(move)).state
    return state


def refused(game: Fish, state: State, move: str) -> str:
    """The code with which the seat on turn is refused this move; empty if it is not."""
    try:
        play(game, state, move)
    except IllegalMove as illegal:
        return illegal.code
    return ""


def written(game: Fish, state: State) -> str:
    """The position without the board: seats, scores, penguins and whose turn it is."""
    return game.format_position(state).partition(" ")[2]
