"""Before one's turn: a move is chosen ahead, and arrows are drawn to think with, on every board."""

import re

from playwright.sync_api import Locator, WebSocketRoute, expect

from tests.browser.people import PHONE, Person, Visit, box_of, middle
from tests.browser.programs import Line, game
from tests.server.process import UNASKED, Server

NEWS = tuple(f'{{"type":"{kind}"' for kind in UNASKED)


def next_move(person: Person) -> Locator:
    """What says what was chosen."""
    return person.page.get_by_role("group", name="Your next move")


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
    """Comes between Ann and what she may play: news passes, answers wait."""

    def __init__(self, ann: Person, *, shut: bool = True) -> None:
        self._held: list[tuple[WebSocketRoute, str]] = []
        self._lines: list[tuple[WebSocketRoute, WebSocketRoute]] = []
        self.shut, self.away = shut, False
        ann.page.route_web_socket("**/ws/native", self._come_between)

    def _come_between(self, line: WebSocketRoute) -> None:
        if self.away:
            line.close()
            return
        hall, asked = line.connect_to_server(), False
        self._lines.append((line, hall))

        def send(words: str | bytes) -> None:
            nonlocal asked
            asked = asked or (self.shut and '"type":"legal_moves"' in str(words))
            hall.send(words)

        def tell(words: str | bytes) -> None:
            nonlocal asked
            for told in str(words).splitlines(keepends=True):
                asked = asked and self.shut
                if asked and not told.startswith(NEWS):
                    self._held.append((line, told))
                else:
                    line.send(told)

        line.on_message(send)
        hall.on_message(tell)

    def open(self) -> None:
        """Let through what was answered, and what will be."""
        self.shut = False
        for line, words in self._held:
            line.send(words)
        self._held.clear()

    def cut(self) -> None:
        """Have no connection, until `away` is said no more."""
        self.away = True
        self._held.clear()
        for line, hall in self._lines:
            hall.close()
            line.close()
        self._lines.clear()


def learning(visit: Visit, server: Server, **kind: tuple[int, int]) -> tuple[Person, Line, Slow]:
    """Bob has moved, and Ann does not know yet what she may play."""
    bob = Line(server, "Bob")
    bob.ask("open", variant="reversi", house=0, seat=0, time="5m")
    ann = visit(**kind)
    between = Slow(ann)
    ann.enter("Ann", "/tables/1")
    ann.sit()
    bob.ask("play", table=1, move="d3")
    expect(cell(ann, "d3")).to_have_attribute("aria-label", "d3, black, the last move")
    return ann, bob, between


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


def test_who_wants_to_choose_nothing_early_any_more_has_nothing_chosen(
    visit: Visit, server: Server
) -> None:
    ann, bob = meets(visit, server, "reversi", 1)
    cell(ann, "c3").click()
    expect(next_move(ann)).to_contain_text("Next: c3")
    ann.press("Settings")
    ann.page.get_by_label("Choose a move before it is your turn").uncheck()
    ann.press("Done")
    expect(next_move(ann)).to_have_count(0)
    bob.ask("play", table=1, move="d3")
    ann.may_play(["c3", "e3", "c5"])


def test_in_nim_nothing_is_chosen_before_ones_turn(visit: Visit, server: Server) -> None:
    ann, bob = meets(visit, server, "nim sticks=5,6,7", 1)
    form = ann.page.locator(".nim-form")
    rows = ann.page.get_by_role("slider", name=re.compile("^Row "))
    take = form.get_by_role("button", name="Take 1 from row 1")
    expect(take).to_be_disabled()
    expect(form.locator("select")).to_be_disabled()
    expect(rows).to_have_count(0)
    bob.ask("play", table=1, move="0,2")
    expect(take).to_be_enabled()
    names = [rows.nth(n).get_attribute("aria-label") for n in range(3)]
    assert names == ["Row 1, 3 sticks", "Row 2, 6 sticks", "Row 3, 7 sticks"]
    # The second click of one who clicks twice is no move for the turn after.
    box = box_of(rows.last.locator("svg"))
    place = box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2
    ann.page.mouse.click(*place)
    expect(ann.page.get_by_role("button", name=re.compile("^Ann: takes "))).to_have_count(1)
    ann.page.mouse.click(*place)
    expect(take).to_be_disabled()
    expect(next_move(ann)).to_have_count(0)
    bob.ask("play", table=1, move="1,1")
    expect(take).to_be_enabled()
    assert bob.ask("show", table=1)["to_act"] == [1]


