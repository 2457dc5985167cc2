"""Claims: what clients heard over the wires, each to be held against the log.

The clients that make claims never look into the log, and the judge never asks a client.
"""

from typing import Final

from msgspec import Struct

from rookery.core.events import PublicEvent
from rookery.core.game import AnyView
from rookery.core.ids import Micros, Seat, TableId
from rookery.dialects import LANGUAGES
from rookery.games.bughouse import BughouseView
from rookery.games.fish import FishView
from rookery.games.nim import NimView
from rookery_tools.sim.observer.transcript import Transcript

UNNAMED: Final = frozenset(one.name for one in LANGUAGES if not one.named)

Key = object  # what must be the same of two boards


class Sighting(Struct, frozen=True):
    """A client was asked for a move and shown this board, so all that led to it is claimed."""

    at: Micros
    who: str  # the name, or the language where nobody has one
    line: int
    seat: Seat
    key: Key


class EventHeard(Struct, frozen=True):
    """A client was told of event n of a table."""

    at: Micros
    who: str
    table: TableId
    n: int
    event: PublicEvent


class ResultHeard(Struct, frozen=True):
    """A client was told how its game came out."""

    at: Micros
    who: str
    dialect: str
    result: str


class Claims:
    """All that clients of a day heard, and when they called."""

    def __init__(self) -> None:
        self.sightings: list[Sighting] = []
        self.heard: list[EventHeard] = []
        self.transcripts: dict[str, Transcript] = {}  # of all who speak native, by name
        self.results: list[ResultHeard] = []
        self.opened: list[int] = []  # tours that were said to be open
        self.back: dict[str, list[Micros]] = {}  # when each came back
        self.calls: dict[str, list[Micros]] = {}  # the same, by what the log calls them
        self.notices: list[tuple[Micros, int, str]] = []  # what it said of itself, by line
        self.strange: list[str] = []  # what nobody can make sense of


def key_of(view: AnyView, seat: Seat) -> Key:
    """The part of a view that every language tells, and that must be the same in the log."""
    match view:
        case NimView(rows=heaps, turn=turn):
            return heaps, turn  # whether it is misère nobody says in tourney
        case FishView(board=board, players=flocks, turn=turn):
            here = [(one.seat, one.score, one.places) for one in flocks if not one.removed]
            return board, tuple(here), turn
        case BughouseView(fens=fens):
            # What the partners do meanwhile may be heard a moment later.
            return fens[seat // 2].partition(" ")[0].partition("[")[0].replace("~", "")
        case _:
            return view
