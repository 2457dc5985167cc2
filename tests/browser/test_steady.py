"""Nothing jumps: not while a page is loaded, not sideways, and not when one comes back to it."""

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.contest import Contest
from tests.browser.people import DESKTOP, PHONE, Visit
from tests.browser.programs import Line, game
from tests.browser.scene import furnish
from tests.server.process import Server

NARROW: Final = (360, 740)
BEYOND: Final = "document.documentElement.scrollWidth - innerWidth"
TOP: Final = "it => it.getBoundingClientRect().top"
A_LINE: Final = 24  # pixels
MOST: Final = 0.1  # of the window, times how far; above it people lose what they read
LONG: Final = 39  # letters; with one more for who it is, as many as a name may have

# Remembers how much moved by itself since the page was opened.
WATCH: Final = """
window.moved = 0
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.moved += shift.value
}).observe({ type: "layout-shift", buffered: true })
"""
# Two frames on, all that was asked for so far is drawn.
DRAWN: Final = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_a_page_stands_still_while_it_is_loaded(visit: Visit, server: Server) -> None:
    furnish(server)
    reader = visit(size=PHONE)
    reader.enter("Zoe")
    reader.start("Reversi", "Bot 1")  # which then stands first in the lobby
    reader.playable().first.wait_for()
    reader.page.add_init_script(WATCH)
    moved: dict[str, float] = {}
    for address in ("/", "/tables", "/players", "/tours/1", "/tours/2", "/players/1"):
        page = reader.go(address)
        reader.settles()
        expect(page.get_by_role("link", name="Zoe").first).to_be_visible()
        expect(page.locator(".place .waiting")).to_have_count(0)
        page.evaluate(DRAWN)
        moved[address] = page.evaluate("window.moved")
    assert {address: far for address, far in moved.items() if far > MOST} == {}


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_first_who_joins_a_tour_pushes_nothing_away(
    visit: Visit, server: Server, size: tuple[int, int]
) -> None:
    contest = Contest(server)
    viewer = visit(size=size)
    page = viewer.go("/tours/1")
    schedule = page.get_by_role("region", name="Schedule")
    viewer.sees("Nobody has joined yet")
    before = schedule.evaluate(TOP)
    Line(server, "Ann").ask("join_tour", tour=contest.tour)
    expect(page.get_by_role("region", name="Standing")).to_contain_text("Ann")
    assert abs(schedule.evaluate(TOP) - before) < A_LINE


def test_no_name_is_so_long_that_a_page_scrolls_sideways(visit: Visit, server: Server) -> None:
    names = [letter + "w" * LONG for letter in "abcdef"]
    game(server, "reversi", *names[:2], moves=3)
    game(server, "bughouse", *names[:4], moves=2)
    game(server, "tictactoe", *names[:2], moves=9)
    over = Contest(server, *names[:3], title="t" * 2 * LONG)
    over.start()
    over.play()
    running = Contest(server, *names[3:])
    running.start()
    running.win(running.tables()[0], moves=3)
    person = visit(size=NARROW)
    person.enter("z" * (LONG + 1))
    wider: dict[str, int] = {}
    tables = (f"/tables/{number}" for number in range(1, 5))
    lists = ("/", "/tables", "/tours", "/players")
    for address in (*lists, *tables, "/tours/1", "/tours/2", f"/players/{over.winner}"):
        page = person.go(address)
        person.settles()
        if (beyond := page.evaluate(BEYOND)) > 0:
            wider[address] = beyond
    assert wider == {}


def test_back_leads_to_the_same_place_of_a_list(visit: Visit, server: Server) -> None:
    for _ in range(12):
        game(server, "tictactoe", "Ann", "Bob", moves=9)
    reader = visit(size=PHONE)
    page = reader.go("/tables")
    last = page.get_by_role("link", name="Tic-tac-toe, table 1", exact=True)
    expect(last).not_to_be_in_viewport()
    last.click()
    title = page.get_by_role("heading", name="Tic-tac-toe")
    expect(title).to_be_in_viewport()
    page.go_back()
    expect(last).to_be_in_viewport()
    page.go_forward()
    expect(title).to_be_in_viewport()
    page.go_back()
    expect(last).to_be_in_viewport()
    page.reload()
    expect(last).to_be_in_viewport()
