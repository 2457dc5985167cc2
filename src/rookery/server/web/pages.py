"""Pages without scripts: the documentation, the examples, and the API to read at `/api/docs`.

Nothing comes from elsewhere; names and texts are never markup. The answers that the API's page
shows are samples made from the same types as the answers are: every field of a struct is there,
one element of a list, the first of what may be.
"""

import hashlib
import posixpath
import re
import zipfile
from collections.abc import Container, Iterator, Sequence
from functools import cache, cached_property
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

import rookery
from rookery import __version__
from rookery.games import GAMES
from rookery.server.web.routes import JSON, Call
from rookery.server.web.static import KINDS, File, make_file

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Any: JSON, as deep as it goes.
Json = Any

_DEEPEST: Final = 6  # a type may contain itself
_SCALARS: Final[dict[str, Json]] = {
    "integer": 1,
    "number": 1500.0,
    "string": "…",
    "boolean": True,
    "null": None,
}


def sample_of(kind: type[Struct]) -> str:
    """Make an answer of this type, as JSON for people to read."""
    (schema,), parts = msgspec.json.schema_components([kind], ref_template="{name}")
    made = _made(schema, parts, 0)
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()


def _made(schema: Json, parts: dict[str, Json], deep: int) -> Json:
    if "$ref" in schema:
        return {} if deep > _DEEPEST else _made(parts[schema["$ref"]], parts, deep + 1)
    for word in ("examples", "enum"):
        if schema.get(word):
            return schema[word][0]
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return _made(schema["anyOf"][0], parts, deep)
    if schema.get("type") == "object":
        fields = schema.get("properties", {}).items()
        return {name: _made(part, parts, deep + 1) for name, part in fields}
    if schema.get("type") == "array":
        inside = schema.get("items") or next(iter(schema.get("prefixItems", ())), None)
        return [] if not inside or deep > _DEEPEST else [_made(inside, parts, deep + 1)]
    return _SCALARS.get(schema.get("type", ""), {})


# -- Pages without scripts: their common frame, and the API to read at `/api/docs`.
#
# Nothing comes from elsewhere; names and texts are never markup.

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


# -- The examples, at `/examples`: programs to read and to take along, one by one or in one zip.
#
# They are for people with a browser and no copy of the sources. Each is put into markup, and all
# of them into the zip, when first asked for. Links of the documentation to an example lead here.

EXAMPLES: Final = "/examples"
ZIP: Final = "/examples.zip"
TEXTS: Final = frozenset({"c", "java", "js", "md", "py", "toml"})
EXAMPLE_PARTS: Final = {
    "bots": "Starter bots: one file, to be changed",
    "": "Clients, one for each language",
    "games": "Games of one's own",
}
_NOT: Final = re.compile(r"(^|/)(\.|__)")  # files that are hidden, or made by a machine
_MARKS: Final = re.compile(r'^\s*(?:"""|//|/\*|\*/?|#+)?\s?')  # marks before the words of a comment
_DATED: Final = (1980, 1, 1, 0, 0, 0)  # the same files are the same zip


