"""Planning a tour: reading the plan that was asked for into the one form the log keeps."""

from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.intents import Seek
from rookery.core.names import objection
from rookery.core.options import check_whole
from rookery.core.tour_values import Plan, Seeding
from rookery.games import AnyGame, origin_of, parse_variant
from rookery.hall import limits
from rookery.hall.scoring.scores import parse_points
from rookery.hall.scoring.standing import check_ties
from rookery.hall.tables.opening import check_seats, read_opening
from rookery.hall.tables.table import teams_of
from rookery.hall.tours.formats import format_origin, format_text, parse_format
from rookery.hall.tours.formats.base import Format


def read_plan(plan: Plan) -> Plan:
    """The plan with all its texts in their shortest form. Raises Mistake."""
    _check_name(plan.name)
    if len(plan.format) > limits.VARIANT_MAX:
        raise BadOption(f"A format is written in at most {limits.VARIANT_MAX} characters.")
    form = parse_format(plan.format)
    seats = plan.seats
    if seats is None:
        seats = _seats(plan.variant, form)
    opened = read_opening(Seek(plan.variant, seats, plan.time, plan.policy), None)
    _check_sides(opened.variant, form, opened.seats)
    if plan.farewell and not plan.strict:
        raise BadOption("A tour whose end must be taken is strict, or it could wait for ever.")
    if plan.seeding is not Seeding.JOINED and not form.seeded:
        raise BadOption(f"The format {form.name} has no seeds but the order of joining.")
    check_ties(plan.ties)
    check_whole("parallel", plan.parallel, 0, limits.TABLES_MAX)
    check_whole("at_once", plan.at_once, 1, limits.TABLES_A_PLAYER)
    if not 0 <= plan.absent <= limits.GRACE_MAX:
        raise BadOption("One may be away for no less than nothing, and at most a week.")
    return replace(
        plan,
        name=plan.name.strip(),
        variant=opened.variant,
        format=format_text(form),
        seats=opened.seats,
        time=opened.time,
        points=str(parse_points(plan.points)),
    )


def _check_name(name: str) -> None:
    wrong = objection(name, limits.TOUR_NAME_MAX, "A tour's name") if name.strip() else None
    if wrong is not None:
        raise BadOption(wrong)


def package_of(plan: Plan) -> str:
    """The plug-in that brought the plan's game, or else its format; empty if neither is one's."""
    game, form = (text.partition(" ")[0] for text in (plan.variant, plan.format))
    return origin_of(game).label() or format_origin(form).label()


def _seats(variant: str, form: Format) -> int | None:
    """The seats of a plan that names none: the most that fit all tables dealt; None: the fewest."""
    if len(variant) > limits.VARIANT_MAX:
        return None  # which is said when the opening is read
    game = parse_variant(variant)
    if not form.smaller:
        return None
    fit = [seats for seats in game.seat_counts if _unplayable(game, form, seats) is None]
    return fit[-1] if fit else game.seat_counts[-1]


def _check_sides(variant: str, form: Format, seats: int) -> None:
    """Raise BadOption unless the format can pair such tables, and all it deals can be played."""
    game = parse_variant(variant)
    teams = len(set(teams_of(game, seats)))
    if form.solo:
        if teams == seats:
            raise BadOption(f"The format {form.name} is for games of teams, not for {game.name}.")
        sides = seats
    else:
        sides = teams
    if sides not in form.sides:
        counts = " or ".join(map(str, form.sides))
        raise BadOption(f"The format {form.name} pairs {counts} sides, not {sides}.")
    wrong = _unplayable(game, form, seats)
    if wrong is not None:
        raise BadOption(f"The format {form.name} deals smaller tables too. {wrong}")


def _unplayable(game: AnyGame, form: Format, seats: int) -> BadOption | None:
    """Why a table that the format may deal cannot be played, with `seats` at the fullest."""
    sides = len(set(teams_of(game, seats)))
    for fewer in range(2, sides + 1) if form.smaller else ():
        try:
            check_seats(game, fewer * seats // sides)
        except BadOption as wrong:
            return wrong
    return None
