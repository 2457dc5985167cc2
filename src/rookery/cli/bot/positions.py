"""From what a wire language tells to what may be played: states made of views, by the rules.

A view has all that decides what its seat may play, so a state with those facts, and no
others, gives the legal moves.
"""

from rookery.clients.reversi import MARKS
from rookery.core.errors import BadPosition
from rookery.core.game import AnyView
from rookery.core.ids import Seat
from rookery.games import format_variant
from rookery.games.bughouse import Bughouse, BughouseView
from rookery.games.fish import Fish, FishView
from rookery.games.fish.ice import bit_of, bits_of
from rookery.games.fish.state import State as FishState
from rookery.games.guess import Guess, GuessView
from rookery.games.nim import Nim, NimView
from rookery.games.nim import State as NimState
from rookery.games.reversi import Reversi, ReversiView
from rookery.games.tictactoe import Tictactoe, TictactoeView


def variant_of(view: AnyView) -> str:
    """The variant that a view shows; what it does not show has its default."""
    match view:
        case ReversiView(size=size):
            return format_variant(Reversi(size=size))
        case FishView(board=board):
            return format_variant(Fish(rows=len(board), cols=len(board[0])))
        case NimView(misere=misere):
            return format_variant(Nim(misere=misere))
        case GuessView(low=low, high=high):
            return format_variant(Guess(low=low, high=high))
        case TictactoeView():
            return format_variant(Tictactoe())
        case _:
            assert isinstance(view, BughouseView), "an old language shows one of these games"
            return format_variant(Bughouse())


def moves_of(view: AnyView, seat: Seat) -> tuple[str, ...]:
    """What this seat may play; nothing where it is not its turn, or the view cannot be."""
    match view:
        case ReversiView():
            return _reversi(view, seat)
        case FishView():
            return _fish(view, seat)
        case NimView(rows=rows, turn=turn) if turn == seat:
            nim = Nim()
            return tuple(map(nim.format_move, nim.legal_moves(NimState(rows, seat), seat)))
        case GuessView(low=low, high=high, turn=turn) if turn == seat:
            return tuple(map(str, range(low, high + 1)))  # nobody would guess outside
        case TictactoeView():
            return _tictactoe(view, seat)
        case _:
            return ()  # of bughouse a view alone is not enough: see `chessboards`


def _reversi(view: ReversiView, seat: Seat) -> tuple[str, ...]:
    if view.turn != seat:
        return ()
    game = Reversi(size=view.size)
    try:
        state = game.parse_position(f"{'/'.join(view.rows)} {MARKS[seat]}")
    except BadPosition:
        return ()
    return tuple(map(game.format_move, game.legal_moves(state, seat)))


def _tictactoe(view: TictactoeView, seat: Seat) -> tuple[str, ...]:
    game = Tictactoe()
    try:
        state = game.parse_position("".join(view.rows))
    except BadPosition:
        return ()
    return tuple(map(game.format_move, game.legal_moves(state, seat)))


def _fish(view: FishView, seat: Seat) -> tuple[str, ...]:
    cols = len(view.board[0])
    game = Fish(rows=len(view.board), cols=cols)
    fish = bytes(number for row in view.board for number in row)
    penguins = tuple(tuple(bit_of(cols, at) for at in flock.places) for flock in view.players)
    free = bits_of(cols, fish) & ~sum(1 << at for own in penguins for at in own)
    scores = tuple(flock.score for flock in view.players)
    gone = frozenset(flock.seat for flock in view.players if flock.removed)
    state = FishState(fish, free, penguins, scores, view.turn, gone)
    return tuple(map(game.format_move, game.legal_moves(state, seat)))
