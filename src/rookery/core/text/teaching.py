"""How a game is taught: its rules in a few sentences, and positions to try them in.

A game's class may have `taught: ClassVar[Teaching]`. Where it declares nothing, `taught_of` does:
what its class says of itself, and its first position, in which any move will do. A lesson is a
position (moves from the start, or a text of the game's own), a task, and the moves that solve
it. Nothing here changes what is played or logged.
"""

from inspect import getdoc
from typing import Any, Final

from msgspec import Struct

from rookery.core.game import Game

TASK: Final = "Make a move: what you may play is marked."
WHY: Final = "That is how it goes. Now play a game of it."


class Lesson(Struct, frozen=True, kw_only=True):
    """A position to play, and what is to be found there."""

    task: str  # a sentence
    good: tuple[str, ...] = ()  # moves that solve it; none: any does
    why: str  # what there is to see, once it is solved
    options: str = ""  # of the variant
    played: tuple[str, ...] = ()  # moves from the start
    position: str = ""  # … or the position itself, as the game writes it


class Teaching(Struct, frozen=True):
    """A game's rules and lessons, for people who do not know it."""

    rules: tuple[str, ...]  # paragraphs
    lessons: tuple[Lesson, ...] = ()


# Any: of the game no state and no move is looked at.
def taught_of(game: type[Game[Any, Any]]) -> Teaching:
    """How this game is taught, with a first lesson where it declares nothing."""
    taught: Teaching | None = getattr(game, "taught", None)
    if taught is not None:
        return taught
    paragraphs = (getdoc(game) or game.name).split("\n\n")
    first = Lesson(task=TASK, why=WHY)
    return Teaching(tuple(" ".join(one.split()) for one in paragraphs), (first,))
