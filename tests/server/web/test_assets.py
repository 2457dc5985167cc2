"""The page's files: how they are packed, kept and found."""

import gzip
import re
from importlib.resources import files
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from rookery.server.web.static import (
    ASK_AGAIN,
    FOR_EVER,
    NO_PAGES,
    Page,
    is_page,
    make_file,
    send_file,
)

HTML = "text/html,application/xhtml+xml,*/*;q=0.8"
SCRIPT = b"let here = 1;\n" * 100


@pytest.fixture
def page(tmp_path: Path) -> Page:
    """A page that was built."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_bytes(b"<!doctype html>" + b"<p>" * 100)
    (tmp_path / "source.txt").write_bytes(b"of what it was made\n")
    (tmp_path / "assets" / "page-D3ZESKIN.js").write_bytes(SCRIPT)
    (tmp_path / "assets" / "icon.svg").write_bytes(b"<svg/>")
    return Page(tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/tables/3",
        "/tours",
        "/players/7",
        "/connect",
        "/tables/3/",
        "/tours/2/screen",
        "/anything/else",
    ],
)
def test_every_address_of_the_page_is_the_page(page: Page, path: str) -> None:
    found = page.at(path, HTML)
    assert found is not None
    assert found.body.startswith(b"<!doctype html>")
    assert found.keep == ASK_AGAIN


@pytest.mark.parametrize("first", sorted(NO_PAGES))
def test_what_is_for_programs_is_never_the_page(page: Page, first: str) -> None:
    assert page.at(f"/{first}", HTML) is None
    assert page.at(f"/{first}/odd", HTML) is None


@pytest.mark.parametrize("path", ["/favicon.ico", "/a/b.png", "*", "http://x/", "tables"])
def test_what_looks_like_a_file_or_like_nothing_is_not_the_page(page: Page, path: str) -> None:
    assert page.at(path, HTML) is None


@pytest.mark.parametrize("accept", ["", "*/*", "text/*;q=0.5", "image/png, */*; q=0.1"])
def test_whoever_takes_anything_gets_the_page_where_it_has_one(page: Page, accept: str) -> None:
    assert page.at("/", accept) is not None
    assert page.at("/tables/3", accept) is not None
    assert page.at("/anything/else", accept) is None


def test_who_wants_no_html_gets_the_page_at_its_root_alone(page: Page) -> None:
    assert page.at("/", "application/json") is not None
    assert page.at("/tables/3", "application/json") is None


def test_the_addresses_of_the_page_are_those_its_source_knows() -> None:
    source = (Path(__file__).parents[3] / "web/src/app.tsx").read_text("utf-8")
    known = re.findall(r'address === "(.*?)"|number\("(.*?)"\)', source)
    addresses = [plain or numbered.replace(":n", "12") for plain, numbered in known]
    assert len(addresses) == 10
    assert all(is_page(address) for address in addresses)
    odd = ("/tables/0", "/tables/x", "/tables/1/2", "/connect/3", "/nothing", "", "//", "tours")
    assert not any(is_page(address) for address in odd)


def test_a_file_with_a_digest_in_its_name_may_be_kept_for_ever(page: Page) -> None:
    script, icon = page.file("/assets/page-D3ZESKIN.js"), page.file("/assets/icon.svg")
    assert script is not None
    assert icon is not None
    assert (script.keep, script.kind) == (FOR_EVER, "text/javascript; charset=utf-8")
    assert (icon.keep, icon.kind) == (ASK_AGAIN, "image/svg+xml")


@pytest.mark.parametrize("path", ["/source.txt", "/assets/../index.html", "/assets/", "/assets"])
def test_nothing_else_is_given_away(page: Page, path: str) -> None:
    assert page.file(path) is None


def test_a_page_that_is_not_built_is_nowhere(tmp_path: Path) -> None:
    assert list(Page(tmp_path / "nothing")) == []


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip, deflate, br", True),
        ("br, GZIP;q=0.5", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
    ],
)
def test_a_file_is_packed_for_who_can_unpack_it(accepted: str, packed: bool) -> None:
    said = send_file(make_file(SCRIPT, "text/javascript"), Headers({"accept-encoding": accepted}))
    body = bytes(said.body)
    assert (said.headers.get("content-encoding") == "gzip") == packed
    assert (gzip.decompress(body) if packed else body) == SCRIPT
    assert said.headers["content-length"] == str(len(body))
    assert said.headers["vary"] == "Accept, Accept-Encoding"


def test_what_gets_no_shorter_is_not_packed() -> None:
    said = send_file(make_file(b"x", "text/plain"), Headers({"accept-encoding": "gzip"}))
    assert "content-encoding" not in said.headers


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_what_is_known_is_not_sent_again(accepted: str) -> None:
    file, asked = make_file(SCRIPT, "text/javascript"), {"accept-encoding": accepted}
    tag = send_file(file, Headers(asked)).headers["etag"]
    again = send_file(file, Headers({**asked, "if-none-match": f'"old", W/{tag}'}))
    assert (again.status_code, again.body, again.headers["etag"]) == (304, b"", tag)
    other = send_file(make_file(SCRIPT + b"!", "text/javascript"), Headers(asked))
    assert other.headers["etag"] != tag


def test_the_package_has_a_page() -> None:
    assert (files("rookery.server") / "page" / "index.html").is_file()
    assert Page().at("/", "") is not None
