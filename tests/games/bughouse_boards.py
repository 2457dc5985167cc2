"""Drawing and playing bughouse positions for the tests.

A board is drawn as eight rows from white's far side, dots for empty squares. Moves are
played by whoever is on turn on the board they name.
"""

import re

from rookery.core.chance import Chance
from rookery.core.errors import IllegalMove
from rookery.core.game import Aside, Effect
from rookery.core.ids import Seat
from rookery.games.bughouse import Bughouse, State, seat_on

GAME = Bughouse()
WHITE_1, BLACK_1, WHITE_2, BLACK_2 = (Seat(n) for n in range(4))
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"


def drawn(picture: str, hands: str = "", turn: str = "w", castling: str = "-") -> str:
    """The FEN of a board drawn as text."""
    rows = "/".join(picture.split())
    pieces = re.sub(r"\.+", lambda dots: str(len(dots[0])), rows)
    return f"{pieces}[{hands}] {turn} {castling} - 0 1"


def opened() -> State:
    """The start of a game."""
    return GAME.start(4, Chance(0))


def beside(one: str, two: str = CHESS, game: Bughouse = GAME) -> State:
    """The position of these two boards."""
    return game.parse_position(f"{one} | {two}")


def on_turn(state: State, board: int) -> Seat:
    """The seat whose turn it is on this board."""
    return seat_on(board, white=state.boards[board - 1].whites_turn)


def played(state: State, moves: str, game: Bughouse = GAME) -> State:
    """The state after these moves."""
    for text in moves.split():
        state = game.play(state, on_turn(state, int(text[0])), game.parse_move(text)).state
    return state


def effects(state: State, text: str) -> tuple[Effect | Aside, ...]:
    """What this move does."""
    return GAME.play(state, on_turn(state, int(text[0])), GAME.parse_move(text)).effects


def refused(state: State, seat: Seat, text: str) -> str:
    """The code this move is refused with."""
    try:
        GAME.play(state, seat, GAME.parse_move(text))
    except IllegalMove as no:
        return no.code
    return "accepted"


def hands(state: State) -> tuple[str, ...]:
    """What each seat holds."""
    return GAME.view(state, None).hands


def how(state: State, game: Bughouse = GAME) -> str | None:
    """How the game ended, if it has."""
    outcome = game.outcome(state)
    return None if outcome is None else outcome.how


def texts(state: State, seat: Seat) -> list[str]:
    """The seat's legal moves as text."""
    return [GAME.format_move(move) for move in GAME.legal_moves(state, seat)]
