"""Games, dialects and clocks over HTTP: what a page must know to offer a choice of them.

How a game is shown, what its seats are called, who are partners and whether it goes on without
one who is out is the games' own to say; nothing here knows one game from another.
"""

import logging
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from rookery.bots import Thinking, thinking_of
from rookery.core.chance import Chance
from rookery.core.clock import clock_for, in_words, parse_time_control
from rookery.core.errors import BROKEN, BadOption, Mistake
from rookery.core.game import Forfeit, Noting, Positioned
from rookery.core.ids import Seat
from rookery.core.intents import ListGames
from rookery.core.manners import FirstLines, Manners, Words
from rookery.core.messages import GameLine, Games
from rookery.core.options import Option
from rookery.core.plugin import HOUSE
from rookery.core.presentation import Showing, shown_of
from rookery.dialects import LANGUAGES
from rookery.dialects import origin_of as dialect_origin
from rookery.games import GAMES, AnyGame, find_game, origin_of, parse_variant
from rookery.hall.limits import TIME_MAX, VARIANT_MAX
from rookery.hall.tables.ruling import is_short
from rookery.hall.tables.table import teams_of
from rookery.server.web.routes import ApiRequest, get, unfit

log = logging.getLogger(__name__)

_unsound: Final[set[type[AnyGame]]] = (
    set()
)  # games that could not say what they are, when first asked


class ListedGame(Struct, frozen=True):
    """A game, how it is shown, and what its players may do."""

    name: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    about: str
    draws: bool  # whether they may agree on a draw
    teams: bool  # whether some of them are partners
    secret: bool  # whether moves are told to nobody but who made them until the end
    together: bool  # whether several have the move at once from the start
    noted: bool  # whether moves have a notation of their own, which `said` of a moment has
    plays_on: bool  # whether it goes on without one who is out, where most sit at it
    seat_names: tuple[str, ...]  # where most sit at it
    sides: tuple[tuple[int, ...], ...]  # by the number of seats, in their order: each seat's team
    hints: bool  # whether who plays a bot may look into the position: nothing is hidden in it
    thinking: Thinking  # how the levels of bots above the first play it
    shown: Showing


class BoardWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which game's beginning to show."""

    variant: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=VARIANT_MAX,
            description="the game and its options",
            examples=[next(iter(GAMES))],
        ),
    ]


class FirstBoard(Struct, frozen=True):
    """A game as it may begin, seen by who only watches; what is dealt is only an example."""

    variant: str
    view: Any  # Any: the board, in the game's own words


class GameList(Struct, frozen=True, tag="games"):
    """The games there are."""

    games: tuple[ListedGame, ...]


@get("/api/games", "tables", "The games there are")
async def list_games(request: ApiRequest) -> GameList:
    """The games there are."""
    reply = await request.ask(ListGames(), Games)
    return GameList(tuple(found for line in reply.games if (found := _sound(line)) is not None))


@get(
    "/api/games/board",
    "tables",
    "A game as it may begin, for a picture of it; what is dealt is an example",
)
async def first_board(request: ApiRequest, query: BoardWanted) -> FirstBoard:
    """How a game begins."""
    try:
        return await request.read(lambda: _begun(query.variant))
    except Mistake as wrong:
        raise unfit(str(wrong)) from None


def _begun(text: str) -> FirstBoard:
    game = parse_variant(text)
    try:
        state = game.start(game.seat_counts[0], Chance(0))
        return FirstBoard(text, msgspec.to_builtins(game.view(state, None)))
    except BROKEN as wrong:
        sentence = f"The rules of {game.name} failed."
        raise BadOption(sentence) from wrong


def _sound(line: GameLine) -> ListedGame | None:
    """The game, if its rules can say what it is; else it is left out, and that is said once."""
    name = line.name
    kind = find_game(name)
    if kind in _unsound:
        return None
    try:
        return _listed(line, kind)
    except BROKEN:
        _unsound.add(kind)
        whose = origin_of(name).words()
        log.exception("the rules of %s, of %s, failed: it is not listed", name, whose)
        return None


