"""`rookery bot`: one of the levels as a client, in any language that has its game."""

import secrets
from string import ascii_lowercase
from typing import Final

import click

from rookery.bots import BEST, level_of
from rookery.bots.programs import parse_command
from rookery.cli.bot import PILOTS
from rookery.cli.bot.flight import Flight
from rookery.cli.bot.mind import LevelMind, Mind
from rookery.cli.bot.pilot import Wish
from rookery.cli.bot.program_mind import ProgramMind
from rookery.cli.client import HOST, PORT, parse_address
from rookery.cli.stage import Stage
from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.timecontrol import parse_time_control
from rookery.games import Variant, format_variant, parse_variant
from rookery.hall.languages import can_play

NATIVE: Final = "native"
NAMELESS: Final = "othello"  # the one language without names
USUAL: Final = {"blackwhite": "reversi size=10"}  # where it is not the game's own default
LONGEST: Final = {"fishcom": 12}  # letters of a name
NAME_MAX: Final = 40
FORBIDDEN: Final = {"blackwhite": "[]#", "bughouse": ":#", "tourney": ":"}  # in a name
SEEDS: Final = 1 << 32

_EXAMPLES: Final = """\b
Examples:
  rookery bot 3 --game reversi
  rookery bot 5 --game "reversi size=10" --time 5m+3s --name deep
  rookery bot 2 --game fish --dialect fishcom --at games.example.org:7350
  rookery bot 4 --game nim --dialect tourney --at 127.0.0.1:1350
  rookery bot 1 --game tictactoe --tour KXQTW
  rookery bot --program "python mybot.py" --game nim
"""


@click.command(short_help="Let a bot play as a client.", epilog=_EXAMPLES)
@click.argument("level", required=False)
@click.option("--game", "text", required=True, metavar="GAME", help='Like nim or "reversi size=6".')
@click.option(
    "--at", default=f"{HOST}:{PORT}", show_default=True, metavar="HOST:PORT", help="The server."
)
@click.option(
    "--dialect",
    type=click.Choice(list(PILOTS)),
    default=NATIVE,
    show_default=True,
    help="The language it speaks.",
)
@click.option("--program", metavar="COMMAND", help='Instead of a level, like "python bot.py".')
@click.option("--name", help="What it is called; a name is drawn if not said.")
@click.option("--tour", "code", default="", metavar="CODE", help="Join this tour, and play it.")
@click.option("--games", type=click.IntRange(1), help="Stop after so many; never if not said.")
@click.option("--seed", type=int, help="Draw the same chances again.")
@click.option("--time", metavar="CLOCK", help="Only with this clock, like 5m+3s; any if not said.")
@click.option("--seats", type=int, help="Only with so many players.")
def command(
    *,
    level: str | None,
    program: str | None,
    text: str,
    at: str,
    dialect: str,
    name: str | None,
    code: str,
    games: int | None,
    seed: int | None,
    time: str | None,
    seats: int | None,
) -> None:
    """Play GAME at LEVEL, 1 (a beginner) to 5, or with a program, against whoever comes.

    After each game it looks for the next. When the server goes away it calls again until it
    is back, and takes up its seat; Ctrl-C leaves the game and ends it.
    """
    game = _game(text, dialect)
    player = _player(level, program, game)
    _check_table(dialect, code, time, seats)
    clock = None if time is None else str(parse_time_control(time))
    wish = Wish(game, _name(name, dialect), code, clock, seats)
    address, stage = parse_address(at), Stage()
    mind: Mind = (
        LevelMind(player, Chance(secrets.randbelow(SEEDS) if seed is None else seed))
        if isinstance(player, int)
        else ProgramMind(player, wish.name)
    )
    flight = Flight(stage, PILOTS[dialect](wish), mind, games)
    known = "A bot" if dialect == NAMELESS else wish.name
    how = f"at level {player}" if isinstance(player, int) else f"by {player[0]}"
    stage.say(f"{known} plays {format_variant(game)} {how} at {address}, in {dialect}.")
    try:
        flight.run(address)
    finally:
        flight.close()


def _player(level: str | None, program: str | None, game: Variant) -> int | tuple[str, ...]:
    """A level, or the words of a command. Raises BadOption, ProgramFailed."""
    if level is not None and program is None:
        return _level(level, game)
    if program is not None and level is None:
        return parse_command(program)
    raise BadOption("A bot has a level, like 3, or a --program: one of them.")


def _level(text: str, game: Variant) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise BadOption(f"A level is a whole number from 1 to {BEST}, not {text[:40]!r}.")
    level_of(game.name, int(text))
    return int(text)


def _game(text: str, dialect: str) -> Variant:
    """The variant; of a game alone the one that the language has. Raises BadOption."""
    usual = USUAL.get(dialect, "")
    game = parse_variant(usual if text == usual.partition(" ")[0] else text)
    if not can_play(dialect, game):
        others = ", ".join(other for other in PILOTS if can_play(other, game))
        raise BadOption(f"{dialect} has no words for {format_variant(game)}; these do: {others}.")
    return game


def _check_table(dialect: str, code: str, time: str | None, seats: int | None) -> None:
    """Raise BadOption where the language, or the tour, leaves nothing to choose."""
    if code and dialect == NAMELESS:
        raise BadOption("othello has no words for tours: call the tour's own port, without --tour.")
    if time is None and seats is None:
        return
    if dialect != NATIVE:
        raise BadOption(f"In {dialect} nobody chooses --time or --seats; native can.")
    if code:
        raise BadOption("A tour has its own clock and seats: only --tour, or none of it.")


def _name(name: str | None, dialect: str) -> str:
    """What was given, if the language can carry it, or a drawn one. Raises BadOption."""
    if name is None:
        return "bot" + "".join(secrets.choice(ascii_lowercase) for _ in range(5))
    most, never = LONGEST.get(dialect, NAME_MAX), FORBIDDEN.get(dialect, "")
    if not 1 <= len(name) <= most or not name.isprintable() or set(name) & set(never):
        without = f" and none of {' '.join(never)}" if never else ""
        raise BadOption(f"A name in {dialect} has 1 to {most} printable characters{without}.")
    return name
