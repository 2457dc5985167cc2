"""Who plays is called: by sounds, by the tab, by the browser, and by the head of every page."""

import re
from time import monotonic
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from rookery.core.events import Played
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Open, Play, Resign, Sit
from tests.browser.people import DESKTOP, PHONE, Person, Size, Visit
from tests.browser.test_called import games
from tests.server.process import Client, Server

FIRST: Final = TableId(1)
PATIENCE: Final = 60  # seconds
LOOK: Final = 20  # milliseconds
LANDSCAPE: Final = (844, 390)
# Sounds, by the pitch of their first note.
MOVE, CAPTURE, TURN, LOW, BEGIN, END = 196, 147, 587, 988, 392, 659
LISTEN: Final = """
  window.pitches = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) {
    window.pitches.push(this.frequency.value);
    return start.call(this, when);
  };
  window.rests = window.resumes = 0;
  const { suspend, resume } = AudioContext.prototype;
  AudioContext.prototype.suspend = async function () {
    await suspend.call(this);
    window.rests += 1;
  };
  AudioContext.prototype.resume = async function () {
    await resume.call(this);
    window.resumes += 1;
  };
"""
NOTES: Final = """
  window.notes = [];
  window.Notification = class {
    static permission = "default";
    static requestPermission() {
      this.permission = "granted";
      return Promise.resolve("granted");
    }
    constructor(title, { body }) { window.notes.push(body); }
    close() {}
  };
"""
PHONE_NOTES: Final = """
  window.notes = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission() { return Promise.resolve("granted"); }
    constructor() { throw new TypeError("Illegal constructor"); }
  };
  const show = async (_, { body, data }) => window.notes.push(`${body} (${data})`);
  const worker = { showNotification: show };
  const line = new EventTarget();
  Object.assign(line, { ready: Promise.resolve(worker), register: async () => worker });
  Object.defineProperty(navigator, "serviceWorker", { value: line });
  window.tap = (to) => {
    const data = { type: "tapped", to };
    line.dispatchEvent(new MessageEvent("message", { data }));
  };
"""
AWAY: Final = """
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" })
"""
# Whether the middle of an element can be clicked, once it is in view.
CLEAR: Final = """one => {
  one.scrollIntoView({ block: "center" });
  const { left, top, width, height } = one.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return one.contains(found) || found?.contains(one);
}"""


def comes_true(page: Page, words: str, wanted: object = None) -> None:
    """Look until this is so; the page's own policy keeps Playwright from looking again itself."""
    ends = monotonic() + PATIENCE
    while not page.evaluate(words, wanted):
        assert monotonic() < ends, words
        page.wait_for_timeout(LOOK)


def hears(page: Page, *pitches: int) -> None:
    """Wait until these notes were among those that sounded, in this order."""
    comes_true(
        page,
        """wanted => {
          let at = 0;
          for (const pitch of window.pitches) if (Math.abs(pitch - wanted[at]) < 1) at += 1;
          return at >= wanted.length;
        }""",
        list(pitches),
    )


def plays_first(player: Client, table: TableId = FIRST) -> None:
    """Play the first move there is."""
    player.done(Play(table, player.ask(LegalMoves(table)).moves[0]))


def eve_at(visit: Visit, server: Server, address: str, *clocks: str) -> tuple[Person, Client]:
    """Eve at the page, whose turn it is in games with these clocks; and Bob, who plays them."""
    eve, bob = server.enter("Eve"), server.enter("Bob")
    games(eve, bob, *clocks)
    person = visit()
    person.come_as("Eve", eve)
    person.page.add_init_script(LISTEN + NOTES)
    person.go(address)
    return person, bob


def test_moves_the_turn_and_the_end_are_heard(visit: Visit, server: Server) -> None:
    eve, bob = eve_at(visit, server, "/tables/1", "5m")
    eve.playable().first.click()
    hears(eve.page, MOVE)
    comes_true(eve.page, "window.rests > 0")  # nothing sounds: to play nothing takes work, too
    eve.page.evaluate("window.resumes = window.pitches.length = 0")
    plays_first(bob)
    hears(eve.page, MOVE, TURN)
    comes_true(eve.page, "window.resumes > 0")
    bob.done(Resign(FIRST))
    hears(eve.page, MOVE, TURN, END)
    assert CAPTURE not in eve.page.evaluate("window.pitches.map(Math.round)")


def test_a_move_is_heard_that_is_made_before_the_past_is_there(
    visit: Visit, server: Server
) -> None:
    eve, bob = server.enter("Eve"), server.enter("Bob")
    games(eve, bob, "5m")
    person, held, told = visit(), list[Route](), False

    def past(asked: Route) -> None:
        asked.continue_() if told else held.append(asked)

    person.come_as("Eve", eve)
    person.page.add_init_script(LISTEN)
    person.page.route("**/api/tables/1/moments*", past)
    person.go("/tables/1")
    person.playable().first.click()
    bob.news(Played)
    assert held
    told = True
    for asked in held:
        asked.continue_()
    hears(person.page, MOVE)