def _listed(line: GameLine, kind: type[AnyGame]) -> ListedGame:
    game = kind()
    sides = tuple(teams_of(game, seats) for seats in line.seats)
    return ListedGame(
        name=line.name,
        seats=line.seats,
        options=line.options,
        about=line.about,
        draws=game.can_draw,
        teams=any(len(set(teams)) < len(teams) for teams in sides),
        secret=game.secret_moves,
        together=len(_to_act(game)) > 1,
        noted=isinstance(game, Noting),
        plays_on=_plays_on(game),
        seat_names=tuple(_seat_name(game, seat) for seat in range(line.seats[-1])),
        sides=sides,
        hints=isinstance(game, Positioned),
        thinking=thinking_of(line.name),
        shown=shown_of(kind),
    )


def _seat_name(game: AnyGame, seat: int) -> str:
    name = game.seat_name(Seat(seat))
    if not is_short(name):
        raise TypeError("a seat is called by a short text")
    return name


def _to_act(game: AnyGame) -> frozenset[Seat]:
    return game.to_act(game.start(game.seat_counts[0], Chance(0)))


def _plays_on(game: AnyGame) -> bool:
    try:
        state = game.start(game.seat_counts[-1], Chance(0))
        step = game.forfeit(state, min(game.to_act(state), default=Seat(0)), Forfeit.RESIGNED)
    except Mistake:
        return False  # so many have no room, or nobody can be out before a move
    return game.outcome(step.state) is None


# -- The dialects there are over HTTP: what each declares of its clients, for whoever connects one.


class ListedDialect(Struct, frozen=True):
    """A dialect: what its clients say and can do; `words` is missing where it has all games."""

    name: str
    hello: str  # what the client of one `ann` says first
    words: tuple[Words, ...] | None
    named: bool  # whether its players have names
    tables: bool  # whether they come to tables that others have opened
    teams: bool  # whether they can say for whom they play
    tours: bool  # whether they can say which tour they mean
    joins: str  # what they say to join one by {code}
    joins_open: str  # … and a {tour} without a code
    farewells: bool  # whether they can take leave at its end
    websocket: str  # where it is spoken in one; empty where it is not
    about: str  # what it is like, for people
    first_session: tuple[FirstLines, ...]  # lines to try it by hand; where there are none, `hello`
    docs: str  # its page here; empty where it has none, as it came with a plug-in


class DialectList(Struct, frozen=True, tag="dialects"):
    """The dialects there are."""

    dialects: tuple[ListedDialect, ...]


@get("/api/dialects", "health", "The dialects there are, and what their clients say")
async def list_dialects(_: ApiRequest) -> DialectList:
    """The dialects there are, in the order in which they are recognised."""
    return DialectList(tuple(map(_listed_dialect, LANGUAGES)))


def _listed_dialect(one: Manners) -> ListedDialect:
    return ListedDialect(
        name=one.name,
        hello=one.hello,
        words=one.words,
        named=one.named,
        tables=one.tables,
        teams=one.teams,
        tours=one.tours,
        joins=one.joins,
        joins_open=one.joins_open,
        farewells=one.farewells,
        websocket=f"/ws/{one.name}" if one.message_max else "",
        about=one.about,
        first_session=one.first_session,
        docs=docs_of(one.name),
    )


def docs_of(name: str) -> str:
    """Where a dialect's page is among the documentation; only the house's own have one there."""
    return f"/docs/dialects/{name}" if dialect_origin(name) == HOUSE else ""


# -- Clocks over HTTP: what a text is taken for, so that a page need not read it itself.


class ClockWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock as somebody wrote it."""

    text: Annotated[str, Meta(max_length=TIME_MAX, description="a clock", examples=["5+3"])] = (
        "none"
    )
    game: Annotated[
        str, Meta(max_length=40, description="the game whose phases it may name; any if empty")
    ] = ""


class ClockRead(Struct, frozen=True):
    """What it was taken for: `time` is how the server writes it, `words` a sentence."""

    time: str
    words: str


@get("/api/clock", "tables", "What a clock's text is taken for")
async def read_clock(_: ApiRequest, query: ClockWanted) -> ClockRead:
    """What a clock's text is taken for."""
    try:
        if query.game:
            control = clock_for(query.text, find_game(query.game)())
        else:
            control = parse_time_control(query.text)
    except Mistake as wrong:
        raise unfit(str(wrong)) from None
    return ClockRead(str(control), in_words(control))
