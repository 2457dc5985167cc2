"""The messages of fish, one JSON object on a line: what players say, and what the referee says.

The seed names messages and no encoding. Its authors' own keys (`Request`, `ID`, `X`, `Y`)
are read as well as ours, and `Age` as the seed writes it. Keys that nobody knows are
ignored; numbers are whole. A state is nearly always the same for everyone at a table, so it
is written once and remembered until another one is wanted.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.game import OVER, Forfeit
from rookery.core.ids import Seat
from rookery.core.messages import Scene
from rookery.core.names import plain
from rookery.games.fish import PLACE, FishView
from rookery.games.fish.ice import Square
from rookery.games.fish.state import COLORS, quota

OLDEST: Final = 150
ID_MAX: Final = 40
NUMBER_MAX: Final = 10**9  # no board is so large, and no text of a move so long
SHORT: Final = 100  # bytes of a line whose meaning is remembered: there are few moves

_JSON_ERRORS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Join(Struct, frozen=True):
    """A player wants to be in a game."""

    age: int
    id: str


class Placing(Struct, frozen=True):
    """An answer to the referee: a penguin is placed on a tile, or moved from one to another."""

    move: str  # as the game writes it


class Unreadable(Struct, frozen=True):
    """A line that is no message, and the sentence that says why."""

    sentence: str


Said = Join | Placing | Unreadable


def read(line: bytes) -> Said:
    """Read a line of a player; one that is no message becomes `Unreadable`."""
    return _short(line) if len(line) <= SHORT else _read(line)


def _read(line: bytes) -> Said:
    try:
        if not line.isascii():
            line.decode()  # the reader of JSON looks only at what it needs
        found = msgspec.json.decode(line)
    except _JSON_ERRORS:
        return Unreadable("A message is one JSON object on a line.")
    if not isinstance(found, dict):
        return Unreadable("A message is one JSON object on a line.")
    match found.get("type", found.get("Request")):
        case "joinGame" | "Join":
            return _join(found)
        case "PlaceAvatar":
            return _move(found, (("y", "Y"), ("x", "X")), "PlaceAvatar has x and y")
        case "MoveAvatar" | "Move":
            keys = (("fromY",), ("fromX",), ("toY",), ("toX",))
            return _move(found, keys, "MoveAvatar has fromX, fromY, toX and toY")
        case _:
            return Unreadable("A player sends joinGame, PlaceAvatar or MoveAvatar.")


_short: Final = lru_cache(maxsize=2048)(_read)


def _join(found: dict[str, object]) -> Said:
    # The seed writes joinGame[Age, ID], and its authors' programs mix the two.
    age, name = found.get("age", found.get("Age")), found.get("id", found.get("ID"))
    if not isinstance(age, int) or isinstance(age, bool) or not 0 <= age <= OLDEST:
        return Unreadable(f"An age is a whole number from 0 to {OLDEST}.")
    if not isinstance(name, str) or not 1 <= len(name) <= ID_MAX:
        return Unreadable(f"An id is 1 to {ID_MAX} characters.")
    return Join(age, name)


def _move(found: dict[str, object], keys: tuple[tuple[str, ...], ...], has: str) -> Said:
    """A placement or move as the game writes it: row before column, from tile before to tile."""
    numbers = []
    for names in keys:
        number = next((found[name] for name in names if name in found), None)
        if not isinstance(number, int) or isinstance(number, bool) or abs(number) >= NUMBER_MAX:
            return Unreadable(f"{has}, all whole numbers.")
        numbers.append(number)
    tiles = [f"{row},{col}" for row, col in zip(numbers[::2], numbers[1::2], strict=True)]
    return Placing("-".join(tiles))


_writer: Final = msgspec.json.Encoder()


class FlockState(Struct, frozen=True):
    """A player who is still in the game: id, colour, score, and where its penguins stand."""

    id: str
    color: str
    score: int
    places: tuple[Square, ...]


class IceState(Struct, frozen=True):
    """The ice, and the players in turn order from the one to act."""

    phase: str
    players: tuple[FlockState, ...]
    board: tuple[tuple[int, ...], ...]


class SendGameState(Struct, frozen=True, tag="SendGameState"):
    """Tells a player how the game stands."""

    state: IceState


class AssignColor(Struct, frozen=True, tag="AssignColor"):
    """Tells a player its colour, its place in the turn order, and how many penguins it has."""

    color: str
    turn: Seat
    penguinCount: int  # noqa: N815 - the wire's own word


class RequestPlacement(Struct, frozen=True, tag="RequestPlacement"):
    """Asks the player on turn to place a penguin."""


class RequestMove(Struct, frozen=True, tag="RequestMove"):
    """Asks the player on turn to move a penguin."""


class NotifyGameOver(Struct, frozen=True, tag="NotifyGameOver"):
    """Tells which ids won, lost or were removed; players who were removed have no score."""

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    cheaters: tuple[str, ...]
    scores: dict[str, int]


class JoinTaken(Struct, frozen=True, tag="Waiting"):
    """Tells a player that its join was taken, and that the game has not begun yet."""

    message: str


class Error(Struct, frozen=True, tag="Error"):
    """Tells a player why its line changed nothing, or why it was removed from the game."""

    message: str


def state(view: FishView, ids: Sequence[str], *, over: bool = False) -> bytes:
    """The line that tells how a game stands; `over` also for a game that was called off."""
    first = view.turn or Seat(0)
    order = (*view.players[first:], *view.players[:first])
    players = tuple(
        FlockState(ids[flock.seat], flock.color, flock.score, flock.places)
        for flock in order
        if not flock.removed
    )
    phase = OVER if over else view.phase
    return line(SendGameState(IceState(phase, players, view.board)))


def color(seat: Seat, seats: int) -> bytes:
    """The line that tells a player its colour, place in the turn order, and number of penguins."""
    return line(AssignColor(COLORS[seat], seat, quota(seats)))


def request(phase: str) -> bytes:
    """The line that asks the player on turn to place or to move, as the phase has it."""
    return _PLACEMENT if phase == PLACE else _MOVE


def game_over(view: FishView, ids: Sequence[str], winners: Iterable[Seat]) -> bytes:
    """The line that tells who won, who lost and who was removed, and the scores."""
    stayed = [flock for flock in view.players if not flock.removed]
    won = tuple(ids[flock.seat] for flock in stayed if flock.seat in winners)
    lost = tuple(ids[flock.seat] for flock in stayed if flock.seat not in winners)
    removed = tuple(ids[flock.seat] for flock in view.players if flock.removed)
    scores = {ids[flock.seat]: flock.score for flock in stayed}
    return line(NotifyGameOver(won, lost, removed, scores))


@lru_cache(maxsize=1024)  # the same at every move of a game
def ids_of(names: tuple[str, ...], seat: Seat, own: str) -> tuple[str, ...]:
    """A different id for each player; the one in this seat is called as it calls itself.

    In a tour others may have the same name, and the player's own id may have had a code
    behind it. The hall's raised numbers are not for old clients.
    """
    ids: list[str] = []
    names = tuple(map(plain, names))
    for n, name in enumerate(names):
        taken = {own, *names, *ids}
        others = (f"{name[: ID_MAX - 4]} ({k})" for k in range(2, 10))
        free = (other for other in others if other not in taken)
        called = next(free) if name in ids or name == own else name
        ids.append(own if n == seat else called)
    return tuple(ids)


def waiting(sentence: str) -> bytes:
    """The line that tells a player that it has joined, and what the game waits for."""
    return line(JoinTaken(sentence))


def removal(why: Forfeit, fault: str) -> bytes:
    """The line that tells a player why it was removed: by its fault, where one is known."""
    return error(f"You are removed. {fault or _REMOVALS[why]}")


def error(sentence: str) -> bytes:
    """The line that tells a player what was wrong."""
    return line(Error(sentence))


def line(message: Struct) -> bytes:
    """One message as a line of JSON."""
    return _writer.encode(message) + b"\n"


class StateHerald:
    """Writes states, and remembers the last: it is told to all at a table in a row."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: tuple[Scene, tuple[str, ...], bytes] | None = None

    def state(self, scene: Scene, ids: tuple[str, ...]) -> bytes:
        """The line that tells how the game stands in this scene, with these ids for players."""
        last = self._last
        if last is not None and last[0] is scene and last[1] == ids:
            return last[2]
        said = state(view_of(scene), ids, over=scene.outcome is not None)
        self._last = (scene, ids, said)
        return said


def view_of(scene: Scene) -> FishView:
    """The view that all players of a game of fish have: nothing is hidden in it."""
    view = scene.view(None)
    assert isinstance(view, FishView), "this dialect's tables are of fish"
    return view


_REMOVALS: Final = {
    Forfeit.LATE: "Your time was out.",
    Forfeit.CHEATED: "Your answer was against the rules.",
    Forfeit.GONE: "You were gone for too long.",
    Forfeit.RESIGNED: "You left the game.",
}
_PLACEMENT: Final = line(RequestPlacement())
_MOVE: Final = line(RequestMove())
