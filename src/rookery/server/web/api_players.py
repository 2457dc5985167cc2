"""Players over HTTP: who is here, what they played against whom, and how strong they are.

As in a tour's standing, a win is to be first when somebody was not, a draw when everybody
was. A game that nobody won, one that was called off, counts for nothing. Between two of
several it is the better place that wins; partners are no opponents.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from heapq import nlargest
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.game import Outcome
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId, TourId
from rookery.core.intents import ListPlayers
from rookery.core.messages import PlayerLine, Players, SeatLine
from rookery.games import find_game
from rookery.hall.lobby.casual_ratings import BoardRow, CasualRating, CasualStep, CasualTrail
from rookery.hall.scoring.ratings import shown, shown_spread
from rookery.hall.tours.rating_book import RatedBy
from rookery.server.web.api_tables import LOOK_MAX, GameName, is_bot
from rookery.server.web.api_tours import GameAt
from rookery.server.web.history import AT_ONCE, Glance, LogReader
from rookery.server.web.problems import missing
from rookery.server.web.routes import PAGE, PAGE_MAX, After, ApiRequest, Id, Limit, get

WIN: Final = "win"
DRAW: Final = "draw"
LOSS: Final = "loss"
NONE: Final = "none"  # nobody won


class Score(Struct, frozen=True):
    """So many games, and how they came out."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def plus(self, result: str) -> "Score":
        """One more."""
        match result:
            case "win":
                return replace(self, games=self.games + 1, wins=self.wins + 1)
            case "draw":
                return replace(self, games=self.games + 1, draws=self.draws + 1)
            case "loss":
                return replace(self, games=self.games + 1, losses=self.losses + 1)
            case _:
                return self


class Opponent(Struct, frozen=True):
    """Somebody who was met, by the name it had when that happened last."""

    player: PlayerId
    name: str
    score: Score


class Count(Struct, frozen=True):
    """How somebody did, in all and against each; who was met most stands first."""

    score: Score
    opponents: tuple[Opponent, ...]


def result_of(outcome: Outcome | None, seat: Seat) -> str:
    """What a game was for this seat; empty while it goes on."""
    if outcome is None:
        return ""
    if 1 not in outcome.places:
        return NONE
    if outcome.places[seat] != 1:
        return LOSS
    return DRAW if set(outcome.places) == {1} else WIN


def others(glance: Glance, seat: Seat) -> tuple[list[SeatLine], list[SeatLine]]:
    """Who sat with this seat, and who against it."""
    rest = [line for line in glance.line.seats if line.seat != seat]
    team = glance.teams[seat]
    partners = [line for line in rest if glance.teams[line.seat] == team]
    return partners, [line for line in rest if glance.teams[line.seat] != team]


def count(player: PlayerId, glances: Iterable[Glance]) -> Count:
    """These games, the newest first, in all of which this player may have sat to the end."""
    score = Score()
    met: dict[PlayerId, Opponent] = {}
    for glance in glances:
        mine = next((one.seat for one in glance.line.seats if one.player == player), None)
        outcome = glance.line.outcome
        if mine is None or outcome is None:
            continue
        score = score.plus(result_of(outcome, mine))
        for one in others(glance, mine)[1]:
            if one.player is not None and one.player != player and 1 in outcome.places:
                known = met.get(one.player, Opponent(one.player, one.player_name, Score()))
                result = _between(outcome.places[mine], outcome.places[one.seat])
                met[one.player] = replace(known, score=known.score.plus(result))
    most_first = sorted(met.values(), key=lambda one: (-one.score.games, one.player))
    return Count(score, tuple(most_first))


def _between(mine: int, theirs: int) -> str:
    if mine == theirs:
        return DRAW
    return WIN if mine < theirs else LOSS


# -- Players over HTTP: who is here, and who anybody was.
#
# The hall knows everyone, safe in the log or not. It is looked at first and asked after:
# whatever it knew has been written by the time it answers.


class PlayerAt(Struct, frozen=True):
    """A player's number in a path."""

    player: Id


class PlayersWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which players to list."""

    after: After = 0
    limit: Limit = PAGE


class PlayerPage(Struct, frozen=True):
    """Some of those who are connected; `next` asks for more, where there are."""

    players: tuple[PlayerLine, ...]
    next: PlayerId | None = None


class GameRating(Struct, frozen=True):
    """How strong a player is in one game, and how sure that is."""

    game: str
    rating: float
    uncertainty: float
    games: int  # rated so far


class PlayerShown(Struct, frozen=True):
    """A player, here or not."""

    line: PlayerLine
    connected: bool
    ratings: tuple[GameRating, ...] = ()  # from tours
    casual: tuple[GameRating, ...] = ()  # from games that are of no tour


class KnownPlayer(Struct, frozen=True):
    """What the hall knows of a player."""

    line: PlayerLine
    connected: bool
    ratings: dict[str, tuple[RatedBy, ...]]  # by game
    casual: dict[str, CasualRating]  # likewise, from games that are of no tour
    trails: dict[str, CasualTrail]  # and where their past is found


@get("/api/players", "players", "Who is connected")
async def list_players(request: ApiRequest, query: PlayersWanted) -> PlayerPage:
    """Who is connected."""
    reply = await request.ask(ListPlayers(PlayerId(query.after)), Players)
    lines = reply.players[: query.limit]
    more = reply.more or len(lines) < len(reply.players)
    return PlayerPage(lines, lines[-1].player if more else None)


@get("/api/players/{player}", "players", "A player, connected or not")
async def show_player(request: ApiRequest, at: PlayerAt) -> PlayerShown:
    """A player, by number."""
    number = PlayerId(at.player)
    found = await look_up(request, number)
    ratings = tuple(_now(game, past[-1]) for game, past in sorted(found.ratings.items()))
    casual = tuple(_casual(game, one) for game, one in sorted(found.casual.items()))
    return PlayerShown(found.line, found.connected, ratings, casual)


def _now(game: str, last: RatedBy) -> GameRating:
    return GameRating(game, last.rating, last.uncertainty, last.games)


def _casual(game: str, one: CasualRating) -> GameRating:
    return GameRating(game, shown(one.rating), shown_spread(one.rating), one.games)


async def look_up(request: ApiRequest, player: PlayerId) -> KnownPlayer:
    """Who this is. Raises HttpProblem where there is nobody."""
    hall = request.state.hall
    line = hall.player(player)
    if line is None:
        raise missing(f"There is no player {player}.")
    ratings, casual, trails = (
        hall.ratings_of(player),
        hall.casual.of(player),
        hall.casual.trails(player),
    )
    reply = await request.ask(ListPlayers(PlayerId(player - 1)), Players)
    here = bool(reply.players) and reply.players[0].player == player
    return KnownPlayer(line, here, ratings, casual, trails)


# -- What a player has played over HTTP: games, results by opponent, and ratings over time.
#
# Games and results are read from the log, by player: whoever comes again as somebody new is
# somebody else. Ratings are whose the hall says they are (`hall/tours/rating_book.py`).

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


@get(
    "/api/players/{player}/games", "players", "What a player plays and has played, the newest first"
)
async def player_games(request: ApiRequest, at: PlayerAt, query: GamesWanted) -> GamePage:
    """What a player plays and has played."""
    player = PlayerId(at.player)
    await look_up(request, player)
    found, after = await _games(request, player, query)
    return GamePage(player, tuple(_played(request, player, *one) for one in found), after)


@get("/api/players/{player}/results", "players", "How a player did, in all and by opponent")
async def player_results(request: ApiRequest, at: PlayerAt, query: ResultsWanted) -> Results:
    """How a player did against whom."""
    player = PlayerId(at.player)
    await look_up(request, player)
    log_reader = request.state.log_reader
    tables = await request.read(lambda: log_reader.tables_of(player, 0, RESULTS_MAX + 1))
    some = tables[:RESULTS_MAX]
    glances: list[Glance] = []
    for first in range(0, len(some), AT_ONCE):
        glances += await request.read(partial(_results, log_reader, some[first : first + AT_ONCE]))
    counted = count(player, (one for one in glances if _is_of(one, query.game)))
    score = counted.score
    opponents = tuple(
        Against(
            one.player,
            one.name,
            is_bot(request, one.player),
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


@get(
    "/api/players/{player}/ratings",
    "players",
    "How a player's ratings changed with every tour, and with every other game",
)
async def player_ratings(request: ApiRequest, at: PlayerAt) -> PlayerRatings:
    """How a player's ratings changed."""
    player = PlayerId(at.player)
    found = await look_up(request, player)
    games = (GameRatings(game, history) for game, history in sorted(found.ratings.items()))
    casual: list[CasualHistory] = []
    for game, trail in sorted(found.trails.items()):
        past = await request.read(partial(request.state.log_reader.casual_past, trail))
        casual.append(CasualHistory(game, past))
    return PlayerRatings(player, tuple(games), tuple(casual))


async def _games(
    request: ApiRequest, player: PlayerId, wanted: GamesWanted
) -> tuple[list[tuple[Glance, Seat]], int | None]:
    """The games of a player, with its seat; and where the next page begins."""
    log_reader = request.state.log_reader
    tables = await request.read(lambda: log_reader.tables_of(player, wanted.after, LOOK_MAX + 1))
    found: list[tuple[Glance, Seat]] = []
    last = 0
    async for table, one in log_reader.glances(tables[:LOOK_MAX], request.read):
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


def _played(request: ApiRequest, player: PlayerId, glance: Glance, seat: Seat) -> PlayedGame:
    line = glance.line
    partners, opponents = others(glance, seat)

    def met(one: SeatLine) -> Met:
        place = None if line.outcome is None else line.outcome.places[one.seat]
        bot = is_bot(request, one.player)
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


# -- Leaderboards over HTTP: who is best at a game, by games that are of no tour.

Rows = Annotated[int, Meta(ge=1, le=PAGE_MAX, description="lines at most")]


class RowsWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a leaderboard."""

    limit: Rows = 50


class Leaderboard(Struct, frozen=True):
    """The best of a game, the best first; `players` is how many have played enough to be listed."""

    game: str
    players: int
    rows: tuple[BoardRow, ...]


@get("/api/leaderboards/{game}", "players", "Who is best at a game, by games that are of no tour")
async def leaderboard(request: ApiRequest, at: GameAt, query: RowsWanted) -> Leaderboard:
    """Who is best at a game."""
    game = at.game
    try:
        find_game(game)
    except BadOption as wrong:
        raise missing(str(wrong)) from None
    hall = request.state.hall
    board = hall.casual.board(game)
    # What the hall knows may not be safe yet.
    await request.safe()
    best = await request.read(lambda: nlargest(query.limit, board, key=lambda one: one.mu))
    return Leaderboard(game, len(board), hall.casual.rows(best))