class Examples:
    """All examples by address. It keeps them as markup."""

    def __init__(self, folder: Traversable | None = None) -> None:
        found = _find_examples(find_examples() if folder is None else folder, "")
        self._sources = dict(sorted(found, key=lambda one: (one[0].count("/"), one[0])))
        self._kept: dict[str, File] = {}

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path.removeprefix(f"{EXAMPLES}/") in self._sources

    def __iter__(self) -> Iterator[str]:
        return (f"{EXAMPLES}/{name}" for name in self._sources)

    def file(self, path: str, *, raw: bool = False) -> File | None:
        """The example at this address, as a page or `raw`; None if there is none."""
        key = f"{path}?raw" if raw else path
        if key not in self._kept:
            made = self._made(path, raw=raw)
            if made is None:
                return None
            self._kept[key] = made
        return self._kept[key]

    def _made(self, path: str, *, raw: bool) -> File | None:
        if path == ZIP:
            return make_file(self._zip(), "application/zip")
        if path.rstrip("/") == EXAMPLES:
            return make_file(self._list().encode(), KINDS["html"])
        name = path.removeprefix(f"{EXAMPLES}/")
        source = self._sources.get(name)
        if source is None:
            return None
        body = source.read_bytes()
        return (
            make_file(body, KINDS["txt"])
            if raw
            else make_file(_example_page(name, body), KINDS["html"])
        )

    def _list(self) -> str:
        found: dict[str, list[str]] = {part: [] for part in EXAMPLE_PARTS}
        for name in self._sources:
            folder = name.partition("/")[0] if "/" in name else ""
            found.setdefault(folder, []).append(name)
        parts = "".join(
            f"<h2>{escape(EXAMPLE_PARTS.get(part, part.capitalize()))}</h2>"
            f"<ul>{''.join(_line(name, self._sources[name]) for name in names)}</ul>"
            for part, names in found.items()
            if names
        )
        return plain_page(
            "Examples – Rookery",
            "<h1>Examples</h1><p>Programs that play here, to read and to change. They need nothing "
            "but their language. How to run them and what to change first is in "
            '<a href="/docs/howto/write-your-first-bot">Write your first bot</a>.</p>'
            f'<p><a href="{ZIP}" download="rookery-examples.zip">All in one zip</a></p>{parts}',
        )

    def _zip(self) -> bytes:
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as together:
            for name, source in self._sources.items():
                one = zipfile.ZipInfo(f"examples/{name}", _DATED)
                together.writestr(one, source.read_bytes(), zipfile.ZIP_DEFLATED)
        return packed.getvalue()


def find_examples() -> Traversable:
    """The folder of the examples: in the package, or beside it if it runs from its sources."""
    packed = files("rookery.server") / "examples"
    return packed if packed.is_dir() else Path(rookery.__file__).parents[2] / "examples"