def test_in_nim_what_is_taken_in_ones_turn_is_not_lost_before_it_is_known_what_may_be(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    between = Slow(ann)
    bob = Line(server, "Bob")
    bob.ask("open", variant="nim sticks=5,6,7", house=0, seat=0, time="5m")
    ann.enter("Ann", "/tables/1")
    ann.sit()
    bob.ask("play", table=1, move="0,2")
    ann.page.locator(".nim-form select").select_option(label="3")
    ann.page.locator(".nim-form input").fill("4")
    ann.press("Take 4 from row 3")
    expect(next_move(ann)).to_contain_text("Next: takes 4 from row 3")
    between.open()
    expect(ann.page.get_by_role("button", name="Ann: takes 4 from row 3")).to_be_visible()
    assert bob.ask("show", table=1)["view"]["rows"] == [3, 6, 3]


def test_who_is_asked_about_moves_is_asked_about_one_that_came_too_early(
    visit: Visit, server: Server
) -> None:
    ann, _, between = learning(visit, server, size=PHONE)
    cell(ann, "c3").click()
    expect(next_move(ann)).to_contain_text("Next: c3")
    between.open()
    asked = ann.page.get_by_role("group", name="Is this your move?")
    expect(asked).to_contain_text("c3")
    asked.get_by_role("button", name="Back").click()
    ann.may_play(["c3", "e3", "c5"])


def test_what_was_chosen_is_not_played_a_turn_later_after_a_move_in_another_tab(
    visit: Visit, server: Server
) -> None:
    ann, bob, between = learning(visit, server)
    cell(ann, "e3").click()
    expect(next_move(ann)).to_contain_text("Next: e3")
    first, ann.page = ann.page, ann.open()
    ann.go("/tables/1").get_by_role("button", name="Ann: play here").click()
    ann.play("c3")
    expect(cell(ann, "c3")).to_have_attribute("aria-label", "c3, white, the last move")
    between.open()
    bob.ask("play", table=1, move="c4")
    ann.page = first
    expect(cell(ann, "c4")).to_have_attribute("aria-label", "c4, black, the last move")
    expect(next_move(ann)).to_have_count(0)
    ann.press("Ann: play here")
    expect(ann.playable()).not_to_have_count(0)
    assert bob.ask("show", table=1)["to_act"] == [1]


def test_what_was_chosen_is_dropped_where_the_game_went_on_unheard(
    visit: Visit, server: Server
) -> None:
    ann, bob, between = learning(visit, server)
    cell(ann, "c3").click()
    expect(next_move(ann)).to_contain_text("Next: c3")
    between.cut()
    bob.ask("resign", table=1)
    between.away = between.shut = False
    ann.sees("The move you chose is not played: the game went on while you were away.")
    expect(next_move(ann)).to_have_count(0)


def test_a_drag_that_ends_in_ones_turn_is_a_move(visit: Visit, server: Server) -> None:
    bob = Line(server, "Bob")
    bob.ask("open", variant="fish", house=0, seat=0, time="5m")
    ann = visit()
    between = Slow(ann, shut=False)
    ann.enter("Ann", "/tables/1")
    ann.sit()

    def bob_moves() -> None:
        bob.ask("play", table=1, move=bob.ask("legal_moves", table=1)["moves"][0])

    played = 0
    while "-" not in bob.ask("legal_moves", table=1)["moves"][0]:  # penguins are being put down
        bob_moves()
        ann.playable().last.click()
        played += 1
        expect(ann.page.get_by_role("button", name=re.compile("^Ann: "))).to_have_count(played)
    between.shut = True
    bob_moves()
    start = ann.page.get_by_role("button", name=re.compile("can be moved on your next turn$"))
    goals = ann.page.get_by_role("button", name=re.compile("can go here$"))
    x, y = middle(start.last)
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x + 20, y + 20, steps=3)
    between.open()
    goals.first.wait_for()
    ann.page.mouse.move(*middle(goals.first), steps=3)
    ann.page.mouse.up()
    expect(ann.page.get_by_role("button", name=re.compile("^Ann: "))).to_have_count(played + 1)
    expect(next_move(ann)).to_have_count(0)
    assert bob.ask("show", table=1)["to_act"] == [0]


def test_a_move_of_chess_that_cannot_be_played_when_the_turn_comes_is_told(
    visit: Visit, server: Server
) -> None:
    bob, cyd, dan = (Line(server, name) for name in ("Bob", "Cyd", "Dan"))
    bob.ask("open", variant="bughouse", house=0, seat=0, time="5m")
    cyd.ask("sit", table=1, seat=2)
    dan.ask("sit", table=1, seat=3)
    ann = visit()
    between = Slow(ann)
    ann.enter("Ann", "/tables/1")
    ann.sit()
    own = ann.page.get_by_role("group", name="Board 1", exact=True)
    bob.ask("play", table=1, move="1:e2e4")
    expect(own.get_by_label("e4, white pawn")).to_be_attached()
    for square in ("d7", "e6"):  # nothing to take there
        ann.page.mouse.click(*middle(own.locator(f'[data-key="{square}"]')))
    expect(own.get_by_label("e6, empty, for your next turn")).to_be_attached()
    between.open()
    ann.sees("The move you chose cannot be played now.")
