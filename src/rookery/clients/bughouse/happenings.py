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
    """What a player is called."""

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
    """These two of a team have their seats."""

    players: tuple[int, int]


class Refused(Struct, frozen=True):
    """What we asked for with this verb cannot be; the whole answer."""

    verb: str
    line: str


# -- news


class Made(Struct, frozen=True):
    """Somebody created a game."""

    player: int
    game: int


class Came(Struct, frozen=True):
    """Somebody joined a game."""

    player: int
    game: int


class Went(Struct, frozen=True):
    """Somebody left a game."""

    player: int
    game: int


class Owning(Struct, frozen=True):
    """This game is ours to start now."""

    game: int


class Deleted(Struct, frozen=True):
    """This game is gone."""

    game: int


class Began(Struct, frozen=True):
    """This game starts; where it is ours, the client asks who sits where."""

    game: int


class Over(Struct, frozen=True):
    """This game is over; nobody has won a draw."""

    game: int
    winners: tuple[str, ...]


class Noticed(Struct, frozen=True):
    """What the server says to everyone, and its code."""

    code: str
    sentence: str


class OurTurn(Struct, frozen=True):
    """A move is wanted of us."""


class Moved(Struct, frozen=True):
    """Something went on a board; the move as people write it, or nothing for a part of one."""

    board: int
    move: str


class Handed(Struct, frozen=True):
    """A player was given a piece."""

    player: int
    piece: str


class Clocks(Struct, frozen=True):
    """Milliseconds on the clocks of a board."""

    board: int
    white: int
    black: int


class Unknown(Struct, frozen=True):
    """No line that means anything."""

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
    | Made
    | Came
    | Went
    | Owning
    | Deleted
    | Began
    | Over
    | Noticed
    | OurTurn
    | Moved
    | Handed
    | Clocks
    | Unknown
)
