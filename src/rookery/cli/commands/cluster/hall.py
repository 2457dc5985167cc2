"""`rookery hall`: run a hall whose connections are at edges, on this machine or others."""

import sys
from pathlib import Path

import click

from rookery.cli.commands.serve import joined, read_settings, with_flags


@click.command(short_help="Run a hall, with its connections at edges.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, named as the flags with _ for -.",
)
def hall(
    names: tuple[str, ...], config: Path | None, **given: str | tuple[str, ...] | None
) -> None:
    """Run the hall NAME (main) until Ctrl-C: it decides everything, and keeps the log.

    Its edges (`rookery edge`) find it over NATS. When it comes back after a crash they attach
    their connections to it, and games go on. It listens on a port of its own, too, as a server
    does: for whoever looks after it.

    While another process leads the hall this one stands by, and takes over when that one has
    gone. One command may run several halls, and stand by for several: each is a process of its
    own, and has the port after that of the one before it.

    Exit codes are those of `rookery serve`.
    """
    settings = read_settings(joined(given), config, part="-".join(("hall", *names)))
    from rookery.server.halls.several import run_halls, settings_of

    sys.exit(run_halls(settings_of(settings, names or (settings.hall,)), say=click.echo))


command = with_flags(hall, {"hall", "halls"})
