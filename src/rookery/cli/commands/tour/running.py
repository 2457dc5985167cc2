"""`rookery tour run`: a whole tour from a file: opened, waited for, started, shown, written.

Everything that matters is on the server, so the command may be stopped and run again at any
time: a tour of that name which is not over is taken up where it is.
"""

import time
from pathlib import Path
from typing import Final

import click

from rookery.cli.commands.tour.opening import announce, open_tour
from rookery.cli.connection.server import ConnectionGone, Rejected
from rookery.cli.connection.tours import TourConnection, TourServer, place_of, place_options
from rookery.cli.options import say_clock
from rookery.cli.terminal.keyboard import Keyboard
from rookery.cli.tours.export import exported, write
from rookery.cli.tours.known import KnownTour, known
from rookery.cli.tours.live import TourScreen, TourWatch
from rookery.cli.tours.sheet import BadSheet, Sheet, read_sheet
from rookery.cli.tours.words import invitation
from rookery.core.ids import TOUR_OVER, TourId, TourStatus
from rookery.core.intents import SeedTour, StartTour
from rookery.core.messages import Done, TourShown
from rookery.core.tour_values import Seeding

# Why a tour does not start yet, and what that means for who waits for it.
NOT_YET: Final = {"too_few": "Waiting for more.", "bad_seeds": "Waiting for that."}

_EXAMPLES: Final = """\b
A file, of which only game is needed:
  name = "Nim in class 3b"
  game = "nim"
  format = "round_robin legs=2"
  players = 8                     # it starts when so many are in …
  wait = "10m"                    # … or after so long, or when you press Enter
  export = ["grades.csv", "results.md"]
examples/tour.toml says what else there is.
"""


@click.command(short_help="Run a whole tour described in a file.", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@place_options
def run(*, file: Path, at: str, token: str | None, folder: Path | None) -> None:
    """Open the tour that FILE describes, start it, show it, and write its results.

    The code to join with is printed. It starts when enough players have joined, when its
    time to wait is over, or when you press Enter. Ctrl-C leaves the tour on the server;
    `run` with the same file takes it up again.
    """
    sheet, page, place = read_sheet(file), TourScreen(), place_of(at, token, folder)
    say_clock(sheet.time)
    with TourConnection(page, place, organiser=True) as server:
        shown = _take_up(server, page, sheet) or _open(server, page, sheet)
        tour = shown.line.tour
        try:
            if shown.line.status == TourStatus.OPEN:
                page.say("\n".join(invitation(shown, place)))
                _Gathering(server, page, sheet, tour).wait()
            elif shown.line.status == TourStatus.PAUSED:
                page.say(f"It is paused; go on with: rookery tour start {tour}{place.flags()}")
            TourWatch(server, page, tour).follow()
        except KeyboardInterrupt:
            _leave(page, tour, file, place)
            raise
        _write(page, sheet, _settled(server, tour))


class _Gathering:
    """Waiting for players, and for the start."""

    def __init__(
        self, server: TourConnection, page: TourScreen, sheet: Sheet, tour: TourId
    ) -> None:
        self._server = server
        self._page = page
        self._sheet = sheet
        self._watch = TourWatch(server, page, tour)
        self._tour = tour
        self._typed = Keyboard()
        patience = sheet.patience()
        self._until = None if patience is None else time.monotonic() + patience
        self._late = False  # it was waited long enough: the first who make it enough start it

    def wait(self) -> None:
        """Wait until the tour runs: started here, or by somebody else."""
        if self._sheet.seeding is Seeding.HAND and not self._sheet.seeds:
            self._page.say(
                f"Before it starts, give its seeds: rookery tour seed {self._tour} NAME …"
            )
        self._page.say(f"{self._awaited()}; press Enter to start.")
        with self._page.on():
            while self._watch.now.shown.line.status == TourStatus.OPEN:
                if self._enough():
                    self._start(aloud=False)
                if self._until is not None and time.monotonic() >= self._until:
                    self._start(aloud=True)
                    self._until, self._late = None, True
                self._listen()

    def _awaited(self) -> str:
        match self._sheet.players:
            case 0 | ():
                waits = "Waiting for players"
            case int(count):
                waits = f"Waiting for {count} players"
            case names:
                waits = f"Waiting for {', '.join(names)}"
        return f"{waits}, for {self._sheet.wait} at most" if self._sheet.wait else waits

    def _enough(self) -> bool:
        there = [one for one in self._watch.now.shown.entrants if not one.out]
        match self._sheet.players:
            case 0 | ():
                return self._late
            case int(count):
                return self._late or len(there) >= count
            case names:
                return self._late or {one.name for one in there}.issuperset(names)

    def _listen(self) -> None:
        """Take in what comes next, from the server or from the keyboard."""
        left = None if self._until is None else max(0.0, self._until - time.monotonic())
        keys = () if self._typed.ended else (self._typed.fileno(),)
        if self._watch.step(*keys, seconds=left):
            self._typed.read()
            if self._typed.line() is not None:
                self._start(aloud=True)

    def _start(self, *, aloud: bool) -> None:
        order = self._sheet.order(self._watch.now.shown.entrants) if self._sheet.seeds else ()
        try:
            if order:
                self._server.ask(SeedTour(self._tour, order), Done)
            self._server.ask(StartTour(self._tour), Done)
        except Rejected as no:
            # That a team lacks a player is no news; and somebody else may have been quicker.
            if aloud and no.code in NOT_YET:
                self._page.say(f"{no} {NOT_YET[no.code]}", "yellow")
            elif no.code not in (*NOT_YET, "running", "over", "too_late"):
                raise
        except ConnectionGone:
            pass  # it is noticed and said where the server is listened to


def _take_up(server: TourConnection, page: TourScreen, sheet: Sheet) -> TourShown | None:
    """The tour of this name that is not over, if there is one. Raises BadSheet."""
    plan = sheet.plan()
    ours = [
        line.tour
        for line in server.tours()
        if line.name == plan.name and line.owner is None and line.status not in TOUR_OVER
    ]
    if not ours:
        return None
    shown = server.shown(ours[-1])
    if shown.plan != plan:
        raise BadSheet(
            f"Tour {ours[-1]} is called {plan.name} too and is not over, but is not as the file "
            "has it: end it, or take another name."
        )
    page.say(f"Taking up tour {ours[-1]} again ({shown.line.name}).", "bold")
    return shown


def _open(server: TourConnection, page: TourScreen, sheet: Sheet) -> TourShown:
    shown = open_tour(server, sheet.plan(), sheet.code)
    announce(page, shown)
    return shown


def _leave(page: TourScreen, tour: TourId, file: Path, place: TourServer) -> None:
    flags = place.flags()
    page.say(f"Tour {tour} stays on the server. Go on with: rookery tour run {file}{flags}")


def _settled(server: TourConnection, tour: TourId) -> KnownTour:
    """The tour once it is over, however often the server goes away meanwhile."""
    while True:
        try:
            shown = server.shown(tour)
            return known(shown, server.matches(tour))
        except ConnectionGone:
            server.come_back()


def _write(page: TourScreen, sheet: Sheet, now: KnownTour) -> None:
    for file, kind, matches in sheet.files():
        write(file, exported(now, kind, matches=matches))
        page.say(f"Written: {file}")
