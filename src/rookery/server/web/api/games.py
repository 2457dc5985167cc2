"""The games there are over HTTP: as the hall tells them, and what a page must know besides.

How a game is shown, what its seats are called, who are partners and whether it goes on without
one who is out is the games' own to say; nothing here knows one game from another.
"""

import logging
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from rookery.bots import Thinking, thinking_of
from rookery.core.chance import Chance
from rookery.core.errors import BROKEN, BadOption, Mistake
from rookery.core.game import Forfeit, Noting, Positioned
from rookery.core.ids import Seat
from rookery.core.intents import ListGames
from rookery.core.messages import GameLine, Games
from rookery.core.options import Option
from rookery.core.presentation import Showing, shown_of
from rookery.games import GAMES, AnyGame, find_game, origin_of, parse_variant
from rookery.hall.limits import VARIANT_MAX
from rookery.hall.tables.ruling import is_short
from rookery.hall.tables.table import teams_of
from rookery.server.web.api.calls import Asked, Call, Nothing, unfit

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


async def list_games(asked: Asked) -> GameList:
    """The games there are."""
    asked.query(Nothing)
    reply = await asked.sources.desk.ask(ListGames())
    assert isinstance(reply, Games), "games are told as such"
    return GameList(tuple(found for line in reply.games if (found := _sound(line)) is not None))


async def first_board(asked: Asked) -> FirstBoard:
    """How a game begins."""
    wanted = asked.query(BoardWanted).variant
    try:
        return await asked.read(lambda: _begun(wanted))
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


CALLS: Final = (
    Call("GET", "/api/games", "The games there are", "tables", list_games, GameList, query=Nothing),
    Call(
        "GET",
        "/api/games/board",
        "A game as it may begin, for a picture of it; what is dealt is an example",
        "tables",
        first_board,
        FirstBoard,
        query=BoardWanted,
    ),
)
