"""The page as an app: its manifest, its service worker, and what is shown without a server.

The worker keeps three small files, and shows them only where the server does not answer. Every
page comes from the server: nobody ever sees an old one, and a new server needs no trick.
"""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from rookery.server.web.api.calls import JSON
from rookery.server.web.site.assets import KINDS, File, make_file
from rookery.server.web.site.pages import STYLE, plain_page

OFFLINE: Final = "/offline"

_MANIFEST: Final = {
    "name": "Rookery",
    "short_name": "Rookery",
    "description": "Play, watch and replay games, and run tournaments.",
    "id": "/",
    "start_url": "/",
    "scope": "/",
    "display": "standalone",
    "background_color": "#faf8f3",
    "theme_color": "#2f5d50",
    "icons": [
        {"src": "/assets/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/assets/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/assets/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {
            "src": "/assets/icon-whole-512.png",
            "sizes": "512x512",
            "type": "image/png",
            "purpose": "maskable",
        },
    ],
    "shortcuts": [{"name": "Tours", "url": "/tours"}, {"name": "Games", "url": "/tables"}],
}
_AGAIN: Final = '<meta http-equiv="refresh" content="5">'  # seconds
_SENTENCES: Final = (
    "<h1>The server cannot be reached</h1>"
    "<p>You are offline, or the server is. Nothing is lost: games and clocks are kept there, and "
    "this page tries again every few seconds.</p>"
    '<p><a href="">Try again now</a></p>'
)


@cache
def app_files() -> dict[str, File]:
    """The files of the page as an app, by address."""
    page = plain_page("Offline – Rookery", _SENTENCES).replace("</head>", f"{_AGAIN}</head>")
    offline, style = page.encode(), (files(__package__) / "plain.css").read_bytes()
    # A browser takes a worker for new when a byte of it is: so it is when what it keeps is.
    digest = hashlib.sha256(offline + style).hexdigest()[:12]
    worker = (files(__package__) / "worker.js").read_text("utf-8").replace("DIGEST", digest)
    manifest = msgspec.json.encode(_MANIFEST)
    return {
        "/manifest.webmanifest": make_file(manifest, f"{JSON}; charset=utf-8"),
        "/worker.js": make_file(worker.encode(), KINDS["js"]),
        OFFLINE: make_file(offline, KINDS["html"]),
        STYLE: make_file(style, KINDS["css"]),
    }
