"""What a browser gets over a real socket: the page, the documentation, and their headers."""

from collections.abc import Iterator
from typing import Final

import pytest

from rookery.server.web.guard import PAGES
from rookery.server.web.problems import HEADERS
from rookery.server.web.static import Page
from tests.server.process import Server, serving
from tests.server.web.asking import Answer, ask

BROWSER: Final = {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("site")) as server:
        yield server
        assert server.stop() == 0, server.complaints()


def get(
    server: Server, path: str, headers: dict[str, str] = BROWSER, method: str = "GET"
) -> Answer:
    return ask(server, method, path, headers=headers)


@pytest.mark.parametrize("path", ["/", "/tables/1", "/docs/", "/docs/settings", "/api/docs"])
def test_a_page_is_packed_and_asked_for_again_each_time(server: Server, path: str) -> None:
    said = get(server, path)
    assert said.status == 200
    assert said.headers["content-type"] == "text/html; charset=utf-8"
    assert said.headers["content-encoding"] == "gzip"
    assert said.headers["cache-control"] == "no-cache"
    assert get(server, path, {**BROWSER, "If-None-Match": said.headers["etag"]}).status == 304


@pytest.mark.parametrize(
    "path", ["/", "/docs/", "/docs/nothing", "/assets/nothing.js", "/ws/native"]
)
def test_every_answer_has_the_same_policies(server: Server, path: str) -> None:
    said = get(server, path)
    same = {name: value for name, value in HEADERS.items() if name != "Cache-Control"}
    assert {name: said.headers[name.lower()] for name in same} == same
    assert b"style=" not in said.body
    assert b"<style" not in said.body


@pytest.mark.parametrize("path", ["/api/nothing", "/assets/nothing.js", "/favicon.ico"])
def test_what_is_no_page_and_not_there_is_a_problem(server: Server, path: str) -> None:
    said = get(server, path)
    assert said.status == 404
    assert said.headers["content-type"] == "application/problem+json"


def test_what_the_hall_is_asked_is_kept_by_nobody(server: Server) -> None:
    assert get(server, "/api/tables").headers["cache-control"] == "no-store"


def test_a_program_is_told_that_an_address_of_the_page_is_nothing_for_it(server: Server) -> None:
    assert get(server, "/tables/1", {"Accept": "application/json"}).status == 404


def test_an_address_of_the_page_is_there_for_curl_too(server: Server) -> None:
    said = get(server, "/tables/1", {"Accept": "*/*"})
    assert (said.status, said.headers["content-type"]) == (200, "text/html; charset=utf-8")


@pytest.mark.parametrize("path", ["/nothing", "/tables/x", "/tours/1/2"])
def test_an_address_that_nobody_has_is_not_found_by_anyone(server: Server, path: str) -> None:
    said = get(server, path)
    assert (said.status, said.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert get(server, path, {**BROWSER, "If-None-Match": said.headers["etag"]}).status == 404
    told = get(server, path, {"Accept": "*/*"})
    assert (told.status, told.headers["content-type"]) == (404, "application/problem+json")


def test_a_page_is_only_read(server: Server) -> None:
    said = get(server, "/tables/1", method="POST")
    assert (said.status, said.headers["allow"]) == (405, "GET, HEAD")
    assert get(server, "/", method="HEAD").body == b""


def test_a_call_that_writes_cannot_be_read_as_a_page(server: Server) -> None:
    assert get(server, "/api/tours/1/start").status == 405


def test_a_page_of_the_docs_that_is_missing_says_where_to_go(server: Server) -> None:
    said = get(server, "/docs/nothing")
    assert said.status == 404
    assert b'<a href="/docs/">' in said.body


@pytest.mark.parametrize(("path", "there"), [("/docs", "/docs/"), ("/docs/games", "/docs/#games")])
def test_a_folder_of_the_docs_leads_to_its_pages(server: Server, path: str, there: str) -> None:
    said = get(server, path)
    assert said.status == 307
    assert said.headers["location"].endswith(there)


def test_a_class_that_opens_the_page_is_no_flood() -> None:
    tabs, pupils = 4, 40
    assert len(list(Page())) * tabs * pupils < PAGES.burst
