"""What one does is seen at once, however far away the server is."""

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.contest import Contest
from tests.browser.people import PHONE, Person, Visit
from tests.browser.programs import Line
from tests.server.process import Server

# A line to a server far away: what goes out takes so long, and so does what comes in; what is
# sent while `window.held` is true goes no further until it is let go.
FAR: Final = """
  window.held = false;
  const stuck = [];
  const later = (work) => setTimeout(() => (window.held ? stuck.push(work) : work()), 200);
  window.letGo = () => { window.held = false; stuck.splice(0).forEach((work) => work()); };
  window.WebSocket = class extends WebSocket {
    send(text) { later(() => super.send(text)); }
    set onmessage(hear) { super.onmessage = (message) => later(() => hear(message)); }
  };
"""


def cell(page: Page, name: str) -> Locator:
    """This cell, which says what became of it."""
    return page.get_by_role("button", name=re.compile(rf"^{name}, "))


def far_away(
    visit: Visit, server: Server, size: tuple[int, int] | None = None
) -> tuple[Person, Line]:
    """Ann at the page, far from the server, in a game of reversi with Bob; it is her turn."""
    bob = Line(server, "Bob")
    bob.ask("open", variant="reversi", house=0, seat=1, time="5m")
    ann = visit(size=size) if size else visit()
    ann.page.add_init_script(FAR)
    ann.enter("Ann", "/tables/1")
    ann.sit()
    ann.playable().first.wait_for()
    return ann, bob


def test_a_move_is_drawn_before_the_server_knows_of_it(visit: Visit, server: Server) -> None:
    ann, _ = far_away(visit, server)
    ann.page.evaluate("window.held = true")
    ann.play("d3")
    expect(cell(ann.page, "d3")).to_have_attribute("aria-label", "d3, empty, on its way")
    expect(ann.page.get_by_text("sending…")).to_be_visible()
    expect(ann.playable()).to_have_count(0)
    ann.page.evaluate("window.letGo()")
    expect(cell(ann.page, "d3")).to_have_attribute("aria-label", "d3, black, the last move")
    expect(ann.page.get_by_text("sending…")).to_have_count(0)


def test_a_move_that_is_refused_comes_back(visit: Visit, server: Server) -> None:
    ann, bob = far_away(visit, server)
    ann.page.evaluate("window.held = true")
    ann.play("d3")
    expect(cell(ann.page, "d3")).to_have_attribute("aria-label", "d3, empty, on its way")
    bob.ask("resign", table=1)
    ann.page.evaluate("window.letGo()")
    expect(cell(ann.page, "d3")).to_have_attribute("aria-label", "d3, empty")
    ann.sees("Ann won.")


def test_a_button_that_waits_shows_it(visit: Visit, server: Server) -> None:
    ann, _ = far_away(visit, server)
    ann.page.evaluate("window.held = true")
    draw = ann.page.get_by_role("button", name="Offer a draw")
    draw.click()
    expect(draw).to_have_attribute("aria-busy", "true")
    ann.page.get_by_label("Say something").fill("hello")
    ann.press("Say")
    say = ann.page.get_by_role("button", name="Say", exact=True)
    expect(say).to_have_attribute("aria-busy", "true")
    ann.page.evaluate("window.letGo()")
    expect(say).to_have_attribute("aria-busy", "false")
    expect(ann.page.get_by_text("You have offered a draw.")).to_be_visible()


def test_who_joins_a_tour_or_withdraws_sees_that_it_is_on_its_way(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    contest = Contest(server, "Bob", "Cyd")
    ann.page.add_init_script(FAR)
    ann.enter("Ann", f"/tours/{contest.tour}")
    join = ann.page.get_by_role("button", name="Join the tour")
    join.wait_for()
    ann.page.evaluate("window.held = true")
    join.click()
    expect(join).to_have_attribute("aria-busy", "true")
    ann.page.evaluate("window.letGo()")
    expect(ann.page.get_by_role("heading", name="You are in")).to_be_visible()
    ann.page.evaluate("window.held = true")
    ann.press("Withdraw")
    sure = ann.page.get_by_role("dialog").get_by_role("button", name="Withdraw")
    sure.click()
    expect(sure).to_have_attribute("aria-busy", "true")
    ann.page.evaluate("window.letGo()")
    expect(sure).to_have_count(0)


def test_on_a_phone_a_move_in_a_game_with_a_clock_is_asked_about(
    visit: Visit, server: Server
) -> None:
    ann, bob = far_away(visit, server, PHONE)
    ann.play("d3")
    asked = ann.page.get_by_role("group", name="Is this your move?")
    expect(asked).to_contain_text("d3")
    expect(asked).to_be_in_viewport()
    asked.get_by_role("button", name="Back").click()
    expect(asked).to_have_count(0)
    assert bob.ask("show", table=1)["to_act"] == [0]
    ann.play("c4")
    assert ann.barriers() == []
    asked.get_by_role("button", name="Play it").click()
    expect(cell(ann.page, "c4")).to_have_attribute("aria-label", "c4, black, the last move")


def test_whether_a_move_is_asked_about_is_one_s_own_choice(visit: Visit, server: Server) -> None:
    ann, _ = far_away(visit, server)
    ann.press("Settings")
    ann.page.get_by_label("Ask before a move is played").select_option("always")
    ann.press("Done")
    ann.play("d3")
    ann.press("Play it")
    expect(cell(ann.page, "d3")).to_have_attribute("aria-label", "d3, black, the last move")
