"""On a phone a move is played with a finger; `test_barriers.py` has that no page is too wide."""

from playwright.sync_api import expect

from tests.browser.people import PHONE, Visit


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
