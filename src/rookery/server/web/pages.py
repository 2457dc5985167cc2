"""Pages for people: the status page at `/`, and the API to read at `/api/docs`.

No script is in them and nothing comes from elsewhere; names and texts are never markup.
"""

from collections.abc import Sequence
from html import escape
from typing import Final

import msgspec

from rookery import __version__
from rookery.core.intents import ListPlayers, ListTables
from rookery.core.messages import Players, Tables
from rookery.dialects.http import page
from rookery.server.web.calls import Asked, Call, Text

HTML: Final = "text/html"
STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem }
h3 { margin: 1.5rem 0 0 }
code, pre { font: 14px/1.4 ui-monospace, monospace }
table { border-collapse: collapse }
td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
:root { color-scheme: light dark }
"""


async def status_page(asked: Asked) -> Text:
    """What runs here, and how to connect."""
    desk = asked.house.desk
    tables, players = await desk.ask(ListTables()), await desk.ask(ListPlayers())
    assert isinstance(tables, Tables), "tables are told as such"
    assert isinstance(players, Players), "players are told as such"
    return Text(page(tables.tables, len(players.players), more=players.more), HTML)


def docs_page(calls: Sequence[Call]) -> str:
    """Every call, for a person."""
    topics = dict.fromkeys(call.topic for call in calls)
    parts = [
        f"<h2>{topic.capitalize()}</h2>"
        + "".join(_described(call) for call in calls if call.topic == topic)
        for topic in topics
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rookery API</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="/api/docs.css">'
        f"<h1>Rookery {escape(__version__)}: the API</h1>"
        '<p>For programs: <a href="/api/openapi.json">/api/openapi.json</a>. Answers are JSON. '
        "What is refused is answered by a problem object, with a sentence in <code>detail</code>. "
        "Calls with POST need the organiser’s token: "
        "<code>Authorization: Bearer TOKEN</code>.</p>"
        f"{''.join(parts)}</html>"
    )


def _described(call: Call) -> str:
    rows = ""
    for kind, where in ((call.at, "path"), (call.query, "query")):
        if kind is not None:
            (_,), schemas = msgspec.json.schema_components([kind])
            for name, field in schemas[kind.__name__]["properties"].items():
                choices = ", ".join(filter(None, field.get("enum", ())))
                about = field.get("description", "") + (f": {choices}" if choices else "")
                cells = f"<td><code>{escape(name)}</code><td>{where}<td>{escape(about)}"
                rows += f"<tr>{cells}</tr>"
    table = f"<table>{rows}</table>" if rows else ""
    body = ""
    if call.body is not None:
        fields = ", ".join(field.encode_name for field in msgspec.structs.fields(call.body))
        body = f"<p>The body is an object with {escape(fields)}.</p>"
    line = f"<h3><code>{call.method} {escape(call.path)}</code></h3><p>{escape(call.about)}.</p>"
    return f"{line}{table}{body}"
