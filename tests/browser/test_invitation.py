"""Somebody waits for a friend, and the page goes and comes back: the seat is still theirs."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.people import DESKTOP, Person, Rooms, Visit
from tests.ports import spare_port
from tests.server.process import serving


def test_who_loads_the_page_anew_while_waiting_keeps_the_seat(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.enter("Ann")
    ann.start("Reversi", "A person")
    ann.go("/docs/")
    ann.go("/tables/1")
    bob.enter("Bob", "/tables/1")
    bob.sit("white")
    ann.play("e6")
    bob.play("f6")
    expect(ann.page.get_by_label("f6, white, the last move")).to_be_visible()


def test_a_restart_of_the_server_takes_no_invitation_back(rooms: Rooms, tmp_path: Path) -> None:
    with serving(tmp_path, "--port", str(spare_port())) as before:
        ann, bob = (Person(rooms, before.port, DESKTOP, "light") for _ in range(2))
        ann.enter("Ann")
        ann.start("Reversi", "A person")
        before.kill()
        ann.sees("The server cannot be reached.")
        with serving(tmp_path, "--port", str(before.port)):
            bob.enter("Bob", "/tables/1")
            bob.sit("white")
            ann.play("e6")
            bob.play("f6")
            for person in (ann, bob):
                person.leave()
                assert person.complaints == []


def test_a_table_that_is_opened_waits_for_people_unless_bots_are_wanted(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.enter("Ann")
    ann.press("Open a table")
    ann.press("Open the table")
    ann.sees("No bots come to this table.")
    page = bob.go("/tables/1")
    page.get_by_role("button", name="Sit here, with Ann as white").click()
    page.get_by_label("Name", exact=True).fill("Bob")
    bob.press("Play")
    for person in (ann, bob):
        person.sees("being played")
    ann.go("/")
    ann.press("Open a table")
    ann.page.get_by_role("combobox", name="Bots").select_option(
        "One comes if nobody else does within 1 h 0 min"
    )
    ann.press("Open the table")
    ann.sees("a bot of the house sits down")
