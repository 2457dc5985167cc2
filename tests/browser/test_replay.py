"""A game is looked back at: while it goes on, and when it is over.

Then it is stepped through, played as it was, charted, and downloaded.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lines import first_moves
from tests.browser.people import Visit
from tests.browser.programs import Line, game
from tests.server.process import Server

VARIANT = "reversi size=4"
NOTE = """() => {
  const button = document.querySelector(".replay-play");
  document.body.dataset.said = "";
  new MutationObserver(() => document.body.dataset.said += ` ${button.innerText}`)
    .observe(button, { subtree: true, childList: true, characterData: true });
}"""


@pytest.fixture
def moves(server: Server) -> list[str]:
    """The moves of a game that was played at table 1."""
    ann, bob = Line(server, "Ann"), Line(server, "Bob")
    ann.ask("open", variant=VARIANT, time="5m", house=0)
    bob.ask("sit", table=1)
    turns, _ = first_moves(VARIANT)
    for turn in turns:
        (ann, bob)[turn.seat].ask("play", table=1, move=turn.move)
    return [turn.move for turn in turns]


def shows(page: Page, number: int, moves: list[str]) -> None:
    """The board is as it was after so many moves."""
    expect(page.locator(".stepper")).to_contain_text(f"{number} / {len(moves)}")
    last = page.get_by_role("button", name=re.compile("^[a-d][1-4], .*the last move$"))
    if number == 0:
        expect(last).to_have_count(0)
    else:
        expect(last).to_have_attribute("aria-label", re.compile(f"^{moves[number - 1]},"))


def test_a_viewer_who_steps_back_stays_there_until_the_live_button(
    visit: Visit, server: Server
) -> None:
    ann, bob = game(server, "reversi", "Ann", "Bob")
    ann.ask("play", table=1, move="e6")
    bob.ask("play", table=1, move="f6")
    page = visit().go("/tables/1")
    board = page.get_by_role("group", name="Reversi board")
    expect(board.get_by_label("f6, white, the last move")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    expect(board.get_by_label("e6, black, the last move")).to_be_visible()
    ann.ask("play", table=1, move="f5")
    bob.ask("play", table=1, move="f4")
    live = page.get_by_role("button", name="Live · 2 new moves")
    expect(live).to_be_visible()
    expect(board.get_by_label("e6, black, the last move")).to_be_visible()
    expect(board.get_by_label("f4, empty")).to_be_visible()
    live.click()
    expect(board.get_by_label("f4, white, the last move")).to_be_visible()
    ann.ask("play", table=1, move="e3")
    expect(board.get_by_label("e3, black, the last move")).to_be_visible()


def test_a_game_is_stepped_through_from_wherever_the_link_leads(
    visit: Visit, moves: list[str]
) -> None:
    person = visit()
    page = person.go("/tables/1?at=8")
    shows(page, 3, moves)  # after opened, seeded, two sat, started
    person.go("/tables/1")
    shows(page, len(moves), moves)
    page.get_by_role("button", name="First").click()
    shows(page, 0, moves)
    page.get_by_role("button", name="Forward").click()
    shows(page, 1, moves)
    page.get_by_role("slider", name="Position in the game").fill("5")
    shows(page, 5, moves)
    page.get_by_role("heading", name="Replay").click()
    page.keyboard.press("ArrowLeft")
    shows(page, 4, moves)
    page.get_by_role("button", name=re.compile(f"^(Ann|Bob): {moves[7]}, .*after")).click()
    shows(page, 8, moves)


def test_a_game_plays_by_itself_from_the_beginning(visit: Visit, moves: list[str]) -> None:
    page = visit().go("/tables/1")
    page.get_by_label("20×").check()
    page.evaluate(NOTE)  # the game was played in no time, and so this is over in a moment
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-said", " Pause Play")
    shows(page, len(moves), moves)


def test_a_replay_has_charts_of_time_and_score(visit: Visit, moves: list[str]) -> None:
    viewer = visit()
    page = viewer.go("/tables/1")
    for title in ("Time to think", "Score"):
        chart = page.get_by_role("figure").filter(has_text=title)
        expect(chart.locator("canvas")).to_be_visible()
        chart.get_by_text("The numbers").click()
        expect(chart.get_by_role("table")).to_contain_text("Ann")
        chart.get_by_text("The numbers").click()
    page.get_by_role("slider", name="Position in the game").fill("8")
    viewer.picture("replay", whole=True)


def test_the_log_of_a_game_is_downloaded(visit: Visit, moves: list[str], tmp_path: Path) -> None:
    page = visit().go("/tables/1")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download").click()
    coming.value.save_as(tmp_path / "game")
    text = (tmp_path / "game").read_text()
    assert [move for move in moves if move not in text] == []
