"""The games of the tourney dialect in its words: states, moves, praise and refusals.

Everything here is pure. A state is written from what a seat may see; a move of the wire
becomes the game's own text; and the game's codes become the sentences that old clients
print. No text has a colon in it: the wire is cut at them.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rookery.core.errors import NOT_YOUR_TURN, BadNotation
from rookery.core.events import Played
from rookery.core.game import View
from rookery.core.ids import Seat
from rookery.core.messages import News
from rookery.core.options import parse_integer
from rookery.games.guess import Answered, GuessView
from rookery.games.nim import NimView
from rookery.games.reversi import Reversi, ReversiView
from rookery.games.tictactoe import TictactoeView

ROLES: Final = ("Home", "Away")  # by seat
UNREADABLE: Final = "unreadable"  # the code for what is no move of the game

TYPES: Final[Mapping[str, str]] = {  # of tournaments, with the variants they are played in
    "SIMPLE": "guess",
    "NIM": "nim",
    "TTT": "tictactoe",
    "OTHELLO": "reversi",
    "OTHELLO_MINI": "reversi size=6",
    "OTHELLO_MICRO": "reversi size=4",
}

_NOT_YOUR_TURN: Final = {NOT_YOUR_TURN: "It is not your turn."}


class Words(Struct, frozen=True):
    """How the dialect writes the states, moves, praise and refusals of one game."""

    state: Callable[[View], str]
    move: Callable[[str], str]  # as the game itself writes it, or something it cannot read
    done: Callable[[News], str]  # told to the player who made the move that this is news of
    refusals: Mapping[str, str]  # by code; `{}` stands for the move


def words_of(variant: str) -> Words | None:
    """The words for this variant's game, if the dialect has any."""
    return _WORDS.get(variant.partition(" ")[0])


def _turn(seat: Seat | None) -> str:
    assert seat is not None, "a state is told only while somebody is to move"
    return str(seat)


def _played(news: News) -> Played:
    assert isinstance(news.happened.event, Played), "this is news of a move"
    return news.happened.event


def _as_it_is(move: str) -> str:
    return move


# -- nim


def _nim_state(view: View) -> str:
    assert isinstance(view, NimView), "nim shows its rows"
    return f"{_turn(view.turn)},{_nim_rows(view.rows)}"


@lru_cache(maxsize=256)  # both are told the same
def _nim_rows(rows: tuple[int, ...]) -> str:
    return ",".join(map(str, (len(rows), *rows)))


def _nim_done(news: News) -> str:
    outcome = None if news.happened.to_act else news.scene.game.outcome(news.scene.state)
    if outcome is not None:
        return f"{ROLES[outcome.winners[0]]} won!"
    row, _, take = _played(news).move.partition(",")
    return f"Took {take} sticks from row {row}."


# -- simple, which is our guess


def _guess_state(view: View) -> str:
    assert isinstance(view, GuessView), "guess shows its answers"
    return ",".join((_turn(view.turn), *view.answers))


_ANSWERS: Final = {"L": "You guessed low.", "H": "You guessed high.", "C": "Bingo!"}


def _guess_done(news: News) -> str:
    answers = [effect for effect in news.happened.effects if isinstance(effect, Answered)]
    return _ANSWERS[answers[0].answer]


# -- tic-tac-toe


def _ttt_state(view: View) -> str:
    assert isinstance(view, TictactoeView), "tic-tac-toe shows its board"
    return ",".join((_turn(view.turn), *_cells(view.rows)))


def _ttt_move(move: str) -> str:
    """The number without zeros or a plus in front, for a refusal repeats it; else the text."""
    try:
        return str(parse_integer(move))
    except BadNotation:
        return move


def _ttt_done(news: News) -> str:
    played = _played(news)
    return f"Placed an {'XO'[played.seat]} in slot {played.move}."


def _cells(rows: tuple[str, ...]) -> str:
    return "".join(rows).replace(".", " ")


# -- othello, which is our reversi

_OTHELLO_MOVE: Final = re.compile(r"([0-9])([A-Za-z])")
_NO_MOVE: Final = "?"  # a text that reversi cannot read


def _othello_state(view: View) -> str:
    assert isinstance(view, ReversiView), "reversi shows its board"
    return ",".join((_turn(view.turn), str(view.size), str(view.size), *_cells(view.rows)))


def _othello_move(move: str) -> str:
    """A wire move in reversi's own text: row digit from 0, then column letter, so `2d` is d3."""
    read = _OTHELLO_MOVE.fullmatch(move)
    return f"{read[2]}{int(read[1]) + 1}" if read else _NO_MOVE


def _othello_done(news: News) -> str:
    move = _played(news).move
    return f"Placed mark at location {Reversi().parse_move(move).row}{move[0]}."


_WORDS: Final[Mapping[str, Words]] = {
    "nim": Words(
        _nim_state,
        _as_it_is,
        _nim_done,
        {
            **_NOT_YOUR_TURN,
            UNREADABLE: "Could not understand your move.  Please use Row,Take as integral values.",
            "row_out_of_range": "Row is out of range.",
            "take_not_positive": "You must take a positive number of sticks.",
            "too_many_sticks": "That row does not have that many sticks.",
        },
    ),
    "guess": Words(
        _guess_state,
        _as_it_is,
        _guess_done,
        {
            **_NOT_YOUR_TURN,
            UNREADABLE: "Could not understand your move.  Please use an integer.",
        },
    ),
    "tictactoe": Words(
        _ttt_state,
        _ttt_move,
        _ttt_done,
        {
            **_NOT_YOUR_TURN,
            UNREADABLE: "Could not understand your move.  "
            "Please make sure you just pass an integer string (0-8).",
            "out_of_range": "Selection ({}) is out of range.",
            "taken": "This slot is already taken!",
        },
    ),
    "reversi": Words(
        _othello_state,
        _othello_move,
        _othello_done,
        {
            **_NOT_YOUR_TURN,
            UNREADABLE: "Could not understand your move.",
            "off_board_row": "Invalid move (incorrect row)",
            "off_board_column": "Invalid move (incorrect column)",
            "taken": "This location is already taken!",
            "flips_nothing": "Invalid move",
        },
    ),
}
