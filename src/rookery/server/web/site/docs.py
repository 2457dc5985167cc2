"""The documentation, at `/docs/`: the Markdown pages of the repository, as pages to read.

Which pages there are is known from the start; each is put into markup when it is first
asked for, and kept. A link from page to page leads to the page here; one to a file that is
not here, like a source, is only its text. Markup inside Markdown is never markup.
"""

import posixpath
import re
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import rookery
from rookery.server.web.site.assets import KINDS, File, make_file
from rookery.server.web.site.pages import plain_page

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

ROOT: Final = "/docs/"
PICTURES: Final = frozenset({"jpg", "png", "svg", "webp"})
PARTS: Final = {"howto": "How to", ".": "Rookery", "games": "The games", "dialects": "The dialects"}

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
    """All pages of the documentation, by address. It mutates: it keeps pages as markup."""

    def __init__(
        self, folder: Traversable | None = None, examples: Container[str] = frozenset()
    ) -> None:
        self._examples = examples  # addresses that links may lead to, too
        self._sources = dict(_find(find_docs() if folder is None else folder, ROOT))
        self._kept: dict[str, File] = {}

    @cached_property
    def _markdown(self) -> "MarkdownIt":
        """Turns a page into markup. To load it is a twentieth of a start, and few need it."""
        from markdown_it import MarkdownIt  # noqa: PLC0415

        return MarkdownIt("commonmark", {"html": False}).enable("table")

    def __iter__(self) -> Iterator[str]:
        yield ROOT
        yield from self._sources

    def file(self, path: str) -> File | None:
        """The page or picture at this address; None if there is none."""
        path = path.removesuffix(".md")
        if path not in self._kept:
            if path == ROOT:
                self._kept[path] = _page("Documentation", self._contents())
            elif path in self._sources:
                self._kept[path] = self._render(path, self._sources[path])
            else:
                return None
        return self._kept[path]

    def folder(self, path: str) -> str | None:
        """The place in the contents that lists this folder's pages; None if it is no folder."""
        there = path.rstrip("/")
        is_folder = any(known.startswith(f"{there}/") for known in self._sources)
        return f"{ROOT}#{there.removeprefix(ROOT)}" if is_folder else None

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
        return _page(_title(text, name), body)

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
        found: dict[str, list[tuple[str, str]]] = {name: [] for name in PARTS}
        for path, source in sorted(self._sources.items()):
            if source.name.endswith(".md"):
                part = posixpath.dirname(path.removeprefix(ROOT)) or "."
                title = _title(source.read_text(encoding="utf-8"), source.name)
                found.setdefault(part, []).append((title, path))
        parts = [
            f'<h2 id="{escape(part)}">{escape(PARTS.get(part, part.capitalize()))}</h2><ul>'
            + "".join(f'<li><a href="{path}">{escape(title)}</a>' for title, path in pages)
            + "</ul>"
            for part, pages in found.items()
            if pages
        ]
        wanted = "".join(
            f'<li><a href="{ROOT}{page}">{escape(wish)}</a>'
            for wish, page in WANTED.items()
            if ROOT + page in self._sources
        )
        first = f"<ul>{wanted}</ul>" if wanted else ""
        return "<h1>Documentation</h1>" + first + "".join(parts)


def nothing_there() -> str:
    """The page that says that there is no such page."""
    sentence = (
        "<h1>No such page</h1><p>There is nothing at that address. "
        f'<a href="{ROOT}">The contents</a> say what there is.</p>'
    )
    return plain_page("No such page – Rookery", sentence)


def find_docs() -> Traversable:
    """The folder of the pages: in the package, or beside it if it runs from its sources."""
    packed = files("rookery.server") / "docs"
    return packed if packed.is_dir() else Path(rookery.__file__).parents[2] / "docs"


def _find(folder: Traversable, under: str) -> Iterator[tuple[str, Traversable]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        name, _, ending = entry.name.rpartition(".")
        if entry.is_dir():
            yield from _find(entry, f"{under}{entry.name}/")
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


def _page(title: str, body: str) -> File:
    return make_file(plain_page(f"{title} – Rookery", body).encode(), KINDS["html"])