def test_a_capture_sounds_otherwise_than_a_move(visit: Visit, server: Server) -> None:
    players = [server.enter(name) for name in ("Ann", "Bob", "Cyd", "Dan")]
    players[0].done(Open("bughouse"))
    for player in players[1:]:
        player.done(Sit(FIRST))
    players[0].done(Play(FIRST, "1:e2e4"))
    players[1].done(Play(FIRST, "1:d7d5"))
    eve = visit()
    eve.page.add_init_script(LISTEN)
    eve.go("/tables/1")
    eve.page.get_by_role("heading", level=1).click()  # no browser lets a page sound before
    expect(eve.page.get_by_role("button", name=re.compile("^Bob: d7 to d5"))).to_be_visible()
    players[0].done(Play(FIRST, "1:e4d5"))
    hears(eve.page, CAPTURE)
    assert MOVE not in eve.page.evaluate("window.pitches.map(Math.round)")


def test_the_begin_is_heard(visit: Visit, server: Server) -> None:
    ann, bob = visit(), server.enter("Bob")
    bob.done(Open("tictactoe", time="5m"))
    ann.page.add_init_script(LISTEN)
    ann.enter("Ann", "/tables/1")
    ann.sees("Bob sat down.")  # all that was before is known
    ann.page.get_by_role("button", name=re.compile("^Sit")).first.click()
    hears(ann.page, BEGIN)


def test_a_clock_that_is_nearly_out_is_heard(visit: Visit, server: Server) -> None:
    eve, _ = eve_at(visit, server, "/tables/1", "45s")
    page = eve.page
    page.clock.install()
    page.reload()
    eve.playable().first.wait_for()
    page.get_by_role("heading", level=1).click()  # no browser lets a page sound before
    assert LOW not in page.evaluate("window.pitches.map(Math.round)")
    page.clock.fast_forward(36_000)  # the page's own; where the server sets it right, it comes yet
    hears(page, LOW, LOW, LOW)


def test_sound_is_off_by_one_click_and_stays_off(visit: Visit, server: Server) -> None:
    eve, bob = eve_at(visit, server, "/tables/1", "5m")
    sound = eve.page.get_by_role("button", name="Sound", exact=True)
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    eve.page.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")
    eve.playable().first.click()
    plays_first(bob)
    expect(eve.page.get_by_text("your turn", exact=True)).to_be_visible()
    assert eve.page.evaluate("window.pitches") == []


def test_who_asked_for_it_is_told_by_the_browser_while_the_page_is_hidden(
    visit: Visit, server: Server
) -> None:
    eve, bob = eve_at(visit, server, "/tables/1", "none")
    eve.press("Settings")
    wanted = eve.page.get_by_role("checkbox", name="Notifications")
    wanted.check()
    expect(wanted).to_be_checked()
    eve.press("Done")
    eve.playable().first.click()
    eve.page.evaluate(AWAY)
    plays_first(bob)
    comes_true(eve.page, "window.notes.length === 1")
    assert eve.page.evaluate("window.notes") == ["It is your turn: Reversi."]


def test_where_only_a_worker_may_show_notes_it_does_and_a_tap_leads_there(
    visit: Visit, server: Server
) -> None:
    """As on phones, where a page itself may not."""
    eve, bob = eve_at(visit, server, "/tables/1", "none")
    eve.page.add_init_script(PHONE_NOTES)
    eve.page.reload()
    eve.playable().first.wait_for()
    eve.page.evaluate("localStorage.setItem('rookery.settings', '{\"notify\": true}')")
    eve.page.reload()
    eve.playable().first.click()
    eve.page.evaluate(AWAY)
    plays_first(bob)
    comes_true(eve.page, "window.notes.length === 1")
    assert eve.page.evaluate("window.notes") == ["It is your turn: Reversi. (/tables/1)"]
    eve.page.evaluate("window.tap('/players')")
    expect(eve.page).to_have_url(re.compile("/players$"))


def test_the_tab_says_on_every_page_that_it_is_my_turn(visit: Visit, server: Server) -> None:
    eve, bob = eve_at(visit, server, "/players", "none")
    icon = eve.page.locator("link[rel=icon]")
    expect(eve.page).to_have_title("● Your turn · Players · Rookery")
    expect(icon).to_have_attribute("href", "/assets/icon-call.svg")
    call = eve.page.get_by_role("status").filter(has_text="It is your turn at table 1: Reversi.")
    call.get_by_role("link", name="Play").click()
    expect(eve.page).to_have_title("Your turn · Reversi · Rookery")
    expect(icon).to_have_attribute("href", "/assets/icon-call.svg")
    eve.playable().first.click()
    expect(eve.page).to_have_title("Bob to move · Reversi · Rookery")
    expect(icon).to_have_attribute("href", "/assets/icon.svg")
    eve.page.get_by_role("link", name="Connect", exact=True).click()
    expect(eve.page).to_have_title("Connect · Rookery")
    plays_first(bob)
    expect(eve.page).to_have_title("● Your turn · Connect · Rookery")
    hears(eve.page, TURN)
    eve.press("Later")
    expect(call).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE, LANDSCAPE])
def test_a_call_covers_nothing_of_a_game(visit: Visit, server: Server, size: Size) -> None:
    eve, bob = server.enter("Eve"), server.enter("Bob")
    games(eve, bob, "5m", "none")
    person = visit(size=size)
    person.come_as("Eve", eve)
    page = person.go("/tables/2")
    call = page.get_by_role("status").filter(has_text="Your clock runs at table 1")
    expect(call).to_be_visible()
    person.playable().first.wait_for()
    for name in ("Resign", "Say", "Back", "Forward", "Last"):
        assert page.get_by_role("button", name=name, exact=True).evaluate(CLEAR), name
    assert page.get_by_label("Say something").evaluate(CLEAR)
    expect(call).to_be_in_viewport()
    assert person.barriers() == []
