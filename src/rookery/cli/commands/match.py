"""`rookery match`: let players meet again and again, and say which is the stronger.

Every game is in a log of the match's folder, which `rookery replay` and `rookery verify`
read like a server's. Ctrl-C stops; the same folder goes on.
"""

import contextlib
import os
import secrets
from datetime import datetime
from pathlib import Path
from typing import Final

import click
import msgspec

from rookery.arena.players.player_pool import check_players
from rookery.arena.setup import (
    GAMES,
    JOBS_MAX,
    LOG_FILE,
    OPENING,
    SETUP_FILE,
    BadMatch,
    Setup,
    checked,
    read_setup,
    same_match,
    variant_with,
    with_openings,
    write_setup,
)
from rookery.arena.statistics import Sprt
from rookery.cli import INTERRUPTED
from rookery.cli.options import WholeNumber, say_clock, words_option
from rookery.core.errors import BadOption
from rookery.core.options import ours, split_options
from rookery.server.datadir import FOLDER_MODE, close_to_others

STDOUT: Final = "-"
TIME: Final = "1s+0.1s"
_TEST: Final = ("elo0=", "elo1=", "alpha=", "beta=")

_EXAMPLES: Final = """\b
Examples:
  rookery match 3 4 --game reversi
  rookery match ./mybot level3 --game nim --games 200 --time 1s+0.1s
  rookery match "python new.py" "python old.py" --game fish --sprt elo0=0 elo1=20
  rookery match "new=python bot.py" "old=python v1/bot.py" --game nim     with names
  rookery match 3 4 --game bughouse             each level as a team of two
  rookery match 5 3 4 4 --game bughouse         5 and 3 against 4 and 4
  rookery match localhost:9000 level2 --game guess
  rookery match --resume matches/nim-1          go on after Ctrl-C or a crash
  rookery replay 7 --data matches/nim-1         a game again

\b
Exit codes: 0 all was played or decided, 1 a file failed, 2 the command was wrong,
130 Ctrl-C.
"""


@click.command(short_help="Match players against each other.", epilog=_EXAMPLES)
@click.argument("players", nargs=-1)
@click.option("--game", metavar="GAME", help="What is played, like nim or 'reversi size=6'.")
@words_option
@click.option("--games", type=int, default=None, help=f"How many games.  [default: {GAMES}]")
@click.option("--time", "clock", metavar="CLOCK", help=f"The clock, or none.  [default: {TIME}]")
@click.option("--jobs", type=int, help="Games at once; if not said, one a processor.")
@click.option(
    "--opening",
    type=int,
    help=f"Moves drawn at the start, {OPENING} if not said; in {', '.join(with_openings())}.",
)
@click.option("--sprt", metavar="TEST", help="Stop when a test decides, like elo0=0 elo1=20.")
@click.option("--seed", type=WholeNumber(0, (1 << 63) - 1), help="Draw the same chances again.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the log goes; a new folder in matches if not said.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Go on with the match in this folder.",
)
@click.option(
    "--json", "file", metavar="FILE", help="Write the result as JSON; - is standard output."
)
def command(
    *,
    players: tuple[str, ...],
    game: str | None,
    words: tuple[str, ...],
    games: int | None,
    clock: str | None,
    jobs: int | None,
    opening: int | None,
    sprt: str | None,
    seed: int | None,
    out: Path | None,
    resume: Path | None,
    file: str | None,
) -> None:
    """Let PLAYERS meet, each start from every seat, and say who is stronger.

    A player is a level (level3, or 3), a command that speaks the words of docs/programs.md
    on its standard input and output, or host:port where such a program listens. NAME=PLAYER
    gives it a name; else a command is called by its file and what follows it.
    """
    check_writable(file)
    players, test = split_test(players, sprt)
    asked = None
    if players or game is not None or resume is None:
        if game is None:
            raise BadMatch("Say who plays, and what: rookery match 3 4 --game nim, for example.")
        asked = checked(
            Setup(
                players=players,
                variant=variant_with(" ".join((game, *words)), opening),
                games=default_games(len(players)) if games is None else games,
                time=TIME if clock is None else clock,
                jobs=default_jobs() if jobs is None else jobs,
                seed=secrets.randbits(63) if seed is None else seed,
                key=secrets.token_urlsafe(18),
                sprt=None if test is None else read_sprt(test),
            )
        )
        look_over(asked, clock)
    elif words or out or {games, clock, jobs, opening, test, seed} != {None}:
        raise BadMatch("A match goes on as it began: --resume takes only --json beside it.")
    folder = resume or out or fresh_folder(Path("matches"), _short(asked))
    setup = open_folder(folder, asked, resumed=resume is not None)
    if not play_in(folder, setup, file, fresh=setup is asked):
        raise click.exceptions.Exit(INTERRUPTED)


