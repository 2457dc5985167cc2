"""Everyone's ratings, game by game, across all tours.

A tour's games count when it is over, in the order they ended, and the log keeps what they made of
each rating; while it runs, its own table shows what they would. A rating belongs to a player who
comes back by token; in dialects without one, to everyone who has the same name from the same host.
"""

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import Joined, TourDone, TourEvent, TourStarted
from rookery.core.ids import Micros, PlayerId, TourId
from rookery.core.messages import RatingLine
from rookery.core.tour_values import Match, Rated, Rating
from rookery.hall.people.players import PlayerRegistry
from rookery.hall.scoring.rating_history import RatingHistory, mean
from rookery.hall.scoring.ratings import RatedGame, played, rate, shown, shown_spread
from rookery.hall.tours.tour import CANCELLED, Tour

RATED_FOR = 8  # entrants a game: 400 are looked at after 50 games, which take a few milliseconds
RATED_AT_ONCE = 32  # games; in a small tour a whole round, and everybody is looked at once for it


class Live(Struct, frozen=True):
    """The ratings that a running tour's games would make, and how many of its games those are."""

    keys: dict[int, tuple[str, ...]]  # whose ratings, by entrant
    endings: int  # of the tour, by then
    taken_back: int  # of those matches
    ratings: dict[str, Rating]  # of those in the tour who have one


class RatedBy(Struct, frozen=True):
    """A rating as a tour left it."""

    tour: TourId
    name: str  # the tour's
    at: Micros  # when it was over
    rating: float
    uncertainty: float
    games: int  # rated so far


class RatedPast(Struct, frozen=True):
    """A rating as the `place`-th tour that ended left it, and in the form to rate on from."""

    place: int
    of: Rating
    by: RatedBy


