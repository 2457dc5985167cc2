"""The organiser's forms, used: what is entered by hand is what everybody sees."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.contest import Contest, token_of
from tests.browser.people import Person, Visit
from tests.browser.programs import game
from tests.server.process import Server

Organise = Callable[[], Person]


@pytest.fixture
def organiser(visit: Visit, server: Server) -> Organise:
    """Makes somebody who has given the token, at the first tour's page."""

    def come() -> Person:
        eve = visit()
        eve.go("/tours/1")
        eve.press("I am the organiser")
        eve.page.get_by_label("Token").fill(token_of(server))
        eve.press("That is me")
        eve.sees("You are the organiser in this tab.")
        return eve

    return come


def points_of(person: Person, name: str) -> Locator:
    """An entrant's points in the standing."""
    standing = person.page.get_by_role("region", name="Standing")
    return standing.get_by_role("row").filter(has_text=name).locator("td.points")


def match_of(person: Person, number: int) -> Locator:
    """A match in the schedule."""
    schedule = person.page.get_by_role("region", name="Schedule")
    return schedule.locator(".match").filter(has_text=re.compile(rf"#{number}\b"))


def enter(person: Person, number: int, result: str, reason: str = "") -> None:
    """Say how a match came out."""
    person.press(f"Enter the result of match {number}")
    dialog = person.page.get_by_role("dialog", name=f"How did match {number} come out?")
    dialog.get_by_role("combobox", name="Result").select_option(result)
    dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("button", name="Enter it").click()
    expect(dialog).to_have_count(0)


def test_a_result_is_entered_by_hand_and_corrected(
    organiser: Organise, visit: Visit, server: Server
) -> None:
    contest = Contest(server, "Ann", "Bob", "Cyd")
    contest.start()
    (table,) = contest.tables()
    eve, viewer = organiser(), visit()
    viewer.go("/tours/1")
    seats = contest.seats(table)
    enter(eve, 1, f"{seats[1]} won", "Played at the board.")
    for person in (eve, viewer):
        expect(points_of(person, seats[1])).to_have_text("1")
        expect(match_of(person, 1)).to_contain_text("Played at the board.")
        expect(match_of(person, 1)).to_contain_text("by hand")
    enter(eve, 1, "A draw")
    for person in (eve, viewer):
        expect(points_of(person, seats[0])).to_have_text("½")
        expect(points_of(person, seats[1])).to_have_text("½")


def test_a_table_is_closed_with_a_reason_for_all_who_are_there(
    organiser: Organise, visit: Visit, server: Server
) -> None:
    Contest(server, "Ann", "Bob")
    game(server, "tictactoe", "Cyd", "Dan")
    eve, viewer = organiser(), visit()
    viewer.go("/tables/1")
    viewer.sees("being played")
    eve.go("/tables/1")
    eve.press("Close this table")
    dialog = eve.page.get_by_role("dialog", name="Close table 1?")
    dialog.get_by_label("Why, for all who are there").fill("The hall closes.")
    dialog.get_by_role("button", name="Close it").click()
    for person in (eve, viewer):
        person.sees("The hall closes.")
    expect(eve.page.get_by_role("button", name="Close this table")).to_have_count(0)


def test_who_is_away_is_marked_so_until_the_end(visit: Visit, server: Server) -> None:
    contest = Contest(server, "Ann", "Bob")
    viewer = visit()
    page = viewer.go("/tours/1")
    row = page.get_by_role("region", name="Standing").get_by_role("row").filter(has_text="Bob")
    entrant = page.get_by_role("region", name="Entrants").get_by_role("listitem")
    expect(entrant.filter(has_text="Bob")).to_contain_text("connected")
    contest.hang_up("Bob")
    expect(row.get_by_text("away", exact=True)).to_be_visible()
    expect(entrant.filter(has_text="Bob")).to_contain_text("away")
    expect(entrant.filter(has_text="Ann")).to_contain_text("connected")