def look_over(asked: Setup, clock: str | None) -> None:
    """See that everyone can play, and say what the clock was taken for. Raises Mistake."""
    check_players(asked.players)
    say_clock(clock or TIME)


def play_in(folder: Path, setup: Setup, file: str | None, *, fresh: bool) -> bool:
    """Play the match in this folder; returns whether it came to its end. Raises Mistake."""
    from rookery.cli.match_report import play  # `--help` should not load a hall

    try:
        return play(setup, folder, file)
    except BadMatch:
        if fresh:  # nothing was played, and the next try may be another match
            clear_folder(folder)
        raise


def check_writable(file: str | None) -> None:
    """Find out before the match, not after it. Raises BadMatch."""
    if file is None or file == STDOUT:
        return
    if Path(file).is_dir():
        raise BadMatch(f"{file!r} is a folder, and not the name of a file.")
    if not os.access(Path(file).absolute().parent, os.W_OK):
        raise BadMatch(f"The folder of {file!r} cannot be written to.")


def default_jobs() -> int:
    """As many games at once as there are processors."""
    return min(os.cpu_count() or 1, JOBS_MAX)


def default_games(players: int) -> int:
    """A hundred, or a little less where they must be shared by three."""
    return GAMES - GAMES % max(1, players)


def split_test(words: tuple[str, ...], sprt: str | None) -> tuple[tuple[str, ...], str | None]:
    """Players, and the whole of a test that was written without quotes, `--sprt elo0=0 elo1=5`."""
    if sprt is None:
        return words, None
    more = [word for word in words if word.startswith(_TEST)]
    return tuple(word for word in words if word not in more), " ".join((sprt, *more))


def read_sprt(text: str) -> Sprt:
    """The test that `elo0=0 elo1=20 alpha=0.05` means. Raises BadOption."""
    wrong = BadOption(f"A test is written like elo0=0 elo1=20 alpha=0.05 beta=0.05, not {text!r}.")
    try:
        values = {name: float(value) for name, value in split_options(text.split()).items()}
        return msgspec.convert(values, Sprt, strict=True)
    except msgspec.ValidationError as bad:
        raise ours(bad, BadOption) or wrong from None
    except ValueError:
        raise wrong from None


def open_folder(folder: Path, asked: Setup | None, *, resumed: bool) -> Setup:
    """The match in this folder, if it is the one asked for, or a new one. Raises Mistake."""
    close_to_others(folder)
    if (folder / SETUP_FILE).exists() or resumed:
        there = checked(read_setup(folder))
        if asked is not None:
            same_match(asked, there)
        return there
    assert asked is not None, "what is not resumed was asked for"
    if (folder / LOG_FILE).exists():
        raise BadMatch(f"{folder} has the log of something else: choose another folder.")
    folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    write_setup(asked, folder)
    return asked


def clear_folder(folder: Path) -> None:
    """Take a match away that could not begin, and its folder if there is nothing else in it."""
    for name in (SETUP_FILE, *(f"{LOG_FILE}{end}" for end in ("", "-wal", "-shm", ".lock"))):
        (folder / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.rmdir()


def fresh_folder(under: Path, name: str) -> Path:
    """A folder that is not there yet: the day, the game, and a number if there must be one."""
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    plain, n = under / f"{day}-{name}", 1
    folder = plain
    while folder.exists():
        n += 1
        folder = plain.with_name(f"{plain.name}-{n}")
    return folder


def _short(asked: Setup | None) -> str:
    return "" if asked is None else asked.variant.split()[0]
