"""`rookery tour create`: open a tour, and say how players join it."""

from pathlib import Path
from typing import Any, Final

import click
from msgspec.structs import replace

from rookery.cli.connection.tours import TourConnection, TourServer, place_of, place_options
from rookery.cli.options import say_clock
from rookery.cli.terminal.output import clean
from rookery.cli.tours.live import TourScreen
from rookery.cli.tours.sheet import BadSheet, Sheet
from rookery.cli.tours.words import invitation
from rookery.core.clock import format_length
from rookery.core.errors import BadOption
from rookery.core.intents import OpenTour
from rookery.core.messages import TourMade, TourShown
from rookery.core.tour_values import DEFAULT_ABSENT, DEFAULT_TIES, Plan, Seeding
from rookery.dialects import LANGUAGES
from rookery.hall.limits import TOUR_NAME_MAX
from rookery.notation.trf import BadTrf, TrfReport
from rookery.notation.trf_reading import read_trf

_PARTING: Final = " and ".join(one.name for one in LANGUAGES if one.farewells)
_EXAMPLES: Final = """\b
Examples:
  rookery tour create --game nim --format "round_robin legs=2"
  rookery tour create --game "reversi size=6" --format "swiss rounds=5" --time 1m+1s
  rookery tour create --game fish --seats 4 --format groups --code FISH5
  rookery tour create --game nim --format "arena minutes=20" --fair --open
  rookery tour create --game fish --strict --policy "gone=at_once errors=1"

\b
Formats, and what can be set:
  round_robin legs=1           everyone meets everyone; 2 legs are a double round robin
  joining                      a double round robin that grows as players join
  swiss rounds=0 late_byes=0   rounds among equals; 0: as many as a knock-out has; half a
                               point for so many rounds missed by who joins late
  knockout legs=1 third=false  who loses is out
  groups                       a knock-out for 2 to 4 at a table
  arena minutes=30             whoever is free plays, until the time is up
  gauntlet champions=1 legs=2  the first to join meet everyone else
  duel games=100               the same two again and again, every start from both sides
  rotating rounds=0            bughouse with changing partners

\b
Policies of every table, and what can be set:
  gone=forfeit                 who is gone for longer than the grace has lost; or hold:
                               everyone waits; or at_once: who hangs up has lost
  grace=1m                     how long that is
  errors=0                     the illegal move that loses the game; 0: none does
  in_a_row=true                a legal move wipes the slate of illegal ones
  out_of_turn=false            whether moves out of turn are counted among them
  only=                        the one language whose players may play; any if not said
"""


