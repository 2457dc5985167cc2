"""`rookery play`: a game against somebody, in the terminal."""

from getpass import getuser
from typing import Final

import click

from rookery.cli.connection.accounts import passphrase_for, sign_in
from rookery.cli.connection.address import at_option, parse_address
from rookery.cli.options import WholeNumber, say_clock, words_option
from rookery.cli.table.connection import TableConnection
from rookery.cli.table.playing import PlayWish, TerminalPlayer
from rookery.cli.terminal.output import Output
from rookery.core.clock import clock_for
from rookery.core.errors import BadOption
from rookery.core.ids import TableId
from rookery.core.options import make_variant, split_options
from rookery.games import find_game, format_variant

NAMELESS: Final = "guest"

_EXAMPLES: Final = """\b
Examples:
  rookery play tictactoe                    with the first who wants the same
  rookery play reversi --bot 3              with a bot of the server, at once
  rookery play reversi -o size=10 --time 5m+3s
  rookery play fish --seats 3 --name ann
  rookery play bughouse --table 7 --unicode
  rookery play fish --account ann           as who keeps that name
  rookery play nim --at games.example.org:7350 < moves.txt
"""


@click.command(short_help="Play a game in the terminal.", epilog=_EXAMPLES)
@click.argument("game")
@words_option
@click.option(
    "--time", default=None, metavar="CLOCK", help="Like 5m+3s or 10s/move; no clock if not said."
)
@click.option("--seats", type=int, help="How many play; the fewest if not said.")
@click.option("--table", type=WholeNumber(1), help="Sit down at this table.")
@click.option("--open", "fresh", is_flag=True, help="Open a new table, whoever else is waiting.")
@click.option(
    "--bot", type=WholeNumber(1, 5), metavar="LEVEL", help="Play the server's bots, 1 to 5."
)
@click.option("--no-bots", is_flag=True, help="Wait for people, however long it takes.")
@click.option("--takebacks", is_flag=True, help="Let moves be taken back where both agree.")
@click.option("--name", help="What you are called; your login name if not said.")
@click.option("--account", metavar="NAME", help="Play as who keeps this name; asks its passphrase.")
@at_option
@click.option("--unicode", is_flag=True, help="Draw chess pieces as figures, not letters.")
def command(
    *,
    game: str,
    words: tuple[str, ...],
    time: str | None,
    seats: int | None,
    table: int | None,
    fresh: bool,
    bot: int | None,
    no_bots: bool,
    takebacks: bool,
    name: str | None,
    account: str | None,
    at: str,
    unicode: bool,
) -> None:
    """Play GAME with whoever else wants to; `rookery games` lists what there is.

    It waits until somebody has sat down opposite, draws the board after every move and
    asks for yours; ? lists what else can be typed. On a terminal the clocks stand before the
    prompt, and run. When the connection drops, it comes back by itself. Ctrl-C or Ctrl-D
    leave the table, which loses a running game.

    Moves can come from a pipe: each is read when it is your turn, and its end leaves.
    """
    house = 0 if no_bots else bot
    given = (words or None, time, seats, fresh or None, house, takebacks or None)
    if table is not None and any(one is not None for one in given):
        raise BadOption("A table has its own options: only --table, or none of it.")
    if no_bots and bot is not None:
        raise BadOption("Either a bot or no bots: only one of --bot and --no-bots.")
    clock = str(clock_for(time or "none", find_game(game)()))
    variant = format_variant(make_variant(find_game(game), game, split_options(words)))
    say_clock(time or "none")
    wanted = None if table is None else TableId(table)
    wish = PlayWish(game, variant, clock, seats, wanted, fresh, parse_address(at), house, takebacks)
    output = Output()
    if account is not None and name is not None:
        raise BadOption("An account has its own name: only one of --name and --account.")
    me = None if account is None else sign_in(wish.at, account, passphrase_for(account))
    server = TableConnection(output, wish.at, account or name or _login_name(), me)
    TerminalPlayer(output, server, wish, unicode=unicode).run()


def _login_name() -> str:
    try:
        return getuser()
    except (OSError, KeyError, ImportError):
        return NAMELESS  # a container without users
