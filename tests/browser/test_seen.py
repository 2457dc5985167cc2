"""What people read at the page: who did what, by which name, and how it came out."""

import re
from typing import Final

from playwright.sync_api import Locator, expect

from tests.browser.contest import Contest
from tests.browser.people import Person, Visit
from tests.browser.programs import Line, game
from tests.server.process import Server

# Keeps all that a screen reader is given to say from now on.
HEAR: Final = """() => {
  window.heard = [];
  for (const live of document.querySelectorAll("[aria-live]")) {
    const keep = () => window.heard.push(live.textContent);
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(keep).observe(live, all);
  }
}"""


def talk(person: Person) -> Locator:
    """The lines beside the board."""
    return person.page.get_by_label("What was said").get_by_role("listitem")


def sits_with_bob(visit: Visit, server: Server) -> tuple[Person, Line]:
    """Ann at the page, and Bob, a program, in a game of reversi."""
    bob = Line(server, "Bob")
    bob.ask("open", variant="reversi", house=0, seat=1)
    ann = visit()
    ann.enter("Ann", "/tables/1")
    ann.sit()
    ann.sees("being played")
    return ann, bob


def test_a_yes_to_a_draw_is_read_and_heard_as_one(visit: Visit, server: Server) -> None:
    ann, bob = sits_with_bob(visit, server)
    ann.press("Offer a draw")
    expect(talk(ann).last).to_have_text("Ann offers a draw.")
    ann.page.evaluate(HEAR)
    bob.ask("offer_draw", table=1)
    expect(talk(ann).last).to_have_text("Bob accepts the draw.")
    # The end may come before a reader has said the yes; it is never said as an offer.
    expect(ann.page.locator("[aria-live]").filter(has_text="agreed on a draw")).to_have_count(1)
    assert not any("offers" in said for said in ann.page.evaluate("window.heard"))


def test_a_name_that_is_too_long_is_refused_and_not_cut(visit: Visit) -> None:
    ann = visit()
    ann.go("/")
    ann.press("Choose a name")
    name = ann.page.get_by_label("Name", exact=True)
    name.fill("a" * 41)
    expect(name).to_have_value("a" * 41)
    ann.press("Play")
    ann.sees("A name has at most 40 characters.")


def test_the_chart_of_ratings_has_the_last_game_of_a_tour(visit: Visit, server: Server) -> None:
    contest = Contest(server, "Ann", "Bob", "Cyd")
    viewer = visit()
    page = viewer.go("/tours/1")
    contest.start()
    chart = page.locator("figure").filter(has_text="Ratings")
    expect(chart).to_be_visible()
    contest.play()
    viewer.sees("3 of 3 matches played")
    chart.get_by_text("The numbers").click()
    expect(chart.get_by_role("row").last).to_contain_text("3 games")


def test_a_tour_that_has_a_name_is_called_so_everywhere(visit: Visit, server: Server) -> None:
    contest = Contest(server, "Ann", "Bob")
    contest.start()
    (table,) = contest.tables()
    viewer = visit()
    page = viewer.go(f"/tables/{table}")
    name = page.get_by_role("main").get_by_role("link", name="Thursday cup")
    expect(name).to_have_count(1)
    viewer.go("/tables")
    expect(name).to_have_count(1)
    contest.play()
    viewer.go(f"/tables/{table}")
    expect(name).to_have_count(2)  # above the board, and below the result
    viewer.go("/tables?status=over")
    expect(name).to_have_count(1)
    viewer.go(f"/players/{contest.winner}")
    expect(name.first).to_be_visible()
    expect(page.get_by_text("tour 1", exact=True)).to_have_count(0)


def test_who_was_removed_from_fish_has_no_place_but_a_reason(visit: Visit, server: Server) -> None:
    ann, bob, cyd = game(server, "fish", "Ann", "Bob", "Cyd")
    viewer = visit()
    page = viewer.go("/tables/1")
    viewer.sees("being played")
    ann.ask("resign", table=1)
    expect(page.locator(".strip").get_by_text("out: resigned")).to_have_count(1)
    bob.ask("leave", table=1)
    while cyd.ask("show", table=1)["to_act"]:
        cyd.ask("play", table=1, move=cyd.ask("legal_moves", table=1)["moves"][0])
    result = page.get_by_role("region", name="Cyd won.")
    rows = result.get_by_role("row").filter(has_text="out")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="Ann")).to_contain_text("resigned")
    expect(page.locator(".strip").get_by_text("out: resigned")).to_have_count(1)
    expect(page.locator(".strip").get_by_text("out: gone")).to_have_count(1)
    expect(page.get_by_text(re.compile("^place "))).to_have_count(0)
