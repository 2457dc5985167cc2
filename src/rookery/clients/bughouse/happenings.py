"""What a server of bughouse can tell: answers to what was asked, and news.

Players, games and boards are the numbers of the wire, which count from 1.
"""

from typing import TypeAlias

from msgspec import Struct

# -- answers


class Admitted(Struct, frozen=True):
    """We are this player."""

    player: int


class Placed(Struct, frozen=True):
    """We are in this game, or with 0 in none."""

    game: int


class Named(Struct, frozen=True):
    """The player with this number has this name."""

    player: int
    name: str


class Listed(Struct, frozen=True):
    """The games that can be joined."""

    games: tuple[int, ...]


class Created(Struct, frozen=True):
    """We made this game, and are in its first team."""

    game: int


class Joined(Struct, frozen=True):
    """We are in this game and team."""

    game: int
    team: int


class LeftGame(Struct, frozen=True):
    """We are in no game any more."""


class Seated(Struct, frozen=True):
    """The client knows now where these two of a team sit."""

    players: tuple[int, int]


class Refused(Struct, frozen=True):
    """The server refused our request with this verb; the line is its whole answer."""

    verb: str
    line: str


# -- news


class Came(Struct, frozen=True):
    """Somebody joined a game."""

    player: int
    game: int


class Owning(Struct, frozen=True):
    """This game is ours to start now."""

    game: int


class Began(Struct, frozen=True):
    """This game starts; where it is ours, the client asks who sits where."""

    game: int


class Over(Struct, frozen=True):
    """This game is over; a draw has no winners."""

    game: int
    winners: tuple[str, ...]


class Noticed(Struct, frozen=True):
    """The server says a sentence, and the code of what it is about."""

    code: str
    sentence: str


class OurTurn(Struct, frozen=True):
    """The server says that it is our turn."""


class Moved(Struct, frozen=True):
    """A piece moved on a board, or was put there."""

    board: int


class Handed(Struct, frozen=True):
    """A player was given a piece, by its letter."""

    player: int
    piece: str


class Unknown(Struct, frozen=True):
    """The server sent a line that the client cannot read."""

    line: str


Happening: TypeAlias = (
    Admitted
    | Placed
    | Named
    | Listed
    | Created
    | Joined
    | LeftGame
    | Seated
    | Refused
    | Came
    | Owning
    | Began
    | Over
    | Noticed
    | OurTurn
    | Moved
    | Handed
    | Unknown
)
