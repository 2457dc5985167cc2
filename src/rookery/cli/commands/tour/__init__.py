"""`rookery tour`: tournaments on a running server, from the first join to the gradebook.

A command that changes a tour needs the organiser's token; looking needs none. A tour lives on
the server: these commands come and go, and the tour goes on.
"""

from typing import Final

import click

from rookery.cli.commands.tour.acting import cancel, end, pause, start, void, withdraw
from rookery.cli.commands.tour.correcting import result, seed
from rookery.cli.commands.tour.looking import export, list_, ratings, show, watch
from rookery.cli.commands.tour.opening import create
from rookery.cli.commands.tour.running import run

_HELP: Final = """Run tournaments on a server.

A tour is opened, players join it with its code, and from its start every match begins the
moment its players are free. It survives a crash of the server, and of this command.

What changes a tour needs the organiser's token. It is in the file organiser.token in the
server's folder, where these commands find it by themselves if the server runs on this
machine in the folder data; else name the folder with --data, or give the token with --token
or in ROOKERY_TOKEN.
"""

_EXAMPLES: Final = """\b
Examples:
  rookery tour create --game nim --format "round_robin legs=2"
  rookery tour start 1 --live               and look on
  rookery tour pause 1                      start goes on after it
  rookery tour void 1 7                     match 7 is played again
  rookery tour result 1 7 1-0               match 7 came out so
  rookery tour seed 1 ann bob cid           ann is the first seed
  rookery tour withdraw 1 ann               she is out of it
  rookery tour show 1
  rookery tour export 1 --out grades.csv
  rookery tour run class.toml               all of it, described in a file
"""


class InOrder(click.Group):
    """A group whose help lists its commands as a tour needs them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order in which they were added."""
        return list(self.commands)


command: Final = InOrder(
    "tour",
    help=_HELP,
    short_help="Run tournaments on a server.",
    epilog=_EXAMPLES,
    commands=[
        create,
        list_,
        show,
        watch,
        start,
        pause,
        end,
        cancel,
        void,
        result,
        seed,
        withdraw,
        ratings,
        export,
        run,
    ],
)
