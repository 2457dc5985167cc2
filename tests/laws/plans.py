"""Plans that anybody might ask for, made up from a seed.

Every game with odd options, in every format with its own, on any terms. Half of them make no
sense, and are refused; all others must be playable to their end. Numbers are kept small, for
such a tour is really played.
"""

from collections.abc import Callable
from typing import Final

from rookery.core.chance import Chance
from rookery.core.policy import Begin, Errors, Gone, Policy
from rookery.core.tour_values import DEFAULT_TIES, Plan, Seeding
from rookery.games import GAMES
from rookery.hall.tours.formats import FORMATS
from tests.hall.house import SECOND
from tests.laws.tour_stories import Case

SHORT: Final = ("nim", "tictactoe", "guess")  # games that need not be given up to see their end


def any_case(seed: int) -> Case:
    """Some tour, accepted or not, and how many come to it."""
    chance = Chance(seed)
    game, form = chance.choice(sorted(GAMES)), chance.choice(sorted(FORMATS))
    if form == "groups" and chance.below(2):
        game = "fish"  # the one game with tables of several sizes
    if form == "rotating" and chance.below(4):
        game = "bughouse"  # the one game it is for
    plan = Plan(
        _text(game, GAME_OPTIONS[game], chance),
        _text(form, FORMAT_OPTIONS[form], chance),
        seats=chance.choice((None, None, 2, 3, 4)),
        time=chance.choice(("none", "none", "1s", "10s/move first 30s of phase", "5m+3s")),
        policy=_policy(chance),
        points=chance.choice(("1-0.5-0", "3-1-0", "100-100-0", "0.5-0-0")),
        ties=tuple(chance.shuffled(DEFAULT_TIES)[: chance.below(6)]),
        parallel=chance.choice((0, 0, 1, 2)),
        at_once=chance.choice((1, 1, 2, 50)),
        fair=bool(chance.below(2)),
        late=bool(chance.below(2)),
        absent=chance.choice((0, SECOND, 60 * SECOND)),
        strict=(strict := not chance.below(3)),
        farewell=strict and bool(chance.below(2)),
        stays=not chance.below(5),
        rated=bool(chance.below(2)),
        seeding=chance.choice((Seeding.JOINED, Seeding.JOINED, Seeding.RATING, Seeding.HAND)),
    )
    teams = game == "bughouse" and form != "rotating"
    count = 2 + chance.below(8)
    return Case(str(seed), plan, count, teams=teams, hasty=game not in SHORT)


def _text(name: str, options: dict[str, Callable[[Chance], object]], chance: Chance) -> str:
    # An arena goes on for half an hour unless one says otherwise, which nobody wants to see.
    wanted = [key for key in options if chance.below(2) or key == "minutes"]
    said = [f"{key}={options[key](chance)}" for key in wanted]
    return " ".join((name, *said))


def _policy(chance: Chance) -> Policy:
    return Policy(
        begin=chance.choice(list(Begin)),
        gone=chance.choice(list(Gone)),
        grace=chance.choice((0, SECOND, 20 * SECOND)),
        errors=Errors(chance.below(3), bool(chance.below(2)), bool(chance.below(2))),
    )


def _from(low: int, high: int) -> Callable[[Chance], object]:
    return lambda chance: chance.between(low, high)


def _flag(chance: Chance) -> object:
    return ("true", "false")[chance.below(2)]


def _sticks(chance: Chance) -> object:
    return ",".join(str(1 + chance.below(3)) for _ in range(1 + chance.below(3)))


GAME_OPTIONS: Final[dict[str, dict[str, Callable[[Chance], object]]]] = {
    "bughouse": {"plies": _from(1, 30)},
    "fish": {
        "rows": _from(1, 6),
        "cols": _from(1, 5),
        "fish": _from(0, 6),
        "holes": _from(0, 9),
    },
    "guess": {"low": _from(-2, 3), "high": _from(0, 5), "rounds": _from(0, 5)},
    "nim": {"rows": _from(0, 3), "sticks": _sticks, "misere": _flag},
    "reversi": {"size": lambda chance: 2 * chance.between(1, 5), "opening": _from(0, 21)},
    "tictactoe": {},
}
FORMAT_OPTIONS: Final[dict[str, dict[str, Callable[[Chance], object]]]] = {
    "round_robin": {"legs": _from(0, 3)},
    "joining": {},
    "swiss": {"rounds": _from(0, 6), "late_byes": _from(0, 3)},
    "knockout": {"legs": _from(0, 3), "third": _flag},
    "groups": {},
    "arena": {"minutes": _from(0, 3)},
    "gauntlet": {"champions": _from(0, 4), "legs": _from(0, 3)},
    "duel": {"games": _from(0, 12)},
    "rotating": {"rounds": _from(0, 5)},
}
