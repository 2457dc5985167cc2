"""A server with its page, and people who look at it."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Browser

from tests.browser.edges import OVER_AN_EDGE, with_page
from tests.browser.people import CHROMIUM, DESKTOP, Person, Rooms, Visit, browsing
from tests.server.process import Server

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where there is no browser, say so instead of failing."""
    seen = pytest.mark.skipif(which(CHROMIUM) is None, reason="There is no chromium here.")
    tests = [one for one in items if isinstance(one, pytest.Function)]
    for test in tests:
        if HERE in test.path.parents and "browser" in test.fixturenames:
            test.add_marker(seen)


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server whose bots come only when asked for; an edge, where this is tried over one."""
    with with_page(tmp_path / "log", edge=getattr(request, "param", OVER_AN_EDGE)) as server:
        yield server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser for the tests here: no longer, since it leaves a loop in its thread."""
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="package")
def rooms(browser: Browser) -> Rooms:
    """What people are lent to look at the page with."""
    return Rooms(browser)


@pytest.fixture
def visit(rooms: Rooms, server: Server) -> Iterator[Visit]:
    """Makes people; none of their browsers may have had anything to complain of."""
    people: list[Person] = []

    def come(*, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Person:
        person = Person(rooms, server.port, size, scheme)
        people.append(person)
        return person

    yield come
    for person in people:
        person.leave()
    assert [person.complaints for person in people] == [[] for _ in people]
