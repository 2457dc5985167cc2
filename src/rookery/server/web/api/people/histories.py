"""What a player has played over HTTP: games, results by opponent, and ratings over time.

Games and results are read from the log, by player: whoever comes again as somebody new is
somebody else. Ratings are whose the hall says they are (`hall/tours/rating_book.py`).
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.game import Outcome
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId, TourId
from rookery.core.messages import SeatLine
from rookery.hall.lobby.casual_ratings import CasualStep
from rookery.hall.tours.rating_book import RatedBy
from rookery.server.web.api.calls import PAGE, After, Asked, Call, Limit, Nothing
from rookery.server.web.api.people.players import PlayerAt, look_up
from rookery.server.web.api.people.scores import count, others, result_of
from rookery.server.web.api.tables import LOOK_MAX, GameName, is_bot
from rookery.server.web.past.glances import Glance
from rookery.server.web.past.log_reader import AT_ONCE, LogReader

RESULTS_MAX: Final = 1_000  # games that results are counted from, the newest


class GamesWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which games to list."""

    game: GameName = ""
    after: After = 0
    limit: Limit = PAGE


class ResultsWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which games to count."""

    game: GameName = ""


class Met(Struct, frozen=True):
    """Somebody else at a table."""

    seat: Seat
    seat_name: str
    player: PlayerId | None
    name: str
    bot: bool
    place: int | None  # once it is over


class PlayedGame(Struct, frozen=True):
    """A game, as the player it is listed for had it."""

    table: TableId
    variant: str
    time: str
    status: str  # playing or over
    tour: TourId | None
    seat: Seat
    seat_name: str
    taken_over: bool  # whether somebody else plays on, or did, because the player was gone
    partners: tuple[Met, ...]
    opponents: tuple[Met, ...]
    place: int | None  # of the seat, once it is over
    result: Annotated[str, Meta(description="win, draw, loss, none if nobody won, or empty")]
    outcome: Outcome | None
    opened_at: Micros
    ended_at: Micros | None


class GamePage(Struct, frozen=True):
    """Games, the newest first; `next` asks for more, where there may be."""

    player: PlayerId
    games: tuple[PlayedGame, ...]
    next: int | None = None


class Against(Struct, frozen=True):
    """How somebody did against one opponent."""

    player: PlayerId
    name: str
    bot: bool
    games: int
    wins: int
    draws: int
    losses: int


class Favourite(Struct, frozen=True):
    """A game, and how often it was played."""

    game: str
    games: int


class Results(Struct, frozen=True):
    """How somebody did, in all and by opponent; who was met most stands first."""

    player: PlayerId
    games: int
    wins: int
    draws: int
    losses: int
    opponents: tuple[Against, ...]
    more: bool  # whether there are older games, which are not counted
    favourites: tuple[Favourite, ...] = ()  # what was played most stands first


class GameRatings(Struct, frozen=True):
    """A rating in one game, as tour after tour left it."""

    game: str
    history: tuple[RatedBy, ...]


class CasualHistory(Struct, frozen=True):
    """A rating in one game, as its last games that are of no tour left it."""

    game: str
    history: tuple[CasualStep, ...]


class PlayerRatings(Struct, frozen=True):
    """A player's ratings over time, in every game it has one in."""

    player: PlayerId
    games: tuple[GameRatings, ...]  # from tours
    casual: tuple[CasualHistory, ...] = ()  # from other games


async def player_games(asked: Asked) -> GamePage:
    """What a player plays and has played."""
    player, wanted = PlayerId(asked.path(PlayerAt).player), asked.query(GamesWanted)
    await look_up(asked, player)
    found, after = await _games(asked, player, wanted)
    return GamePage(player, tuple(_played(asked, player, *one) for one in found), after)


