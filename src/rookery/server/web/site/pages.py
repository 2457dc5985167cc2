"""Pages without scripts: their common frame, and the API to read at `/api/docs`.

Nothing comes from elsewhere; names and texts are never markup.
"""

import re
from collections.abc import Sequence
from html import escape
from typing import Final

import msgspec

from rookery import __version__
from rookery.games import GAMES
from rookery.server.web.api.calls import Call
from rookery.server.web.site.samples import sample_of

STYLE: Final = "/plain.css"  # the address of their style sheet

_PLACE: Final = re.compile(r"\{(\w+)\}")
_CODE: Final = re.compile(r"`([^`]+)`")


def plain_page(title: str, body: str) -> str:
    """A whole page around this markup; the title is plain text."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">'
        f'<link rel="stylesheet" href="{STYLE}"></head><body>'
        '<nav aria-label="Rookery"><a class="brand" href="/">'
        '<img src="/assets/icon.svg" alt="" width="28" height="28">Rookery</a> '
        '<a href="/docs/">Documentation</a> <a href="/examples">Examples</a> '
        '<a href="/api/docs">API</a></nav>'
        f"<main>{body}</main></body></html>"
    )


def docs_page(calls: Sequence[Call]) -> str:
    """The page that describes every call of the API, for people."""
    topics = dict.fromkeys(call.topic for call in calls)
    topic_links = " ".join(f'<a href="#{topic}">{topic.capitalize()}</a>' for topic in topics)
    parts = [
        f'<h2 id="{topic}">{topic.capitalize()}</h2>'
        + "".join(_described(call) for call in calls if call.topic == topic)
        for topic in topics
    ]
    return plain_page(
        "Rookery API",
        f"<h1>Rookery {escape(__version__)}: the API</h1>"
        '<p>For programs: <a href="/api/openapi.json">/api/openapi.json</a>. Answers are JSON. '
        "What is refused is answered by a problem object, with a sentence in <code>detail</code>. "
        "Calls with POST need the organiser’s token: "
        "<code>Authorization: Bearer TOKEN</code>.</p>"
        f'<nav aria-label="Topics">{topic_links}</nav>'
        f"{''.join(parts)}",
    )


def _described(call: Call) -> str:
    rows = ""
    for kind, where in ((call.at, "path"), (call.query, "query")):
        if kind is not None:
            (_,), schemas = msgspec.json.schema_components([kind])
            for name, field in schemas[kind.__name__]["properties"].items():
                choices = ", ".join(filter(None, field.get("enum", ())))
                about = field.get("description", "") + (f": {choices}" if choices else "")
                cells = f"<td><code>{escape(name)}</code><td>{where}<td>{_text(about)}"
                rows += f"<tr>{cells}</tr>"
    head = '<tr><th scope="col">name<th scope="col">in<th scope="col">what it is</tr>'
    table = f"<table>{head}{rows}</table>" if rows else ""
    body = ""
    if call.body is not None:
        fields = ", ".join(field.encode_name for field in msgspec.structs.fields(call.body))
        body = f"<p>The body is an object with {escape(fields)}.</p>"
    line = f"<h3><code>{call.method} {escape(call.path)}</code></h3><p>{_text(call.about)}.</p>"
    return f"{line}{table}{body}{_tried(call)}"


def _tried(call: Call) -> str:
    """The call as somebody types it, and what comes back."""
    address = f"http://127.0.0.1:7350{_PLACE.sub(_placed, call.path)}"
    words = ["curl"]
    if call.anyone:
        words += ["-X", call.method]
    if call.writes:
        words += ["-X", call.method, "-H", '"Authorization: Bearer $TOKEN"']
    if call.example is not None:
        words += ["-d", f"'{msgspec.json.encode(call.example).decode()}'"]
    typed = escape(" ".join([*words, address]))
    said = "" if call.answer is None else _answer(sample_of(call.answer))
    return f'<pre tabindex="0"><code>{typed}</code></pre>{said}'


def _placed(name: re.Match[str]) -> str:
    return next(iter(GAMES)) if name[1] == "game" else "1"


def _answer(sample: str) -> str:
    shown = f'<pre tabindex="0"><code>{escape(sample)}</code></pre>'
    return f"<details><summary>The answer, with made-up values</summary>{shown}</details>"


def _text(text: str) -> str:
    """Text as markup, with what stands between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))
