"""`rookery moderate`: who may speak or be here.

The organiser's token is found as for tours.
"""

from pathlib import Path
from typing import Any, Final

import click

from rookery.cli.commands.tour import InOrder
from rookery.cli.connection.accounts import reset_passphrase
from rookery.cli.connection.server import Questions
from rookery.cli.connection.tours import call, find_token, place_of, place_options
from rookery.cli.options import WholeNumber
from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.intents import Ban, LiftBan, Mute, OrganiserAct, Unmute
from rookery.core.messages import Done

UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
WHOM: Final = WholeNumber(1)
_HELP: Final = """See to it that people get on with each other on a server.

The organiser's token is found as for tours: --token, --data, or by itself for a server on
this machine.

A player is said by its number, which the page and the API show.
"""

_EXAMPLES: Final = """\b
Examples:
  rookery moderate mute 17 --for 2h --reason "Shouting"
  rookery moderate ban 17 --for 7d               the player
  rookery moderate ban 17 --home                 and all from where it comes
  rookery moderate ban --host 192.0.2.7
  rookery moderate unban --host 192.0.2.7
  rookery moderate reset "Ann Lee"               who forgot the passphrase has another
"""


class Time(click.ParamType[Micros]):
    """How long, as 90s, 30m, 2h or 7d."""

    name = "time"

    # Any: click's signature.
    def convert(self, value: Any, param: Any, ctx: Any) -> Micros:
        """The length of a time like 2h in microseconds."""
        number, unit = str(value)[:-1], str(value)[-1:]
        if not (number.isascii() and number.isdecimal()) or unit not in UNITS or int(number) == 0:
            self.fail("A time is written as 90s, 30m, 2h or 7d.", param, ctx)
        return int(number) * UNITS[unit] * MICROS_A_SECOND


_reason: Final = click.option("--reason", default="", metavar="TEXT", help="Why; it is logged.")
_time: Final = click.option(
    "--for", "time", type=Time(), default=None, metavar="TIME", help="30m, 2h, 7d; else for ever."
)
_host: Final = click.option("--host", default="", metavar="ADDRESS", help="Who has no player.")


@click.command(short_help="Let somebody say nothing for a time.")
@click.argument("player", type=WHOM)
@_time
@_reason
@place_options
def mute(
    *,
    player: int,
    time: Micros | None,
    reason: str,
    **where: Any,  # Any: as the options say
) -> None:
    """Mute PLAYER at tables and in the lobby, and who comes anew from the same home."""
    _do(where, Mute(PlayerId(player), time or 0, reason), f"Player {player} is muted.")


@click.command(short_help="Let them speak again.")
@click.argument("player", type=WHOM)
@_reason
@place_options
def unmute(*, player: int, reason: str, **where: Any) -> None:  # Any: as the options say
    """Let PLAYER speak again."""
    _do(where, Unmute(PlayerId(player), reason), f"Player {player} may speak again.")


@click.command(short_help="Let somebody not be here for a time.")
@click.argument("player", type=WHOM, required=False)
@click.option("--home", is_flag=True, help="All from where the player comes.")
@_host
@_time
@click.option("--force", is_flag=True, help="Also this machine's own address.")
@_reason
@place_options
def ban(
    *,
    player: int | None,
    home: bool,
    host: str,
    time: Micros | None,
    force: bool,
    reason: str,
    **where: Any,  # Any: as the options say
) -> None:
    """Ban PLAYER, all from its home, or a host. Who is banned is told why, and hung up on."""
    whom = _whom(player, host)
    wish = Ban(whom, home, host, time or 0, reason, force)
    _do(where, wish, f"{host or f'Player {player}'} is banned.")


@click.command(short_help="Let them be here again.")
@click.argument("player", type=WHOM, required=False)
@_host
@_reason
@place_options
def unban(
    *,
    player: int | None,
    host: str,
    reason: str,
    **where: Any,  # Any: as the options say
) -> None:
    """Let PLAYER, with all from the home banned by it, or a host be here again."""
    _do(where, LiftBan(_whom(player, host), host, reason), "The ban is lifted.")


@click.command(short_help="Another passphrase for an account.")
@click.argument("account")
@_reason
@place_options
def reset(*, account: str, reason: str, at: str, token: str | None, folder: Path | None) -> None:
    """Draw another passphrase for who keeps the name ACCOUNT and forgot theirs.

    It is printed once. All who were signed in are so no more.
    """
    place = place_of(at, token, folder)
    key = find_token(place, needed=True)
    assert key is not None, "one is needed"
    drawn = reset_passphrase(place.address, key.token, account, reason)
    click.echo(f"The passphrase of {account} is now: {drawn}")


def _organiser(at: str, token: str | None, folder: Path | None) -> Questions:
    place = place_of(at, token, folder)
    return Questions(place.address, call(place, organiser=True))


# Any: as the options say
def _do(where: dict[str, Any], wish: OrganiserAct, said: str) -> None:
    with _organiser(**where) as server:
        server.ask(wish, Done)
    click.echo(said)


def _whom(player: int | None, host: str) -> PlayerId | None:
    if (player is None) != bool(host):
        raise BadOption("Say a player's number, or --host ADDRESS.")
    return None if player is None else PlayerId(player)


command: Final = InOrder(
    "moderate",
    help=_HELP,
    short_help="See to it that people get on.",
    epilog=_EXAMPLES,
    commands=[mute, unmute, ban, unban, reset],
)
