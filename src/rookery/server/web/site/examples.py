"""The examples, at `/examples`: programs to read and to take along, one by one or in one zip.

They are for people with a browser and no copy of the sources. Each is put into markup, and all
of them into the zip, when first asked for. Links of the documentation to an example lead here.
"""

import re
import zipfile
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Final

import rookery
from rookery.server.web.site.assets import KINDS, File, make_file
from rookery.server.web.site.pages import plain_page

ROOT: Final = "/examples"
ZIP: Final = "/examples.zip"
TEXTS: Final = frozenset({"c", "java", "js", "md", "py", "toml"})
PARTS: Final = {
    "bots": "Starter bots: one file, to be changed",
    "": "Clients, one for each language",
    "games": "Games of one's own",
}
_NOT: Final = re.compile(r"(^|/)(\.|__)")  # files that are hidden, or made by a machine
_MARKS: Final = re.compile(r'^\s*(?:"""|//|/\*|\*/?|#+)?\s?')  # marks before the words of a comment
_DATED: Final = (1980, 1, 1, 0, 0, 0)  # the same files are the same zip


class Examples:
    """All examples by address. It mutates: it keeps them as markup."""

    def __init__(self, folder: Traversable | None = None) -> None:
        found = _find(find_examples() if folder is None else folder, "")
        self._sources = dict(sorted(found, key=lambda one: (one[0].count("/"), one[0])))
        self._kept: dict[str, File] = {}

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path.removeprefix(f"{ROOT}/") in self._sources

    def __iter__(self) -> Iterator[str]:
        return (f"{ROOT}/{name}" for name in self._sources)

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
        if path.rstrip("/") == ROOT:
            return make_file(self._list().encode(), KINDS["html"])
        name = path.removeprefix(f"{ROOT}/")
        source = self._sources.get(name)
        if source is None:
            return None
        body = source.read_bytes()
        return make_file(body, KINDS["txt"]) if raw else make_file(_page(name, body), KINDS["html"])

    def _list(self) -> str:
        found: dict[str, list[str]] = {part: [] for part in PARTS}
        for name in self._sources:
            folder = name.partition("/")[0] if "/" in name else ""
            found.setdefault(folder, []).append(name)
        parts = "".join(
            f"<h2>{escape(PARTS.get(part, part.capitalize()))}</h2>"
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


def _find(folder: Traversable, under: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir() if folder.is_dir() else ():
        name = under + entry.name
        if _NOT.search(name):
            continue
        if entry.is_dir():
            yield from _find(entry, f"{name}/")
        elif name.rpartition(".")[2] in TEXTS:
            yield name, entry


def _line(name: str, source: Traversable) -> str:
    about = first_words(source.read_text("utf-8"))
    said = f": {escape(about)}" if about else ""
    return f'<li><a href="{ROOT}/{escape(name)}">{escape(name)}</a>{said}'


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


def _page(name: str, body: bytes) -> bytes:
    text = escape(body.decode("utf-8"))
    file = escape(name.rpartition("/")[2])
    at = f"{ROOT}/{escape(name)}"
    return plain_page(
        f"{name} – Rookery",
        f'<h1>{file}</h1><p><a href="{at}?raw" download="{file}">Download</a> '
        f'<a href="{ROOT}">All examples</a></p><pre tabindex="0"><code>{text}</code></pre>',
    ).encode()
