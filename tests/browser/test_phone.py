"""On a phone: a move is played with a finger, and no page is wider than the screen."""

from playwright.sync_api import expect

from tests.browser.people import PHONE, Visit
from tests.browser.scene import furnish
from tests.server.process import Server

NARROW = (360, 740)
BEYOND = "document.scrollingElement.scrollWidth - innerWidth"


def test_a_move_is_played_with_a_finger(visit: Visit) -> None:
    ann = visit(size=PHONE)
    ann.enter("Ann")
    page = ann.start("Reversi", "Bot 1")
    cell = ann.playable().first
    name = str(cell.get_attribute("aria-label")).partition(",")[0]
    cell.tap()
    expect(page.get_by_label(f"{name}, black")).to_be_visible()
    page.get_by_text("your turn", exact=True).wait_for()
    ann.picture("phone")


def test_no_page_scrolls_sideways_on_a_narrow_screen(visit: Visit, server: Server) -> None:
    person = visit(size=NARROW)
    wider: dict[str, int] = {}
    for address in furnish(server):
        page = person.go(address)
        person.settles()
        if (beyond := page.evaluate(BEYOND)) > 0:
            wider[address] = beyond
    assert wider == {}
    person.missed(1)  # /nowhere
