"""A finished game looked into: how it stands, what is best, tries, mistakes; and hints."""

import json
import re

from playwright.sync_api import expect

from tests.browser.people import Visit
from tests.browser.programs import game
from tests.server.process import Server
from tests.server.web.asking import ask


def test_a_finished_game_is_analysed_and_tried_out(visit: Visit, server: Server) -> None:
    game(server, "reversi size=4", "Ann", "Bob", moves=60)
    cyd = visit()
    cyd.go("/tables/1")
    cyd.press("Analyse this game")
    analysis = cyd.page.get_by_role("region", name="Analysis")
    expect(analysis).to_contain_text("The game is over here")
    cyd.press("First")
    expect(analysis).to_contain_text("proved to the end of the game")
    expect(analysis.get_by_role("img", name=re.compile("^Ann stands at"))).to_be_visible()
    best = analysis.get_by_role("list", name="Best moves").get_by_role("button")
    expect(best).to_have_count(4)
    best.first.press("Enter")  # keys do as well
    expect(analysis).to_contain_text("Bob to move")
    cells = analysis.get_by_role("button", name=re.compile(", can be played$"))
    expect(cells).to_have_count(3)
    cells.first.press("Enter")
    expect(analysis).to_contain_text(re.compile(r"Tried: \w\d, \w\d"))
    analysis.get_by_role("button", name="One move back").click()
    expect(cells).to_have_count(3)
    cells.nth(1).click()
    branches = analysis.get_by_role("list", name="Branches").get_by_role("button")
    expect(branches).to_have_count(2)
    analysis.get_by_role("button", name="Mistakes of Bob").click()
    expect(analysis).to_contain_text(re.compile("cost most|No move cost much"))
    assert cyd.barriers() == []


def test_who_plays_a_bot_may_have_a_hint_and_nothing_else_that_runs_is_analysed(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    ann.enter("Ann")
    ann.start("Nim", "Bot 1")
    ann.press("Hint")
    ann.sees("wins (proved to the end of the game).")
    expect(ann.page.get_by_role("button", name="Analyse this game")).to_have_count(0)
    kept = json.loads(ann.page.evaluate("localStorage.getItem('rookery.me')"))
    own = {"Authorization": f"Bearer {kept['token']}"}
    assert ask(server, "GET", "/api/tables/1/analysis", headers=own).status == 200
    watcher = ask(server, "GET", "/api/tables/1/analysis")
    assert (watcher.status, watcher.problem.code) == (409, "not_now")
    assert "Only who plays" in watcher.problem.detail
    guess = {"Authorization": "Bearer 00000000"}
    assert ask(server, "GET", "/api/tables/1/analysis", headers=guess).status == 409
    ahead = ask(server, "GET", "/api/tables/1/tryout?moves=0,1", headers=own)
    assert (ahead.status, ahead.problem.code) == (409, "not_now")
    game(server, "reversi", "Bob", "Cyd", moves=2)
    running = ask(server, "GET", "/api/tables/2/analysis")
    assert (running.status, running.problem.code) == (409, "not_now")