def test_who_is_paused_or_out_stays_in_the_standing_and_is_marked(
    visit: Visit, server: Server
) -> None:
    contest = Contest(server, "Ann", "Bob", "Cyd", "Dan", absent=1_000_000)
    viewer = visit()
    page = viewer.go("/tours/1")
    standing = page.get_by_role("region", name="Standing").get_by_role("row")
    entrant = page.get_by_role("region", name="Entrants").get_by_role("listitem")
    bob, dan = standing.filter(has_text="Bob"), standing.filter(has_text="Dan")
    contest.hang_up("Bob")
    expect(bob.get_by_text("away", exact=True)).to_be_visible()
    contest.start()
    expect(bob.get_by_text("paused", exact=True)).to_be_visible()
    expect(bob.get_by_text("away", exact=True)).to_have_count(0)
    expect(entrant.filter(has_text="Bob")).to_contain_text("paused")
    contest.put_out(4)
    expect(dan.get_by_text("put out", exact=True)).to_be_visible()
    wall = visit().go("/tours/1/screen").get_by_role("listitem")
    expect(wall.filter(has_text="Bob").get_by_text("paused", exact=True)).to_be_visible()
    expect(wall.filter(has_text="Dan").get_by_text("put out", exact=True)).to_be_visible()
    contest.play()
    viewer.sees("won the tour.")
    expect(bob.get_by_text("paused", exact=True)).to_be_visible()
    expect(dan.get_by_text("put out", exact=True)).to_be_visible()


def test_seeds_are_said_by_hand_before_the_start(organiser: Organise, server: Server) -> None:
    Contest(server, "Ann", "Bob", "Cyd", "Dan", format="knockout", seeding="hand")
    eve = organiser()
    eve.sees("seeded by hand")
    eve.press("Seeds")
    dialog = eve.page.get_by_role("dialog", name="Seeds")
    dialog.get_by_role("button", name="Cyd before the one above").click()
    lift = dialog.get_by_role("button", name="Cyd before the one above")
    expect(lift).to_be_focused()
    lift.click()
    expect(dialog.get_by_role("listitem").first).to_contain_text("Cyd")
    dialog.get_by_role("button", name="Seed them so").click()
    eve.sees("The seeds are set.")
    eve.press("Start")
    expect(match_of(eve, 1)).to_have_text(re.compile("Cyd.*Dan|Dan.*Cyd"))


def test_a_tour_is_opened_with_seeds_and_byes_for_who_is_late(
    organiser: Organise, server: Server
) -> None:
    Contest(server, "Ann", "Bob")
    eve = organiser()
    page = eve.go("/tours")
    eve.press("Open a tour")
    dialog = page.get_by_role("dialog", name="Open a tour")
    dialog.get_by_label("Who meets whom").select_option("Swiss")
    dialog.get_by_label("Half-point byes").fill("2")
    dialog.get_by_label("The first seed is").select_option("who has the best rating")
    dialog.get_by_text("More options").click()
    dialog.get_by_label("Average rating", exact=False).check()
    dialog.get_by_role("button", name="Open the tour").click()
    page.wait_for_url("**/tours/2")
    eve.sees("Swiss, 2 half-point byes for who joins late")
    eve.sees("seeded by rating")


def test_a_swiss_is_downloaded_for_pairing_programs(
    visit: Visit, server: Server, tmp_path: Path
) -> None:
    contest = Contest(server, "Ann", "Bob", "Cyd", "Dan", format="swiss rounds=2")
    contest.start()
    contest.play()
    viewer = visit()
    page = viewer.go("/tours/1")
    with page.expect_download() as coming:
        page.get_by_role("link", name="TRF").click()
    coming.value.save_as(tmp_path / "tour.trf")
    lines = (tmp_path / "tour.trf").read_text().splitlines()
    assert len([one for one in lines if one.startswith("001 ")]) == 4
    assert coming.value.suggested_filename == "tour-1.trf"


def test_a_cup_is_not_offered_for_pairing_programs(visit: Visit, server: Server) -> None:
    Contest(server, "Ann", "Bob", format="knockout")
    viewer = visit()
    page = viewer.go("/tours/1")
    expect(page.get_by_role("link", name="report (Markdown)")).to_be_visible()
    expect(page.get_by_role("link", name="(TRF)")).to_have_count(0)
