"""Fish, as a person: seed 002's messages, as JSON objects on lines.

Whoever breaks the rules is removed, so a slip of the finger would end the game: what cannot
be right by the last state is not sent, unless there is a `!` behind it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.cli.persons.fish_words import (
    AssignColor,
    Error,
    Message,
    NotifyGameOver,
    RequestMove,
    RequestPlacement,
    SendGameState,
    State,
    Waiting,
)
from rookery.cli.persons.person import Shown, Who
from rookery.core.errors import BadNotation
from rookery.dialects.base import Lines
from rookery.games.fish import Fish as Rules
from rookery.games.fish import FishView, Flock, Place, Slide
from rookery.games.fish.ice import Square

LINE_MAX: Final = 1 << 16  # bytes; a state of the largest ice has 5,000


_READER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(Message)


class Fish:
    """Joins a game, and answers when asked."""

    def __init__(self, who: Who) -> None:
        self._who = who
        self._lines = Lines(LINE_MAX)
        self._state = State()
        self._asked: RequestPlacement | RequestMove | None = None
        self._over = False

    def begin(self) -> bytes:
        """Join."""
        self._state, self._over = State(), False
        return _line(type="joinGame", age=self._who.age, id=self._who.name)

    def hear(self, data: bytes) -> Iterable[Shown]:
        """One message a line."""
        for line in self._lines.feed(data):
            try:
                message = _READER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                yield f"The server said something unknown: {line.decode('utf-8', 'replace')}"
            else:
                yield from self._message(message)

    def prompt(self) -> str:
        """A tile or a move when asked; a new game after the end."""
        match self._asked:
            case RequestPlacement():
                return "Place a penguin, like 3,2 (row,column): "
            case RequestMove():
                return "Move a penguin, like 3,2-5,2: "
            case None:
                return "again, or Ctrl-D: " if self._over else ""

    def say(self, typed: str) -> bytes | str:
        """A tile, a move, or `again` after a game or an error."""
        if typed.strip() == "again" and self._asked is None:
            return self.begin()
        text = typed.replace(" ", "").strip()
        try:
            move = Rules().parse_move(text.removesuffix("!"))
        except BadNotation:
            return "Type 3,2 to place a penguin and 3,2-5,2 to move one, row first; or: again."
        if self._asked is None:
            return "You are not asked now."
        if not text.endswith("!") and (wrong := self._wrong(move)):
            return f"{wrong} It would remove you; with a ! behind it, it is sent all the same."
        self._asked = None
        match move:
            case Place((row, col)):
                return _line(type="PlaceAvatar", x=col, y=row)
            case Slide((row, col), (to_row, to_col)):
                return _line(type="MoveAvatar", fromX=col, fromY=row, toX=to_col, toY=to_row)

    def _message(self, message: Message) -> Iterator[Shown]:
        match message:
            case SendGameState(state):
                yield from self._stands(state)
            case AssignColor(color, count):
                yield f"You are {color}, and place {count} penguins."
            case RequestPlacement() | RequestMove():
                self._asked = message
                yield "It's your turn."
            case NotifyGameOver(winners, _, cheaters, scores):
                self._asked, self._over = None, True
                fish = "".join(f" {name} has {score} fish." for name, score in scores.items())
                yield f"{' and '.join(winners) or 'Nobody'} won.{fish}"
                if cheaters:
                    yield f"Removed: {', '.join(cheaters)}."
            case Waiting(words):
                yield words
            case Error(words):
                yield f"The server says: {words}"

    def _stands(self, state: State) -> Iterator[Shown]:
        """What is new in a state; the same one may come twice."""
        before, self._state = self._state, state
        if state == before or not state.board:
            return
        still = {player.id for player in state.players}
        if gone := [player.id for player in before.players if player.id not in still]:
            self._asked = None if self._who.name in gone else self._asked
            yield f"{' and '.join(gone)} was removed."
        ours = any(player.id == self._who.name for player in state.players[:1])
        yield _drawn(before, state, hints=ours and state.phase == "move")

    def _wrong(self, move: Place | Slide) -> str:
        """Why this answer cannot be right, if it cannot."""
        match move, self._asked:
            case Place(at), RequestPlacement():
                return "" if at in self._state.free() else "No penguin can be placed there."
            case Slide(start, end), RequestMove():
                slides = set(self._state.slides())
                return "" if (start, end) in slides else "No penguin of yours can slide so."
            case _:
                return "That is not what you are asked for."


def _drawn(before: State, state: State, *, hints: bool) -> Text:
    flocks = (Flock(p.seat, p.color, p.score, p.places, removed=False) for p in state.players)
    players = tuple(sorted(flocks, key=lambda flock: flock.seat))
    turn = state.players[0].seat if state.players else None
    moves = ("-".join(map(_tile, slide)) for slide in state.slides()) if hints else ()
    look = Look(moves=tuple(moves), last=tuple(_played(before, state)))
    return draw(FishView(state.phase, state.board, players, turn), look)


def _played(before: State, state: State) -> Iterator[str]:
    """The move between two states, told by the penguins that are somewhere else."""
    stood = {player.id: player.places for player in before.players}
    for player in state.players:
        was, now = set(stood.get(player.id, ())), set(player.places)
        ends = [*(was - now), *(now - was)]
        if 1 <= len(ends) <= 2 and len(now - was) == 1:
            yield "-".join(map(_tile, ends))


def _tile(at: Square) -> str:
    return f"{at[0]},{at[1]}"


def _line(**fields: str | int) -> bytes:
    return msgspec.json.encode(fields) + b"\n"
