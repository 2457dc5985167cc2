"""Reads the lines that a person types in a game: requests to the server, or own commands."""

from typing import Final

from msgspec import Struct

from rookery.clients.native.table import KnownTable
from rookery.core.game import Completing
from rookery.core.ids import Seat
from rookery.core.intents import (
    Abort,
    DeclineDraw,
    DeclineTakeBack,
    OfferDraw,
    Play,
    Rematch,
    Resign,
    Say,
    TableIntent,
    TakeBack,
)

HELP: Final = """\
a move          play it; `moves` shows how moves are written
moves           every move you may play now
board           draw the board again
resign          give the game up
draw, decline   offer a draw or say yes to one; say no to it
back, no        ask for your last move back or say yes to who asks; say no to it
abort           call the game off, before its second move
say TEXT        say something to all at the table; `team TEXT` to your team
rematch         when it is over: play again, with seats exchanged
quit            leave; a running game is lost by it"""


class Ask(Struct, frozen=True):
    """A typed line that sends this intent to the server."""

    intent: TableIntent


class OwnCommand(Struct, frozen=True):
    """A command that is not the server's: `help`, `moves`, `board`, `quit`, or nothing."""

    word: str


_OWN: Final = {
    "": "",
    "?": "help",
    "help": "help",
    "moves": "moves",
    "board": "board",
    "quit": "quit",
    "exit": "quit",
}


def read_line(line: str, known: KnownTable) -> Ask | OwnCommand:
    """Read a typed line; one that is no command is taken for a move."""
    word, _, text = line.strip().partition(" ")
    table = known.table
    match word.lower():
        case "resign":
            return Ask(Resign(table))
        case "draw":
            return Ask(OfferDraw(table))
        case "decline":
            return Ask(DeclineDraw(table))
        case "back" | "takeback":
            return Ask(TakeBack(table))
        case "no":
            return Ask(DeclineTakeBack(table))
        case "abort":
            return Ask(Abort(table))
        case "rematch":
            return Ask(Rematch(table))
        case "say":
            return Ask(Say(table, text))
        case "team":
            return Ask(Say(table, text, team=True))
        case own if own in _OWN:
            return OwnCommand(_OWN[own])
        case _:
            return Ask(Play(table, _move(line.strip(), known)))


def _move(text: str, known: KnownTable) -> str:
    """A typed move as the game writes it; some games complete a move that is typed in part."""
    game = known.players.game
    return game.completed(text, known.mine or Seat(0)) if isinstance(game, Completing) else text
