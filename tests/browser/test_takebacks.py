"""Moves taken back by agreement, at the page: asked for, given, declined, and by a bot."""

import re

from playwright.sync_api import expect

from tests.browser.people import Visit
from tests.browser.test_table_manners import button, meeting, play
from tests.server.process import Server

CORNERS = ["d3", "c4", "f5", "e6"]  # what black may begin with


def test_a_move_is_taken_back_when_both_agree(visit: Visit, server: Server) -> None:
    ann, bob = meeting(visit, server, "reversi", size=(1280, 860), takebacks=True)
    ann.may_play(CORNERS)
    button(ann, "Take back").press("Enter")
    ann.sees("You have made no move yet.")
    ann.play("d3")
    ann.press("Take back")
    ann.sees("You have asked for your move back.")
    bob.ask("take_back", table=1)
    ann.may_play(CORNERS)
    moves = ann.page.get_by_role("region", name="Moves")
    expect(moves.get_by_role("button", name=re.compile("^Ann: "))).to_have_count(0)
    ann.sees("A move is taken back: Ann moves again.")

    ann.play("c4")
    ann.page.get_by_text("to move", exact=True).wait_for()
    play(bob)
    bob.ask("take_back", table=1)
    ann.sees("Bob asks to take the last move back.")
    assert ann.barriers() == []
    ann.press("No")
    ann.sees("Ann takes nothing back.")
    ann.press("Take back")
    ann.sees("You have asked for your move back.")
    bob.ask("take_back", table=1)
    ann.sees("2 moves are taken back: Ann moves again.")
    ann.may_play(CORNERS)


def test_what_is_asked_about_a_move_is_not_asked_about_another_position(
    visit: Visit, server: Server
) -> None:
    ann, bob = meeting(visit, server, "reversi", size=(1280, 860), takebacks=True)
    ann.press("Settings")
    ann.page.get_by_label("Ask before a move is played").select_option("always")
    ann.press("Done")
    asked = ann.page.get_by_role("group", name="Is this your move?")
    ann.playable().first.click()
    ann.press("Play it")
    ann.page.get_by_text("to move", exact=True).wait_for()
    play(bob)
    ann.playable().first.click()
    expect(asked).to_be_visible()
    bob.ask("take_back", table=1)
    ann.press("Give it back")
    ann.sees("A move is taken back: Bob moves again.")
    expect(asked).to_have_count(0)
    play(bob)
    ann.playable().first.click()
    expect(asked).to_be_visible()
    ann.press("Back")
    assert bob.ask("show", table=1)["to_act"] == [0]


def test_a_bot_of_the_house_gives_moves_back(visit: Visit) -> None:
    ann = visit()
    ann.enter("Ann")
    ann.start("Tic-tac-toe", "Bot 1")
    ann.playable().first.click()
    expect(ann.playable()).to_have_count(7)
    ann.press("Take back")
    expect(ann.playable()).to_have_count(9)
    ann.playable().nth(4).click()
    expect(ann.playable()).to_have_count(7)
