"""A tour as it goes on: one picture that changes on a terminal, a line an event in a pipe.

News tell what happened. The client asks for the standing a few times a second at the most,
and spends no more than a tenth of the time on it, so that looking on does not slow a large
tour down. When the server goes away the client waits for it, and tells what happened meanwhile.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec.structs import replace
from rich.live import Live
from rich.text import Text

from rookery.cli.connection.server import ConnectionGone
from rookery.cli.connection.tours import TourConnection
from rookery.cli.terminal.output import clean
from rookery.cli.terminal.screen import screen
from rookery.cli.tours.known import KnownTour, heard, known
from rookery.cli.tours.picture import Size, picture, title
from rookery.cli.tours.words import result_words, tour_words
from rookery.core.events import MatchBegun, Paired, Parted, Partnered, TourEnded, TourOpened
from rookery.core.ids import MICROS_A_SECOND, Micros, TourId, TourStatus

POLL: Final = 5.0  # seconds after which a tour is asked for, though there is no news
PAUSE: Final = 0.3  # seconds between two pictures
SHARE: Final = 10  # times as long as the last answer took, where that is longer
TICK: Final = 1.0  # seconds between two pictures where only a clock runs
# No news to a person in a pipe: results are told, and the end is what is written last.
QUIET: Final = (MatchBegun, Paired, Parted, Partnered, TourEnded, TourOpened)


class TourScreen:
    """Standard output: a picture that changes on a terminal, lines elsewhere."""

    def __init__(self) -> None:
        self._console = screen()
        self._live: Live | None = None

    @property
    def terminal(self) -> bool:
        """Whether the output is a terminal, at which a person looks on."""
        return self._console.is_terminal

    def say(self, text: str, style: str = "") -> None:
        """A line, or several; above the picture where there is one."""
        self._console.print(Text(clean(text), style), soft_wrap=True)

    def draw(self, now: KnownTour, left: Micros | None) -> None:
        """Draw the tour as it stands now over the last picture, while that is on."""
        if self._live is not None:
            size = Size(self._console.width, self._console.height)
            self._live.update(picture(now, size, left, bar=True), refresh=True)

    def print(self, now: KnownTour, left: Micros | None = None) -> None:
        """Print the tour as it stands, to stay on the screen."""
        size = Size(self._console.width)
        self._console.print(picture(now, size, left, bar=self.terminal))

    @contextmanager
    def on(self) -> Iterator[None]:
        """While this lasts, `draw` draws, on a terminal."""
        if not self.terminal:
            yield
            return
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            self._live = live
            try:
                yield
            finally:
                self._live = None


class TourWatch:
    """Listens to a tour, and keeps what it hears."""

    def __init__(self, server: TourConnection, show: TourScreen, tour: TourId) -> None:
        self._server = server
        self._show = show
        self._tour = tour
        self._stale = False  # something happened since the tour was last asked for
        self._due = 0.0  # when it may be asked for again
        self._seen = 0.0  # when it was
        self.now = self._look()

    @property
    def left(self) -> Micros | None:
        """The microseconds left of the format's time; None where it has none."""
        shown = self.now.shown
        if shown.left is None or shown.line.status != TourStatus.RUNNING:
            return shown.left
        gone = int((time.monotonic() - self._seen) * MICROS_A_SECOND)
        return max(0, shown.left - gone)

    def step(self, *also: int, seconds: float | None = None) -> list[int]:
        """Take in the next news, waiting for them this long; returns which files are ready."""
        before = self.now
        if time.monotonic() - self._seen >= POLL:
            self._stale = True  # nothing may ever come of what was missed: look now and then
        try:
            self._hear()
            if self._stale and time.monotonic() >= self._due:
                self._refresh()
                self._hear()  # what came before the answer
            if not self._stale:
                self._show.draw(self.now, self.left)
            if self.now.over or self.now is not before:
                return []  # a caller that waits for this change must see it before it waits on
            return self._server.wait(self._patience(seconds), *also)
        except ConnectionGone:
            self._come_back()
            return []

    def follow(self) -> None:
        """Show the tour until it is over, and then print how it came out."""
        if not (self._show.terminal or self.now.over):
            self._show.say(title(self.now, self.left).plain)
        try:
            with self._show.on():
                while not self.now.over:
                    self.step()
        finally:
            self._show.print(self.now, self.left)
        self._show.say(self.now.outcome(), "bold")

    def _look(self) -> KnownTour:
        shown = self._server.watch(self._tour)
        matches = self._server.matches(self._tour) if shown.line.matches else ()
        self._seen = time.monotonic()
        return known(shown, matches)

    def _hear(self) -> None:
        while (news := self._server.news()) is not None:
            if news.tour != self._tour or news.n <= self.now.n:
                continue
            self._stale = True
            if not (self._show.terminal or isinstance(news.event, QUIET)):
                self._show.say(tour_words(news.event, self.now))
            self.now = heard(self.now, news.n, news.event)

    def _refresh(self) -> None:
        began = time.monotonic()
        self.now = replace(self.now, shown=self._server.shown(self._tour))
        self._seen = time.monotonic()
        self._due = self._seen + max(PAUSE, SHARE * (self._seen - began))
        self._stale = False

    def _patience(self, seconds: float | None) -> float | None:
        moments = [POLL] if seconds is None else [POLL, seconds]
        if self._stale:
            moments.append(max(0.0, self._due - time.monotonic()))
        elif self._show.terminal and self.left is not None:
            moments.append(TICK)
        return min(moments, default=None)

    def _come_back(self) -> None:
        before = self.now
        while True:
            try:
                self._server.come_back()
                self.now = self._look()
                break
            except ConnectionGone:
                continue
        if self._show.terminal:
            return
        known_before = {line.match for line in before.matches if line.result is not None}
        for line in self.now.matches:
            if line.result is not None and line.match not in known_before:
                self._show.say(result_words(line.match, line.result, self.now))
        self._show.say(title(self.now).plain)
