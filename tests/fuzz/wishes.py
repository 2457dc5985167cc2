"""Well-formed requests with hostile values: what the native language lets anybody ask.

A run is a hall of a few clients who ask for everything there is, in any order: each field of
a request is what might be meant, or else something that nobody would mean. The kinds of
requests and their fields are read off the intents themselves, so a new one is asked for at
once. Nothing may raise, and everything written to the log can be read back.
"""

from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from rookery.core.chance import Chance
from rookery.core.events import table_of, tour_of
from rookery.core.intents import Enter, EnterRoom, OpenTour, PlainIntent
from rookery.core.tour_values import DEFAULT_TIES, Plan
from rookery.store.log import decode_event, encode_event
from tests.fuzz.feeding import LULLS
from tests.transcripts.wired_hall import ORGANISER, WiredHall

CLIENTS: Final = ("ann", "bob", "cyd", "dan", "eve")
STEPS: Final = 150
KINDS: Final = get_args(PlainIntent)
# What makes something of the rest is asked for more often.
OFTEN: Final = ("play", "open_tour", "join_tour", "start_tour", "resign", "sit", "rematch")

GAMES: Final = (
    "nim sticks=1,2",
    "nim rows=1 sticks=1",
    "tictactoe",
    "guess low=1 high=2 rounds=2",
    "guess low=5 high=5",
    "reversi size=4 opening=20",
    "bughouse plies=2",
    "fish rows=4 cols=2",
    "fish rows=3 cols=3",
    "fish rows=4 cols=3 holes=2",
    "fish rows=40 cols=40 holes=1592",
)
FORMATS: Final = (
    "round_robin legs=2",
    "joining",
    "swiss",
    "swiss rounds=2",
    "knockout legs=3 third=true",
    "groups",
    "arena minutes=1",
    "duel games=3",
    "gauntlet champions=16 legs=1",
    "rotating rounds=2",
)
MOVES: Final = (
    "0,1",
    "1,1",
    "1,2",
    "5",
    "1",
    "2",
    "a1",
    "b1",
    "0,0",
    "0,1-2,0",
    "1:e2e4",
    "2:e2e4",
)
WORDS: Final = {
    "variant": GAMES,
    "format": FORMATS,
    "game": ("nim", "fish", "bughouse", "chess"),
    "time": ("none", "5m", "1s", "10s/move first 30s of phase", "1h delay 3s", "366d"),
    "points": ("1-0.5-0", "3-1-0", "100-0-0", "0-0-0", "1-2-3"),
    "code": ("QUXXZ", "quxxz", ""),
    "room": ("lobby", "QUXXZ", "room"),
    "team": ("red", "blue", ""),
    "move": MOVES,
    "token": (ORGANISER, "token-1", "token-2"),
    "status": ("open", "playing", ""),
    "name": ("ann", "bob", "ann#QUXXZ", "eve@red#QUXXZ"),
    "only": ("", "native", "fish"),
    "dialect": ("native", "tourney"),
}
NUMBERS: Final = {
    "seats": (2, 3, 4),
    "seat": (0, 1, 2, 3),
    "house": (0, 1, 5),
    "least": (2, 3),
    "most": (2, 3, 4),
    "limit": (0, 1, 2),
    "at_once": (1, 2, 50),
    "grace": (0, 1_000_000),
    "absent": (0, 1_000_000, 60_000_000),
    "wait": (0, 1_000_000),
    "kept": (0, 1_000_000),
}
# How seldom a field is said that may be left out; a third of the time if it is not here.
SELDOM: Final = {
    "player": 12,
    "code": 6,
    "farewell": 9,
    "strict": 6,
    "stays": 6,
    "points": 6,
    "only": 20,
}
BIG: Final = (0, -1, 1 << 31, 1 << 53, (1 << 63) - 1, 1 << 63, 1 << 64, -(1 << 63), 10**30)
ODD: Final = (
    "",
    " ",
    "\x00",
    "#",
    "@",
    "ŉ" * 300,
    "\u2800",
    "a b",
    "🂡" * 50,
    "nim x",
    "=",
    "\u202e",
)


