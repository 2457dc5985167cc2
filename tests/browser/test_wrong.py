"""What goes wrong is said in a sentence, with somewhere to go."""

import re
from typing import Final

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.people import Visit
from tests.browser.programs import Line, game
from tests.server.process import Server

NOTHING: Final = {
    "/nowhere": "Nothing is here",
    "/tables/x": "Nothing is here",
    "/tables/99": "No table 99",
    "/tables/99999999999999": "No table 99999999999999",
    "/tours/99": "This tour cannot be shown",
    "/players/99": "This player cannot be shown",
}
KEPT: Final = '{"player":7,"name":"Ann","token":"of another server"}'


def test_an_address_of_nothing_says_so_and_leads_to_the_lobby(visit: Visit) -> None:
    person = visit()
    for address, title in NOTHING.items():
        page = person.go(address)
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        expect(page.get_by_text("The link may be old").first).to_be_visible()
        page.get_by_role("link", name="To the lobby").click()
        expect(page.get_by_role("heading", name="Lobby", exact=True)).to_be_visible()
    assert all("404" in one for one in person.complaints)
    person.complaints.clear()


def test_who_has_a_token_that_is_worth_nothing_is_told_and_asked_for_a_name(visit: Visit) -> None:
    ann = visit()
    ann.page.add_init_script(f"localStorage.setItem('rookery.me', '{KEPT}')")
    ann.go("/")
    ann.press("Choose a name")
    ann.sees("This server does not know Ann any more; choose a name to play again.")


def test_who_says_a_name_before_the_line_stands_is_let_in_when_it_does(visit: Visit) -> None:
    ann = visit()
    held: list[tuple[WebSocketRoute, WebSocketRoute, str | bytes]] = []

    def hold_up(line: WebSocketRoute) -> None:
        hall = line.connect_to_server()
        line.on_message(lambda words: held.append((line, hall, words)))

    ann.page.route_web_socket("**/ws/native", hold_up)
    with ann.page.expect_websocket():
        ann.go("/")
    ann.press("Choose a name")
    ann.page.get_by_label("Name", exact=True).fill("Ann")
    ann.press("Play")
    me = ann.page.get_by_role("link", name="Ann", exact=True)
    expect(me).to_have_count(0)
    ((line, hall, hello),) = held  # nothing else is said before it is answered
    line.on_message(hall.send)
    hall.send(hello)
    expect(me).to_be_visible()


def test_a_full_table_can_be_watched(visit: Visit, server: Server) -> None:
    game(server, "tictactoe", "Bob", "Cyd")
    ann = visit()
    page = ann.enter("Ann", "/tables/1")
    ann.sees("being played")
    expect(page.get_by_role("button", name=re.compile("^Sit"))).to_have_count(0)


def test_a_seat_that_was_taken_in_the_meantime_says_so(visit: Visit, server: Server) -> None:
    bob, cyd, ann = Line(server, "Bob"), Line(server, "Cyd"), visit()
    bob.ask("open", variant="tictactoe", house=0)

    def hold_up(line: WebSocketRoute) -> None:
        hall = line.connect_to_server()

        def send(words: str | bytes) -> None:
            if '"type":"sit"' in str(words):
                cyd.ask("sit", table=1)  # she is quicker
            hall.send(words)

        line.on_message(send)

    ann.page.route_web_socket("**/ws/native", hold_up)
    ann.enter("Ann")
    ann.press("Sit at table 1, Tic-tac-toe")
    ann.sees("Table 1 takes no more players.")


def test_a_move_that_is_refused_says_why_and_can_be_made_again(visit: Visit) -> None:
    ann = visit()

    def twist(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda words: server.send(str(words).replace('"move":"4"', '"move":"9"')))

    ann.page.route_web_socket("**/ws/native", twist)
    ann.enter("Ann")
    ann.start("Tic-tac-toe", "Bot 1")
    ann.play("centre")
    expect(ann.page.get_by_role("status").filter(has_text="9")).to_be_visible()
    ann.play("top left")
    expect(ann.page.get_by_label("top left, X")).to_be_visible()


def test_every_page_says_when_the_server_is_gone(visit: Visit, server: Server) -> None:
    person = visit()
    page = person.go("/")
    expect(page.get_by_role("button", name="Play reversi")).to_be_enabled()
    server.kill()
    person.sees("The server cannot be reached.")
    expect(page.get_by_role("button", name="Play reversi")).to_be_disabled()
    for name in ("Games", "Players", "Tours"):
        page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        expect(
            page.locator("main").get_by_text("The server cannot be reached").first
        ).to_be_visible()
