"""What runs here, and how to connect, as one plain page: for browsers without scripts."""

from collections.abc import Sequence
from html import escape
from typing import Final

from rookery import __version__
from rookery.core.ids import TableId
from rookery.core.intents import ListPlayers, ListTables
from rookery.core.messages import Players, TableLine, Tables
from rookery.core.status import Status
from rookery.core.text.integers import counted
from rookery.dialects import LANGUAGES
from rookery.server.web.api.calls import Asked
from rookery.server.web.api.dialects import docs_of
from rookery.server.web.site.pages import plain_page

PAGES: Final = 5  # of the hall's lists: a longer page is no use to anybody


def how_to_connect() -> dict[str, str]:
    """What each dialect's client says first: paste it into a terminal."""
    return {manners.name: manners.hello for manners in LANGUAGES}


async def status_page(asked: Asked) -> str:
    """The page of what runs here now."""
    desk = asked.sources.desk
    tables: list[TableLine] = []
    for _ in range(PAGES):
        found = await desk.ask(ListTables(after=tables[-1].table if tables else TableId(0)))
        assert isinstance(found, Tables), "tables are told as such"
        tables += found.tables
        if not found.more:
            break
    players = await desk.ask(ListPlayers())
    assert isinstance(players, Players), "players are told as such"
    return page(tables, len(players.players), more=players.more)


def page(tables: Sequence[TableLine], players: int, *, more: bool = False) -> str:
    """The page itself, with these tables and so many players, or `more` than that."""
    here = counted(players, "player")
    playing = [line for line in tables if line.status == Status.PLAYING]
    waiting = [line for line in tables if line.status == Status.OPEN]
    rows = "".join(_row(line) for line in (*playing, *waiting))
    head = "<tr><th>table<th>game<th>time<th>status<th>players</tr>"
    table = f'<div class="wide"><table>{head}{rows}</table></div>'
    nothing = "<p>Nobody plays yet: be the first.</p>"
    connect = "".join(
        f"<dt>{_dialect(name)}<dd><code>{escape(line)}</code>"
        for name, line in how_to_connect().items()
    )
    return plain_page(
        "Rookery",
        f"<h1>Rookery {escape(__version__)}</h1>"
        f"<p>{counted(len(playing), 'game')} running, {counted(len(waiting), 'table')} open, "
        f"{f'more than {here}' if more else here} connected.</p>"
        f"{table if rows else nothing}"
        "<h2>Connect</h2><p>Every language is understood on this port; it is recognised by its "
        f"first line.</p><dl>{connect}</dl>",
    )


def _dialect(name: str) -> str:
    docs = docs_of(name)
    return f'<a href="{docs}">{name}</a>' if docs else name


def _row(line: TableLine) -> str:
    names = ", ".join(seat.player_name or "–" for seat in line.seats)
    cells = (str(line.table), line.variant, line.time, line.status, names)
    return "<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells) + "</tr>"
