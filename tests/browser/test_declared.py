"""Games that the page has never heard of: each is drawn as it declares itself, and played."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, Person, Visit, middle
from tests.browser.programs import Line
from tests.browser.test_ahead import Slow
from tests.server.process import Server, serving

TOYS = Path(__file__).parent.parent / "showing" / "toys.py"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that was given games from outside."""
    with serving(tmp_path / "log", "--house", "on,wait=3600", "--with", str(TOYS)) as server:
        yield server


def sit(server: Server, person: Person, name: str, variant: str, others: int = 1) -> list[Line]:
    """This person opens a table, by the lobby, and programs take the other seats."""
    person.enter(name)
    person.start(variant, "A person")
    lines = [Line(server, f"Program{n}") for n in range(others)]
    table = int(person.page.url.rpartition("/")[2])
    for line in lines:
        line.ask("sit", table=table)
    person.sees("being played")
    return lines


def test_a_game_from_outside_is_offered_with_its_title_its_words_and_its_picture(
    visit: Visit,
) -> None:
    ann = visit()
    page = ann.enter("Ann")
    tile = page.get_by_role("group", name="Game").locator("label", has_text="Four in a row")
    tile.click()
    ann.sees("Drop discs into columns; four in a row win.")
    source = tile.locator("img").get_attribute("src")
    assert source is not None
    assert source.startswith("data:image/svg+xml,")
    assert tile.locator("img").evaluate("one => one.naturalWidth > 0"), "it is a picture"
    assert page.get_by_role("button", name="Play four in a row").is_enabled()


def test_discs_are_dropped_by_clicking_any_cell_of_a_column(visit: Visit, server: Server) -> None:
    ann = visit()
    (bob,) = sit(server, ann, "Ann", "Four in a row")
    board = ann.page.get_by_role("group", name="Four in a row board")
    ann.may_play([f"{letter}6" for letter in "abcdefg"])
    expect(board.locator(".hint")).to_have_count(7)
    board.get_by_role("button", name=re.compile("^d2,")).click()  # far above where it falls
    expect(board.get_by_role("button", name="d6, red, the last move")).to_be_visible()
    bob.ask("play", table=1, move="4")
    for falls in ("a6", "a5"):
        ann.play(falls)
        expect(board.get_by_role("button", name=f"{falls}, red, the last move")).to_be_visible()
        bob.ask("play", table=1, move="4")
    expect(board.get_by_role("button", name="d3, yellow, the last move")).to_be_visible()
    ann.may_play(["a4", "b6", "c6", "d2", "e6", "f6", "g6"])
    board.get_by_role("button", name=re.compile("^b6,")).hover()
    expect(board.locator(".ghost-shown")).to_have_count(1)
    assert ann.barriers() == []


def test_a_piece_is_chosen_and_then_where_it_goes(visit: Visit, server: Server) -> None:
    ann = visit()
    (bob,) = sit(server, ann, "Ann", "March")
    ann.sees("Choose a pawn, then where it goes.")
    page = ann.page
    page.get_by_role("button", name="c2, white pawn, can be moved").click()
    page.get_by_role("button", name="c3, empty, can go here").click()
    expect(page.get_by_role("button", name="c3, white pawn, the last move")).to_be_visible()
    bob.ask("play", table=1, move="d4c3")
    page.get_by_role("button", name="b2, white pawn, can be moved").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="c3, white pawn, the last move")).to_be_visible()
    expect(page.locator(".strip-score").first).to_have_text("1 pawn")
    assert ann.barriers() == []


def test_hexagons_are_clicked_where_their_names_say(visit: Visit, server: Server) -> None:
    ann = visit(scheme="dark")
    (bob,) = sit(server, ann, "Ann", "Honeycomb")
    page = ann.page
    expect(ann.playable()).to_have_count(19)
    ann.play("0,0")
    expect(page.get_by_role("button", name="0,0, orange, the last move")).to_be_visible()
    bob.ask("play", table=1, move="1,0")
    expect(page.get_by_role("button", name="1,0, blue, the last move")).to_be_visible()
    page.get_by_role("button", name="0,0, orange").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile(".*orange, the last move"))).to_be_visible()
    assert ann.barriers() == []


def test_one_sees_ones_own_cards_and_of_the_others_how_many(visit: Visit, server: Server) -> None:
    ann, eve = visit(), visit()
    sit(server, ann, "Ann", "Card duel")
    cards = ann.page.get_by_role("button", name=re.compile("[♠♥], can be played$"))
    expect(cards).to_have_count(4)
    eve.go(ann.page.url.partition("127.0.0.1")[2].partition("/")[2])
    expect(eve.page.locator(".thing-card")).to_have_count(8)
    expect(eve.page.locator(".card-face")).to_have_count(0)
    cards.first.click()
    expect(eve.page.locator(".card-face")).to_have_count(1)
    expect(cards).to_have_count(0)
    assert ann.barriers() == []


