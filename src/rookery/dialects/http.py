"""A plain status page for whoever calls with a browser: what runs here, and how to connect.

One request, one answer, and the connection is closed. The page, its API and its live
boards come later; until then this says what a person needs to know.
"""

from collections.abc import Sequence
from html import escape
from typing import Final

from rookery import __version__
from rookery.core.ids import Micros
from rookery.core.intents import AnyIntent, ListPlayers, ListTables
from rookery.core.messages import AnyMessage, Players, TableLine, Tables

HEAD_MAX: Final = 8 * 1024  # bytes of a request's head; browsers send about 1 kB

# What each dialect's client says first: paste it into a terminal.
HOW_TO_CONNECT: Final = {
    "native": '{"type":"hello","version":1,"name":"ann"}',
    "bughouse": "ADD_PLAYER:ann",
    "blackwhite": "ENTERROOM [ann]",
    "othello": "1",
    "fish": '{"type":"joinGame","age":8,"id":"ann"}',
    "fishcom": '"ann"',
    "tourney": "@NEW PLAYER",
}

_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    431: "Request Header Fields Too Large",
}


class Http:
    """One HTTP connection. It mutates, and the connection owns it."""

    __slots__ = ("_answered", "_head", "_method", "_said", "_tables", "closing")

    def __init__(self) -> None:
        self.closing = False
        self._head = b""
        self._method = ""
        self._tables: tuple[TableLine, ...] = ()
        self._said = b""
        self._answered = False

    @property
    def full(self) -> bool:
        """Never: there is one request."""
        return False

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read the head of the one request; nothing after it is read."""
        if self._answered or self._method or not data:
            return ()
        self._head += data
        head, end, _ = self._head.lstrip().replace(b"\r\n", b"\n").partition(b"\n\n")
        if not end:
            if len(self._head) > HEAD_MAX:
                self._answer(431, "The head of the request is too long.")
            return ()
        return self._asked(head.split(b"\n")[0])

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """What the hall says of its tables and players becomes the page."""
        match message:
            case Tables(tables):
                self._tables = tables
            case Players(players, more):
                self._answer(200, page(self._tables, len(players), more=more), kind="text/html")
            case _:
                pass
        return ()

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Nothing: the page has no time-outs of its own."""
        return ()

    def deadline(self) -> Micros | None:
        """Never."""
        return None

    def drain(self) -> bytes:
        """The answer; it is given out once."""
        said, self._said = self._said, b""
        return said

    def _asked(self, line: bytes) -> Sequence[AnyIntent]:
        words = line.decode("latin-1").split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            self._answer(400, "That is no request of HTTP/1.")
            return ()
        method, target, _ = words
        self._method = method
        if method not in ("GET", "HEAD"):
            self._answer(405, "This page can only be read.")
        elif target.partition("?")[0] != "/":
            self._answer(404, "There is only one page so far, at /.")
        else:
            return (ListTables(), ListPlayers())
        return ()

    def _answer(self, code: int, text: str, *, kind: str = "text/plain") -> None:
        body = text.encode()
        head = (
            f"HTTP/1.1 {code} {_REASONS[code]}\r\n"
            f"Content-Type: {kind}; charset=utf-8\r\n"
            f"Content-Length: {len(body)}\r\n"
            "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Cache-Control: no-store\r\n"
            f"{'Allow: GET, HEAD' + chr(13) + chr(10) if code == 405 else ''}"
            "Connection: close\r\n\r\n"
        )
        self._said += head.encode() + (b"" if self._method == "HEAD" else body)
        self._answered = self.closing = True


def page(tables: Sequence[TableLine], players: int, *, more: bool = False) -> str:
    """The page itself: these tables, and so many players, or more than that."""
    here = _count(players, "player")
    return _page(tables, f"more than {here}" if more else here)


def _page(tables: Sequence[TableLine], players: str) -> str:
    playing = [line for line in tables if line.status == "playing"]
    waiting = [line for line in tables if line.status == "open"]
    rows = "".join(_row(line) for line in (*playing, *waiting))
    table = f"<table><tr><th>table<th>game<th>time<th>status<th>players</tr>{rows}</table>"
    nothing = "<p>Nobody plays yet: be the first.</p>"
    connect = "".join(
        f"<dt>{name}<dd><code>{escape(line)}</code>" for name, line in HOW_TO_CONNECT.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rookery</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;"
        "padding:0 1rem}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;"
        "border-bottom:1px solid}</style>"
        f"<h1>Rookery {escape(__version__)}</h1>"
        f"<p>{_count(len(playing), 'game')} running, {_count(len(waiting), 'table')} open, "
        f"{players} connected.</p>"
        f"{table if rows else nothing}"
        "<h2>Connect</h2><p>Every language is understood on this port; it is recognised by its "
        f"first line.</p><dl>{connect}</dl></html>"
    )


def _row(line: TableLine) -> str:
    names = ", ".join(seat.player_name or "–" for seat in line.seats)
    cells = (str(line.table), line.variant, line.time, line.status, names)
    return "<tr>" + "".join(f"<td>{escape(cell)}" for cell in cells) + "</tr>"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
