"""The organiser's forms, used: what is entered by hand is what everybody sees."""

import re
from collections.abc import Callable

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


def test_an_entrant_is_renamed_and_no_two_are_called_alike(
    organiser: Organise, server: Server
) -> None:
    Contest(server, "Ann", "Bob")
    eve = organiser()
    eve.press("Rename Ann")
    dialog = eve.page.get_by_role("dialog", name="Rename Ann")
    dialog.get_by_label("Name").fill("Bob")
    dialog.get_by_role("button", name="Call it so").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Bob")
    eve.complaints.clear()  # the browser notes that it was refused
    dialog.get_by_label("Name").fill("Ann Lee")
    dialog.get_by_role("button", name="Call it so").click()
    expect(dialog).to_have_count(0)
    for region in ("Standing", "Entrants"):
        expect(eve.page.get_by_role("region", name=region)).to_contain_text("Ann Lee")


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
