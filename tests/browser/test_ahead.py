"""Before one's turn: a move is chosen ahead, and arrows are drawn to think with, on every board."""

import re

from playwright.sync_api import Locator, WebSocketRoute, expect

from tests.browser.people import Person, Visit, middle
from tests.browser.programs import Line, game
from tests.server.process import Server


def cell(person: Person, name: str) -> Locator:
    return person.page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}, "))


def drawn(person: Person, start: str, end: str) -> None:
    """Draw with the right mouse button, from cell to cell."""
    mouse = person.page.mouse
    for name, go in ((start, mouse.down), (end, mouse.up)):
        mouse.move(*middle(cell(person, name)))
        go(button="right")


def meets(visit: Visit, server: Server, variant: str, table: int) -> tuple[Person, Line]:
    """Ann looks at a table at which Bob moves first."""
    bob = Line(server, f"Bob {table}")
    bob.ask("open", variant=variant, house=0, seat=0, time="5m")
    ann = visit()
    ann.enter("Ann", f"/tables/{table}")
    ann.sit()
    ann.page.get_by_text("to move", exact=True).wait_for()
    return ann, bob


def test_a_move_is_chosen_before_ones_turn_and_played_when_it_comes(
    visit: Visit, server: Server
) -> None:
    ann, bob = meets(visit, server, "reversi", 1)
    chosen = ann.page.get_by_role("group", name="Your next move")
    cell(ann, "c3").click()
    expect(chosen).to_contain_text("Next: c3")
    expect(cell(ann, "c3")).to_have_attribute("aria-label", "c3, empty, for your next turn")
    chosen.get_by_role("button", name="Not that").click()
    expect(chosen).to_have_count(0)
    cell(ann, "c3").press("Enter")
    bob.ask("play", table=1, move="d3")
    expect(cell(ann, "c3")).to_have_attribute("aria-label", "c3, white, the last move")
    # What cannot be played when the turn comes is not played, and it is said.
    cell(ann, "a1").click()
    bob.ask("play", table=1, move="c4")
    ann.sees("The move you chose cannot be played now.")
    expect(chosen).to_have_count(0)
    # By what the first is ahead stands beside what both have; a move is what players call it.
    expect(ann.page.locator(".strip-lead")).to_have_count(1)
    expect(ann.page.get_by_role("button", name="Ann: c3, turns 1 disc over")).to_be_visible()
    # The pointer shows what would be played; no dots do, unless they are wanted.
    hint = ann.page.locator(".board .hint").first
    expect(hint).to_have_css("opacity", "0")
    ann.playable().first.hover()
    expect(ann.playable().first.locator(".ghost")).to_have_css("opacity", "0.55")
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_label("Dots where you may play").check()
    ann.press("Done")
    ann.page.mouse.move(0, 0)
    expect(hint).to_have_css("opacity", "1")
    drawn(ann, "a1", "h8")
    drawn(ann, "b2", "b2")
    marks = ann.page.locator(".drawn path")
    expect(marks).to_have_count(2)
    drawn(ann, "b2", "b2")
    expect(marks).to_have_count(1)
    cell(ann, "c6").focus()
    for key in ("m", "ArrowRight", "m"):  # the same with keys
        ann.page.keyboard.press(key)
    expect(marks).to_have_count(2)
    assert ann.barriers() == []
    ann.playable().first.click()
    expect(marks).to_have_count(0)
    # In fish a move says what it ate.
    game(server, "fish", "Ida", "Jon", moves=11)
    ann.go("/tables/2")
    expect(ann.page.get_by_role("button", name=re.compile("for [123] fish"))).to_have_count(3)
    expect(ann.page.get_by_text(re.compile(r"→ \d+,\d+ \+[123]$"))).to_have_count(3)


class Slow:
    """Comes between Ann and what she may play. It mutates."""

    def __init__(self, ann: Person) -> None:
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        self.shut = True
        ann.page.route_web_socket("**/ws/native", self._come_between)

    def _come_between(self, line: WebSocketRoute) -> None:
        hall = line.connect_to_server()

        def send(words: str | bytes) -> None:
            if self.shut and '"type":"legal_moves"' in str(words):
                self._held.append((hall, words))
            else:
                hall.send(words)

        line.on_message(send)

    def open(self) -> None:
        """Let through what was asked, and what will be."""
        self.shut = False
        for hall, words in self._held:
            hall.send(words)
        self._held.clear()


def test_a_click_is_not_lost_while_what_may_be_played_is_on_its_way(
    visit: Visit, server: Server
) -> None:
    bob, cyd, dan = (Line(server, name) for name in ("Bob", "Cyd", "Dan"))
    bob.ask("open", variant="reversi", house=0, seat=0, time="5m")
    bob.ask("open", variant="bughouse", house=0, seat=0, time="5m")
    cyd.ask("sit", table=2, seat=2)
    dan.ask("sit", table=2, seat=3)
    ann = visit()
    between = Slow(ann)
    ann.enter("Ann", "/tables/1")
    ann.sit()
    bob.ask("play", table=1, move="d3")
    expect(cell(ann, "d3")).to_have_attribute("aria-label", "d3, black, the last move")
    cell(ann, "c3").click()
    expect(ann.page.get_by_role("group", name="Your next move")).to_contain_text("Next: c3")
    between.open()
    expect(cell(ann, "c3")).to_have_attribute("aria-label", "c3, white, the last move")
    # A piece that was taken up before the other moved is put down after.
    between.shut = True
    ann.go("/tables/2")
    ann.sit()
    own = ann.page.get_by_role("group", name="Board 1", exact=True)
    ann.page.mouse.click(*middle(own.locator('[data-key="d7"]')))
    bob.ask("play", table=2, move="1:e2e4")
    expect(own.get_by_label("e4, white pawn")).to_be_attached()
    ann.page.mouse.click(*middle(own.locator('[data-key="d5"]')))
    expect(own.get_by_label("d5, empty, for your next turn")).to_be_attached()
    between.open()
    expect(own.get_by_label("d5, black pawn")).to_be_attached()
