"""The command line: `rookery COMMAND`, one file a command in `commands`.

The table below says which commands there are; installed packages bring more, by entry points
in the group `rookery.commands`. A command's file is imported when the command is run or asked
for its own help, so `rookery --help` imports no game and starts at once.

Somebody's mistake, wherever it was found, is turned into one line here and nowhere
else: `Error: ` and its sentence, with exit code 2. When the world fails us, a full
disk say, it is the same with exit code 1.
"""

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

import click

from rookery import __version__
from rookery.cli.options import with_plugins
from rookery.core.errors import Mistake

INTERRUPTED: Final = 130  # what shells report for Ctrl-C: 128 and the signal's number, 2

_HELP: Final = """One game server for the wire languages of five old game systems.

Start a server, play on it from the terminal, watch others, and look at every
game again: what happened is in the server's log, move by move.
"""

_EXAMPLES: Final = """\b
Examples:
  rookery serve                          a server, its log in the folder data
  rookery play nim --bot 2               play against a bot of the server, at once
  rookery play reversi --time 5m+3s      find somebody to play with
  rookery watch 3                        look on at table 3
  rookery tour create --game nim         a tournament; the code to join is printed
  rookery replay 3 --speed 10            its game again, ten times as fast
  rookery log 3                          what happened there, a line an event
  rookery verify                         is everything in the log as it should be?
  rookery backup monday                  a copy of the log, while the server runs
  rookery games                          the games, and what can be set
  rookery perft reversi --depth 6        count the positions of a game

\b
`rookery COMMAND --help` says more about one of them.
Exit codes: 0 all is well, 1 a file or pipe failed or a log is not sound,
2 the command was wrong, 130 Ctrl-C.
"""


class ListedCommand(NamedTuple):
    """A command as the overview shows it; its file in `commands` has its name."""

    section: str
    line: str


COMMANDS: Final = {
    "serve": ListedCommand("Play", "Start the server."),
    "play": ListedCommand("Play", "Play a game in the terminal."),
    "bot": ListedCommand("Play", "Let a bot play as a client."),
    "wire": ListedCommand("Play", "Talk to a server byte by byte."),
    "watch": ListedCommand("Play", "Look on at a table."),
    "tour": ListedCommand("Play", "Run tournaments on a server."),
    "account": ListedCommand("Play", "Keep a name by a passphrase."),
    "moderate": ListedCommand("Play", "See to it that people get on."),
    "close": ListedCommand("Play", "Close a table, as the organiser."),
    "match": ListedCommand("Play", "Match players against each other."),
    "replay": ListedCommand("Look", "Replay a table's game."),
    "log": ListedCommand("Look", "List what happened at a table."),
    "verify": ListedCommand("Look", "Replay the whole log and compare."),
    "games": ListedCommand("Look", "List every game with its options."),
    "plugins": ListedCommand("Look", "List plug-ins, and what is wrong with some."),
    "backup": ListedCommand("Keep", "Copy the log of a running server."),
    "store": ListedCommand("Keep", "Move a log into a database, or out."),
    "salvage": ListedCommand("Keep", "Save what a damaged log still has."),
    "hall": ListedCommand("Spread", "Run a hall, with its connections at edges."),
    "edge": ListedCommand("Spread", "Keep connections for a hall elsewhere."),
    "new": ListedCommand("Make", "Begin a game, bot or dialect of your own."),
    "laws": ListedCommand("Make", "Try the laws on a game, bot or dialect."),
    "perft": ListedCommand("Measure", "Count the positions a game can reach."),
}

GROUP: Final = "rookery.commands"  # of the entry points by which packages bring commands
BROUGHT: Final = "Plug-ins"  # the section of those

# What the package rookery-tools brings, which is in the repository and nowhere else.
TOOLS: Final = {
    "strength": ListedCommand("Measure", "Measure the levels of the bots."),
    "bench": ListedCommand("Measure", "Measure the rules and the server."),
    "sim": ListedCommand("Measure", "Run the server in made-up worlds."),
    "crashtest": ListedCommand("Measure", "Kill a real server again and again."),
    "mutants": ListedCommand("Measure", "Show what share of mistakes the tests see."),
}


def plugged() -> dict[str, EntryPoint]:
    """The commands that installed packages bring; none replaces one of ours."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    names = [*(name for name in TOOLS if name in found), *sorted(found.keys() - TOOLS)]
    return {name: found[name] for name in names if name not in COMMANDS}


def _listed(name: str, point: EntryPoint) -> ListedCommand:
    package = point.dist.name if point.dist else point.module
    return TOOLS.get(name) or ListedCommand(BROUGHT, f"From {package}.")


class ToldMistake(click.ClickException):
    """A mistake on its way out: click prints `Error: ` and the sentence."""

    exit_code = 2


class Overview(click.Group):
    """The group of all commands, each imported when first needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order of the table."""
        return [*COMMANDS, *plugged()]

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """The command of this name, imported now; None if there is none."""
        if cmd_name in COMMANDS:
            command = import_module(f"rookery.cli.commands.{cmd_name}").command
            assert isinstance(command, click.Command), "a command's file has a `command`"
            return with_plugins(command)
        if point := plugged().get(cmd_name):
            return with_plugins(_load(point))
        if cmd_name in TOOLS:
            raise ToldMistake(
                f"`rookery {cmd_name}` is a tool for Rookery's own development: "
                "get a checkout of its repository, and run `make setup` there."
            )
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed, or one sentence that guesses which was meant."""
        if args[0] not in COMMANDS:
            known = [*self.list_commands(ctx), *TOOLS]
            close = get_close_matches(args[0], known, 1)
            if close and args[0] not in known:
                raise click.UsageError(
                    f"No such command {args[0]!r}. Did you mean {close[0]!r}?", ctx
                )
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """The table, section by section; nothing is imported for it."""
        listed = COMMANDS | {name: _listed(name, point) for name, point in plugged().items()}
        for section in dict.fromkeys(entry.section for entry in listed.values()):
            rows = [(name, e.line) for name, e in listed.items() if e.section == section]
            with formatter.section(section):
                formatter.write_dl(rows, col_max=12, col_spacing=4)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; the one place where a `Mistake` becomes an error for a person."""
        try:
            result: object = super().invoke(ctx)
        except Mistake as mistake:
            raise ToldMistake(str(mistake)) from None
        except BrokenPipeError:
            raise  # the reader of our output has enough of it: click ends quietly
        except OSError as error:
            raise click.ClickException(_world_words(error)) from None  # a full disk, say
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        return result


def _load(point: EntryPoint) -> click.Command:
    """The command that a package brings. Raises ToldMistake."""
    package = point.dist.name if point.dist else point.module
    try:
        command = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 # it is somebody else's
        raise ToldMistake(
            f"The command {point.name!r} of {package} does not load: {error}."
        ) from None
    if not isinstance(command, click.Command):
        raise ToldMistake(f"The command {point.name!r} of {package} is none of click's.")
    return command


def _world_words(error: OSError) -> str:
    """A sentence for an error of the system: `/srv/x: No space left on device.`."""
    if error.strerror is None:
        return str(error)
    return (
        f"{error.strerror}." if error.filename is None else f"{error.filename}: {error.strerror}."
    )


rookery: Final = Overview(
    "rookery",
    help=_HELP,
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[],
)
click.version_option(__version__, message="rookery %(version)s")(rookery)


def main() -> None:
    """Run the command that the process was started with, and exit."""
    rookery(prog_name="rookery")
