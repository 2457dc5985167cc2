"""`rookery serve`: for now it says what the server will do, and with which settings.

The settings are read and checked already, so scripts and units written today go on
working when the server is there.
"""

from pathlib import Path
from typing import Final

import click

PORT: Final = 7350


@click.command(short_help="Start the server.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="One port for every wire language; 0 takes a free one.",
)
@click.option(
    "--data",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data"),
    show_default=True,
    help="Folder that keeps the log of everything.",
)
def command(host: str, port: int, folder: Path) -> None:
    """Start the server. It is not written yet: this says what it will do."""
    click.echo(f"The server will listen on {host} port {port}, for every wire language at once,")
    click.echo(f"and keep its log in the folder {folder}.")
    click.echo("It cannot yet: this version has the rules, the counting and the benchmark.")
    click.echo("Try `rookery games`, or `rookery perft reversi --depth 6`.")
