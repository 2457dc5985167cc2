"""Opening a table: reading what was asked for into the one form the log keeps, and first seats.

Texts are brought to their shortest form, so that two who seek the same thing in
different words find each other. Who sits where before a game begins, and who owns the table,
are answers about a table as it stands; the referee asks them.
"""

from functools import lru_cache

from rookery.core.chance import Chance
from rookery.core.clock import clock_for
from rookery.core.errors import FAILED, BadOption, BadTimeControl, RulesFailed, ask
from rookery.core.events import Opened, Swapped
from rookery.core.ids import PlayerId, Seat, TourId, put
from rookery.core.intents import Open, Seek
from rookery.core.policy import Policy
from rookery.core.tour_values import Plan
from rookery.games import AnyGame, format_variant, is_added, origin_of, parse_variant
from rookery.hall.limits import (
    ERRORS_MAX,
    GRACE_MAX,
    KEPT_MAX,
    LEVEL_MAX,
    NAME_MAX,
    PRIVATE_CODE_MAX,
    PRIVATE_CODE_MIN,
    TIME_MAX,
    VARIANT_MAX,
)
from rookery.hall.tables.table import Table, teams_of


def first_free(table: Table, prefer: tuple[Seat, ...]) -> Seat | None:
    """The first free of the preferred seats, or of all; one the table lacks counts as free."""
    for seat in prefer or map(Seat, range(len(table.seats))):
        if not 0 <= seat < len(table.seats) or table.seats[seat] is None:
            return seat
    return None


def heir(table: Table, seat: Seat | None) -> PlayerId:
    """The new owner when the owner left this seat: a team-mate, else the player who came first."""
    team = None if seat is None else table.teams[seat]
    mates = (p for p, t in zip(table.seats, table.teams, strict=True) if t == team)
    return next((player for player in mates if player is not None), table.joined[0])


def swaps(table: Table, order: tuple[Seat, ...]) -> list[Swapped]:
    """The changes of places between team-mates that seat each team in the order it came.

    `order` is all seats; of each team, the first in it is for the first who came.
    """
    seats, teams, waiting = table.seats, table.teams, list(table.joined)
    found = []
    for seat in order:
        mates = [p for p, team in zip(seats, teams, strict=True) if team == teams[seat]]
        first = next(player for player in waiting if player in mates)
        waiting.remove(first)
        sits = Seat(seats.index(first))
        if sits != seat:
            found.append(Swapped(seat, sits))
            seats = put(put(seats, sits, seats[seat]), seat, first)
    return found


def read_opening(intent: Open | Seek, by: PlayerId | None) -> Opened:
    """The first event of the table asked for. Raises Mistake."""
    if len(intent.variant) > VARIANT_MAX:
        raise BadOption(f"A game and its options are written in at most {VARIANT_MAX} characters.")
    if len(intent.time) > TIME_MAX:
        raise BadTimeControl(f"A time control is written in at most {TIME_MAX} characters.")
    game = parse_variant(intent.variant)
    seats = game.seat_counts[0] if intent.seats is None else intent.seats
    check_seats(game, seats)
    time = str(clock_for(intent.time, game))
    _check_policy(intent.policy)
    _check_house(intent.house, intent.policy)
    if not 0 <= intent.kept <= KEPT_MAX:
        raise BadOption("A seat is kept for an hour at most.")
    if intent.takebacks and (seats != 2 or game.secret_moves):
        raise BadOption("Moves are taken back in games of two, and not where they are secret.")
    _check_code(intent)
    return Opened(
        format_variant(game),
        game.rules,
        seats,
        time,
        intent.policy,
        by,
        house=intent.house,
        kept=intent.kept,
        package=origin_of(game.name).label(),
        secret=is_added(game.name) and game.secret_moves,
        takebacks=intent.takebacks,
        private=isinstance(intent, Open) and bool(intent.code),
        unrated=not intent.rated,
    )


def match_opening(plan: Plan, game: AnyGame, seats: int, tour: TourId) -> Opened:
    """The first event of a table where a match of a tour is played."""
    return Opened(
        plan.variant,
        game.rules,
        seats,
        plan.time,
        plan.policy,
        tour=tour,
        package=origin_of(game.name).label(),
        secret=is_added(game.name) and game.secret_moves,
    )


def check_seats(game: AnyGame, seats: int) -> None:
    """Raise BadOption unless this many players can play this variant."""
    if seats not in game.seat_counts:
        counts = " or ".join(map(str, game.seat_counts))
        raise BadOption(f"A game of {game.name} has {counts} seats, not {seats}.")
    # Some boards are too small for so many; the rules say so when they deal, whatever the chance.
    try:
        ask(None, game.start, seats, Chance(0))
        teams_of(game, seats)
    except RulesFailed as failed:
        raise RulesFailed(game=game.name) from failed.__cause__


@lru_cache(maxsize=256)
def unplayable(variant: str, seats: int) -> str:
    """Why this many players cannot play this known variant; empty if they can."""
    try:
        check_seats(parse_variant(variant), seats)
    except BadOption as wrong:
        return str(wrong)
    except RulesFailed:
        return f"The rules of {variant.partition(' ')[0]} failed ({FAILED})."
    return ""


def _check_policy(policy: Policy) -> None:
    if not 0 <= policy.grace <= GRACE_MAX:
        raise BadOption("A grace period is not negative, and at most a week.")
    if not 0 <= policy.errors.limit <= ERRORS_MAX:
        raise BadOption(f"A table counts illegal moves up to {ERRORS_MAX}.")
    if len(policy.only) > NAME_MAX or not policy.only.isprintable():
        raise BadOption(f"A dialect is called by at most {NAME_MAX} printable characters.")


def _check_code(intent: Open | Seek) -> None:
    code = intent.code if isinstance(intent, Open) else ""
    least, most = PRIVATE_CODE_MIN, PRIVATE_CODE_MAX
    if code and (not least <= len(code) <= most or not code.isascii() or not code.isalnum()):
        raise BadOption(f"The code of a private table has {least} to {most} letters and digits.")


def _check_house(level: int | None, policy: Policy) -> None:
    if level is not None and not 0 <= level <= LEVEL_MAX:
        raise BadOption(f"A house bot's level is 1 to {LEVEL_MAX}, or 0 for no bots, not {level}.")
    if level and policy.only:
        raise BadOption("House bots do not sit at a table for one dialect.")
