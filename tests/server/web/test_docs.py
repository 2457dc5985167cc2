"""The documentation as pages: links that lead somewhere, and no markup but ours."""

import re
from pathlib import Path

import pytest

from rookery.dialects import DIALECTS
from rookery.games import GAMES
from rookery.server.web.pages import DOCS, WANTED, Docs

HREF = re.compile(r'href="([^"]*)"')
ID = re.compile(r'id="([^"]*)"')

PAGE = """\
# The `first` page

See [the other](games/other.md#the-rules-1), [all games](games/), [a source](../src/x.py),
[elsewhere](https://example.org/) and [below](#odd--ends).

<script>alert(1)</script> and [bad](javascript:alert(1)).

| name | points |
|:-----|-------:|
| ann  | 1      |

## Odd & ends

![a board](pictures/board.png)
"""


@pytest.fixture
def docs(tmp_path: Path) -> Docs:
    (tmp_path / "games").mkdir()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "first.md").write_text(PAGE)
    (tmp_path / "games" / "other.md").write_text("# Other\n## The rules\n## The rules\n")
    (tmp_path / "pictures" / "board.png").write_bytes(b"\x89PNG")
    (tmp_path / "notes.txt").write_text("not for reading")
    return Docs(tmp_path)


def read(docs: Docs, path: str) -> str:
    file = docs.file(path)
    assert file is not None, f"{path} is missing"
    return file.body.decode()


def test_links_lead_to_the_pages_here(docs: Docs) -> None:
    links = HREF.findall(read(docs, "/docs/first").partition("<main>")[2])
    assert links == [
        "/docs/games/other#the-rules-1",
        "/docs/#games",
        "https://example.org/",
        "#odd--ends",
    ]


def test_headings_have_the_names_that_links_call_them_by(docs: Docs) -> None:
    assert ID.findall(read(docs, "/docs/first")) == ["the-first-page", "odd--ends"]
    assert ID.findall(read(docs, "/docs/games/other")) == ["other", "the-rules", "the-rules-1"]


def test_a_link_to_what_is_not_here_is_its_text(docs: Docs) -> None:
    said = read(docs, "/docs/first")
    assert "a source" in said
    assert "x.py" not in said


def test_markup_inside_a_page_is_text(docs: Docs) -> None:
    said = read(docs, "/docs/first")
    assert "<script" not in said
    assert "&lt;script&gt;" in said
    assert 'href="javascript' not in said


def test_nothing_has_a_style_of_its_own(docs: Docs) -> None:
    said = read(docs, "/docs/first")
    assert "style=" not in said
    assert '<td class="right">1</td>' in said


def test_pictures_are_shown(docs: Docs) -> None:
    assert 'src="/docs/pictures/board.png"' in read(docs, "/docs/first")
    picture = docs.file("/docs/pictures/board.png")
    assert picture is not None
    assert (picture.kind, picture.body) == ("image/png", b"\x89PNG")


def test_a_page_is_put_into_markup_once(docs: Docs) -> None:
    assert docs.file("/docs/first") is docs.file("/docs/first.md")


@pytest.mark.parametrize("path", ["/docs/nothing", "/docs/notes.txt", "/docs/../first", "/first"])
def test_there_is_nothing_else(docs: Docs, path: str) -> None:
    assert docs.file(path) is None


def test_the_contents_name_every_page(docs: Docs) -> None:
    said = read(docs, DOCS)
    assert '<a href="/docs/first">The first page</a>' in said
    assert '<a href="/docs/games/other">Other</a>' in said


def test_every_dialect_and_game_has_its_page_here() -> None:
    docs = Docs()
    wanted = [f"/docs/dialects/{name}" for name in DIALECTS] + [f"/docs/games/{n}" for n in GAMES]
    assert [path for path in wanted if docs.file(path) is None] == []


def test_every_link_of_our_own_pages_leads_to_something_on_them() -> None:
    docs = Docs()
    pages = {path: docs.file(path) for path in docs}
    texts = {path: f.body.decode() for path, f in pages.items() if f and "html" in f.kind}
    ids = {path: set(ID.findall(text)) for path, text in texts.items()}
    astray = []
    for path, text in texts.items():
        for link in HREF.findall(text.partition("<main>")[2]):
            there, _, part = link.partition("#")
            if link.startswith(("#", DOCS)) and (
                (there or path) not in ids or (part and part not in ids[there or path])
            ):
                astray.append(f"{path}: {link}")
    assert astray == []


def test_the_contents_begin_with_what_people_want() -> None:
    contents = Docs().file(DOCS)
    assert contents is not None
    found = contents.body.decode()
    assert found.index("I want to play") < found.index("<h2")
    for page in WANTED.values():
        assert f'href="{DOCS}{page}"' in found


def test_a_long_page_lists_its_parts_and_a_short_one_does_not() -> None:
    pages = Docs()
    long, short = pages.file("/docs/tours"), pages.file("/docs/plugins")
    assert long is not None
    assert short is not None
    assert b'aria-label="On this page"><ul><li><a href="#the-plan">The plan</a>' in long.body
    assert b"On this page" not in short.body
