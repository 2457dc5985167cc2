"""What things are called on the wire: requests, players, games, boards, squares, pieces.

The page: "Player, game and board ids count from 1; boards of game g are 2g−1 and 2g", "x =
file 0–7 (a = 0), y = rank 0–7", pieces 1 to 6, "Colours where a number is needed: 0 white,
1 black". What is not there is -1.
"""

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rookery.core.errors import BadNotation
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.manners import Directory
from rookery.core.options import parse_integer
from rookery.dialects.bughouse.profile import NAME
from rookery.games.bughouse import is_white

NONE: Final = "-1"
SHORT: Final = 8  # characters of a field whose number is remembered
NAME_MAX: Final = 40  # characters: the page's
PIECES: Final = "PNBRQK"  # PIECES[n - 1] is called n

# "The first of a team is white, the second black": the seats of teams 1 and 2 in that order.
TEAMS: Final = {1: (Seat(0), Seat(3)), 2: (Seat(2), Seat(1))}
WHITE_FIRST: Final = TEAMS[1] + TEAMS[2]

FORBIDDEN: Final = "\t:\N{REPLACEMENT CHARACTER}"  # in a name; the last for what is no UTF-8
_UNASKED: Final = re.compile("broadcast", re.IGNORECASE)


class RequestLine(Struct, frozen=True):
    """A request: its verb in upper case, and the fields behind the colon."""

    verb: str
    fields: tuple[str, ...] = ("",)


def read_request(line: bytes) -> RequestLine:
    """Read the request on a line. "Verbs in any case from clients".

    Bytes that are no UTF-8 are read as a sign that stands in no name and no number, so that
    each request fails in its own words.
    """
    text = line.decode(errors="replace")
    verb, _, rest = text.partition(":")
    return RequestLine(verb.strip().upper(), tuple(rest.split("\t")))


def number(text: str) -> int | None:
    """The number that a field means; None if it is no number."""
    return _short_number(text) if len(text) <= SHORT else _number(text)


def _number(text: str) -> int | None:
    try:
        return parse_integer(text.strip())
    except BadNotation:
        return None


_short_number: Final = lru_cache(maxsize=1024)(_number)  # most are of squares and boards


def echo(text: str) -> str:
    """A client's field as an answer repeats it: printable, and no longer than a name."""
    return "".join(c for c in text[:NAME_MAX] if c.isprintable()) or NONE


def good_name(name: str) -> bool:
    """Whether a player may be called so here: an answer must not look like a broadcast."""
    return (
        0 < len(name) <= NAME_MAX and not set(FORBIDDEN) & set(name) and not _UNASKED.search(name)
    )


def clean_name(name: str) -> str:
    """A name of any dialect with `_` for what this language cannot carry."""
    return _UNASKED.sub("_", re.sub(r"[\t:]", "_", name)) or "-"


def notice(code: str, sentence: str) -> str:
    """A sentence of the server as the text of a broadcast, with its code."""
    return f"NOTICE:{code}\t{' '.join(sentence.split())}"


def square(x: int, y: int) -> str | None:
    """The name of a square, `e4`; None where it is not on the board."""
    return f"{'abcdefgh'[x]}{y + 1}" if 0 <= x < 8 and 0 <= y < 8 else None


def place(name: str) -> str:
    """A square's two numbers on the wire, file and rank from 0, with a tab between."""
    return _PLACES[name]


_PLACES: Final = {
    f"{file}{y + 1}": f"{x}\t{y}" for x, file in enumerate("abcdefgh") for y in range(8)
}


def piece(letter: str) -> int:
    """The number of a piece on the wire: 1 is a pawn and 6 a king."""
    return PIECES.index(letter) + 1


def team_of(seat: Seat) -> int:
    """The team that a seat is in: 1 or 2."""
    return 1 if seat in TEAMS[1] else 2


def colour_of(seat: Seat) -> int:
    """The number of a seat's colour: 0 is white and 1 is black."""
    return 0 if is_white(seat) else 1


class Ledger:
    """What this dialect calls players, games and boards, and the other way round."""

    def __init__(self, directory: Directory) -> None:
        self.directory = directory

    def player(self, player: PlayerId | None) -> str:
        """A player's number in this dialect; -1 where it has none."""
        found = None if player is None else self.directory.player_number(NAME, player)
        return NONE if found is None else str(found)

    def player_at(self, text: str) -> PlayerId | None:
        """The player whose number this field is; None if nobody has it."""
        asked = number(text)
        return None if asked is None else self.directory.player_at(NAME, asked)

    def name(self, player: PlayerId) -> str:
        """A player's name, as this language can carry it."""
        return clean_name(self.directory.name_of(player) or "")

    def game(self, table: TableId) -> str:
        """A game's number in this dialect; -1 where it has none."""
        found = self.directory.table_number(NAME, table)
        return NONE if found is None else str(found)

    def game_at(self, text: str) -> TableId | None:
        """The game whose number this field is; None if there is none."""
        asked = number(text)
        return None if asked is None else self.directory.table_at(NAME, asked)

    def board(self, table: TableId, board: int) -> str:
        """The number on the wire of board 1 or 2 of a game."""
        found = self.directory.table_number(NAME, table)
        return NONE if found is None else str(2 * found - 2 + board)

    def board_at(self, text: str) -> tuple[TableId, int] | None:
        """The game, and its board 1 or 2, whose number this field is; None if there is none."""
        asked = number(text)
        if asked is None or asked < 1:
            return None
        table = self.directory.table_at(NAME, (asked + 1) // 2)
        return None if table is None else (table, 2 - asked % 2)
