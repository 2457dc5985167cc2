"""Who sits at a table is called to it, and does not lose the seat by reading something else."""

import re
from typing import Final

from playwright.sync_api import expect

from rookery.core.events import Played
from rookery.core.ids import TableId
from rookery.core.intents import LegalMoves, Open, Play, Sit
from tests.browser.people import Visit
from tests.server.process import Client, Server

FIRST: Final = TableId(1)


def games(eve: Client, bob: Client, *clocks: str) -> None:
    """Games of these two, with these clocks; it is the turn of the first in each."""
    for time in clocks:
        table = eve.done(Open("reversi", time=time, house=0)).table
        assert table is not None
        bob.done(Sit(table))


def test_who_comes_back_is_called_to_a_clock_that_runs(visit: Visit, server: Server) -> None:
    eve, bob = server.enter("Eve"), server.enter("Bob")
    games(eve, bob, "5m", "none", "none")
    person = visit()
    person.come_as("Eve", eve)
    page = person.go("/players")
    call = page.get_by_role("status").filter(has_text="Your clock runs at table 1: Reversi, 5m.")
    call.get_by_role("link", name="Play", exact=True).click()
    page.wait_for_url("**/tables/1")
    expect(call).to_have_count(0)
    person.playable().first.click()
    bob.news(Played)
    page.get_by_role("link", name="Players").click()
    expect(page.get_by_role("heading", name="Players")).to_be_visible()
    expect(call).to_have_count(0)
    bob.done(Play(FIRST, bob.ask(LegalMoves(FIRST)).moves[0]))
    expect(call).to_have_count(1)
    person.press("Later")
    expect(call).to_have_count(0)


def test_a_game_whose_clock_runs_stands_first_in_the_lobby(visit: Visit, server: Server) -> None:
    eve, bob = server.enter("Eve"), server.enter("Bob")
    games(eve, bob, "5m", "none", "none", "none", "none", "10m")
    person = visit()
    person.come_as("Eve", eve)
    page = person.go("/")
    yours = page.get_by_role("region", name="Your games")
    cards = yours.get_by_role("article")
    expect(cards).to_have_count(4)
    names = cards.evaluate_all("all => all.map(one => one.ariaLabel)")
    assert names == ["Table 6", "Table 1", "Table 5", "Table 4"]
    expect(yours).to_contain_text(
        "And Reversi at table 3, no clock, your turn; Reversi at table 2, no clock, your turn"
    )


def test_from_a_table_the_docs_open_beside_it(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.enter("Ann")
    page = ann.start("Nim", "A person")
    ann.sees("These open in a new tab")
    with page.expect_popup() as beside:
        page.get_by_role("link", name="Documentation").click()
    expect(beside.value).to_have_url(re.compile("/docs/$"))
    ann.sees("Waiting for 1 player")
    ann.press("Leave the table")
    expect(page.get_by_text("These open in a new tab")).to_have_count(0)
    page.get_by_role("link", name="API").click()
    page.wait_for_url("**/api/docs")
