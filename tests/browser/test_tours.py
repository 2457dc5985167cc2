"""A tour's page: it follows the matches by itself, and obeys whoever has the token."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.contest import Contest, token_of
from tests.browser.edges import over_an_edge_too
from tests.browser.people import DESKTOP, Person, Rooms, Visit
from tests.plugins.toys import ONCE
from tests.server.process import Server, serving


@pytest.fixture
def contest(server: Server) -> Contest:
    """Three programs that wait for the start."""
    return Contest(server, "Ann", "Bob", "Cyd")


def points(page: Page) -> Locator:
    """The points of all, the best first."""
    return page.get_by_role("region", name="Standing").locator("td.points")


def organise(person: Person, token: str) -> None:
    """Show this token."""
    dialog = person.page.get_by_role("dialog", name="I am the organiser")
    dialog.get_by_label("Token").fill(token)
    dialog.get_by_role("button", name="That is me").click()


def test_a_tour_s_page_follows_the_matches_by_itself(visit: Visit, contest: Contest) -> None:
    viewer = visit()
    page = viewer.go("/tours/1")
    viewer.sees("It has not begun. 3 entrants are in.")
    page.evaluate("window.unloaded = false")
    contest.start()
    expect(page.get_by_role("heading", name="Now playing")).to_be_visible()
    (table,) = contest.tables()
    expect(page.get_by_role("link", name=re.compile(f"^Watch .*, table {table}$"))).to_be_visible()
    expect(points(page)).to_have_text(["0", "0", "0"])
    contest.win(table)
    expect(points(page)).to_have_text(["1", "0", "0"])
    contest.win(contest.tables()[0], moves=3)
    viewer.sees("1 of 3 matches played")
    assert page.evaluate("window.unloaded") is False


def test_the_organiser_runs_a_tour_from_its_page(
    visit: Visit, contest: Contest, server: Server
) -> None:
    eve = visit()
    page = eve.go("/tours/1")
    eve.press("I am the organiser")
    eve.sees("data/organiser.token")
    organise(eve, "a guess")
    expect(page.get_by_role("alert")).to_have_text("That is not the organiser's token.")
    organise(eve, token_of(server))
    eve.press("Start")
    eve.sees("The tour runs.")
    eve.press("Pause")
    eve.sees("The tour pauses.")
    contest.win(contest.tables()[0])
    expect(points(page)).to_have_text(["1", "0", "0"])
    eve.press("Void match 1")
    eve.press("Void it")
    expect(points(page)).to_have_text(["0", "0", "0"])
    eve.sees("to be played again")
    eve.press("Go on")
    eve.press("Put Cyd out")
    eve.press("Put it out")
    eve.sees("put out")
    expect(page.get_by_role("button", name="Put Cyd out")).to_have_count(0)  # it is done
    contest.win(contest.tables()[0])
    eve.sees("won the tour.")


@over_an_edge_too
def test_a_tour_is_opened_and_joined_in_the_page(visit: Visit, server: Server) -> None:
    eve, ann = visit(), visit()
    page = eve.go("/tours")
    eve.press("Open a tour")
    organise(eve, token_of(server))
    dialog = page.get_by_role("dialog", name="Open a tour")
    dialog.get_by_label("Name").fill("Club evening")
    dialog.get_by_role("combobox", name="Game").select_option("tictactoe")
    dialog.get_by_label("Who may join").select_option("with this code")
    dialog.get_by_label("Code", exact=True).fill("club")
    dialog.get_by_role("button", name="Open the tour").click()
    expect(page.get_by_role("heading", name="Club evening")).to_be_visible()
    eve.sees("CLUB")
    ann.enter("Ann")
    code = ann.page.get_by_role("region", name="Join by code")
    code.get_by_role("textbox").fill("club")
    ann.press("Join")
    ann.page.wait_for_url("**/tours/1")
    ann.sees("You are in")
    expect(page.get_by_role("link", name="Ann").first).to_be_visible()


def test_a_format_from_outside_is_chosen_with_its_options(rooms: Rooms, tmp_path: Path) -> None:
    file = tmp_path / "once.py"
    file.write_text(ONCE)
    with serving(tmp_path / "log", "--with", str(file)) as server:
        eve = Person(rooms, server.port, DESKTOP, "light")
        page = eve.go("/tours")
        eve.press("Open a tour")
        organise(eve, token_of(server))
        dialog = page.get_by_role("dialog", name="Open a tour")
        dialog.get_by_label("Who meets whom").select_option("Once")
        expect(dialog).to_contain_text("Everyone meets the first, once.")
        dialog.get_by_label("Legs", exact=True).fill("3")
        assert eve.barriers() == []
        dialog.get_by_role("button", name="Open the tour").click()
        page.wait_for_url("**/tours/1")
        eve.sees("Once, 3 legs")
        eve.leave()
        assert eve.complaints == []


def test_somebody_who_looks_elsewhere_is_called_to_the_match(
    visit: Visit, contest: Contest
) -> None:
    eve = visit()
    page = eve.enter("Eve", "/tours/1")
    eve.press("Join the tour")
    eve.sees("You are in")
    page.get_by_role("link", name="Lobby").click()
    contest.start()
    page.get_by_role("status").get_by_role("link", name="Play", exact=True).click()
    page.wait_for_url("**/tables/*")
    expect(page.get_by_text("you", exact=True)).to_be_visible()
    expect(page.get_by_text("has begun.")).to_be_hidden()


def test_a_tour_is_downloaded_as_a_file(visit: Visit, server: Server, tmp_path: Path) -> None:
    contest = Contest(server, "Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
    contest.start()
    for moves in (9, 9, 9, 3):
        for table in contest.tables():
            contest.win(table, moves=moves)
    viewer = visit(size=(1280, 1360))
    page = viewer.go("/tours/1")
    expect(points(page)).to_have_count(6)
    viewer.picture("tour")
    with page.expect_download() as coming:
        page.get_by_role("link", name="standing (CSV)").click()
    coming.value.save_as(tmp_path / "standing.csv")
    assert "Ann" in (tmp_path / "standing.csv").read_text()