def _find_examples(folder: Traversable, under: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir() if folder.is_dir() else ():
        name = under + entry.name
        if _NOT.search(name):
            continue
        if entry.is_dir():
            yield from _find_examples(entry, f"{name}/")
        elif name.rpartition(".")[2] in TEXTS:
            yield name, entry


def _line(name: str, source: Traversable) -> str:
    about = first_words(source.read_text("utf-8"))
    said = f": {escape(about)}" if about else ""
    return f'<li><a href="{EXAMPLES}/{escape(name)}">{escape(name)}</a>{said}'


def first_words(text: str) -> str:
    """The first sentence of the comment with which a program opens; empty if there is none."""
    said: list[str] = []
    for line in text.splitlines():
        words = _MARKS.sub("", line)
        if not words.strip() or words == line:
            if said:
                break
            if line.strip():
                return ""  # it opens with something else
        else:
            said.append(words.strip())
    return " ".join(said).replace('"""', "").partition(". ")[0].rstrip(".")


def _example_page(name: str, body: bytes) -> bytes:
    text = escape(body.decode("utf-8"))
    file = escape(name.rpartition("/")[2])
    at = f"{EXAMPLES}/{escape(name)}"
    return plain_page(
        f"{name} – Rookery",
        f'<h1>{file}</h1><p><a href="{at}?raw" download="{file}">Download</a> '
        f'<a href="{EXAMPLES}">All examples</a></p><pre tabindex="0"><code>{text}</code></pre>',
    ).encode()


# -- The documentation, at `/docs/`: the Markdown pages of the repository, as pages to read.
#
# Which pages there are is known from the start; each is put into markup when it is first
# asked for, and kept. A link from page to page leads to the page here; one to a file that is
# not here, like a source, is only its text. Markup inside Markdown is never markup.

DOCS: Final = "/docs/"
PICTURES: Final = frozenset({"jpg", "png", "svg", "webp"})
DOCS_PARTS: Final = {
    "howto": "How to",
    ".": "Rookery",
    "games": "The games",
    "dialects": "The dialects",
}

# What most readers come for, and the page that has it; these stand before all others.
WANTED: Final = {
    "I want to play, or to watch": "play-and-watch",
    "I run a tournament, or teach a class": "howto/run-a-tournament",
    "I write a program that plays": "howto/write-your-first-bot",
    "My program speaks an old language": "programs",
    "I keep a server": "settings",
    "I want to read results into something else": "api",
}
LONG: Final = 5  # headings, from which on a page has a list of them

_ELSEWHERE: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_TITLE: Final = re.compile(r"^# +(.+?)\s*$", re.MULTILINE)
_NO_SLUG: Final = re.compile(r"[^\w\- ]")


class Docs:
    """All pages of the documentation, by address. It keeps pages as markup."""

    def __init__(
        self, folder: Traversable | None = None, examples: Container[str] = frozenset()
    ) -> None:
        self._examples = examples  # addresses that links may lead to, too
        self._sources = dict(_find_pages(find_docs() if folder is None else folder, DOCS))
        self._kept: dict[str, File] = {}

    @cached_property
    def _markdown(self) -> "MarkdownIt":
        """Turns a page into markup. To load it is a twentieth of a start, and few need it."""
        from markdown_it import MarkdownIt  # noqa: PLC0415

        return MarkdownIt("commonmark", {"html": False}).enable("table")

    def __iter__(self) -> Iterator[str]:
        yield DOCS
        yield from self._sources

    def file(self, path: str) -> File | None:
        """The page or picture at this address; None if there is none."""
        path = path.removesuffix(".md")
        if path not in self._kept:
            if path == DOCS:
                self._kept[path] = _docs_page("Documentation", self._contents())
            elif path in self._sources:
                self._kept[path] = self._render(path, self._sources[path])
            else:
                return None
        return self._kept[path]

    def folder(self, path: str) -> str | None:
        """The place in the contents that lists this folder's pages; None if it is no folder."""
        there = path.rstrip("/")
        is_folder = any(known.startswith(f"{there}/") for known in self._sources)
        return f"{DOCS}#{there.removeprefix(DOCS)}" if is_folder else None

    def _render(self, path: str, source: Traversable) -> File:
        name, _, ending = source.name.rpartition(".")
        if ending in PICTURES:
            return make_file(source.read_bytes(), KINDS[ending])
        text = source.read_text(encoding="utf-8")
        tokens = self._markdown.parse(text)
        _anchor(tokens)
        for token in tokens:
            if token.children is not None:
                token.children = self._linked(path, token.children)
            if "text-align:right" in str(token.attrs.pop("style", "")):
                token.attrSet("class", "right")  # our policy allows no style outside the sheet
        body = self._markdown.renderer.render(tokens, self._markdown.options, {})
        body = body.replace("<th></th>", "<td></td>")  # what heads nothing is no heading
        body = body.replace("<pre>", '<pre tabindex="0">')  # what scrolls does so by keys too
        body = body.replace("<table>", '<div class="wide"><table>')
        body = _with_contents(body.replace("</table>", "</table></div>"), tokens)
        return _docs_page(_title(text, name), body)

    def _linked(self, path: str, tokens: "Sequence[Token]") -> "list[Token]":
        """These tokens with links that lead somewhere here; of other links only the text stays."""
        kept: list[Token] = []
        dropped: list[bool] = []  # of the links that are open
        for token in tokens:
            if token.type == "link_open":
                target = self._target(path, str(token.attrGet("href")))
                dropped.append(target is None)
                token.attrSet("href", target or "")
            if token.type == "image":
                picture = str(token.attrGet("src"))
                token.attrSet("src", posixpath.normpath(_beside(path, picture)))
            is_link = token.type in ("link_open", "link_close")
            if not (is_link and dropped[-1]):
                kept.append(token)
            if token.type == "link_close":
                dropped.pop()
        return kept

    def _target(self, path: str, link: str) -> str | None:
        """Where a link on this page leads; None if that is nowhere here."""
        if link.startswith("#") or _ELSEWHERE.match(link):
            return link
        file, hash_, part = link.partition("#")
        there = posixpath.normpath(_beside(path, file))
        if there in self._examples:
            return there
        there = there.removesuffix(".md")
        return there + hash_ + part if there in self._sources else self.folder(there)

    def _contents(self) -> str:
        """The contents as markup: every page by its title, part by part."""
        found: dict[str, list[tuple[str, str]]] = {name: [] for name in DOCS_PARTS}
        for path, source in sorted(self._sources.items()):
            if source.name.endswith(".md"):
                part = posixpath.dirname(path.removeprefix(DOCS)) or "."
                title = _title(source.read_text(encoding="utf-8"), source.name)
                found.setdefault(part, []).append((title, path))
        parts = [
            f'<h2 id="{escape(part)}">{escape(DOCS_PARTS.get(part, part.capitalize()))}</h2><ul>'
            + "".join(f'<li><a href="{path}">{escape(title)}</a>' for title, path in pages)
            + "</ul>"
            for part, pages in found.items()
            if pages
        ]
        wanted = "".join(
            f'<li><a href="{DOCS}{page}">{escape(wish)}</a>'
            for wish, page in WANTED.items()
            if DOCS + page in self._sources
        )
        first = f"<ul>{wanted}</ul>" if wanted else ""
        return "<h1>Documentation</h1>" + first + "".join(parts)


def nothing_there() -> str:
    """The page that says that there is no such page."""
    sentence = (
        "<h1>No such page</h1><p>There is nothing at that address. "
        f'<a href="{DOCS}">The contents</a> say what there is.</p>'
    )
    return plain_page("No such page – Rookery", sentence)


def find_docs() -> Traversable:
    """The folder of the pages: in the package, or beside it if it runs from its sources."""
    packed = files("rookery.server") / "docs"
    return packed if packed.is_dir() else Path(rookery.__file__).parents[2] / "docs"


def _find_pages(folder: Traversable, under: str) -> Iterator[tuple[str, Traversable]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        name, _, ending = entry.name.rpartition(".")
        if entry.is_dir():
            yield from _find_pages(entry, f"{under}{entry.name}/")
        elif ending == "md":
            yield under + name, entry
        elif ending in PICTURES:
            yield under + entry.name, entry


def _anchor(tokens: "Sequence[Token]") -> None:
    """Give every heading the name that links call it by."""
    taken: set[str] = set()
    for heading, words in pairwise(tokens):
        if heading.type == "heading_open":
            text = "".join(child.content for child in words.children or [])
            slug = name = _NO_SLUG.sub("", text.lower()).replace(" ", "-")
            again = 0
            while name in taken:
                again += 1
                name = f"{slug}-{again}"
            taken.add(name)
            heading.attrSet("id", name)


def _with_contents(body: str, tokens: "Sequence[Token]") -> str:
    """The page with a list of its parts below its title, if it is long."""
    parts = [
        (str(heading.attrGet("id")), "".join(child.content for child in words.children or []))
        for heading, words in pairwise(tokens)
        if heading.type == "heading_open" and heading.tag == "h2"
    ]
    if len(parts) < LONG:
        return body
    links = "".join(f'<li><a href="#{name}">{escape(text)}</a>' for name, text in parts)
    title, end, rest = body.partition("</h1>")
    listed = f'<nav class="contents" aria-label="On this page"><ul>{links}</ul></nav>'
    return f"{title}{end}{listed}{rest}" if end else body


def _title(text: str, otherwise: str) -> str:
    found = _TITLE.search(text)
    return found[1].replace("`", "") if found else otherwise


def _beside(path: str, link: str) -> str:
    return posixpath.join(posixpath.dirname(path), link)


def _docs_page(title: str, body: str) -> File:
    return make_file(plain_page(f"{title} – Rookery", body).encode(), KINDS["html"])


# -- The page as an app: its manifest, its service worker, and what is shown without a server.
#
# The worker keeps three small files, and shows them only where the server does not answer. Every
# page comes from the server: nobody ever sees an old one, and a new server needs no trick.

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
