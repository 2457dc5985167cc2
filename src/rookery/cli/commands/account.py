"""`rookery account`: keep a name on a server by a passphrase."""

import click

from rookery.cli.connection.accounts import give_up_name, keep_name, passphrase_for
from rookery.cli.connection.address import at_option, parse_address
from rookery.cli.connection.server import ServerConnection
from rookery.clients.native import NativeClient


@click.command(short_help="Keep a name by a passphrase.")
@click.argument("name")
@click.option("--give-up", is_flag=True, help="Keep the name no more; it is free again.")
@at_option
def command(*, name: str, give_up: bool, at: str) -> None:
    r"""Keep NAME on a server: who says its passphrase is this player from then on, from anywhere.

    The passphrase is asked for, twice; ROOKERY_PASSPHRASE has it where there is nobody to ask.
    There is no mail and no other way back: write it down. The page signs in with it too.

    \b
    Examples:
      rookery account ann
      rookery play reversi --account ann
      rookery account ann --give-up
    """
    address = parse_address(at)
    if give_up:
        give_up_name(address, name, passphrase_for(name))
        click.echo(f"{name} is kept no more; whoever comes by that name is a guest.")
        return
    passphrase = passphrase_for(name, new=True)
    speaker = NativeClient(name)
    client = ServerConnection(address, speaker)
    try:
        client.greet()
        me = speaker.me
        assert me is not None, "who was greeted is somebody"
        assert me.player is not None, "who came by a name has a number"
        keep_name(address, me.player, me.token or "", passphrase)
    finally:
        client.close()
    click.echo(f"{name} is kept. Play as it with --account {name!r}.")