class RatingBook:
    """The ratings of every game."""

    def __init__(self, players: PlayerRegistry) -> None:
        self._players = players
        self._rated: dict[str, dict[str, Rated]] = {}  # by game, and by whose it is
        self._past: dict[str, dict[str, list[RatedPast]]] = {}  # as above
        self._places: dict[TourId, int] = {}  # of tours that are over: which it was of them
        self._live: dict[TourId, Live] = {}  # of tours that run

    def take(self, event: TourDone, at: Micros = 0) -> None:
        """Take in the ratings of a tour that is over; live and from the log alike."""
        changed = {one.key for one in event.rated}
        self._live = {
            tour: live
            for tour, live in self._live.items()
            if tour != event.tour and changed.isdisjoint(live.ratings)  # else they began otherwise
        }
        place = self._places.setdefault(event.tour, len(self._places))
        game = _game(event.line.variant)
        ratings = self._rated.setdefault(game, {})
        ratings |= {rated.key: rated for rated in event.rated}
        past = self._past.setdefault(game, {})
        for one in event.rated:
            of = Rating(one.mu, one.sigma)
            after = RatedBy(event.tour, event.line.name, at, shown(of), shown_spread(of), one.games)
            past.setdefault(one.key, []).append(RatedPast(place, of, after))

    def of(self, player: PlayerId) -> dict[str, tuple[RatedBy, ...]]:
        """A player's ratings by game, each as tour after tour left it; the last is the present."""
        key = self._key(player)
        return {
            game: tuple(one.by for one in past[key])
            for game, past in self._past.items()
            if key in past
        }

    def listed(self, game: str) -> tuple[RatingLine, ...]:
        """Everyone who has a rating in this game, the best first."""
        found = sorted(self._rated.get(game, {}).values(), key=lambda rated: (-rated.mu, rated.key))
        return tuple(self._line(one) for one in found)

    def _line(self, one: Rated) -> RatingLine:
        of, owner = Rating(one.mu, one.sigma), self._players.owner(one.key, one.name)
        name = one.name if owner is None else self._players[owner].shown
        return RatingLine(name, shown(of), shown_spread(of), one.games, owner)

    def changed_by(self, tour: Tour) -> tuple[Rated, ...]:
        """The ratings that the games of this tour change."""
        if not tour.plan.rated:
            return ()
        after = self._follow(tour).ratings
        before = self._rated.get(tour.game.name, {})
        names = self._names(tour)
        count: dict[str, int] = {}
        for _, game in self._numbered(tour):
            for key in (key for team in game.teams for key in team):
                count[key] = count.get(key, 0) + 1
        return tuple(
            Rated(
                key,
                names[key],
                after[key].mu,
                after[key].sigma,
                more + (before[key].games if key in before else 0),
            )
            for key, more in count.items()
            if key in after
        )

    def live(self, tour: Tour) -> dict[int, tuple[float, float]]:
        """How strong each entrant looks by now, and how sure that is; a team is its mean."""
        if not tour.plan.rated:
            return {}
        known = self._follow(tour)
        return _entrants(known.keys, known.ratings)

    def follow(self, tour: Tour) -> None:
        """Rate the games that ended in a running tour lately, so that nobody waits for it at once.

        That takes a look at all entrants, so it waits until there are enough games to rate.
        """
        known = self._live.get(tour.id)
        behind = len(tour.endings) - (0 if known is None else known.endings)
        size = len(tour.entrants)
        if tour.plan.rated and behind >= max(size / RATED_FOR, min(size // 2, RATED_AT_ONCE)):
            self._follow(tour)

    def _follow(self, tour: Tour) -> Live:
        """The ratings by now; games that were rated before are not rated again."""
        keys = self._keys(tour)
        ratings = self._ratings(tour, keys)
        known = self._live.get(tour.id)
        if (
            known is not None
            and known.taken_back == tour.taken_back
            and known.keys.items() <= keys.items()  # nobody became somebody else
        ):
            ratings |= known.ratings
            ended = [tour.match(number) for number in tour.endings.since(known.endings)]
            games = [game for match in ended if (game := self._game(tour, match)) is not None]
        else:
            games = [game for _, game in self._numbered(tour)]
        after = rate(ratings, games)
        live = self._live[tour.id] = Live(keys, len(tour.endings), tour.taken_back, after)
        return live

    def now(self, tour: Tour) -> dict[int, tuple[float, float]]:
        """How strong the tour's entrants are by all tours that are over; empty if it is unrated."""
        return self.strengths(tour) if tour.plan.rated else {}

    def strengths(self, tour: Tour) -> dict[int, tuple[float, float]]:
        """How strong entrants are by all tours that are over, whether or not this one is rated."""
        keys = self._keys(tour)
        return _entrants(keys, self._ratings(tour, keys))

    def noted(self, tour: Tour, event: TourEvent) -> TourEvent:
        """The event with the ratings that entrants come with: at the start, or joining later.

        The tour keeps these: its standing must not change with later tours.
        """
        match event:
            case TourStarted() if not tour.started:
                found = ((one.number, self._brought(tour, one.players)) for one in tour.entrants)
                had = tuple((number, rating) for number, rating in found if rating is not None)
                return replace(event, ratings=had)
            case Joined(player=player) if tour.started:
                return replace(event, rating=self._brought(tour, (player,)))
            case _:
                return event

    def _brought(self, tour: Tour, players: tuple[PlayerId, ...]) -> int | None:
        """The shown rating of these players in the tour's game; None if none of them has one."""
        keys, known = tuple(map(self._key, players)), self._rated.get(tour.game.name, {})
        if known.keys().isdisjoint(keys):
            return None
        mine = {key: Rating(known[key].mu, known[key].sigma) for key in keys if key in known}
        return round(mean(keys, mine)[0])

    def history(self, tour: Tour) -> RatingHistory:
        """All that this tour's ratings are made from; nothing if it is unrated or cancelled."""
        if not tour.plan.rated or tour.how == CANCELLED:
            return RatingHistory({}, {}, ())
        keys = self._keys(tour)
        mine = [key for some in keys.values() for key in some]
        return RatingHistory(keys, self._before(tour, mine), tuple(self._numbered(tour)))

    def _before(self, tour: Tour, keys: list[str]) -> dict[str, Rating]:
        """The ratings that these persons brought into a tour, of those who had one."""
        place = self._places.get(tour.id, len(self._places))
        past = self._past.get(tour.game.name, {})
        found = {key: [one.of for one in past.get(key, ()) if one.place < place] for key in keys}
        return {key: some[-1] for key, some in found.items() if some}

    def _numbered(self, tour: Tour) -> list[tuple[int, RatedGame]]:
        """The games that are rated, in the order they ended, each with the number of its match."""
        ended = sorted(enumerate(tour.matches, 1), key=_when)
        found = ((number, self._game(tour, match)) for number, match in ended)
        return [(number, game) for number, game in found if game is not None]

    def _game(self, tour: Tour, match: Match) -> RatedGame | None:
        """The match as a game of those who played it; None if it is not rated."""
        sides = (tour.entrant(side) for side in match.fixture.sides)
        return played(match, {one.number: self._lineup(one.players) for one in sides})

    def _lineup(self, players: tuple[PlayerId, ...]) -> tuple[str, ...]:
        return tuple(map(self._key, players))

    def _keys(self, tour: Tour) -> dict[int, tuple[str, ...]]:
        return {one.number: self._lineup(one.players) for one in tour.entrants}

    def _ratings(self, tour: Tour, keys: dict[int, tuple[str, ...]]) -> dict[str, Rating]:
        """The ratings of these persons as tours that are over left them, of those who have one."""
        known = self._rated.get(tour.game.name, {})
        mine = [known[key] for some in keys.values() for key in some if key in known]
        return {rated.key: Rating(rated.mu, rated.sigma) for rated in mine}

    def _names(self, tour: Tour) -> dict[str, str]:
        return {
            self._key(player): self._players[player].name
            for one in tour.entrants
            for player in one.players
        }

    def _key(self, player: PlayerId) -> str:
        return self._players.person(player)


def _entrants(
    keys: dict[int, tuple[str, ...]], ratings: dict[str, Rating]
) -> dict[int, tuple[float, float]]:
    return {number: mean(some, ratings) for number, some in keys.items()}


def _when(numbered: tuple[int, Match]) -> int:
    return numbered[1].ended


def _game(variant: str) -> str:
    return variant.partition(" ")[0]
