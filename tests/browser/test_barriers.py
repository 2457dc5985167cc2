"""Nothing on any page keeps people out, as far as axe-core can tell: in light and in dark."""

from playwright.sync_api import expect

from tests.browser.people import Visit
from tests.browser.scene import furnish
from tests.server.process import Server


def test_no_page_has_a_barrier_in_light_or_dark(visit: Visit, server: Server) -> None:
    person = visit()
    found: dict[str, list[str]] = {}
    for address in furnish(server):
        page = person.go(address)
        person.settles()
        page.emulate_media(color_scheme="light")
        light = person.barriers()
        page.emulate_media(color_scheme="dark")
        dark = [f"in the dark: {one}" for one in person.barriers("color-contrast")]
        found[address] = light + dark
    assert {address: some for address, some in found.items() if some} == {}
    person.missed(1)  # /nowhere


def test_no_dialog_and_no_board_of_one_s_own_has_a_barrier(visit: Visit) -> None:
    person = visit()
    page = person.go("/")
    person.press("Open a table")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert person.barriers() == []
    person.press("Cancel")
    person.press("Choose a name")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert person.barriers() == []
    person.press("Cancel")
    person.enter("Ann")
    person.start("Reversi", "Bot 1")
    person.playable().first.wait_for()
    assert person.barriers() == []
