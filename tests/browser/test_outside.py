"""What a newcomer does: an empty folder, a wheel, `rookery new game`, and then the page.

Every command that speaks of games is given the new one, and the log that all of it leaves is
verified in the end. Rookery is not changed for it, and does not know where it came from.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.people import DESKTOP, Person, Rooms
from tests.outside import ROOT, Outside

ANY_BOT = f"{sys.executable} {ROOT / 'examples' / 'bots' / 'any_bot.py'}"
MOVES = "".join(f"{square}\n" for square in range(9))  # until three are in a row


@contextmanager
def visiting(rooms: Rooms, port: int) -> Iterator[Person]:
    """Somebody whose browser has nothing to complain of."""
    person = Person(rooms, port, DESKTOP, "light")
    yield person
    person.leave()
    assert person.complaints == []


def test_a_game_of_ones_own_is_in_the_lobby_and_everywhere_else(
    outside: Outside, rooms: Rooms
) -> None:
    outside.run("new", "game", "connect4")
    outside.install("-e", "connect4")
    assert "connect4" in outside.run("games")
    assert "laws, all hold" in outside.run("laws", "connect4")
    assert " passed" in outside.test("connect4")
    with outside.serving() as port:
        with visiting(rooms, port) as ann:
            plays_with_bots(ann)
        plays_elsewhere(outside, f"127.0.0.1:{port}")
        plays_a_tour(outside, f"127.0.0.1:{port}")
    assert "made three in a row." in outside.run("replay", "1", "--speed", "0")
    assert re.search(r"\b\d+ tables", outside.run("verify"))
    assert str(9 * 8 * 7) in outside.run("perft", "connect4", "--depth", "3").split()
    words = ["--game", "connect4", "--games", "2", "--time", "none", "--jobs", "1"]
    assert "connect4" in outside.run("match", ANY_BOT, "level2", *words)


def plays_with_bots(ann: Person) -> None:
    """The new game is offered with a picture and five levels; the weakest and the best are met."""
    page = ann.enter("Ann")
    tile = page.get_by_role("group", name="Game").locator("label", has_text="Connect4")
    tile.click()
    expect(tile.locator("svg, img")).to_be_visible()
    ann.sees("Put a mark on a free square; three in a row win.")
    for level in range(1, 6):
        bot = page.get_by_role("radio", name=re.compile(f"^Bot of level {level}, "))
        expect(bot).to_be_enabled()
    for level in (1, 5):
        ann.go("/")
        ann.start("Connect4", f"Bot {level}")
        board = page.get_by_role("group", name="Connect4 board")
        expect(board.locator(".hint").first).to_be_visible()
        may, result = ann.playable(), page.locator(".result")
        may.first.wait_for()
        while not result.count():
            marks = board.get_by_role("button", name=re.compile("cross"))
            before = marks.count()
            may.first.click()
            expect(marks).not_to_have_count(before)
            may.or_(result).first.wait_for()
        expect(result).to_contain_text("made three in a row.")


def plays_elsewhere(outside: Outside, at: str) -> None:
    """In a terminal, by a program, and looked on at."""
    said = outside.run("play", "connect4", "--bot", "1", "--name", "bob", "--at", at, typed=MOVES)
    assert "made three in a row." in said
    assert "made three in a row." in outside.run("watch", "1", "--at", at)
    once = ["--game", "connect4", "--games", "1", "--at", at]
    with outside.begun("bot", "1", *once):
        said = outside.run("bot", *once, "--program", ANY_BOT, "--name", "program")
    assert "program" in said


def plays_a_tour(outside: Outside, at: str) -> None:
    """A round robin of bots, started when all are in."""
    sheet = Path(outside.folder / "tour.toml")
    sheet.write_text('game = "connect4"\nformat = "round_robin"\nplayers = 3\n', "utf-8")
    with ExitStack() as stack:
        run = stack.enter_context(outside.begun("tour", "run", sheet.name, "--at", at))
        assert run.stdout is not None
        said = (re.search(r"Its code is (\w+)\.", line) for line in run.stdout)
        code = next(found[1] for found in said if found)
        for name in ("one", "two", "three"):
            words = ["--game", "connect4", "--tour", code, "--name", name, "--at", at]
            stack.enter_context(outside.begun("bot", "1", *words))
        assert "Tour 1 is over" in run.stdout.read()
