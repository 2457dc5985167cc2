"""Positions over HTTP: analysed, tried out, and set as lessons.

Only what is over is analysed. Of a game that runs nobody is told anything, with one exception:
where one person plays against bots of the house, outside of tours, in a game that hides
nothing, that person can have the position looked into as it stands. That is a hint, and hurts
nobody; spectators are told none, and so the player shows its token.
"""

from collections.abc import Iterator
from functools import lru_cache
from http import HTTPStatus
from itertools import islice
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from rookery.bots.studying import Choice, Study
from rookery.core.chance import Chance
from rookery.core.errors import BadOption, Mistake
from rookery.core.game import Outcome, Positioned
from rookery.core.ids import Seat, Status, TableId
from rookery.core.presentation import Lesson, taught_of
from rookery.games import AnyGame, find_game, parse_variant
from rookery.hall.tables.table import Table
from rookery.server.jobs import GLANCE_MS, PROVING_MS, STUDY_MS
from rookery.server.web.api_tables import TableAt, is_bot
from rookery.server.web.api_tours import GameAt
from rookery.server.web.history import NUMBER_MAX, Position, plain
from rookery.server.web.http import Left
from rookery.server.web.problems import HttpProblem, missing
from rookery.server.web.routes import ApiRequest, Code, get, unfit
from rookery.server.workers import AllFailed

TRIED_MAX: Final = 60  # moves that are tried in a row
TRIED_TEXT: Final = 500  # characters of them, so that an address is no longer than it may be


class PositionWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """After which event, and after which moves from there."""

    n: Annotated[
        int, Meta(ge=0, le=NUMBER_MAX, description="after this event; 0 is after the last")
    ] = 0
    moves: Annotated[
        str, Meta(max_length=TRIED_TEXT, description="moves that are tried there, one a line")
    ] = ""
    code: Code = ""


class AnalysisWanted(PositionWanted, frozen=True, forbid_unknown_fields=True):
    """The same, and how thoroughly."""

    quick: Annotated[
        bool, Meta(description="whether a glance will do, as for all moves of a game")
    ] = False


class Tryout(Struct, frozen=True):
    """A position, and what may be played there."""

    table: TableId
    to_act: tuple[Seat, ...]
    legal: tuple[tuple[Seat, str], ...]  # who may play what; the first ones, where there are many
    view: dict[str, Any]  # Any: the board, in the game's own words
    outcome: Outcome | None


class Analysis(Struct, frozen=True):
    """How a position stands for a seat that is to move there, and its best moves."""

    table: TableId
    seat: Seat
    worth: float  # with the best move: from 0, lost, to 1, won
    choices: tuple[Choice, ...]  # the best first
    depth: int  # moves ahead, or lines that were tried
    exact: bool  # whether the best one is proved, to the end of the game
    tried: bool  # whether `depth` counts lines that were tried


@get(
    "/api/tables/{table}/tryout",
    "tables",
    "A position of a game that is over, and what may be played there",
    refusals=(409,),
)
async def try_out(request: ApiRequest, at: TableAt, query: PositionWanted) -> Tryout:
    """A position of a game that is over, and what may be played there."""
    position = await _position(request, at, query)
    return Tryout(
        position.table.id,
        position.to_act,
        position.legal,
        plain(position.view),
        position.outcome,
    )


@get(
    "/api/tables/{table}/analysis",
    "tables",
    "How a position of a game that is over stands, and the best moves there",
    refusals=(409, 503),
)
async def analyse(request: ApiRequest, at: TableAt, query: AnalysisWanted) -> Analysis:
    """How a position stands, and what is best there."""
    position = await _position(request, at, query)
    study = request.state.study
    if not position.to_act or study is None:
        raise _conflict("over", "The game is over there; there is nothing to look for.")
    opened, seed = position.table.opened, position.table.seed
    assert seed is not None, "a game that has begun has a seed"
    seat = position.to_act[0]
    times = (GLANCE_MS, 0) if query.quick else (STUDY_MS, PROVING_MS)
    wanted = Study(opened.variant, opened.seats, seed, position.done, seat, *times)
    try:
        found = await request.while_there(study.look_into(wanted, request.home))
    except Left:
        sentence = "Stay for the answer: this connection had said that it will say no more."
        raise _conflict("left", sentence) from None
    except AllFailed:
        sentence = "This position could not be analysed."
        raise HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, "failed", sentence) from None
    if not found.choices:
        raise _conflict("failed", "This position could not be analysed.")
    best = found.choices[0].worth
    terms = (found.choices, found.depth, found.exact, found.tried)
    return Analysis(position.table.id, seat, best, *terms)


async def _position(request: ApiRequest, at: TableAt, wanted: PositionWanted) -> Position:
    number = TableId(at.table)
    tried = wanted.moves.splitlines()
    if len(tried) > TRIED_MAX:
        raise unfit(f"At most {TRIED_MAX} moves are tried in a row.")
    log_reader = request.state.log_reader

    def read() -> Position | str | None:
        table = log_reader.table(number)
        if table is None:
            return None
        if sentence := _kept_back(request, table[0], wanted):
            return sentence
        try:
            return log_reader.position(number, wanted.n or NUMBER_MAX, tried)
        except Mistake as no:
            return str(no)

    found = await request.read_of(number, wanted.code, read)
    if found is None:
        raise missing(f"There is no game at table {number} to look into.")
    if isinstance(found, str):
        raise _conflict("not_now", found)
    return found


def _kept_back(request: ApiRequest, table: Table, wanted: PositionWanted) -> str:
    """Why this may not be known now; empty if it may."""
    if table.rests:
        return table.rests
    if table.status is Status.OVER:
        return ""
    if table.status is not Status.PLAYING:
        return f"The game at table {table.id} has not begun."
    people = [one for one in table.seats if one is not None and not is_bot(request, one)]
    alone = len(people) == 1 and table.opened.tour is None and not table.opened.room
    if not alone or not isinstance(table.game, Positioned):
        return "A game that runs is not analysed: wait until it is over."
    if not request.speaks_for(people[0]):
        return "Only who plays this game may ask for a hint: wait until it is over."
    if wanted.moves or wanted.n not in (0, table.n):
        return "While the game runs there are hints for the position as it stands, and no more."
    return ""


def _conflict(code: str, sentence: str) -> HttpProblem:
    return HttpProblem(HTTPStatus.CONFLICT, code, sentence)


# -- The rules of a game over HTTP, with positions to play: made by the rules, kept by nobody.
#
# Each lesson comes with its board, the moves there are, and the board after each that solves it,
# so that a page needs nothing more to teach it.

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


@get(
    "/api/games/{game}/rules",
    "games",
    "The rules of a game in a few sentences, and positions to try them in",
)
async def teach(_: ApiRequest, at: GameAt) -> Taught:
    """The rules of a game, and positions to try them in."""
    name = at.game
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
