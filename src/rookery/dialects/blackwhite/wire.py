"""The words of blackwhite: lines read and written, and a game's events put into them.

From a client words come in any case and with or without spaces around brackets and commas;
the seed itself writes `PLAYWHITE[1,1]`. What the server says is always written one way.

Each event gives groups of lines: what stands in one group belongs together, and may be
sent on one line. A resignation waits for the win that follows it, as the seed draws them:
`RESIGN [PL1] & WIN [PL2]`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import Mistake
from rookery.core.events import Ended, Out, Played, PublicEvent, Sat, Started
from rookery.core.game import Aside, Effect, Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.messages import Entry
from rookery.core.names import caseless, plain
from rookery.games.reversi import Place, Reversi, State
from rookery.games.reversi.effects import Flipped

GAME: Final = Reversi(size=10)
VARIANT: Final = "reversi size=10"
LOBBY: Final = "lobby"  # the room of a client that names none

_COLOURS: Final = ("BLACK", "WHITE")  # by seat
NAME_MAX: Final = 40
SHORT: Final = 24  # characters of a line whose meaning is remembered: there are few moves

_LINE: Final = re.compile(r"([A-Za-z]+)(.*)", re.DOTALL)
_NAMES: Final = re.compile(r"\s*\[([^][]*)\]\s*(?:\[([^][]*)\]\s*)?")
_BRACKET: Final = re.compile(r"[][]")
_SQUARE: Final = re.compile(r"\s*\[\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\]\s*")


class BadLine(Mistake):
    """A line that is not of this language, or not allowed now; the sentence says why."""


class EnterLine(Struct, frozen=True):
    """`ENTERROOM [name]`, or `ENTERROOM [name] [room]`."""

    name: str
    room: str | None


class PlayLine(Struct, frozen=True):
    """`PLAYBLACK [x,y]` or `PLAYWHITE [x,y]`, also where the square cannot be read."""

    seat: Seat
    move: str  # the game's own text, or one that it cannot read


class ResignLine(Struct, frozen=True):
    """`RESIGN`."""


class QuitLine(Struct, frozen=True):
    """`QUIT`."""


Line = EnterLine | PlayLine | ResignLine | QuitLine


def read(text: str) -> Line:
    """Read a line of a client. Raises BadLine."""
    return _short(text) if len(text) <= SHORT else _read(text)


def _read(text: str) -> Line:
    found = _LINE.fullmatch(text.strip())
    word, rest = (found[1].upper(), found[2]) if found else ("", "")
    match word:
        case "ENTERROOM":
            return _enter(rest)
        case "PLAYBLACK" | "PLAYWHITE":
            return PlayLine(Seat(_COLOURS.index(word.removeprefix("PLAY"))), _move(word, rest))
        case "RESIGN" | "QUIT" if rest.strip():
            raise BadLine(f"{word} stands alone.")
        case "RESIGN":
            return ResignLine()
        case "QUIT":
            return QuitLine()
        case _:
            raise BadLine("A line is ENTERROOM, PLAYBLACK, PLAYWHITE, RESIGN or QUIT.")


_short: Final = lru_cache(maxsize=1024)(_read)


def _enter(rest: str) -> EnterLine:
    found = _NAMES.fullmatch(rest)
    if found is None:
        raise BadLine("After ENTERROOM comes your name in brackets, and perhaps a room in others.")
    name, room = found[1].strip(), found[2]
    _check(name, "name")
    if room is not None:
        room = room.strip()
        _check(room, "room's name")
    return EnterLine(name, room)


def _check(name: str, what: str) -> None:
    if not 1 <= len(name) <= NAME_MAX or not name.isprintable():
        raise BadLine(f"A {what} is 1 to {NAME_MAX} printable characters without brackets.")


def _move(word: str, rest: str) -> str:
    """The move in the game's own text; what is no square stays as written, with its verb."""
    found = _SQUARE.fullmatch(rest)
    if found is not None:
        place = Place(int(found[1]), int(found[2]))
        if place.col < GAME.size and place.row < GAME.size:
            return GAME.format_move(place)
    return f"{word} {rest.strip()}"


# -- what the server says


@lru_cache(maxsize=8_192)  # a line is the same for all in a room, and again for all who come
def named(word: str, name: str) -> str:
    """A line with a verb and a player's name: `TURN [pl1]`."""
    return f"{word} [{carried(name)}]"


def carried(name: str) -> str:
    """A name with `_` for its brackets, which this language cannot carry and other dialects can."""
    return _BRACKET.sub("_", name) or "-"


def assign(seat: Seat) -> str:
    """`ASSIGN [BLACK]`."""
    return f"ASSIGN [{_COLOURS[seat]}]"


