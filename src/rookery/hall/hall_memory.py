"""What the hall's own stream leads to, as parts of bytes that a start can read instead of it.

Players, numbers and casual ratings are taken as they stand. Tours that are over are kept as the
records that say so: what they mean to a player who was away depends on the events between them.
The content of a part may change with `VERSION`, which a test watches over. At a start the hall
is told the parts; the process that makes them follows the log with a memory of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from rookery.core import events
from rookery.core.events import GameRated, HallEvent, Record, TourDone
from rookery.core.ids import Micros, PlayerId
from rookery.core.manners import Languages
from rookery.hall.lobby.casual_ratings import CasualBook, CasualRating
from rookery.hall.people.conduct import Conduct
from rookery.hall.people.numbers import CountGiven
from rookery.hall.people.players import NamesGiven, Player
from rookery.hall.people.presence import Presence
from rookery.hall.people.register import Register

T = TypeVar("T")

VERSION: Final = 1  # of what the parts say, and of how it follows from the records
PART: Final = 5_000  # players, or others, in one part: about a megabyte


class Part(Struct, frozen=True, array_like=True):
    """A part of the hall's memory."""


class DialectsPart(Part, frozen=True, tag="dialects"):
    """What dialects declare that players are told apart by: name, tokens, and the unnamed name."""

    declared: list[tuple[str, bool, str]]


class OwnRecords(Part, frozen=True, tag="own"):
    """How many records of the hall's own stream the parts follow from."""

    count: int


class PlayersPart(Part, frozen=True, tag="players"):
    """Some players."""

    players: list[Player]


class HomesPart(Part, frozen=True, tag="homes"):
    """Some players who are found by host, dialect and name; it comes after all players."""

    players: list[PlayerId]


class NamesPart(Part, frozen=True, tag="names"):
    """The raised numbers, kept names and the next player's id."""

    names: NamesGiven


class CountPart(Part, frozen=True, tag="count"):
    """The numbers that one dialect gave to one kind of thing."""

    count: CountGiven


class CasualPart(Part, frozen=True, tag="casual"):
    """Some casual ratings of a game."""

    game: str
    ratings: list[CasualRating]


class TourOver(Struct, frozen=True, array_like=True):
    """The record which says that a tour is over."""

    seq: int
    at: Micros
    event: TourDone


class ConductPart(Part, frozen=True, tag="conduct"):
    """Some of the mutes, bans and blocks that hold, as events."""

    events: list[events.ConductEvent]


class ToursPart(Part, frozen=True, tag="tours"):
    """Some tours that are over, in the order of their ends."""

    over: list[TourOver]


AnyPart: TypeAlias = (
    DialectsPart
    | OwnRecords
    | PlayersPart
    | HomesPart
    | NamesPart
    | CountPart
    | CasualPart
    | ConductPart
    | ToursPart
)
_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final[msgspec.msgpack.Decoder[AnyPart]] = msgspec.msgpack.Decoder(AnyPart)


def declared_by(languages: Languages) -> DialectsPart:
    """The first part where these dialects are known; plug-ins may add to them."""
    return DialectsPart(sorted((one.name, one.tokens, one.unnamed) for one in languages))


def read_parts(parts: Iterable[bytes | memoryview]) -> list[AnyPart]:
    """Read the parts from their bytes. Raises msgspec.MsgspecError where they are no parts."""
    shared: dict[str, str] = {}
    return [_sharing(_decoder.decode(part), shared) for part in parts]


def _sharing(part: AnyPart, shared: dict[str, str]) -> AnyPart:
    """The part with equal texts of its players shared, to save memory; nobody has seen it yet."""
    if isinstance(part, PlayersPart):
        for player in part.players:
            force_setattr(player, "host", shared.setdefault(player.host, player.host))
            force_setattr(player, "dialect", shared.setdefault(player.dialect, player.dialect))
    return part


def recall(parts: Iterable[AnyPart], register: Register, casual: CasualBook) -> list[TourOver]:
    """Restore the parts into an empty register and book; the tours that are over."""
    players, numbers = register.players, register.numbers
    over: list[TourOver] = []
    for part in parts:
        match part:
            case DialectsPart():
                pass  # the reader has looked at that
            case OwnRecords(count):
                register.own_records = count
            case PlayersPart(some):
                players.recall(some)
            case HomesPart(ids):
                players.recall_homes(ids)
            case NamesPart(names):
                players.recall_names(names)
            case CountPart(given):
                numbers.recall(given)
            case CasualPart(game, ratings):
                casual.recall({game: ratings})
            case ConductPart(events):
                register.conduct.recall(events)
            case ToursPart(some_over):
                over += some_over
    return over


class HallMemory:
    """Follows the hall's own stream, to make parts of it."""

    def __init__(self, languages: Languages) -> None:
        self._languages = languages
        self._register = Register(Presence(), languages, lambda _: False)
        self._casual = CasualBook()
        self._over: list[TourOver] = []
        self._at: Micros = 0  # when the last record happened that was taken
        self.seq = 0  # and its number

    def take(self, record: Record) -> None:
        """Take in the next record of the hall's own stream."""
        event = record.event
        assert isinstance(event, HallEvent), "it has no others"
        self._register.restore(record, event)
        if isinstance(event, GameRated):
            self._casual.take(event, record.seq)
        elif isinstance(event, TourDone):
            self._over.append(TourOver(record.seq, record.at, event))
        self.seq, self._at = record.seq, record.at

    def recall(self, parts: Iterable[AnyPart], seq: int) -> None:
        """Begin with these parts, which reach to record `seq`."""
        assert not self.seq, "nothing was taken before"
        self._over = recall(parts, self._register, self._casual)
        self.seq = seq

    def conduct(self) -> Conduct:
        """The conduct that follows from the records so far: mutes, bans and blocks."""
        return self._register.conduct

    def parts(self) -> Iterator[AnyPart]:
        """All parts; the same for the same records, however they came here."""
        players = self._register.players
        yield declared_by(self._languages)
        yield OwnRecords(self._register.own_records)
        for everyone in _some(players.everyone()):
            yield PlayersPart(everyone)
        for ids in _some(players.homes()):
            yield HomesPart(ids)
        yield NamesPart(players.names())
        for count in self._register.numbers.counts():
            yield CountPart(count)
        for game, ratings in self._casual.ratings().items():
            for some in _some(ratings):
                yield CasualPart(game, some)
        for conduct in _some([*self._register.conduct.in_force(self._at)]):
            yield ConductPart(conduct)
        for over in _some(self._over):
            yield ToursPart(over)

    def written(self) -> list[bytes]:
        """All parts as bytes."""
        return [_encoder.encode(part) for part in self.parts()]


def _some(things: Sequence[T]) -> Iterator[list[T]]:
    for at in range(0, len(things), PART):
        yield list(things[at : at + PART])