@click.command(short_help="Open a tour for players to join.", epilog=_EXAMPLES)
@click.option("--game", required=True, help='Which game, with its options: "nim misere=true".')
@click.option(
    "--format", default="round_robin", show_default=True, help="Who meets whom; see below."
)
@click.option("--name", default="", help="What the tour is called.")
@click.option(
    "--time", default="5m", show_default=True, metavar="CLOCK", help="Like 5m+3s or 10s/move."
)
@click.option(
    "--seats",
    type=int,
    help="How many sit at a table; if not said, the game's fewest, in groups its most.",
)
@click.option(
    "--policy",
    default="",
    metavar="SETTINGS",
    help='Who is gone, illegal moves, one language alone: "gone=hold errors=3"; see below.',
)
@click.option("--points", default="1-0.5-0", show_default=True, help="For a win, a draw, a loss.")
@click.option(
    "--ties",
    default=",".join(DEFAULT_TIES),
    show_default=True,
    help="What parts equals, in this order; there are median_buchholz, buchholz_cut_1, "
    "progressive and average_rating too.",
)
@click.option("--parallel", type=int, default=0, help="Games at once; 0, the default: any number.")
@click.option(
    "--at-once",
    type=int,
    default=1,
    show_default=True,
    help="Games at once for one player, where its language can have several.",
)
@click.option("--fair", is_flag=True, help="Both legs of a pair begin from the same position.")
@click.option("--no-late", is_flag=True, help="Nobody joins after the start.")
@click.option(
    "--absent",
    default=format_length(DEFAULT_ABSENT),
    show_default=True,
    metavar="LENGTH",
    help="How long a player may be gone before it is paused.",
)
@click.option(
    "--strict", is_flag=True, help="Who is out of a game, late or gone say, is out of the tour."
)
@click.option(
    "--farewell",
    is_flag=True,
    help=f"At its end everyone must take leave, or is out; with --strict, for {_PARTING}.",
)
@click.option("--stays", is_flag=True, help="When all is played it waits for `tour end`.")
@click.option("--not-rated", is_flag=True, help="Its games do not count for ratings.")
@click.option(
    "--seeding",
    type=click.Choice([one.value for one in Seeding]),
    default=Seeding.JOINED.value,
    show_default=True,
    help="Who is the first seed: who came first, who is strongest, or as `tour seed` says.",
)
@click.option(
    "--starts",
    default="",
    metavar="WHEN",
    help='It starts by itself: 18:30, or "2026-11-20 18:30".',
)
@click.option("--open", "anyone", is_flag=True, help="Anyone may join: there is no code.")
@click.option("--code", help="The code to join with; if not said, one is drawn.")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A TRF file: the tour's name and rounds are taken from it, and its players listed.",
)
@place_options
def create(
    *,
    ties: str,
    no_late: bool,
    not_rated: bool,
    seeding: str,
    anyone: bool,
    code: str | None,
    source: Path | None,
    at: str,
    token: str | None,
    folder: Path | None,
    **words: Any,  # Any: click has read each as the sheet's field of that name has it
) -> None:
    """Open a tour: players join it with its code, and it begins with `tour start`.

    Players of every language that has words for the game can play in it. The number of the
    tour, its code and what a player sends to join are printed.
    """
    parted = tuple(tie.strip() for tie in ties.split(",") if tie.strip())
    sheet = Sheet(
        **words, ties=parted, late=not no_late, rated=not not_rated, seeding=Seeding(seeding)
    )
    report = None if source is None else read_report(source)
    sheet = sheet if report is None else _like(sheet, report)
    plan, place = sheet.plan(), place_of(at, token, folder)
    say_clock(sheet.time)
    page = TourScreen()
    with TourConnection(page, place, organiser=True) as server:
        shown = open_tour(server, plan, _code(code, anyone=anyone))
    _welcome(page, shown, place)
    if report is not None:
        page.say("\n".join(["", *_expected(report)]))


def read_report(file: Path) -> TrfReport:
    """Read a TRF file. Raises BadSheet."""
    try:
        return read_trf(file.read_text("utf-8"))
    except OSError as wrong:
        raise BadSheet(f"{file} cannot be read: {wrong.strerror}.") from None
    except UnicodeDecodeError:
        raise BadSheet(f"{file} cannot be read: it is no UTF-8.") from None
    except BadTrf as wrong:
        raise BadSheet(f"{file}: {wrong}") from None


def _like(sheet: Sheet, report: TrfReport) -> Sheet:
    """The tour of the file, where the command line does not say otherwise."""
    form = sheet.format
    if form == "round_robin" and "swiss" in report.kind.lower():
        form = f"swiss rounds={report.rounds}"
    return replace(sheet, name=sheet.name or report.name[:TOUR_NAME_MAX], format=form)


def _expected(report: TrfReport) -> list[str]:
    """The players of the file, in the order of its seeding."""
    many = len(report.lines)
    lines = [f"In the file are {many}; entrants are seeded in the order in which they join:"]
    for line in report.lines:
        rating = "" if line.rating is None else f" ({line.rating})"
        lines.append(f"{line.number:4d}. {clean(line.name)}{rating}")
    return lines


def _code(code: str | None, *, anyone: bool) -> str | None:
    """The code to ask for: empty for none, None for one that is drawn. Raises BadOption."""
    if anyone and code is not None:
        raise BadOption("A tour has a code, or anyone may join it: --code or --open.")
    return "" if anyone else code


def _welcome(page: TourScreen, shown: TourShown, place: TourServer) -> None:
    announce(page, shown)
    start = f"Start it with: rookery tour start {shown.line.tour} --live{place.flags()}"
    page.say("\n".join([*invitation(shown, place), start]))


def open_tour(server: TourConnection, plan: Plan, code: str | None) -> TourShown:
    """A new tour. Raises Rejected where the plan is none."""
    made = server.ask(OpenTour(plan, code), TourMade)
    return server.shown(made.tour)


def announce(page: TourScreen, shown: TourShown) -> None:
    """Print which tour was opened, and the code to join it with."""
    line = shown.line
    called = f" ({line.name})" if line.name else ""
    page.say(f"Tour {line.tour}{called} is open: {line.variant}, {line.format}.", "bold")
    page.say(f"Its code is {shown.code}." if shown.code else "Anyone may join it.", "bold")
