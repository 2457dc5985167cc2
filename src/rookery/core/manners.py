"""What a dialect declares of its clients, and the numbers by which it knows things.

Every dialect has one of these in its own folder. The hall, the server, the command line and
the page ask it, and never which dialect it is: a new dialect says everything about itself
there. Of a dialect that nobody declared, as one whose plug-in is gone, the usual manners are
assumed.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import asdict, fields

from rookery.core.game import Game
from rookery.core.ids import PlayerId, TableId, TourId
from rookery.core.options import format_value

OWN: Final = "native"  # the house's own language; who says nothing else speaks it
BOT: Final = "bot"  # what programs are said to speak that play without a connection
NAME_MAX: Final = 40  # characters of a name, where a dialect has no bound of its own


class Matched(StrEnum):
    """How a dialect's clients come to a match of their tour."""

    GIVEN = "given"  # at any time
    ASKS = "asks"  # only after they asked for a game
    CALLED = "called"  # they are called, and who fails a call is put out by the dialect itself


class Words(Struct, frozen=True):
    """A game that a dialect has words for: which values of its options it can say."""

    game: str
    options: dict[str, tuple[str, ...]] = {}  # those that are bound, as text
    others: bool = True  # whether the other options may be set, or must be as usual

    def has(self, variant: Game[Any, Any]) -> bool:  # Any: no state or move is looked at
        """Whether these words can say this variant."""
        if variant.name != self.game:
            return False
        assert isinstance(variant, Struct), "a game is a struct of its options"
        values = asdict(variant)
        usual = {field.name: field.default for field in fields(variant)}
        return all(
            format_value(value) in self.options[name]
            if name in self.options
            else self.others or value == usual[name]
            for name, value in values.items()
        )


class FirstLines(Struct, frozen=True):
    """A step of a first session by hand: every line of it can be said to a server as it stands."""

    say: str  # what to do, for people
    lines: tuple[str, ...]  # what to paste
    answer: tuple[str, ...]  # how the server answers, shortened by `…`
    house: str = ""  # the game that bots of the house must play for it
    alone: "FirstLines | None" = None  # what to do instead where they do not


class Manners(Struct, frozen=True, kw_only=True):
    """What one dialect declares. A field that is left out is as with most dialects."""

    name: str
    about: str = ""  # what it is like, in a sentence or two, for people
    hello: str = ""  # what the client of one `ann` says first
    first_session: tuple[FirstLines, ...] = ()  # to try it by hand; else just the hello
    words: tuple[Words, ...] | None = None  # the games it has words for; None: all there are
    usual: str = ""  # the variant that is meant by its game's name alone

    # -- who its players are
    named: bool = True  # whether they have names
    name_max: int = NAME_MAX  # characters of one
    never_in_names: str = ""  # characters that its lines cannot carry there
    unnamed: str = ""  # what those are called who gave no name
    tokens: bool = False  # whether they come back by token, and not by host and name
    numbers: bool = False  # whether it calls players and tables by numbers of its own
    frees_numbers: bool = False  # whether those of players who are long gone are given again

    # -- what they can do
    several: bool = False  # play several games at once
    terms: bool = False  # say which clock and how many seats they want
    tables: bool = False  # come to a table that somebody else has opened
    rooms: bool = False
    teams: bool = False  # say for whom they play
    challenges: bool = False  # hear that somebody asks them to a table
    matched: Matched = Matched.GIVEN

    # -- tours
    tours: bool = False  # whether one can say which tour one means, and joins by saying so
    at_port: bool = True  # whether one means the tour of the port that one came to, if it has one
    joins: str = ""  # what one says to join by {code}, for {team} in a tour of teams
    joins_open: str = ""  # … and a {tour} without a code
    joins_team: str = "@red"  # what stands for {team}
    untold: bool = False  # whether a wrong code is taken for a part of the name
    notices: bool = False  # whether it can tell what delays a round
    farewells: bool = False  # whether one can take leave at the end of a tour

    # -- how it travels
    prompt: bool = False  # whether its clients hang up on who is silent for seconds
    message_max: int = 0  # bytes of a message in a WebSocket; 0: it is not spoken there
    classic_port: int | None = None  # where its old servers listened

    def speaks(self, variant: Game[Any, Any]) -> bool:  # Any: no state or move is looked at
        """Whether the dialect has words for this variant."""
        return self.words is None or any(words.has(variant) for words in self.words)

    @property
    def binds(self) -> bool:
        """Whether its clients mean a match of their tour when they ask for a game."""
        return self.matched is not Matched.GIVEN


class Languages:
    """The manners of every dialect there is, by its name. Complete before anyone asks."""

    def __init__(self, declared: Iterable[Manners]) -> None:
        self._declared = {manners.name: manners for manners in declared}

    def declare(self, manners: Manners) -> None:
        """Add the manners of one more dialect."""
        self._declared[manners.name] = manners

    def __getitem__(self, dialect: str) -> Manners:
        """The manners of a dialect; the usual ones if nobody declared it."""
        return self._declared.get(dialect) or Manners(name=dialect)

    def __iter__(self) -> Iterator[Manners]:
        return iter(self._declared.values())

    def speaking(self, variant: Game[Any, Any]) -> list[str]:  # Any: as above
        """The names of the dialects that have words for this variant."""
        return [manners.name for manners in self if manners.speaks(variant)]


UNDECLARED: Final = Languages(())  # every dialect has the usual manners


# -- Numbers on the wire: each dialect counts players, tables and tours for itself.
#
# An old client expects the first player it hears of to be 1. So a dialect that names things by
# number has a count of its own, kept in the log; connections, bots and other dialects use none of
# it up. A dialect looks numbers up here, and never gives one.


class Directory(Protocol):
    """Knows which player, table or tour has which number in which dialect."""

    @property
    def sure(self) -> bool:
        """Whether all numbers are known now; if not, they are once the hall answers a question."""
        ...

    def player_number(self, dialect: str, player: PlayerId) -> int | None:
        """The number this dialect has for a player, once it had to name that player."""
        ...

    def player_at(self, dialect: str, number: int) -> PlayerId | None:
        """The player whom this dialect calls by this number."""
        ...

    def table_number(self, dialect: str, table: TableId) -> int | None:
        """The number this dialect has for a table, once it had to name that table."""
        ...

    def table_at(self, dialect: str, number: int) -> TableId | None:
        """The table that this dialect calls by this number."""
        ...

    def tour_number(self, dialect: str, tour: TourId) -> int | None:
        """The number this dialect has for a tour that its players can join."""
        ...

    def tour_at(self, dialect: str, number: int) -> TourId | None:
        """The tour that this dialect calls by this number."""
        ...

    def name_of(self, player: PlayerId) -> str | None:
        """The player's name."""
        ...
