"""Ratings of games outside tours: one for each person and game, changed when a game is over.

They are apart from those of tours: a tour's are made from its own log alone and seed other tours,
and nobody's place there may come from games that two friends gave each other. How a game changed
each rating is in the hall's own stream, so a restart need not look at games that are over. Each
such record names the one that rated that person last, so that the past can be walked back.
"""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from rookery.core.events import GameRated, Record, table_of
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.network import Buckets, home_of
from rookery.core.tour_values import Rated, Rating
from rookery.hall.batch import Draft
from rookery.hall.limits import CASUAL_AT_HOME, CASUAL_GAMES, CASUAL_PAST
from rookery.hall.people.register import People
from rookery.hall.scoring.ratings import RatedGame, rate, shown, shown_spread
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.table import Table

LISTED_FROM: Final = 5  # games until one is on a leaderboard: a first win says little

Read = Callable[[int], Record | None]  # a record by its number


class CasualRating(Struct, frozen=True, array_like=True, gc=False):
    """A rating as it is now, and the record that made it so."""

    key: str  # whose it is
    name: str
    mu: float
    sigma: float
    games: int  # rated so far
    seq: int

    @property
    def rating(self) -> Rating:
        """The rating in the form that the next game is rated from."""
        return Rating(self.mu, self.sigma)


class CasualStep(Struct, frozen=True):
    """A rating as a game left it."""

    table: TableId
    at: Micros
    rating: float
    uncertainty: float
    games: int  # rated so far


class CasualTrail(Struct, frozen=True):
    """Where to find a rating's past: from record `seq` back."""

    key: str
    seq: int


class CasualBook:
    """The ratings of every game."""

    def __init__(self) -> None:
        self._rated: dict[str, dict[str, CasualRating]] = {}  # by game, and by whose it is

    def take(self, event: GameRated, seq: int) -> None:
        """Take in the ratings after a game, from its record; live and from the log alike."""
        ratings = self._rated.setdefault(event.game, {})
        for one in event.rated:
            ratings[one.key] = CasualRating(one.key, one.name, one.mu, one.sigma, one.games, seq)

    def of_game(self, game: str) -> dict[str, CasualRating]:
        """The ratings of a game, by person."""
        return self._rated.get(game, {})

    def of(self, key: str) -> dict[str, CasualRating]:
        """A person's ratings by game."""
        return {game: of[key] for game, of in self._rated.items() if key in of}

    # -- as a value

    def ratings(self) -> dict[str, list[CasualRating]]:
        """All ratings by game, in the order of their keys."""
        return {
            game: [ratings[key] for key in sorted(ratings)]
            for game, ratings in sorted(self._rated.items())
        }

    def recall(self, ratings: dict[str, list[CasualRating]]) -> None:
        """Restore what `ratings` gave, or some of it."""
        for game, some in ratings.items():
            self._rated.setdefault(game, {}).update({one.key: one for one in some})


def walk_back(trail: CasualTrail, read: Read) -> tuple[CasualStep, ...]:
    """The rating after each of its last games, at most CASUAL_PAST of them, the oldest first."""
    steps: list[CasualStep] = []
    seq = trail.seq
    while seq and len(steps) < CASUAL_PAST:
        record = read(seq)
        if record is None or not isinstance(record.event, GameRated):
            break  # nothing was lost with it but the way on from here
        event = record.event
        keys = [one.key for one in event.rated]
        if trail.key not in keys:
            break
        place = keys.index(trail.key)
        steps.append(_step(event, record.at, event.rated[place]))
        seq = event.before[place] if event.before[place] < seq else 0
    return tuple(reversed(steps))


def _step(event: GameRated, at: Micros, one: Rated) -> CasualStep:
    of = Rating(one.mu, one.sigma)
    return CasualStep(event.table, at, shown(of), shown_spread(of), one.games)


class BoardRow(Struct, frozen=True):
    """A line of a leaderboard."""

    name: str
    player: PlayerId | None
    rating: float
    uncertainty: float
    games: int


