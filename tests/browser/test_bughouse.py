"""Bughouse: four people, two boards, and pieces that go from one to the other.

Ann and Dan are partners, and so are Bob and Cyd. Ann and Cyd have the white pieces.
"""

import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Locator, expect

from tests.browser.people import Person, Visit, middle
from tests.browser.programs import Line
from tests.browser.test_ahead import Slow, next_move
from tests.server.process import Server

SEATS: Final = {
    "Ann": "white on board 1",
    "Bob": "black on board 1",
    "Cyd": "white on board 2",
    "Dan": "black on board 2",
}


def square(person: Person, board: int, key: str) -> Locator:
    """A square, which says what is on it; the mouse goes through to the board."""
    group = person.page.get_by_role("group", name=f"Board {board}", exact=True)
    return group.locator(f'[data-key="{key}"]')


def move(person: Person, board: int, start: str, end: str) -> None:
    """Two clicks, once that piece can move; then it stands there."""
    expect(square(person, board, start)).to_have_attribute("aria-label", re.compile("can move$"))
    person.page.mouse.click(*middle(square(person, board, start)))
    person.page.mouse.click(*middle(square(person, board, end)))


def stands(person: Person, board: int, key: str, piece: str) -> None:
    """Wait until this piece is there."""
    expect(square(person, board, key)).to_have_attribute(
        "aria-label", re.compile(f"^{key}, {piece}")
    )


def in_hand(person: Person, owner: str, pieces: str) -> Locator:
    """A kind of piece in somebody's hand, once it is there."""
    piece = person.page.get_by_role("group", name=f"{owner}: in hand").get_by_label(pieces)
    expect(piece).to_be_visible()
    return piece


def say(person: Person, whom: str, text: str) -> None:
    """Talk at the table."""
    person.page.get_by_label("To whom").select_option(whom)
    person.page.get_by_label("Say something").fill(text)
    person.press("Say")


def sit_down(visit: Visit) -> dict[str, Person]:
    """All four at a table that Ann has opened."""
    people = {name: visit() for name in SEATS}
    for name, person in people.items():
        person.introduce(name, "/" if name == "Ann" else "/tables/1")
        if name == "Ann":
            person.start("Bughouse", "A person")
        else:
            person.sit(SEATS[name])
    return people


def test_four_people_talk_and_play_bughouse_with_drops_by_click_and_by_drag(visit: Visit) -> None:
    people = sit_down(visit)
    _all_are_seen(people)
    _what_is_said_to_the_partner_is_for_the_partner_alone(people, visit())
    ann, bob, cyd, dan = people.values()
    bob.page.set_viewport_size({"width": 1400, "height": 900})  # the boards are drawn anew
    move(ann, 1, "e2", "e4")
    move(bob, 1, "d7", "d5")
    move(cyd, 2, "g1", "f3")
    move(ann, 1, "e4", "d5")  # takes a pawn, which goes to Dan
    stands(dan, 2, "f3", "white knight")
    in_hand(dan, "Dan", "1 pawn").click()
    dan.page.mouse.click(*middle(square(dan, 2, "e6")))
    stands(cyd, 2, "e6", "black pawn")
    _moves_are_listed_by_board_as_chess_players_write_them(people)
    move(bob, 1, "d8", "d5")  # takes it back, for Cyd
    pawn = in_hand(cyd, "Cyd", "1 pawn")
    cyd.picture("table-bughouse")
    cyd.page.mouse.move(*middle(pawn))
    cyd.page.mouse.down()
    cyd.page.mouse.move(*middle(square(cyd, 2, "h4")), steps=4)
    cyd.page.mouse.up()
    for person in people.values():
        stands(person, 2, "h4", "white pawn")
        stands(person, 1, "d5", "black queen")


def _all_are_seen(people: dict[str, Person]) -> None:
    for person in people.values():
        for name in SEATS:
            expect(person.page.get_by_role("timer", name=f"Clock of {name}")).to_be_in_viewport()
            link = person.page.locator(".strip").get_by_role("link", name=name, exact=True)
            expect(link).to_be_in_viewport()


def _what_is_said_to_the_partner_is_for_the_partner_alone(
    people: dict[str, Person], viewer: Person
) -> None:
    say(people["Ann"], "To my partner", "I need a knight")
    people["Dan"].sees("I need a knight")
    say(people["Ann"], "To all", "good luck")
    for name, person in people.items():
        person.sees("good luck")
        heard = person.page.get_by_text("I need a knight").count() > 0
        assert heard == (name in ("Ann", "Dan"))
    viewer.go("/tables/1")
    viewer.sees("good luck")
    assert viewer.page.get_by_text("I need a knight").count() == 0


