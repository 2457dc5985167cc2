"""`rookery house`: the house bots of a hall, as a process of their own."""

import sys
from pathlib import Path

import click

from rookery.cli.commands.serve import joined, read_settings, with_flags


@click.command(short_help="Run the house bots of a hall elsewhere.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, named as the flags with _ for -.",
)
def house(config: Path | None, **given: str | tuple[str, ...] | None) -> None:
    """Run a house until Ctrl-C: the bots that join who waits alone, on a machine of their own.

    It finds its hall (`rookery hall`, with `--house on,elsewhere=on`) over NATS, and comes back to
    every seat that its bots had. On its port are /healthz and /metrics.

    Exit codes: 0 stopped when it was told to, 2 a setting is wrong, the port is in use or there is
    no NATS (--wait has it try for a while), 70 a mistake of ours.
    """
    settings = read_settings(joined(given), config, part="house")
    from rookery.server.houses.running import run_house

    sys.exit(run_house(settings, say=click.echo))


LEFT_OUT = {
    *("data", "tls_cert", "tls_key", "public_host", "tour", "return", "listen", "classic_ports"),
    *("hold_minutes", "halls", "leeway", "lease", "deaf"),
}
command = with_flags(house, LEFT_OUT)
