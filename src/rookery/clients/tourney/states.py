"""Reads the states of tourney into views that can be drawn; their form shows which game it is.

Nim has numbers only, `0,3,5,7,9`; guessing letters and dashes, `0,H,-`; tic-tac-toe nine
cells; othello its rows and columns before the cells. The first number is whose turn it is.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from rookery.core.ids import Seat
from rookery.games.guess import HIGH, LOW, NONE_YET, RIGHT, Guess, Guessed, GuessView
from rookery.games.nim import Nim, NimView
from rookery.games.reversi import Reversi, ReversiView
from rookery.games.tictactoe import Tictactoe, TictactoeView

TURNS: Final = {"0": Seat(0), "1": Seat(1)}  # home, away
NUMBERS: Final = (1, 100)  # where the hidden one is; no state says so
SIZE_MAX: Final = 26  # of an othello board: there are no more letters

TourneyView: TypeAlias = GuessView | NimView | ReversiView | TictactoeView
TourneyGame: TypeAlias = Guess | Nim | Reversi | Tictactoe


class Guesses(Struct):
    """Our own guesses in one match, which no state repeats."""

    seat: Seat
    made: tuple[Guessed, ...] = ()
    asked: int | None = None  # the number whose answer is not there yet


def read_state(text: str, guesses: Guesses) -> TourneyView | None:
    """Read a state into a view; None where it is of no game we know."""
    word, *fields = text.removesuffix(",").split(",")
    turn = TURNS.get(word)
    if turn is None or not fields:
        return None
    if len(fields) == 2 and set(fields) <= {HIGH, LOW, RIGHT, NONE_YET}:
        return _guess(turn, (fields[0], fields[1]), guesses)
    if len(fields) == 9 and (rows := _rows(fields, 3)):
        return TictactoeView((rows[0], rows[1], rows[2]), turn)
    if not all(field.isascii() and field.isdigit() and len(field) < 7 for field in fields[:2]):
        return None
    size = int(fields[0])
    if len(fields) == size + 1 and all(f.isascii() and f.isdigit() for f in fields):
        return NimView(tuple(int(field[:7]) for field in fields[1:]), turn, misere=False)
    if 1 <= size <= SIZE_MAX and fields[1] == fields[0] and len(fields) == 2 + size * size:
        return _othello(turn, size, fields[2:])
    return None


def game_of(view: TourneyView) -> TourneyGame:
    """The game that a view shows; what it does not show has its default."""
    match view:
        case GuessView(low, high):
            return Guess(low=low, high=high)
        case NimView(misere=misere):
            return Nim(misere=misere)
        case ReversiView(size):
            return Reversi(size=size)
        case TictactoeView():
            return Tictactoe()


def _guess(turn: Seat, answers: tuple[str, str], guesses: Guesses) -> GuessView:
    answer = answers[guesses.seat]
    if guesses.asked is not None and answer != NONE_YET:
        guesses.made += (Guessed(guesses.asked, answer),)
        guesses.asked = None
    # Home is a guess ahead while away is on turn.
    ahead = guesses.seat == 0 and turn == 1
    round_ = len(guesses.made) + (0 if ahead and guesses.made else 1)
    return GuessView(*NUMBERS, turn, round_, answers, guesses.made, None)


def _othello(turn: Seat, size: int, cells: Sequence[str]) -> ReversiView | None:
    rows = _rows(cells, size)
    if not rows:
        return None
    discs = (sum(row.count("X") for row in rows), sum(row.count("O") for row in rows))
    return ReversiView(size, rows, turn, discs)


def _rows(cells: Sequence[str], size: int) -> tuple[str, ...]:
    """Cells of X, O or a space, as rows with dots for spaces; empty if there are other cells."""
    if set(cells) - {"X", "O", " "}:
        return ()
    drawn = "".join(cells).replace(" ", ".")
    return tuple(drawn[at : at + size] for at in range(0, len(drawn), size))
