"""The server dies in the middle of a game, and comes back: the page goes on by itself."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.people import DESKTOP, Person, Rooms
from tests.ports import spare_port
from tests.server.process import serving


def test_a_game_goes_on_after_the_server_was_killed(rooms: Rooms, tmp_path: Path) -> None:
    with serving(tmp_path, "--port", str(spare_port())) as before:
        ann, bob = (Person(rooms, before.port, DESKTOP, "light") for _ in range(2))
        begin(ann, bob)
        before.kill()
        for person in (ann, bob):
            person.sees("The server cannot be reached.")
            expect(person.page.get_by_label("f6, white, the last move")).to_be_visible()
        with serving(tmp_path, "--port", str(before.port)):
            ann.play("f5")
            bob.play("f4")
            for person in (ann, bob):
                expect(person.page.get_by_label("f4, white, the last move")).to_be_visible()
                expect(person.page.get_by_label("Say something")).to_have_value("half a sen")
                expect(person.page.get_by_text("The server cannot be reached.")).to_have_count(0)
                assert moves_listed(person) == ["e6", "f6", "f5", "f4"]
                person.leave()
                assert person.complaints == []


def begin(ann: Person, bob: Person) -> None:
    """Two moves of a game."""
    ann.enter("Ann")
    ann.start("Reversi", "A person")
    bob.enter("Bob", "/tables/1")
    bob.sit("white")
    ann.play("e6")
    bob.play("f6")
    for person in (ann, bob):
        expect(person.page.get_by_label("f6, white, the last move")).to_be_visible()
        person.page.get_by_label("Say something").fill("half a sen")


def moves_listed(person: Person) -> list[str]:
    """The moves beside the board: each once."""
    return person.page.locator(".moves-row .move > span").all_inner_texts()