def test_the_lobby_says_where_bots_move_at_random(visit: Visit) -> None:
    ann = visit()
    page = ann.enter("Ann")
    words = page.get_by_text("Bots of this game move at random, whatever their level.")
    for game, random in (("Card duel", 1), ("March", 0)):
        page.get_by_role("group", name="Game").get_by_text(game, exact=True).click()
        page.get_by_role("group", name="Against").get_by_text("Bot 5", exact=True).click()
        expect(words).to_have_count(random)


def test_things_are_taken_from_the_right_of_a_heap(visit: Visit, server: Server) -> None:
    ann = visit(size=PHONE)
    (bob,) = sit(server, ann, "Ann", "Pebbles")
    page = ann.page
    page.get_by_role("button", name="Heap 2: take 3 pebbles, can be played").click()
    ann.press("Play it")
    expect(page.locator(".thing-gone")).to_have_count(3)
    bob.ask("play", table=1, move="0:1")
    expect(page.get_by_role("button", name="Heap 1: take 3 pebbles, can be played")).to_be_visible()
    assert ann.barriers() == []


def waiting(server: Server, ann: Person, variant: str) -> tuple[Line, Slow]:
    """Bob's turn; what Ann may play after it will be long in coming."""
    bob = Line(server, "Bob")
    bob.ask("open", variant=variant, house=0, seat=0, time="5m")
    between = Slow(ann, shut=False)
    ann.enter("Ann", "/tables/1")
    ann.sit()
    return bob, between


def test_what_is_taken_from_a_heap_is_not_lost_while_what_may_be_is_on_its_way(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    bob, between = waiting(server, ann, "pebbles")
    between.shut = True
    bob.ask("play", table=1, move="0:1")
    taken = ann.page.get_by_role("button", name=re.compile("^Heap 2: take 2 pebbles"))
    expect(ann.page.locator(".thing-gone")).to_have_count(1)
    taken.click()
    expect(taken).to_have_attribute("aria-label", "Heap 2: take 2 pebbles, for your next turn")
    between.open()
    expect(ann.page.locator(".thing-gone")).to_have_count(2)
    assert bob.ask("show", table=1)["view"]["heaps"] == [3, 5, 2]
    assert ann.barriers() == []


def test_a_card_is_not_lost_while_what_may_be_played_is_on_its_way(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    bob, between = waiting(server, ann, "duel")
    between.shut = True
    bob.ask("play", table=1, move=bob.ask("legal_moves", table=1)["moves"][0])
    cards = ann.page.locator(".card-may")
    expect(ann.page.locator(".card-last")).to_have_count(1)
    expect(cards).to_have_count(4)
    card = str(cards.nth(1).text_content())
    cards.nth(1).click()
    expect(cards.nth(1)).to_have_attribute("aria-label", f"{card}, for your next turn")
    between.open()
    expect(ann.page.locator(".card-last")).to_have_text(card)
    assert bob.ask("show", table=1)["view"]["table"][1] == card


def test_a_button_of_a_board_of_text_is_not_lost_while_what_may_be_played_is_on_its_way(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    bob, between = waiting(server, ann, "bare_count")
    bob.ask("play", table=1, move="+1")
    ann.press("+2")
    ann.sees("count: 3")
    between.shut = True
    bob.ask("play", table=1, move="+1")
    ann.sees("count: 4")
    group = "What you could play last time, for your next turn"
    again = ann.page.get_by_role("group", name=group).get_by_role("button", name="+2")
    again.click()
    expect(again).to_have_attribute("aria-pressed", "true")
    between.open()
    ann.sees("count: 6")
    assert ann.barriers() == []


@pytest.mark.parametrize(
    ("variant", "first"), [("pebbles", "1:2"), ("duel", ""), ("bare_count", "+1")]
)
def test_nothing_is_chosen_before_ones_turn_on_boards_of_heaps_cards_and_text(
    visit: Visit, server: Server, variant: str, first: str
) -> None:
    ann = visit()
    bob, _ = waiting(server, ann, variant)
    controls = ann.page.locator(".thing-may, .card-may, .plain-moves button")
    ann.page.get_by_text("to move", exact=True).wait_for()
    expect(controls).to_have_count(0)
    bob.ask("play", table=1, move=first or bob.ask("legal_moves", table=1)["moves"][0])
    expect(controls.first).to_be_visible()
    # The second click of one who clicks twice is no move for the turn after.
    place = middle(controls.last)  # what may be taken, however little is known
    ann.page.mouse.click(*place)
    expect(ann.page.get_by_role("button", name=re.compile("^Ann: "))).to_have_count(1)
    ann.page.mouse.click(*place)
    expect(controls).to_have_count(0)
    bob.ask("play", table=1, move=bob.ask("legal_moves", table=1)["moves"][0])
    expect(controls.first).to_be_visible()
    assert bob.ask("show", table=1)["to_act"] == [1]


def test_a_game_that_declares_nothing_is_text_and_buttons(visit: Visit, server: Server) -> None:
    ann = visit()
    (bob,) = sit(server, ann, "Ann", "Bare count")
    ann.sees("count: 0")
    ann.press("+2")
    ann.sees("count: 2")
    bob.ask("play", table=1, move="+1")
    ann.sees("count: 3")
    assert ann.barriers() == []
