"""`rookery plugins`: what was found besides what came with the house, and what was left out."""

import click
import msgspec
from rich.table import Table

from rookery import sdk
from rookery.cli.terminal.screen import screen
from rookery.plugins import Plugin, loaded


@click.command(short_help="List plug-ins, and what is wrong with some.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(*, as_json: bool) -> None:
    """List every game, dialect, bot and format that a package or a file brought.

    A package offers them by entry points in the groups rookery.games, rookery.dialects,
    rookery.bots and rookery.formats; a file is given by --with. What did not load is listed
    with the reason.
    """
    found = loaded()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2))
        return
    console = screen()
    if found:
        console.print(_table(found))
    else:
        console.print("There are no plug-ins: all there is came with Rookery itself.")
    console.print(f"rookery.sdk {sdk.VERSION}", style="dim", highlight=False)


def _table(found: tuple[Plugin, ...]) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(style="bold cyan")
    table.add_column()
    table.add_column()
    for one in found:
        package = f"{one.origin.package} {one.origin.version}".strip()
        name = "" if one.name == one.origin.file else one.name
        table.add_row(one.kind or "file", name, package, one.origin.file)
        if one.problem:
            table.add_row("", "left out", f"{one.problem}.", style="red")
    return table
