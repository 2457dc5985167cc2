"""The lobby: what goes on is seen there as it happens, and one may simply sit down."""

import re

from playwright.sync_api import expect

from tests.browser.people import Visit
from tests.browser.programs import Line, game
from tests.browser.scene import furnish
from tests.server.process import Server


def test_the_lobby_shows_games_seats_and_tours(visit: Visit, server: Server) -> None:
    furnish(server)
    ann, dark = visit(), visit(scheme="dark")
    page = ann.enter("Ann")
    expect(page.get_by_role("article", name="Table 2")).to_contain_text("Cyd")
    expect(page.get_by_role("article", name="Table 3").locator("cg-board")).to_have_count(2)
    expect(page.get_by_role("region", name="Open seats")).to_contain_text("Quin waits")
    expect(page.get_by_role("region", name="Tours")).to_contain_text("Thursday cup")
    ann.picture("lobby")
    dark.go("/tables/2")
    dark.settles()
    dark.picture("dark")


def test_a_small_board_follows_its_game(visit: Visit, server: Server) -> None:
    bob, cyd = game(server, "reversi", "Bob", "Cyd")
    page = visit().go("/")
    card = page.get_by_role("article", name="Table 1")
    expect(card.locator(".disc.disc-black")).to_have_count(2)
    bob.ask("play", table=1, move="e6")
    expect(card.locator(".disc.disc-black")).to_have_count(4)
    cyd.ask("resign", table=1)
    expect(card).to_contain_text("won")


def test_who_plays_now_against_a_person_meets_whoever_waits(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.enter("Ann")
    page = ann.start("Nim", "A person")
    ann.sees("Waiting for 1 player")
    bob = visit()
    bob.enter("Bob")
    bob.start("Nim", "A person")
    assert bob.page.url == page.url
    for person in (ann, bob):
        person.sees("being played")


def test_who_waits_with_another_clock_is_met_too(visit: Visit, server: Server) -> None:
    Line(server, "Bob").ask("open", variant="reversi", time="60s/move", house=0)
    ann = visit()
    page = ann.enter("Ann")
    page.get_by_role("group", name="Against").get_by_text("A person", exact=True).click()
    ann.sees("Somebody waits for you at table 1. Each move may take 1 minute.")
    ann.start("Reversi", "A person")
    ann.sees("You sit down with Bob. Each move may take 1 minute.")
    expect(page).to_have_url(re.compile("/tables/1$"))
    ann.sees("being played")


def test_a_table_is_found_by_its_number(visit: Visit, server: Server) -> None:
    Line(server, "Bob").ask("open", variant="guess", house=0)
    ann = visit()
    page = ann.go("/")
    page.get_by_role("region", name="Join by code").get_by_role("textbox").fill("1")
    ann.press("Join")
    expect(page.get_by_role("heading", name="Guess")).to_be_visible()


def test_who_plays_alone_is_not_told_that_nobody_does(visit: Visit) -> None:
    ann = visit()
    page = ann.enter("Ann")
    ann.sees("No game is being played just now.")
    ann.start("Reversi", "Bot 1")
    ann.sees("being played")
    page.get_by_role("link", name="Lobby").click()
    ann.sees("Nobody else plays just now.")
    expect(page.get_by_text("No game is being played")).to_have_count(0)


def test_play_now_has_quick_clocks_a_random_seat_and_a_small_nim(visit: Visit) -> None:
    ann = visit()
    ann.enter("Ann")
    ann.page.get_by_role("group", name="Clock").get_by_text("Blitz").click()
    ann.page.get_by_role("group", name="Your seat").get_by_text("Random").click()
    ann.sees("Each player has 3 minutes for the whole game, and 2 seconds more after every move.")
    assert ann.barriers() == []
    page = ann.start("Nim", "A person")
    ann.sees("Table 1 · 3m+2s · waiting for players")
    page.get_by_role("link", name="Lobby").click()
    page.get_by_role("group", name="Your seat").get_by_text("First").click()
    page.get_by_role("group", name="Clock").get_by_text("No clock").click()
    ann.start("Nim", "Bot 1")
    sticks = page.get_by_role("group", name="Nim board").get_by_role("slider")
    expect(sticks).to_have_count(3)
    expect(page.get_by_text("Row 1", exact=True)).to_be_visible()
    assert [sticks.nth(n).get_attribute("aria-valuemax") for n in range(3)] == ["3", "4", "5"]
