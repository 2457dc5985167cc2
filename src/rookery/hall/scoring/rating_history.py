"""How ratings went in one tour: from game to game, as its own table shows them.

A history has all that takes as values: the book that made it need not wait, and
it can be walked elsewhere, a few games at a time.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from rookery.core.tour_values import Rating
from rookery.hall.scoring.ratings import START, RatedGame, rate, shown, shown_spread


class RatingHistory(Struct, frozen=True):
    """Whose ratings they are, what everyone brought along, and the games in the order they ended.

    `players` has the owners of the ratings that an entrant's is the mean of.
    """

    players: dict[int, tuple[str, ...]]
    before: dict[str, Rating]
    games: tuple[tuple[int, RatedGame], ...]  # each with the number of its match


class RatingsAfter(Struct, frozen=True):
    """After which match, and the rating and its uncertainty of each entrant it changed."""

    match: int  # 0 is before the first
    ratings: dict[int, tuple[float, float]]


def walk(history: RatingHistory) -> Iterator[RatingsAfter]:
    """Everyone's rating before the first game, and then what each game made of them."""
    keys_in = [key for keys in history.players.values() for key in keys]
    keys_in += [key for _, game in history.games for team in game.teams for key in team]
    ratings = {key: history.before.get(key, START) for key in keys_in}
    yield RatingsAfter(0, {one: mean(keys, ratings) for one, keys in history.players.items()})
    of: dict[str, list[int]] = {}
    for one, keys in history.players.items():
        for key in keys:
            of.setdefault(key, []).append(one)
    for match, game in history.games:
        played = {key: ratings[key] for team in game.teams for key in team}
        after = rate(played, [game])
        ratings.update(after)
        changed = {one for key in after if after[key] != played[key] for one in of.get(key, ())}
        yield RatingsAfter(
            match, {one: mean(history.players[one], ratings) for one in sorted(changed)}
        )


def mean(keys: tuple[str, ...], ratings: Mapping[str, Rating]) -> tuple[float, float]:
    """The rating an entrant is shown with: the mean of its players', and the mean uncertainty."""
    mine = [ratings.get(key, START) for key in keys]
    spread = sum(shown_spread(rating) for rating in mine) / len(mine)
    return round(sum(shown(rating) for rating in mine) / len(mine), 1), round(spread, 1)
