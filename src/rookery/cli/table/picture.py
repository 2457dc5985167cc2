"""A table drawn for a terminal, and what happened at it in words."""

from typing import Final

from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.cli.drawing import told as as_told
from rookery.cli.drawing.look import SEAT_STYLES
from rookery.cli.table.effects import effect_words
from rookery.cli.table.words import clock_words, event_words
from rookery.clients.native.table import KnownTable
from rookery.clients.native.words import Told
from rookery.core.events import Out, Played, Started
from rookery.core.ids import Seat

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
