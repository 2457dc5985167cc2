"""Without a mouse: everything from the name to the last move is done with keys."""

import re

from playwright.sync_api import Page, expect

from tests.browser.people import Visit

FAR = 80  # tabs to the end of any page
NAME = """() => {
  const one = document.activeElement;
  return one.ariaLabel || one.labels?.[0]?.innerText || one.innerText || "";
}"""
MARKED = "() => Number(document.activeElement.dataset.cell)"


def tab_to(page: Page, name: str) -> None:
    """Go forward to what is called so, or begins so."""
    for _ in range(FAR):
        page.keyboard.press("Tab")
        if page.evaluate(NAME).strip().startswith(name):
            return
    raise AssertionError(f"no tab leads to {name}")


def walk(page: Page, start: int, end: int) -> None:
    """Go from cell to cell of a board of three by three."""
    rows, columns = end // 3 - start // 3, end % 3 - start % 3
    for _ in range(abs(rows)):
        page.keyboard.press("ArrowDown" if rows > 0 else "ArrowUp")
    for _ in range(abs(columns)):
        page.keyboard.press("ArrowRight" if columns > 0 else "ArrowLeft")


def test_a_whole_game_is_played_without_the_mouse(visit: Visit) -> None:
    ann = visit()
    page = ann.go("/")
    tab_to(page, "Choose a name")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Ann", exact=True).wait_for()
    tab_to(page, "Reversi")
    page.keyboard.press("ArrowLeft")  # round to the last
    tab_to(page, "Bot of level 2")
    page.keyboard.press("ArrowLeft")
    tab_to(page, "Play tic")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/1")
    ann.playable().first.wait_for()
    tab_to(page, "top left")
    over = page.get_by_role("region", name=re.compile(r"won\.$|^A draw\.$"))
    while not over.is_visible():
        free = int(ann.playable().first.get_attribute("data-cell") or "")
        walk(page, page.evaluate(MARKED), free)
        page.keyboard.press("Enter")
        expect(page.locator(f'[data-cell="{free}"]')).to_have_attribute(
            "aria-label", re.compile(", [XO]")
        )
        expect(ann.playable().first.or_(over).first).to_be_visible()
    tab_to(page, "Rematch")
