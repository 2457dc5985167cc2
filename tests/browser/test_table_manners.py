"""How a table treats those at it: what it says in time, and that nothing jumps meanwhile."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import PHONE, Person, Visit
from tests.browser.programs import Line, game
from tests.server.process import Server

OFF: Final = "true"
LONG: Final = 205  # lines of talk: more than are shown at once
POLICY: Final = {"gone": "hold", "errors": {"limit": 3, "in_a_row": False, "out_of_turn": True}}


def button(person: Person, name: str) -> Locator:
    """The button of this name."""
    return person.page.get_by_role("button", name=name, exact=True)


def top(person: Person, region: str) -> float:
    """How far down the page this part of it begins, wherever it is scrolled to."""
    part = person.page.get_by_role("region", name=region, exact=True)
    found: float = part.evaluate("one => one.getBoundingClientRect().top + scrollY")
    return found


def opened(server: Server, table: int) -> dict[str, object]:
    """How this table was opened; whoever did it, and however long their seat is kept."""
    event: dict[str, object] = Line(server).ask("history", table=table)["events"][0]["event"]
    return {name: value for name, value in event.items() if name not in ("by", "kept")}


def meeting(
    visit: Visit, server: Server, variant: str, *, size: tuple[int, int], **terms: object
) -> tuple[Person, Line]:
    """Ann at the page, in the first seat, and Bob, a program that has the second."""
    bob = Line(server, "Bob")
    bob.ask("open", variant=variant, time="5m", house=0, seat=1, **terms)
    ann = visit(size=size)
    ann.enter("Ann", "/tables/1")
    ann.sit()
    ann.sees("being played")
    return ann, bob


def play(line: Line) -> None:
    """The first legal move."""
    line.ask("play", table=1, move=line.ask("legal_moves", table=1)["moves"][0])


# -- one like it


def test_one_like_a_closed_table_is_on_the_same_terms(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.enter("Ann")
    ann.press("Open a table")
    dialog = ann.page.get_by_role("dialog", name="Open a table")
    dialog.get_by_role("combobox", name="Game", exact=True).select_option("nim")
    dialog.get_by_role("combobox", name="Bots").select_option("0")
    dialog.get_by_text("More options").click()
    dialog.get_by_label("Your seat").select_option("Second")
    dialog.get_by_label("When somebody is gone").select_option("hold")
    dialog.get_by_role("button", name="Open the table").click()
    ann.sees("No bots come to this table.")
    ann.press("Leave the table")
    ann.press("Open one like it")
    ann.page.wait_for_url("**/tables/2")
    ann.sees("No bots come to this table.")
    expect(ann.page.locator(".strip[data-seat='1']")).to_contain_text("you")
    assert opened(server, 2) == opened(server, 1)


def test_who_finds_all_seats_taken_is_told_and_opens_one_like_it(
    visit: Visit, server: Server
) -> None:
    bob, cyd = Line(server, "Bob"), Line(server, "Cyd")
    bob.ask("open", variant="nim misere=true", time="5m", house=0, policy=POLICY)
    cyd.ask("sit", table=1)
    ann = visit()
    ann.enter("Ann", "/tables/1")
    watching = ann.page.get_by_role("region", name="You watch")
    expect(watching).to_contain_text("All seats are taken; you watch.")
    expect(watching.get_by_role("link", name="To the lobby")).to_be_visible()
    assert ann.barriers() == []
    ann.press("Open one like it")
    ann.sees("Waiting for 1 player")
    assert opened(server, 2) == opened(server, 1)


def test_who_plays_is_not_told_that_all_seats_are_taken(visit: Visit, server: Server) -> None:
    ann, _ = meeting(visit, server, "nim", size=PHONE)
    expect(ann.page.get_by_role("region", name="Your game")).to_be_visible()
    expect(ann.page.get_by_role("region", name="You watch")).to_have_count(0)


# -- who is gone


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        ("forfeit", r"Bob is gone\. If not back in \d+\ss, the game is yours\."),
        ("takeover", r"Bob is gone\. If not back in \d+\ss, a bot plays on\."),
        ("hold", r"Bob is gone\. The game waits; the clock runs on\."),
    ],
)
def test_what_follows_is_said_as_soon_as_somebody_is_gone(
    visit: Visit, server: Server, gone: str, words: str
) -> None:
    ann, bob = visit(), Line(server, "Bob")
    ann.enter("Ann")
    ann.press("Open a table")
    dialog = ann.page.get_by_role("dialog", name="Open a table")
    dialog.get_by_text("More options").click()
    dialog.get_by_label("When somebody is gone").select_option(gone)
    dialog.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_url("**/tables/1")
    bob.ask("sit", table=1)
    ann.sees("being played")
    before = top(ann, "Talk")
    bob.hang_up()
    said = ann.page.get_by_role("region", name="Your game").get_by_text(re.compile(words))
    expect(said).to_be_visible()
    assert top(ann, "Talk") == before
    Line(server, again=bob)
    expect(said).to_have_count(0)


# -- nothing jumps


def settled(person: Person) -> tuple[float, float]:
    """Where talk and moves begin, once that the game has begun moves them no more."""
    found = top(person, "Talk"), top(person, "Moves")
    person.page.wait_for_timeout(300)
    now = top(person, "Talk"), top(person, "Moves")
    return now if now == found else settled(person)


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_an_offer_and_its_answer_move_nothing(
    visit: Visit, server: Server, size: tuple[int, int]
) -> None:
    ann, bob = meeting(visit, server, "reversi", size=size)
    before = settled(ann)
    bob.ask("offer_draw", table=1)
    ann.sees("offers a draw.")
    assert (top(ann, "Talk"), top(ann, "Moves")) == before
    ann.press("Decline")
    expect(button(ann, "Offer a draw")).to_be_visible()
    assert (top(ann, "Talk"), top(ann, "Moves")) == before
    ann.press("Offer a draw")
    ann.sees("Ann offers a draw.")
    bob.ask("decline_draw", table=1)
    ann.sees("Declined. You may offer a draw again after the next move.")
    assert (top(ann, "Talk"), top(ann, "Moves")) == before
    ann.press("Resign")
    ann.sees("Resign this game?")
    assert (top(ann, "Talk"), top(ann, "Moves")) == before


def test_a_game_that_cannot_be_called_off_any_more_does_not_offer_it(
    visit: Visit, server: Server
) -> None:
    ann, bob = meeting(visit, server, "reversi", size=PHONE)
    expect(button(ann, "Call off")).to_be_visible()
    before = settled(ann)[0]
    ann.playable().first.click()
    ann.press("Play it")
    ann.page.get_by_text("to move", exact=True).wait_for()
    play(bob)
    expect(ann.page.get_by_text("Call off")).to_be_hidden()
    assert top(ann, "Talk") == before
    ann.press("Resign")
    ann.press("Yes, resign")
    expect(ann.page.locator("main").get_by_text("resigned")).to_have_count(
        1
    )  # told once, by the result
    expect(ann.page.get_by_role("region", name="Moves")).to_contain_text("The end.")


# -- what is to be done


def test_placing_penguins_is_counted_and_marked(visit: Visit, server: Server) -> None:
    ann, bob = meeting(visit, server, "fish", size=PHONE)
    ann.sees("Place a penguin: 1 of 4")
    expect(ann.page.locator(".board-fish .hint")).to_have_count(60)
    ann.playable().nth(30).click()
    ann.press("Play it")
    ann.sees("Bob places a penguin: 1 of 4")
    expect(ann.page.locator(".board-fish .hint")).to_have_count(0)
    play(bob)
    ann.sees("Place a penguin: 2 of 4")
    for _ in range(3):
        ann.playable().nth(30).click()
        ann.press("Play it")
        ann.page.get_by_text("to move", exact=True).wait_for()
        play(bob)
    ann.sees("Choose a penguin, then where it slides.")


# -- talk


def test_only_the_end_of_a_long_talk_is_shown_until_all_is_asked_for(
    visit: Visit, server: Server
) -> None:
    bob, _ = game(server, "nim", "Bob", "Cyd")
    for n in range(LONG):
        bob.ask("say", table=1, text=f"word {n}")
    ann = visit()
    ann.go("/tables/1")
    talk = ann.page.get_by_role("list", name="What was said")
    expect(talk).to_contain_text(f"word {LONG - 1}")
    first = talk.get_by_text(re.compile("word 0$"))
    expect(first).to_have_count(0)
    ann.press(f"Show all {LONG + 2} lines")
    expect(first).to_have_count(1)


def test_a_table_that_is_not_there_is_asked_for_once(visit: Visit) -> None:
    ann = visit()  # whose browser would complain of an answer that is 404
    ann.go("/tables/99999")
    ann.sees("There is no table 99999.")