def _moves_are_listed_by_board_as_chess_players_write_them(people: dict[str, Person]) -> None:
    for person in people.values():
        one = person.page.get_by_role("group", name="Moves on board 1")
        two = person.page.get_by_role("group", name="Moves on board 2")
        expect(one.get_by_role("listitem")).to_have_text(["1.e4d5", "2.exd5"])
        expect(two.get_by_role("listitem")).to_have_text(["1.Nf3@e6"])
    page = people["Ann"].page
    moves = page.get_by_role("region", name="Moves")
    expect(moves.get_by_role("listitem").first).to_have_text("The game begins.")
    mine = page.locator(".strip", has=page.get_by_text("you", exact=True))
    expect(mine.locator(".strip-score")).to_have_text("+1 material")
    page.reload()
    expect(page.get_by_role("button", name=re.compile("^Ann: e4 to d5"))).to_have_text("exd5")
    assert people["Ann"].barriers() == []


def with_a_pawn_in_hand(visit: Visit, server: Server) -> tuple[Person, Line, Slow]:
    """Ann and three programs play bughouse; it is Bob's turn, and she has a pawn to drop after."""
    bob, cyd, dan = (Line(server, name) for name in ("Bob", "Cyd", "Dan"))
    bob.ask("open", variant="bughouse", house=0, seat=0, time="5m")
    cyd.ask("sit", table=1, seat=2)
    dan.ask("sit", table=1, seat=3)
    ann = visit()
    between = Slow(ann)
    ann.enter("Ann", "/tables/1")
    ann.sit()
    for line, move in ((cyd, "e2e4"), (dan, "d7d5"), (cyd, "e4d5"), (dan, "g8f6"), (cyd, "d2d4")):
        line.ask("play", table=1, move=f"2:{move}")
    return ann, bob, between


def test_a_piece_from_the_hand_is_dropped_though_what_may_be_played_is_on_its_way(
    visit: Visit, server: Server
) -> None:
    ann, bob, between = with_a_pawn_in_hand(visit, server)
    own = ann.page.get_by_role("group", name="Board 1", exact=True)
    pawn = ann.page.get_by_role("group", name="Ann: in hand").get_by_role("button", name="1 pawn")
    # It is taken up before the other moved, and put down after.
    pawn.click()
    expect(pawn).to_have_attribute("aria-pressed", "true")
    bob.ask("play", table=1, move="1:e2e4")
    expect(own.get_by_label("e4, white pawn")).to_be_attached()
    ann.page.mouse.click(*middle(own.locator('[data-key="d5"]')))
    expect(own.get_by_label("d5, empty, for your next turn")).to_be_attached()
    # Somewhere else, after all, and with keys.
    own.locator('[data-key="d5"]').press("Escape")
    expect(own.get_by_label("d5, empty, for your next turn")).to_have_count(0)
    pawn.press("Enter")
    own.locator('[data-key="e5"]').press("Enter")
    expect(own.get_by_label("e5, empty, for your next turn")).to_be_attached()
    between.open()
    expect(own.get_by_label("e5, black pawn")).to_be_attached()
    expect(pawn).to_have_count(0)
    assert ann.barriers() == []


def test_what_is_chosen_early_in_bughouse_is_taken_back_as_elsewhere(
    visit: Visit, server: Server
) -> None:
    ann, bob, between = with_a_pawn_in_hand(visit, server)
    between.open()
    mouse, keyboard = ann.page.mouse, ann.page.keyboard
    own = ann.page.get_by_role("group", name="Board 1", exact=True)
    pawn = ann.page.get_by_role("group", name="Ann: in hand").get_by_role("button", name="1 pawn")

    def at(square: str) -> tuple[float, float]:
        return middle(own.locator(f'[data-key="{square}"]'))

    def off() -> None:
        ann.press("Settings")
        ann.page.get_by_label("Choose a move before it is your turn").uncheck()
        expect(next_move(ann)).to_have_count(0)
        ann.page.get_by_label("Choose a move before it is your turn").check()
        ann.press("Done")

    ways: list[Callable[[], None]] = [
        lambda: keyboard.press("Escape"),
        lambda: mouse.click(*at("h4"), button="right"),
        lambda: mouse.click(*middle(pawn), button="right"),
        lambda: ann.press("Not that"),
        off,
    ]
    for take_back in ways:
        pawn.click()
        mouse.click(*at("e5"))
        expect(next_move(ann)).to_contain_text("Next: pawn on e5")
        take_back()
        expect(next_move(ann)).to_have_count(0)
        expect(own.get_by_label("e5, empty, for your next turn")).to_have_count(0)
    # A move on the board, too, whatever has the focus.
    for square in ("d7", "d5"):
        mouse.click(*at(square))
    expect(next_move(ann)).to_contain_text("Next: d7 to d5")
    assert ann.barriers() == []
    keyboard.press("Escape")
    expect(next_move(ann)).to_have_count(0)
    # And at once, before anything is said of it.
    pawn.click()
    mouse.click(*at("e5"))
    keyboard.press("Escape")
    bob.ask("play", table=1, move="1:e2e4")
    expect(own.get_by_label("d7, black pawn, can move")).to_be_attached()
    assert 1 in bob.ask("show", table=1)["to_act"]
