"""A table drawn for a terminal: its board, its clocks, and what happened at it in words.

Nothing here reads the time: callers pass it in. Between two pieces of news the clocks of the
seats to act run on from what was told; the next news correct them by the server's own. An effect
of a move has its own words, and one that a drawing shows anyway has none.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.cli.drawing import told as as_told
from rookery.cli.drawing.look import SEAT_STYLES
from rookery.cli.table.words import clock_words, event_words
from rookery.clients.native.players import Players
from rookery.clients.native.table import KnownTable
from rookery.clients.native.words import Told
from rookery.core.clock import Budget, parse_time_control
from rookery.core.events import Out, Played, Started
from rookery.core.game import AnyEffect, Aside, Effect
from rookery.core.ids import MICROS_A_SECOND, Micros, Seat, Status


def effect_words(effects: Iterable[AnyEffect], players: Players) -> list[str]:
    """The words of these effects, in order; several of a kind become one count where they can."""
    known = [effect for effect in effects if isinstance(effect, Effect)]
    kinds = Counter(type(effect) for effect in known)
    words = []
    for effect in known:
        if effect.many and kinds[type(effect)] > 1:
            words.append(effect.many.format(kinds[type(effect)]))
        else:
            words.append(effect.words(players.who))
    return list(dict.fromkeys(filter(None, words)))


def heard_by_all(effects: Iterable[Effect | Aside]) -> tuple[AnyEffect, ...]:
    """The effects of a game's step that are for everyone."""
    return tuple(effect for effect in effects if not isinstance(effect, Aside))


TICK: Final = 1.0  # seconds between two looks at a clock
NAME_MAX: Final = 12  # characters of a name beside its clock


class Ticking:
    """Remembers when the last news of a table came, to run its clocks on."""

    def __init__(self) -> None:
        self._told: KnownTable | None = None
        self._since = 0.0

    def at(self, known: KnownTable, now: float) -> KnownTable:
        """The table with its clocks as they stand now, in seconds of any one clock."""
        if known is not self._told:
            self._told, self._since = known, now
        return run_on(known, int((now - self._since) * MICROS_A_SECOND))


def ticks(known: KnownTable) -> bool:
    """Whether a clock runs there."""
    return known.left is not None and bool(known.to_act) and known.status == Status.PLAYING


def run_on(known: KnownTable, gone: Micros) -> KnownTable:
    """The table with its clocks run on by the microseconds gone since its last news."""
    if known.left is None or not ticks(known):
        return known
    control = parse_time_control(known.time)
    delay = control.delay if isinstance(control, Budget) else 0
    left = []
    for seat, told in enumerate(known.left):
        # Who was thinking before the last news too has used up what is free.
        free = 0 if seat in known.thinking else delay
        used = max(0, gone - free) if seat in known.to_act else 0
        left.append(max(0, told - used))
    return replace(known, left=tuple(left))


def clocks(known: KnownTable) -> str:
    """All clocks in a line, each with its name, `>` before those that run."""
    shown = []
    for seat, left in enumerate(known.left or ()):
        called = known.players.names[seat] or known.players.seat(Seat(seat))
        name = "you" if seat == known.mine else called[:NAME_MAX]
        shown.append(f"{'>' if seat in known.to_act else ' '}{name} {clock_words(left)} ")
    return "".join(shown)


_BOARD_EVENTS: Final = (Started, Played, Out)  # those after which there is something to look at


def sentence(known: KnownTable, told: Told) -> str:
    """The news of a table as a sentence; `known` is the table before them."""
    effects, event, game = effect_words(told.effects, known.players), told.event, known.players.game
    if isinstance(event, Played) and event.move:
        event = replace(event, move=as_told(game, known.view, event.move))
    return event_words(event, known.players, effects)


def worth_a_look(told: Told) -> bool:
    """Whether there is a new board to draw after this."""
    return isinstance(told.event, _BOARD_EVENTS)


def picture(known: KnownTable, moves: tuple[str, ...] = (), *, unicode: bool = False) -> Text:
    """The table from above: its title, who sits where with what on the clock, and the board."""
    clock = "" if known.time == "none" else f", {known.time}"
    drawn = Text.assemble((f"Table {known.table}: {known.variant}{clock}", "bold"))
    names = [name or "(free)" for name in known.players.names]
    seats = [known.players.seat(Seat(n)) for n in range(len(names))]
    width, wide = max(map(cell_len, seats)), max(map(cell_len, names))
    for n, (seat, name) in enumerate(zip(seats, names, strict=True)):
        drawn.append("\n> " if n in known.to_act else "\n  ")
        style = SEAT_STYLES[n % len(SEAT_STYLES)]
        drawn.append(seat + " " * (width - cell_len(seat)), style)
        drawn.append(f"  {name}{' ' * (wide - cell_len(name))}")
        if known.left is not None:
            drawn.append(f"  {clock_words(known.left[n]):>7}")
        if n == known.mine:
            drawn.append("  (you)", "dim")
    if known.view is not None:
        last = tuple(move for _, move in known.last)
        look = Look(known.mine, moves, last, unicode, known.players.names)
        drawn.append("\n\n").append_text(draw(known.view, look))
    return drawn
