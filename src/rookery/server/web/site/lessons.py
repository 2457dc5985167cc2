"""The rules of a game over HTTP, with positions to play: made by the rules, kept by nobody.

Each lesson comes with its board, the moves there are, and the board after each that solves it,
so that a page needs nothing more to teach it.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.game import Positioned
from rookery.core.ids import Seat
from rookery.core.presentation import Lesson, taught_of
from rookery.games import AnyGame, find_game, parse_variant
from rookery.server.web.api.calls import Asked, Call, Nothing
from rookery.server.web.api.problems import missing
from rookery.server.web.api.tours.looking import GameAt
from rookery.server.web.past.moments import plain

LEGAL_MAX: Final = 500  # moves of a lesson
AFTER_MAX: Final = 60  # boards that are shown of what solves it


class TaughtPosition(Struct, frozen=True):
    """A position to play."""

    task: str
    why: str  # once it is solved
    variant: str
    seat: Seat
    view: dict[str, Any]  # Any: the board, in the game's own words
    legal: tuple[str, ...]
    good: tuple[str, ...]  # moves that solve it
    after: dict[str, dict[str, Any]]  # the board after each of the first of these


class Taught(Struct, frozen=True):
    """A game, for who does not know it."""

    game: str
    rules: tuple[str, ...]  # paragraphs
    lessons: tuple[TaughtPosition, ...]


async def teach(asked: Asked) -> Taught:
    """The rules of a game, and positions to try them in."""
    asked.query(Nothing)
    name = asked.path(GameAt).game
    try:
        return _taught(find_game(name))
    except BadOption as wrong:
        raise missing(str(wrong)) from None


@lru_cache(maxsize=64)
def _taught(kind: type[AnyGame]) -> Taught:
    taught = taught_of(kind)
    lessons = tuple(position_of(kind, lesson) for lesson in taught.lessons)
    return Taught(kind.name, taught.rules, lessons)


def position_of(kind: type[AnyGame], lesson: Lesson) -> TaughtPosition:
    """A lesson as a position to play. Raises Mistake if it cannot be played."""
    game = parse_variant(f"{kind.name} {lesson.options}".strip())
    state = _state(game, lesson)
    seat = min(game.to_act(state))
    moves = list(islice(game.legal_moves(state, seat), LEGAL_MAX))
    legal = tuple(map(game.format_move, moves))
    good = lesson.good or legal
    return TaughtPosition(
        lesson.task,
        lesson.why,
        f"{kind.name} {lesson.options}".strip(),
        seat,
        plain(game.view(state, seat)),
        legal,
        good,
        dict(_after(game, state, seat, good[:AFTER_MAX])),
    )


def _state(game: AnyGame, lesson: Lesson) -> Any:
    if lesson.position and isinstance(game, Positioned):
        return game.parse_position(lesson.position)
    state = game.start(game.seat_counts[0], Chance(0))
    for text in lesson.played:
        move = game.parse_move(text)
        seat = next(seat for seat in sorted(game.to_act(state)) if _may(game, state, seat, move))
        state = game.play(state, seat, move).state
    return state


def _may(game: AnyGame, state: Any, seat: Seat, move: Any) -> bool:
    return any(one == move for one in game.legal_moves(state, seat))


def _after(
    game: AnyGame, state: Any, seat: Seat, good: tuple[str, ...]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for text in good:
        step = game.play(state, seat, game.parse_move(text))
        yield text, plain(game.view(step.state, seat))


CALLS: Final = (
    Call(
        "GET",
        "/api/games/{game}/rules",
        "The rules of a game in a few sentences, and positions to try them in",
        "games",
        teach,
        Taught,
        at=GameAt,
        query=Nothing,
    ),
)
