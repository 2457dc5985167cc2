"""Fish, as a person: seed 002's messages, as JSON objects on lines.

A player who breaks the rules is removed, so a slip of the finger would end the game: an
answer that cannot be right by the last state is not sent, unless a `!` stands behind it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import click
from rich.text import Text

from rookery.cli.by_hand.person import Shown, Who
from rookery.cli.drawing import Look, draw
from rookery.cli.options.numbers import WholeNumber
from rookery.clients.fish import (
    AGE,
    AssignColor,
    Error,
    FishClient,
    Happening,
    NotifyGameOver,
    RequestMove,
    RequestPlacement,
    SendGameState,
    State,
    Unknown,
    Waiting,
)
from rookery.core.errors import BadNotation
from rookery.games.fish import Fish as Rules
from rookery.games.fish import FishView, Place, Slide
from rookery.games.fish.ice import Square

age_option: Final = click.option(
    "--age",
    type=WholeNumber(0, 150),
    default=AGE,
    show_default=True,
    help="How old you are; in fish the youngest goes first.",
)


class FishPerson:
    """Joins a game, and answers when asked."""

    def __init__(self, who: Who) -> None:
        self._client = FishClient(who.name, who.age)
        self._drawn = State()
        self._asked: RequestPlacement | RequestMove | None = None
        self._over = False

    def begin(self) -> bytes:
        """The bytes that join a game."""
        self._drawn, self._over = State(), False
        return self._client.join()

    def hear(self, data: bytes) -> Iterable[Shown]:
        """Read the server's messages into sentences and boards for the terminal."""
        for happening in self._client.hear(data):
            yield from self._happened(happening)

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
        return self._client.answer(move)

    def _happened(self, happening: Happening) -> Iterator[Shown]:
        match happening:
            case SendGameState(state):
                yield from self._stands(state)
            case AssignColor(color, count):
                yield f"You are {color}, and place {count} penguins."
            case RequestPlacement() | RequestMove():
                self._asked = happening
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
            case Unknown(line):
                yield f"The server said something unknown: {line}"

    def _stands(self, state: State) -> Iterator[Shown]:
        """Say who was removed and draw the ice; nothing for a state that comes twice."""
        before, self._drawn = self._drawn, state
        if state == before or not state.board:
            return
        still = {player.id for player in state.players}
        if gone := [player.id for player in before.players if player.id not in still]:
            self._asked = None if self._client.name in gone else self._asked
            yield f"{' and '.join(gone)} was removed."
        ours = any(player.id == self._client.name for player in state.players[:1])
        yield _drawn(before, state, hints=ours and state.phase == "move")

    def _wrong(self, move: Place | Slide) -> str:
        """Why this answer cannot be right by the last state; empty if it can."""
        match move, self._asked:
            case Place(at), RequestPlacement():
                return "" if at in self._client.state.free() else "No penguin can be placed there."
            case Slide(start, end), RequestMove():
                slides = set(self._client.state.slides())
                return "" if (start, end) in slides else "No penguin of yours can slide so."
            case _:
                return "That is not what you are asked for."


def _drawn(before: State, state: State, *, hints: bool) -> Text:
    flocks = (player.flock for player in state.players)
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