def played(seat: Seat, place: Place) -> str:
    """`PLAYBLACK [5,6]`."""
    return f"PLAY{_COLOURS[seat]} [{place.col},{place.row}]"


@cache  # there are two hundred
def reversed_to(seat: Seat, col: int, row: int) -> str:
    """`REVERSETOBLACK [5,5]`."""
    return f"REVERSETO{_COLOURS[seat]} [{col},{row}]"


def invalid(seat: Seat) -> str:
    """`PLAYWHITE [INVALID]`."""
    return f"PLAY{_COLOURS[seat]} [INVALID]"


def error(sentence: str) -> str:
    """`ERROR [what is wrong]`."""
    return f"ERROR [{_BRACKET.sub('_', sentence)}]"


Group = tuple[str, ...]  # lines that belong together


class Telling:
    """One game as it is told to one connection."""

    def __init__(self, table: TableId, me: PlayerId | None, called: str) -> None:
        self.table = table
        self.players: dict[Seat, PlayerId] = {}
        self.seat: Seat | None = None  # my own
        self.running = False
        self._me = me
        self._called = called  # how I wrote my own name
        self._names: dict[Seat, str] = {}
        self._turns: dict[Seat, str] = {}  # how it is said that it is their turn
        self._resigned: Group = ()
        self._state: State | None = None  # where the past that was told has come to

    def tell(self, event: PublicEvent, effects: Sequence[Effect]) -> Group:
        """The lines that tell of an event, but not whose turn it is, nor who has gone."""
        match event:
            case Sat(seat, player, name):
                self.players[seat], self._names[seat] = player, name
                self._turns.clear()
                if player == self._me:
                    self.seat = seat
            case Started():
                self.running = True
                # "Viewers get no ASSIGN."
                return () if self.seat is None else (assign(self.seat),)
            case Played():
                return _moves.find(event, effects)
            case Out(seat, Forfeit.RESIGNED):
                self._resigned = (named("RESIGN", self.name(seat)),)
            case Ended(outcome):
                self.running = False
                return (*self._resigned, self._result(outcome))
            case _:
                pass
        return ()

    def turn(self, seat: Seat) -> str:
        """The line that says that it is the turn of this seat."""
        if seat not in self._turns:
            self._turns[seat] = named("TURN", self.name(seat))
        return self._turns[seat]

    def name(self, seat: Seat) -> str:
        """The name of a player: my own as I wrote it, the other's made different from mine."""
        name = carried(plain(self._names[seat]))
        if self.players[seat] == self._me:
            return self._called
        alike = caseless(name) == caseless(self._called)
        return f"{name[: NAME_MAX - 4]} (2)" if alike else name

    def relive(self, entries: Iterable[Entry]) -> Iterator[tuple[PublicEvent, Sequence[Effect]]]:
        """Past events, each with its effects, which are played again: a log does not keep them."""
        for entry in entries:
            event = entry.event
            effects: Sequence[Effect] = ()
            if isinstance(event, Started):
                self._state = GAME.start(2, Chance(0))
            elif isinstance(event, Played):
                assert self._state is not None, "a game starts before its first move"
                step = GAME.play(self._state, event.seat, GAME.parse_move(event.move))
                self._state, effects = step.state, _plain(step.effects)
            yield event, effects

    def turn_now(self) -> str:
        """The line that says whose turn it is after the past that was told."""
        assert self._state is not None, "a running game has begun"
        return self.turn(self._state.turn)

    def _result(self, outcome: Outcome) -> str:
        winners = [Seat(n) for n, place in enumerate(outcome.places) if place == 1]
        if len(winners) != 1:
            return "TIE"  # also where nobody won: this language knows no other end
        return named("WIN", self.name(winners[0]))


class _MoveLines:
    """Writes moves and the discs they turn; the last is kept, for it is told to all in a row."""

    __slots__ = ("_effects", "_event", "_lines")

    def __init__(self) -> None:
        self._event: Played | None = None
        self._effects: Sequence[Effect] = ()
        self._lines: Group = ()

    def find(self, event: Played, effects: Sequence[Effect]) -> Group:
        """The lines that tell of this move and of the discs that it turned over."""
        if self._event is not event or self._effects is not effects:
            flipped = [effect for effect in effects if isinstance(effect, Flipped)]
            turned = [reversed_to(event.seat, at.col, at.row) for at in flipped]
            self._event, self._effects = event, effects
            self._lines = (played(event.seat, GAME.parse_move(event.move)), *turned)
        return self._lines


_moves: Final = _MoveLines()  # one for all connections, which is the point of it


def _plain(effects: Iterable[Effect | Aside]) -> Sequence[Effect]:
    return [effect for effect in effects if not isinstance(effect, Aside)]
