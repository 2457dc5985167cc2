"""`rookery edge`: keep connections for a hall on another machine."""

import sys
from pathlib import Path

import click

from rookery.cli.commands.serve import EDGE, joined, read_settings, with_flags


@click.command(short_help="Keep connections for a hall elsewhere.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, named as the flags with _ for -.",
)
def edge(config: Path | None, **given: str | tuple[str, ...] | None) -> None:
    """Run an edge until Ctrl-C: sockets, TLS, HTTP and languages; it decides nothing.

    It finds its hall (`rookery hall`) over NATS. While there is none it takes connections, and
    says that the server is coming back. There may be any number of edges.

    Exit codes: 0 stopped when it was told to, 2 a setting is wrong, the port is in use or there is
    no NATS (--wait has it try for a while), 70 a mistake of ours.
    """
    settings = read_settings(joined(given), config, part=EDGE)
    from rookery.server.cluster.edge import run_edge

    sys.exit(run_edge(settings, say=click.echo))


command = with_flags(edge, {"data", "deaf", "hold_minutes", "house", "lease", "leeway"})