class CasualRatings:
    """Rates games that are over, and says how everyone stands."""

    def __init__(self, people: People, floor: Floor) -> None:
        self._presence = people.presence
        self._register = people.register
        self._players = people.register.players
        self._floor = floor
        self.book = CasualBook()
        # By person; a restart forgets them, but no player can cause one.
        self._games = Buckets(CASUAL_GAMES, CASUAL_GAMES)
        self._at_home = Buckets(CASUAL_AT_HOME, CASUAL_AT_HOME)

    def settle(self, draft: Draft) -> None:
        """Rate the games that ended in this draft."""
        for stream in draft.ended:
            table_id = table_of(stream) if stream.startswith("table/") else None
            table = None if table_id is None else self._floor.tables.get(table_id)
            event = None if table is None else self._judge(table, draft.at)
            if event is not None:
                self._register.write(draft, event)
                self.book.take(event, draft.seq)

    def of(self, player: PlayerId) -> dict[str, CasualRating]:
        """A player's ratings by game."""
        return self.book.of(self._players.person(player))

    def trails(self, player: PlayerId) -> dict[str, CasualTrail]:
        """Where to find the past of a player's ratings, by game."""
        return {game: CasualTrail(one.key, one.seq) for game, one in self.of(player).items()}

    def board(self, game: str) -> list[CasualRating]:
        """The ratings of everyone who has played a game often enough to be listed, in no order."""
        known = self.book.of_game(game).values()
        return [one for one in known if one.games >= LISTED_FROM]

    def rows(self, best: Iterable[CasualRating]) -> tuple[BoardRow, ...]:
        """The leaderboard's lines for these ratings, under the names people have by now."""
        return tuple(self._row(one) for one in best)

    def _row(self, one: CasualRating) -> BoardRow:
        owner, of = self._players.owner(one.key, one.name), one.rating
        name = one.name if owner is None else self._players[owner].shown
        return BoardRow(name, owner, shown(of), shown_spread(of), one.games)

    def _judge(self, table: Table, now: Micros) -> GameRated | None:
        """The event that rates this game; None where the game does not count."""
        outcome, players = table.outcome, [one for one in table.seats if one is not None]
        if outcome is None or not self._counts(table, players):
            return None
        teams: dict[int, tuple[str, ...]] = {}
        places: dict[int, int] = {}
        for n, player in enumerate(players):
            team = table.teams[n]
            teams[team] = (*teams.get(team, ()), self._players.person(player))
            places[team] = outcome.places[Seat(n)]
        known = self.book.of_game(table.game.name)
        keys = {self._players.person(player): player for player in players}
        before = {key: known[key].rating for key in keys if key in known}
        game = RatedGame(tuple(teams.values()), tuple(places.values()))
        after = rate(before, [game])
        if after == before or not self._spend(players, now):
            return None
        rated = tuple(
            Rated(
                key,
                self._players[player].name,
                after[key].mu,
                after[key].sigma,
                1 + (known[key].games if key in known else 0),
            )
            for key, player in keys.items()
        )
        last = tuple(known[key].seq if key in known else 0 for key in keys)
        return GameRated(table.id, table.game.name, rated, last)

    def _counts(self, table: Table, players: list[PlayerId]) -> bool:
        """Whether this game is rated: by its terms, and between people who are not the same."""
        opened = table.opened
        if opened.tour is not None or opened.unrated or opened.private or opened.takebacks:
            return False
        if table.plies < len(table.seats) or len(players) < len(table.seats):
            return False
        for player in players:
            known, manners = self._players[player], self._players.manners(player)
            if known.is_bot or not manners.named:
                return False
        # A person who plays against themselves, under two names, shows no strength.
        sessions = [self._presence.session_of(player) for player in players]
        here = [one for one in sessions if one is not None]
        return len(set(here)) == len(here)

    def _spend(self, players: list[PlayerId], now: Micros) -> bool:
        """Count one more rated game for each player; False, counting none, if one had too many."""
        near = self._neighbours(players)
        persons = [self._players.person(player) for player in players]
        counts = not any(
            self._games.wait(person, now) or (player in near and self._at_home.wait(person, now))
            for player, person in zip(players, persons, strict=True)
        )
        if counts:
            for player, person in zip(players, persons, strict=True):
                self._games.spend(person, now)
                if player in near:
                    self._at_home.spend(person, now)
        return counts

    def _neighbours(self, players: list[PlayerId]) -> set[PlayerId]:
        """Those of the players who share a home, where they were made or where they are now."""
        homes: dict[str, set[PlayerId]] = {}
        for player in players:
            session = self._presence.session_of(player)
            hosts = {self._players[player].host}
            if session is not None:
                hosts.add(self._presence.host(session))
            for host in hosts:
                homes.setdefault(home_of(host), set()).add(player)
        return {player for those in homes.values() if len(those) > 1 for player in those}
