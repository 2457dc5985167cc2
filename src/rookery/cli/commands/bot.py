"""`rookery bot`: one of the levels as a client, in any language that has its game."""

import secrets
from contextlib import closing
from string import ascii_lowercase
from typing import Final

import click

from rookery.bots import BEST, level_of
from rookery.bots.programs import parse_command
from rookery.cli.bot import PILOTS
from rookery.cli.bot.mind import LevelMind, Mind
from rookery.cli.bot.pilot import BotWish
from rookery.cli.bot.playing import BotGames
from rookery.cli.bot.program_mind import ProgramMind
from rookery.cli.connection.address import at_option, parse_address
from rookery.cli.options import WholeNumber, check_words, say_clock
from rookery.cli.terminal.output import Output
from rookery.core.chance import Chance
from rookery.core.clock import clock_for
from rookery.core.errors import BadOption
from rookery.core.manners import NAME_MAX, OWN
from rookery.dialects import LANGUAGES
from rookery.games import AnyGame, format_variant, parse_variant
from rookery.hall.tours.newcomers import is_like_a_code

SEEDS: Final = 1 << 32

_EXAMPLES: Final = """\b
Examples:
  rookery bot 3 --game reversi
  rookery bot 5 --game "reversi size=10" --time 5m+3s --name deep
  rookery bot 2 --game fish --dialect fishcom --at games.example.org:7350
  rookery bot 4 --game nim --dialect tourney --at 127.0.0.1:1350
  rookery bot 1 --game tictactoe --tour KXQTW
  rookery bot 1 --game tictactoe --open-tour 2
  rookery bot 3 --game bughouse --tour KXQTW --team owls
  rookery bot 4 --game reversi --dialect blackwhite --room den
  rookery bot --program "python mybot.py" --game nim
"""


@click.command(short_help="Let a bot play as a client.", epilog=_EXAMPLES)
@click.argument("level", required=False)
@click.option("--game", "text", required=True, metavar="GAME", help='Like nim or "reversi size=6".')
@at_option
@click.option(
    "--dialect",
    type=click.Choice(list(PILOTS)),
    default=OWN,
    show_default=True,
    help="The language it speaks.",
)
@click.option("--program", metavar="COMMAND", help='Instead of a level, like "python bot.py".')
@click.option("--name", help="What it is called; a name is drawn if not said.")
@click.option("--tour", "code", default="", metavar="CODE", help="Join this tour, and play it.")
@click.option(
    "--open-tour", type=WholeNumber(1), help="Join this tour without a code, by its number."
)
@click.option("--team", default="", help="Its team, in a tour of teams.")
@click.option("--room", default="", help="Play in this room, where a language has rooms.")
@click.option("--games", type=WholeNumber(1), help="Stop after so many; never if not said.")
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
    open_tour: int | None,
    team: str,
    room: str,
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
    clock = None if time is None else str(clock_for(time, game))
    wish = BotWish(game, _name(name, dialect), code, clock, seats, team, room, open_tour)
    _check_table(dialect, wish)
    _check_company(dialect, wish)
    address, output = parse_address(at), Output()
    say_clock(time or "none")
    bot = BotGames(output, PILOTS[dialect](wish), _mind(player, seed, wish.name), games)
    manners = LANGUAGES[dialect]
    known = wish.name if manners.named else "A bot"
    how = f"at level {player}" if isinstance(player, int) else f"by {player[0]}"
    output.say(f"{known} plays {format_variant(game)} {how} at {address}, in {dialect}.")
    if code and manners.untold and not is_like_a_code(code):
        output.say(
            f"In {dialect} nobody is told that a code so short is wrong: it is a part of the name "
            "then, and the games are no tour's."
        )
    with closing(bot):
        bot.run(address)


def _mind(player: int | tuple[str, ...], seed: int | None, name: str) -> Mind:
    if isinstance(player, int):
        return LevelMind(player, Chance(secrets.randbelow(SEEDS) if seed is None else seed))
    return ProgramMind(player, name)


