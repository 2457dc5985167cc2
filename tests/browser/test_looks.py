"""Boards and the page as one likes them: flipped, light or dark, in other colours, with arrows."""

import re

from playwright.sync_api import expect

from tests.browser.people import Visit, box_of, middle
from tests.browser.programs import game
from tests.browser.test_bughouse import move, sit_down, square, stands
from tests.server.process import Server

PAPER = "getComputedStyle(document.body).backgroundColor"
CLOTH = "getComputedStyle(document.documentElement).getPropertyValue('--cloth')"


def test_a_board_is_seen_from_the_other_side_and_back(visit: Visit, server: Server) -> None:
    game(server, "reversi", "Ann", "Bob", moves=3)
    viewer = visit()
    page = viewer.go("/tables/1")
    first = page.locator(".strip-name").first
    expect(first).to_have_text("Bob")
    corner = page.get_by_role("button", name=re.compile("^a1, "))
    before = middle(corner)
    viewer.press("Flip the board")
    expect(first).to_have_text("Ann")
    assert middle(page.get_by_role("button", name=re.compile("^h8, "))) == before
    expect(page.locator(".edges text").first).to_have_text("h")
    assert viewer.barriers() == []
    viewer.press("Flip the board")
    assert middle(corner) == before


def test_looks_are_chosen_and_kept(visit: Visit) -> None:
    person = visit(scheme="light")
    page = person.go("/")
    light, green = page.evaluate(PAPER), page.evaluate(CLOTH)
    person.press("Settings")
    page.get_by_role("combobox", name="Page").select_option("dark")
    page.get_by_role("combobox", name="Boards").select_option("blue")
    assert page.evaluate(PAPER) != light
    assert person.barriers() == []
    person.press("Done")
    page.reload()
    person.settles()
    assert page.evaluate(PAPER) != light
    assert page.evaluate(CLOTH) != green


def test_a_chess_move_is_chosen_early_and_arrows_are_drawn(visit: Visit) -> None:
    people = sit_down(visit)
    ann, bob, *_ = people.values()
    stands(bob, 1, "e7", "black pawn")
    bob.page.mouse.move(*middle(square(bob, 1, "g8")))
    bob.page.mouse.down(button="right")
    bob.page.mouse.move(*middle(square(bob, 1, "f6")), steps=3)
    bob.page.mouse.up(button="right")
    expect(bob.page.locator(".cg-shapes line, .cg-shapes g").first).to_be_attached()
    bob.page.mouse.click(*middle(square(bob, 1, "e7")))
    bob.page.mouse.click(*middle(square(bob, 1, "e5")))
    expect(bob.page.locator("square.current-premove")).to_have_count(2)
    move(ann, 1, "e2", "e4")
    stands(ann, 1, "e5", "black pawn")


def test_with_keys_alone_a_chess_move_is_chosen_early_and_squares_are_marked(visit: Visit) -> None:
    people = sit_down(visit)
    ann, bob, *_ = people.values()
    stands(bob, 1, "e7", "black pawn")
    keys = bob.page.keyboard
    square(bob, 1, "e7").focus()
    keys.press("Enter")
    expect(square(bob, 1, "e7")).to_have_attribute("aria-label", "e7, black pawn, chosen")
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        keys.press(key)
    expect(square(bob, 1, "e5")).to_have_attribute("aria-label", "e5, empty, for your next turn")
    keys.press("Escape")
    expect(square(bob, 1, "e5")).to_have_attribute("aria-label", "e5, empty")
    keys.press("m")
    keys.press("ArrowLeft")
    keys.press("m")
    expect(bob.page.locator(".cg-shapes line, .cg-shapes g").first).to_be_attached()
    square(bob, 1, "d7").press("Enter")
    square(bob, 1, "d5").press("Enter")
    expect(square(bob, 1, "d5")).to_have_attribute("aria-label", "d5, empty, for your next turn")
    move(ann, 1, "e2", "e4")
    stands(ann, 1, "d5", "black pawn")


def test_no_piece_hides_what_rows_and_columns_are_called(visit: Visit, server: Server) -> None:
    game(server, "bughouse", "Ann", "Bob", "Cyd", "Dan", moves=2)
    page = visit().go("/tables/1")
    expect(page.locator("coords coord")).to_have_count(32)
    for ground in page.locator(".chess-ground").all():
        board = box_of(ground.locator("cg-board"))
        for coord in ground.locator("coord").all():
            box = box_of(coord)
            beside = box["x"] + box["width"] <= board["x"] + 1
            below = box["y"] >= board["y"] + board["height"] - 1
            assert beside or below, coord.inner_text()