class Asker:
    """Makes requests up from a seed, about things there are more often than not."""

    def __init__(self, chance: Chance, hall: WiredHall) -> None:
        self._chance = chance
        self._hall = hall

    def request(self) -> bytes:
        """A line of the native language."""
        kinds = [kind for kind in KINDS if kind.__struct_config__.tag in OFTEN]
        kind = self._chance.choice(KINDS if self._chance.below(3) else kinds)
        if kind in (Enter, EnterRoom) and self._chance.below(8):
            kind = OpenTour  # who has many players must always say which
        return line(str(kind.__struct_config__.tag), self._fields(kind))

    def open_tour(self) -> bytes:
        """A tour for everyone, of any plan."""
        return line("open_tour", {"plan": self._fields(Plan), "code": ""})

    def table(self) -> int:
        """A table that there was lately."""
        return self._lately([table_of(record.stream) for record in self._hall.records[-40:]])

    def _fields(self, kind: type[msgspec.Struct]) -> dict[str, object]:
        hints = get_type_hints(kind)
        return {
            field.name: self._value(field.name, hints[field.name])
            for field in msgspec.structs.fields(kind)
            if field.required or self._chance.below(SELDOM.get(field.name, 3)) == 0
        }

    # Any: a type hint is whatever a struct wrote.
    def _value(self, name: str, hint: Any) -> object:
        chance = self._chance
        hint = getattr(hint, "__supertype__", hint)
        if get_origin(hint) in (Union, UnionType):
            return self._value(name, chance.choice(get_args(hint)))
        if hint is NoneType:
            return None
        if hint is bool:
            return bool(chance.below(2))
        if hint is int:
            return self._number(name)
        if hint is str:
            return self._word(name)
        if get_origin(hint) is tuple:
            return self._row(name, hint)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return chance.choice([member.value for member in hint])
        return self._fields(hint)

    def _number(self, name: str) -> int:
        if self._chance.below(20) == 0:
            return self._chance.choice(BIG)
        if name == "table":
            return self.table()
        if name == "tour":
            return self._lately([tour_of(record.stream) for record in self._hall.records[-40:]])
        return self._chance.choice(NUMBERS.get(name, (0, 1, 2, 3, 4, 5)))

    def _lately(self, numbers: list[Any]) -> int:
        return int(self._chance.choice([n for n in numbers if n is not None] or [1]))

    def _word(self, name: str) -> str:
        if self._chance.below(20) == 0:
            return self._chance.choice(ODD)
        return self._chance.choice(WORDS.get(name, ("hello", "")))

    def _row(self, name: str, hint: Any) -> list[object]:
        if name == "ties":
            return [*self._chance.shuffled(DEFAULT_TIES)[: self._chance.below(6)]]
        return [self._value(name, get_args(hint)[0]) for _ in range(self._chance.below(5))]


def wish(seed: int) -> int:
    """Ask one hall for everything, from this seed; how many things were asked."""
    chance, hall, asked = Chance(seed), WiredHall(), 0
    asker = Asker(chance, hall)
    for _ in range(STEPS):
        who = chance.choice(CLIENTS)
        match chance.below(60):
            case 0 if who in hall.lines:
                hall.hang_up(who)
            case 1:
                hall.advance(chance.choice(LULLS))
            case 2 if chance.below(4) == 0:
                read_back(hall)
                hall.restart()
            case deed:
                if who not in hall.lines or hall.lines[who].closed:
                    _call(hall, who, organises=chance.below(4) == 0)
                if deed < 6:
                    _hold_tour(hall, who, asker, chance)
                elif deed < 40:
                    _move(hall, who, asker.table(), chance)
                hall.send(who, asker.request())
                asked += 1
                assert hall.take(who).endswith(b"\n"), "everything asked is answered"
    read_back(hall)
    return asked


def _call(hall: WiredHall, who: str, *, organises: bool) -> None:
    hall.lines.pop(who, None)
    hall.connect(who, "native")
    hall.send(who, line("hello", {"version": 1, "name": who}))
    if organises:
        hall.send(who, line("organise", {"token": ORGANISER}))


def _hold_tour(hall: WiredHall, who: str, asker: Asker, chance: Chance) -> None:
    """Somebody opens a tour, some who are there join it, and it starts."""
    hall.take(who)
    hall.send(who, asker.open_tour())
    made = msgspec.json.decode(hall.take(who).splitlines()[0])
    for one in list(hall.lines) if "tour" in made else ():
        if chance.below(4):
            for team in ("", chance.choice(("red", "blue"))):  # one of the two is refused
                hall.send(one, line("join_tour", {"tour": made["tour"], "team": team}))
    hall.send(who, line("start_tour", {"tour": made.get("tour")}))


def _move(hall: WiredHall, who: str, table: int, chance: Chance) -> None:
    """Somebody plays what it may play there, if it sits and is to act."""
    hall.take(who)
    hall.send(who, line("legal_moves", {"table": table}))
    answer = msgspec.json.decode(hall.take(who).splitlines()[0])
    if answer.get("moves"):
        hall.send(who, line("play", {"table": table, "move": chance.choice(answer["moves"])}))


def line(kind: str, fields: dict[str, object]) -> bytes:
    """A request of the native language."""
    return msgspec.json.encode({"type": kind, **fields}) + b"\n"


def read_back(hall: WiredHall) -> None:
    """What is in the log is text, and can be read again."""
    for record in hall.records:
        assert decode_event(encode_event(record.event), record.seq) == record.event
