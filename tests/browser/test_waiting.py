"""A table as who was invited finds it, also on a phone on its side, and in people's words."""

from playwright.sync_api import Locator, expect

from tests.browser.people import Visit, box_of
from tests.browser.programs import Line, game
from tests.server.process import Server

SIDEWAYS = (844, 390)
TWICE = (640, 430)  # a small screen at 200 %


def box(found: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    at = box_of(found)
    return at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]


def test_who_is_invited_sits_down_on_the_seat_itself(visit: Visit, server: Server) -> None:
    bob = Line(server, "Bob")
    bob.ask("open", variant="reversi", house=0, seat=0)
    ann = visit()
    page = ann.enter("Ann", "/tables/1")
    board = page.locator(".stage-waits .board-reversi")
    expect(board).to_be_visible()  # faded, as it will be
    expect(page.get_by_role("button", name="Sit here, with Bob as white")).to_be_visible()
    expect(page.locator(".strip .piece-black")).to_have_count(1)
    ann.sees("Only this machine can open it.")  # whom else would one invite in vain
    assert ann.barriers() == []
    ann.sit("white")
    ann.sees("being played")
    for width, height in (SIDEWAYS, TWICE):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()  # the board is what one sees then, and not the head of the page
        expect(page.locator(".stage-board .board")).to_be_visible()
        expect(page.locator(".head")).not_to_be_in_viewport()
        left, top, right, bottom = box(page.locator(".stage-board"))
        assert bottom - top >= 0.55 * height
        assert abs((bottom - top) - (right - left)) < 3
        stage = box(page.locator(".stage"))
        assert 0 <= stage[1] < stage[3] <= height  # all of it can be seen at once
        assert box(page.locator(".table-side"))[0] > right
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_people_read_people_s_words(visit: Visit, server: Server) -> None:
    game(server, "guess", "Ann", "Bob", moves=2)
    game(server, "fish cols=5", "Cid", "Dan", moves=1)
    viewer = visit()
    page = viewer.go("/tables/1")
    expect(page.locator(".strip").get_by_text("First")).to_be_visible()
    expect(page.get_by_text("Home", exact=True)).to_have_count(0)
    viewer.go("/tables/2")
    expect(page.get_by_role("heading", name="Fish · columns 5")).to_be_visible()
    viewer.go("/players")
    expect(page.get_by_role("link", name="Ann")).to_be_visible()
    expect(page.locator(".badge").get_by_text("native")).to_have_count(0)