async def player_results(asked: Asked) -> Results:
    """How a player did against whom."""
    player, wanted = PlayerId(asked.path(PlayerAt).player), asked.query(ResultsWanted)
    await look_up(asked, player)
    log_reader = asked.sources.log_reader
    tables = await asked.read(lambda: log_reader.tables_of(player, 0, RESULTS_MAX + 1))
    some = tables[:RESULTS_MAX]
    glances: list[Glance] = []
    for first in range(0, len(some), AT_ONCE):
        glances += await asked.read(partial(_results, log_reader, some[first : first + AT_ONCE]))
    counted = count(player, (one for one in glances if _is_of(one, wanted.game)))
    score = counted.score
    opponents = tuple(
        Against(
            one.player,
            one.name,
            is_bot(asked, one.player),
            one.score.games,
            one.score.wins,
            one.score.draws,
            one.score.losses,
        )
        for one in counted.opponents
    )
    played = Counter(one.line.variant.partition(" ")[0] for one in glances if one.ended_at)
    favourites = tuple(Favourite(game, often) for game, often in played.most_common())
    more = len(tables) > len(some)
    told = (score.games, score.wins, score.draws, score.losses)
    return Results(player, *told, opponents, more, favourites)


async def player_ratings(asked: Asked) -> PlayerRatings:
    """How a player's ratings changed."""
    player, _ = PlayerId(asked.path(PlayerAt).player), asked.query(Nothing)
    found = await look_up(asked, player)
    games = (GameRatings(game, history) for game, history in sorted(found.ratings.items()))
    casual: list[CasualHistory] = []
    for game, trail in sorted(found.trails.items()):
        past = await asked.read(partial(asked.sources.log_reader.casual_past, trail))
        casual.append(CasualHistory(game, past))
    return PlayerRatings(player, tuple(games), tuple(casual))


async def _games(
    asked: Asked, player: PlayerId, wanted: GamesWanted
) -> tuple[list[tuple[Glance, Seat]], int | None]:
    """The games of a player, with its seat; and where the next page begins."""
    log_reader = asked.sources.log_reader
    tables = await asked.read(lambda: log_reader.tables_of(player, wanted.after, LOOK_MAX + 1))
    found: list[tuple[Glance, Seat]] = []
    last = 0
    async for table, one in log_reader.glances(tables[:LOOK_MAX], asked.read):
        if len(found) == wanted.limit:
            return found, last
        last = table
        seat = None if one is None else one.seat_of(player)
        begun = one is not None and one.line.status in (Status.PLAYING, Status.OVER)
        if one is not None and seat is not None and begun and _is_of(one, wanted.game):
            found.append((one, seat))
    return found, last if len(tables) > LOOK_MAX else None


def _results(log_reader: LogReader, tables: Sequence[TableId]) -> list[Glance]:
    """These tables at a glance; in the thread."""
    return [one for table in tables if (one := log_reader.result(table)) is not None]


def _played(asked: Asked, player: PlayerId, glance: Glance, seat: Seat) -> PlayedGame:
    line = glance.line
    partners, opponents = others(glance, seat)

    def met(one: SeatLine) -> Met:
        place = None if line.outcome is None else line.outcome.places[one.seat]
        bot = is_bot(asked, one.player)
        return Met(one.seat, one.name, one.player, one.player_name, bot, place)

    return PlayedGame(
        line.table,
        line.variant,
        line.time,
        line.status,
        line.tour,
        seat,
        line.seats[seat].name,
        line.seats[seat].player != player,
        tuple(met(one) for one in partners),
        tuple(met(one) for one in opponents),
        None if line.outcome is None else line.outcome.places[seat],
        result_of(line.outcome, seat),
        line.outcome,
        glance.opened_at,
        glance.ended_at,
    )


def _is_of(glance: Glance, game: str) -> bool:
    return game in ("", glance.line.variant.partition(" ")[0])


CALLS: Final = (
    Call(
        "GET",
        "/api/players/{player}/games",
        "What a player plays and has played, the newest first",
        "players",
        player_games,
        GamePage,
        at=PlayerAt,
        query=GamesWanted,
    ),
    Call(
        "GET",
        "/api/players/{player}/results",
        "How a player did, in all and by opponent",
        "players",
        player_results,
        Results,
        at=PlayerAt,
        query=ResultsWanted,
    ),
    Call(
        "GET",
        "/api/players/{player}/ratings",
        "How a player's ratings changed with every tour, and with every other game",
        "players",
        player_ratings,
        PlayerRatings,
        at=PlayerAt,
        query=Nothing,
    ),
)
