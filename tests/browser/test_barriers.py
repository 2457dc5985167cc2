"""Nothing on any page keeps people out, as far as axe-core can tell: in light and in dark.

Every page of a furnished hall is opened once: on a narrow screen, which it must fit, and then
looked at on a wide one.
"""

from typing import Final

import pytest
from msgspec import Struct
from playwright.sync_api import expect

from tests.browser.contest import Contest, token_of
from tests.browser.edges import with_page
from tests.browser.people import DESKTOP, Person, Rooms, Visit
from tests.browser.scene import furnish
from tests.server.process import Server

NARROW: Final = (360, 740)
BEYOND: Final = "document.scrollingElement.scrollWidth - innerWidth"


class Walk(Struct):
    """What was found at each address."""

    beyond: dict[str, int]  # pixels that a narrow screen has not
    barriers: dict[str, list[str]]


@pytest.fixture(scope="module")
def walk(rooms: Rooms, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """Every page there is, looked at by somebody whose browser has nothing to complain of."""
    found = Walk({}, {})
    with with_page(tmp_path_factory.mktemp("walk") / "log") as server:
        person = Person(rooms, server.port, NARROW, "light")
        for address in furnish(server):
            resize(person, *NARROW)
            page = person.go(address)
            person.settles()
            found.beyond[address] = page.evaluate(BEYOND)
            resize(person, *DESKTOP)
            found.barriers[address] = in_both(person)
        person.missed(1)  # /nowhere
        person.leave()
    return found


def resize(person: Person, width: int, height: int) -> None:
    """Give them another screen."""
    person.page.set_viewport_size({"width": width, "height": height})


def test_no_page_has_a_barrier_in_light_or_dark(walk: Walk) -> None:
    assert {address: some for address, some in walk.barriers.items() if some} == {}


def test_no_page_scrolls_sideways_on_a_narrow_screen(walk: Walk) -> None:
    assert {address: wide for address, wide in walk.beyond.items() if wide > 0} == {}


def in_both(person: Person) -> list[str]:
    """What keeps people out here, in light and in dark."""
    person.page.emulate_media(color_scheme="light")
    light = person.barriers()
    person.page.emulate_media(color_scheme="dark")
    return light + [f"in the dark: {one}" for one in person.barriers("color-contrast")]


def dialogs(person: Person, *names: str, close: str = "Cancel") -> dict[str, list[str]]:
    """The same of what each of these buttons opens; each is closed again."""
    found = {}
    for name in names:
        person.press(name)
        expect(person.page.get_by_role("dialog")).to_be_visible()
        found[name] = in_both(person)
        person.page.get_by_role("dialog").get_by_role("button", name=close, exact=True).click()
        expect(person.page.get_by_role("dialog")).to_have_count(0)
    return {name: some for name, some in found.items() if some}


def test_no_dialog_and_no_board_of_one_s_own_has_a_barrier(visit: Visit) -> None:
    person = visit()
    person.go("/")
    assert dialogs(person, "Open a table", "Choose a name", "Sign in") == {}
    assert dialogs(person, "Settings", close="Done") == {}
    person.enter("Ann")
    assert dialogs(person, "Keep name", "Change your name") == {}
    person.start("Reversi", "Bot 1")
    person.playable().first.wait_for()
    assert in_both(person) == []
    person.press("Resign")
    assert in_both(person) == []  # it asks once more, in its place


def test_no_dialog_of_the_organiser_has_a_barrier(visit: Visit, server: Server) -> None:
    Contest(server, "Uma", "Vic", "Wes", "Xia", format="swiss rounds=3", seeding="hand")
    eve = visit()
    eve.go("/tours/1")
    assert dialogs(eve, "I am the organiser") == {}
    eve.press("I am the organiser")
    eve.page.get_by_label("Token").fill(token_of(server))
    eve.press("That is me")
    assert dialogs(eve, "Seeds") == {}
    assert dialogs(eve, "Call off", close="No") == {}
    eve.press("Seeds")
    eve.press("Seed them so")
    eve.sees("The seeds are set.")
    eve.press("Start")
    eve.sees("The tour runs.")
    assert dialogs(eve, "Enter the result of match 1") == {}
    eve.go("/tours")
    assert dialogs(eve, "Open a tour") == {}
