"""The page's files: read once when the server starts, and kept, each with a packed copy.

The build puts a digest into the name of nearly every file, so a browser may keep it for
ever; `index.html` names them, and is asked for again each time. Every address of a page is
the same `index.html`, for everybody; a browser gets it at any other address too, with a 404,
and the page itself says that there is nothing to be seen there.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import Response

INDEX: Final = "/index.html"
FOLDER: Final = "assets"  # where all but index.html is
# First parts of addresses that are for programs, or have answers of their own for people.
NO_PAGES: Final = frozenset({"api", "assets", "docs", "examples", "healthz", "metrics", "ws"})
# The addresses that `pageAt` of the page's own source has something for.
PAGES: Final = re.compile(
    r"/(?:(?:connect|moderation|rules/[a-z][a-z0-9_]{0,39}"
    r"|(?:tables|tours|players)(?:/[1-9][0-9]{0,14})?"
    r"|tours/[1-9][0-9]{0,14}/screen)/?)?"
)
KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ico": "image/x-icon",
    "jpg": "image/jpeg",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "map": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webp": "image/webp",
    "woff2": "font/woff2",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"

_DIGEST: Final = re.compile(r"-[0-9A-Z]{8}\.")  # in a name that esbuild made
_NO_GZIP: Final = re.compile(r"gzip\s*;\s*q=0(\.0*)?\s*$")


class File(Struct, frozen=True):
    """One file as it is sent; `packed` is the same under gzip, where that is shorter."""

    body: bytes
    packed: bytes | None
    kind: str
    tag: str
    keep: str = ASK_AGAIN  # how long a browser may keep it


class Page:
    """All files of the page, by address."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._files = dict(_read(files("rookery.server") / "page" if folder is None else folder))

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def file(self, path: str) -> File | None:
        """The file at this address of the folder of files; None if there is none."""
        return self._files.get(path)

    def at(self, path: str, accept: str) -> File | None:
        """The page, if this is one of its addresses, or a browser asks; else None."""
        root, _, rest = path.partition("/")
        first, last = rest.partition("/")[0], rest.rpartition("/")[2]
        ours = not root and first not in NO_PAGES and "." not in last
        asked = path == "/" or "text/html" in accept or (is_page(path) and _takes_any(accept))
        return self._files.get(INDEX) if ours and asked else None


def is_page(path: str) -> bool:
    """Whether the page has something to show at this address."""
    return PAGES.fullmatch(path) is not None


def make_file(body: bytes, kind: str, keep: str = ASK_AGAIN) -> File:
    """Make a file of these bytes, ready to be sent."""
    packed = gzip.compress(body, 9, mtime=0)
    shorter = packed if len(packed) < len(body) else None
    return File(body, shorter, kind, hashlib.sha256(body).hexdigest()[:20], keep)


def send_file(file: File, asked: Headers, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """Answer with the file, packed if the client takes that; 304 if the client has it already."""
    packed = file.packed is not None and _takes_gzip(asked.get("accept-encoding", ""))
    tag = f'"{file.tag}-gzip"' if packed else f'"{file.tag}"'
    headers = {"ETag": tag, "Cache-Control": file.keep, "Vary": "Accept, Accept-Encoding"}
    known = [each.strip().removeprefix("W/") for each in asked.get("if-none-match", "").split(",")]
    if status == HTTPStatus.OK and (tag in known or "*" in known):
        return Response(status_code=304, headers=headers)
    headers["Content-Type"] = file.kind
    if packed:
        headers["Content-Encoding"] = "gzip"
        return Response(file.packed, status, headers=headers)
    return Response(file.body, status, headers=headers)


def _takes_any(accept: str) -> bool:
    """Whether HTML will do for a client that, like `curl`, does not ask for it."""
    kinds = [kind.partition(";")[0].strip() for kind in accept.split(",")]
    return not accept.strip() or "*/*" in kinds or "text/*" in kinds


def _takes_gzip(accepted: str) -> bool:
    ways = [way.strip() for way in accepted.lower().split(",")]
    return any(way.startswith("gzip") and not _NO_GZIP.match(way) for way in ways)


def _read(folder: Traversable) -> Iterator[tuple[str, File]]:
    index, assets = folder / "index.html", folder / FOLDER
    if index.is_file():
        yield INDEX, make_file(index.read_bytes(), KINDS["html"])
    if assets.is_dir():
        for file in assets.iterdir():
            kind = KINDS.get(file.name.rpartition(".")[2])
            if kind is not None:
                keep = FOR_EVER if _DIGEST.search(file.name) else ASK_AGAIN
                yield f"/{FOLDER}/{file.name}", make_file(file.read_bytes(), kind, keep)
