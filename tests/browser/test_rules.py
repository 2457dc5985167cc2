"""The rules of a game, one click from the lobby and from a table, and positions to play."""

from playwright.sync_api import expect

from tests.browser.people import Visit
from tests.browser.programs import game
from tests.server.process import Server


def test_who_does_not_know_a_game_is_taught_it(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.go("/")
    ann.page.get_by_role("link", name="Rules of reversi").click()
    lessons = ann.page.get_by_role("region", name="Try it: 3 positions")
    expect(lessons).to_contain_text("1 of 3.")
    assert ann.barriers() == []
    ann.play("d3")
    ann.sees("it is black now")
    ann.press("Next position")
    ann.playable().last.click()
    ann.sees("Not this one. Try another.")
    ann.play("h1")
    ann.press("Next position")
    ann.press("Show me")
    ann.sees("the last squares are yours too")
    expect(lessons.get_by_role("link", name="Play a game")).to_be_visible()

    game(server, "nim sticks=3,4,5", "Bob", "Cyd", moves=1)
    ann.go("/tables/1")
    ann.page.get_by_role("link", name="Rules", exact=True).click()
    ann.sees("There are rows of sticks.")
    for name in ("bughouse", "fish", "guess", "tictactoe"):
        ann.go(f"/rules/{name}")
        ann.press("Show me")
        ann.press("Next position")
        expect(ann.page.get_by_text("2 of 3.")).to_be_visible()