def _player(level: str | None, program: str | None, game: AnyGame) -> int | tuple[str, ...]:
    """A level, or the words of a command. Raises BadOption, ProgramFailed."""
    if level is not None and program is None:
        return _level(level, game)
    if program is not None and level is None:
        return parse_command(program)
    raise BadOption("A bot has a level, like 3, or a --program: one of them.")


def _level(text: str, game: AnyGame) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise BadOption(f"A level is a whole number from 1 to {BEST}, not {text[:40]!r}.")
    level_of(game.name, int(text))
    return int(text)


def _game(text: str, dialect: str) -> AnyGame:
    """The variant; of a game alone the one that the language has. Raises BadOption."""
    usual = LANGUAGES[dialect].usual
    game = parse_variant(usual if text == usual.partition(" ")[0] else text)
    check_words(dialect, game)
    return game


def _check_table(dialect: str, wish: BotWish) -> None:
    """Raise BadOption where the language, the room or the tour has its own clock and seats."""
    if wish.time is None and wish.seats is None:
        return
    if not LANGUAGES[dialect].terms:
        raise BadOption(f"In {dialect} nobody chooses --time or --seats; {OWN} can.")
    if wish.in_tour:
        raise BadOption("A tour has its own clock and seats: only --tour, or none of it.")
    if wish.room and wish.seats is not None:
        raise BadOption("A room has as few seats as its game can have: --room without --seats.")


def _check_company(dialect: str, wish: BotWish) -> None:
    """Raise BadOption where the language has no words for the tour, the team or the room."""
    if wish.open_tour is not None:
        _check_open(dialect, wish)
    if wish.code and not LANGUAGES[dialect].joins:
        sentence = f"{dialect} has no words for tours: call the tour's own port, without --tour."
        raise BadOption(sentence)
    if wish.team and not LANGUAGES[dialect].teams:
        teamed = " and ".join(one.name for one in LANGUAGES if one.teams)
        raise BadOption(f"In {dialect} nobody has a --team; {teamed} can.")
    if wish.team and not wish.in_tour:
        raise BadOption("A team is one of a tour: --team goes with --tour.")
    if wish.room and not LANGUAGES[dialect].rooms:
        roomed = " and ".join(one.name for one in LANGUAGES if one.rooms)
        raise BadOption(f"In {dialect} there is no --room; {roomed} have some.")
    if wish.room and wish.in_tour:
        raise BadOption("A tour's matches are not in a room: --tour or --room, not both.")
    if wish.team:
        _check_words("team", wish.team, dialect, NAME_MAX)
    if wish.room:
        _check_words("room", wish.room, dialect, NAME_MAX)


def _check_open(dialect: str, wish: BotWish) -> None:
    """Raise BadOption where the language cannot join a tour by its number."""
    if wish.code:
        raise BadOption("A tour has a code or is open: --tour or --open-tour, not both.")
    if not LANGUAGES[dialect].tours:
        raise BadOption(f"In {dialect} a tour is joined by its code alone; {OWN} has --open-tour.")
    if dialect != OWN:
        sentence = f"In {dialect} a bot joins what is open by itself: leave out --open-tour."
        raise BadOption(sentence)


def _name(name: str | None, dialect: str) -> str:
    """The name that was given, if the dialect can carry it, or a drawn one. Raises BadOption."""
    if name is None:
        return "bot" + "".join(secrets.choice(ascii_lowercase) for _ in range(5))
    _check_words("name", name, dialect, LANGUAGES[dialect].name_max)
    return name


def _check_words(what: str, words: str, dialect: str, most: int) -> None:
    """Raise BadOption where the language cannot carry these words."""
    never = LANGUAGES[dialect].never_in_names
    if not 1 <= len(words) <= most or not words.isprintable() or set(words) & set(never):
        without = f" and none of {' '.join(never)}" if never else ""
        raise BadOption(f"A {what} in {dialect} has 1 to {most} printable characters{without}.")
