"""`rookery hall`: run a hall whose connections are at edges, on this machine or others."""

import sys
from pathlib import Path

import click

from rookery.cli.commands.serve import joined, read_settings, with_flags


@click.command(short_help="Run a hall, with its connections at edges.")
@click.argument("name", required=False)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, named as the flags with _ for -.",
)
def hall(name: str | None, config: Path | None, **given: str | tuple[str, ...] | None) -> None:
    """Run the hall NAME (main) until Ctrl-C: it decides everything, and keeps the log.

    Its edges (`rookery edge`) find it over NATS. When it comes back after a crash they attach
    their connections to it, and games go on. It listens on a port of its own, too, as a server
    does: for whoever looks after it.

    While another process leads the hall this one stands by, and takes over when that one has
    gone.

    Exit codes are those of `rookery serve`.
    """
    part = "hall" if name is None else f"hall-{name}"
    settings = read_settings({**joined(given), "hall": name}, config, part=part)
    from rookery.server.cluster.standby import run_hall

    sys.exit(run_hall(settings, say=click.echo))


command = with_flags(hall, {"hall"})
