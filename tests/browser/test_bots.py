"""A person against a bot of the house: fish by click and by drag, nim and guess by their forms."""

import re
from contextlib import suppress

from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.edges import over_an_edge_too
from tests.browser.people import Person, Visit, middle

PENGUINS = 4  # of each, where two play


def tiles(person: Person, state: str) -> Locator:
    """Tiles that say this of themselves."""
    return person.page.get_by_role("button", name=re.compile(f"{state}$"))


def fish_of(person: Person) -> int:
    """What one has eaten."""
    mine = person.page.locator(".strip", has=person.page.get_by_text("you", exact=True))
    return int(mine.locator(".strip-score").inner_text().split()[0])


def test_a_person_plays_fish_with_a_bot(visit: Visit) -> None:
    ann = visit()
    ann.enter("Ann")
    page = ann.start("Fish", "Bot 1")
    for number in range(PENGUINS):
        ann.playable().first.click()
        expect(page.get_by_role("button", name=re.compile("red penguin"))).to_have_count(number + 1)
    tiles(ann, "can be moved").first.click()
    expect(tiles(ann, "chosen")).to_have_count(1)
    ann.picture("table-fish")
    tiles(ann, "can go here").first.click()
    page.get_by_role("button", name=re.compile("^Ann: .* to ")).wait_for()
    assert fish_of(ann) > 0

    penguin = tiles(ann, "can be moved").last
    penguin.wait_for()
    penguin.hover()
    before = fish_of(ann)
    page.mouse.down()
    page.mouse.move(*middle(penguin), steps=2)
    page.mouse.move(*[at + 12 for at in middle(penguin)], steps=2)
    page.mouse.move(*middle(tiles(ann, "can go here").last), steps=3)
    page.mouse.up()
    expect(page.get_by_role("button", name=re.compile("^Ann: .* to "))).to_have_count(2)
    assert fish_of(ann) > before


@over_an_edge_too
def test_nim_is_played_to_the_last_stick(visit: Visit) -> None:
    ann = visit()
    ann.enter("Ann")
    page = ann.start("Nim", "Bot 1")
    over = page.get_by_role("heading", name=re.compile(r" won\.$"))
    take = page.get_by_role("button", name=re.compile(r"^Take \d"), disabled=False)
    while not over.is_visible():
        take.or_(over).first.wait_for()
        with suppress(TooLate):  # what is there until the move is told may be gone by then
            take.click(timeout=1000)
    expect(page.get_by_text("took the last stick.").first).to_be_visible()


def test_guess_narrows_the_numbers_until_one_is_right(visit: Visit) -> None:
    ann = visit()
    ann.enter("Ann")
    page = ann.start("Guess", "Bot 1")
    over = page.get_by_role("heading", name=re.compile(r"( won|^A draw)\.$"))
    guess = page.get_by_role("button", name="Guess", exact=True, disabled=False)
    number = page.get_by_role("spinbutton")
    while True:
        guess.or_(over).first.wait_for()
        if over.is_visible():
            break
        left = re.findall(r"\d+", page.locator(".guess-form label").inner_text())
        number.fill(str((int(left[0]) + int(left[-1])) // 2))
        guess.click()
    expect(page.get_by_text("The number was").first).to_be_visible()
