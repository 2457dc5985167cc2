"""`rookery games`: every game of the registry, what it is and what can be set.

Nothing about a game is written here: seats, options and the line that says what it is are
the game's own.
"""

from typing import Final

import click
import msgspec
from msgspec import Struct
from rich.table import Table

from rookery.bots import thinking_of
from rookery.cli.terminal.screen import screen
from rookery.core.options import Option, options_of
from rookery.core.presentation import shown_of
from rookery.games import GAMES

_RANDOM: Final = "move at random at every level: it does not say how to imagine what is hidden"
_HINT: Final = "Set an option with -o, as in: rookery perft reversi -o size=10 --depth 3"


class Listed(Struct, frozen=True):
    """One game as it is listed, for people and for programs."""

    name: str
    seats: tuple[int, ...]
    summary: str
    options: tuple[Option, ...]
    bots: str  # how levels 2 to 5 play it: `own` bots, by `search`, or at `random`


@click.command(short_help="List every game with its options.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(*, as_json: bool) -> None:
    """List every game: how many play it, what it is, its options and their defaults."""
    games = listed()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(games), indent=2))
        return
    console = screen()
    console.print(_table(games))
    console.print()
    console.print(_HINT, style="dim")


def listed() -> tuple[Listed, ...]:
    """Every game, in the order of the registry."""
    return tuple(
        Listed(
            name,
            tuple(game.seat_counts),
            shown_of(game).about,
            options_of(game),
            thinking_of(name),
        )
        for name, game in GAMES.items()
    )


def seats_text(seats: tuple[int, ...]) -> str:
    """`2 seats`, or `2 to 4 seats`."""
    return f"{seats[0]} seats" if len(seats) == 1 else f"{seats[0]} to {seats[-1]} seats"


def _table(games: tuple[Listed, ...]) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="bold cyan", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for game in games:
        table.add_row(game.name, seats_text(game.seats), game.summary)
        for option in game.options:
            table.add_row("", f"{option.name}={option.default}", option.description, style="dim")
        if game.bots == "random":
            table.add_row("", "bots", _RANDOM, style="dim")
    return table
