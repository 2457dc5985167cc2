"""What strangers cannot do: be read as markup, use the page from elsewhere, or bring in others."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.contest import Contest, token_of
from tests.browser.people import Visit
from tests.browser.programs import Line
from tests.server.process import Server

NAME = "<img src=x onerror=hacked=1>"
WORDS = "<script>hacked=1</script><b>bold</b> &amp; [a](javascript:hacked=1)"


class Elsewhere(BaseHTTPRequestHandler):
    """A page of another origin, with nothing in it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title>")

    def log_message(self, *words: object) -> None:
        """Nobody wants to know."""


@pytest.fixture
def elsewhere(browser: Browser) -> Iterator[Page]:
    """Somebody who looks at a page of another origin."""
    server = HTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = Thread(target=server.serve_forever)
    thread.start()
    room = browser.new_context()
    page = room.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield page
    room.close()
    server.shutdown()
    thread.join()
    server.server_close()


def test_names_and_chat_are_text_whatever_they_look_like(visit: Visit, server: Server) -> None:
    ann, viewer = visit(), visit()
    page = ann.enter(NAME)
    ann.start("Tic-tac-toe", "Bot 1")
    page.get_by_label("Say something").fill(WORDS)
    ann.press("Say")
    contest = Contest(server, NAME, "Bob", title=NAME)
    contest.start()
    table = contest.tables()[0]
    for address in (
        "/tables/1",
        f"/tables/{table}",
        "/",
        "/tables",
        "/tours/1",
        "/players",
        "/players/1",
    ):
        seen = viewer.go(address)
        expect(seen.get_by_text(NAME).first).to_be_visible()
        assert seen.evaluate("document.querySelector('main [onerror], main script')") is None
        assert seen.evaluate("window.hacked") is None
    viewer.go("/tables/1")
    expect(viewer.page.get_by_role("list", name="What was said")).to_contain_text(WORDS)
    assert page.evaluate("window.hacked") is None


def test_a_page_elsewhere_cannot_connect(elsewhere: Page, server: Server) -> None:
    opened = elsewhere.evaluate(
        """port => new Promise(resolve => {
            const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/native`);
            socket.onopen = () => resolve(true);
            socket.onclose = () => resolve(false);
        })""",
        server.port,
    )
    assert opened is False


def test_a_page_elsewhere_cannot_write(elsewhere: Page, server: Server) -> None:
    for kind, mode in (("application/json", "cors"), ("text/plain", "no-cors")):
        elsewhere.evaluate(
            """([port, token, kind, mode]) => fetch(`http://127.0.0.1:${port}/api/tables`, {
                method: "POST",
                mode,
                headers: { "Content-Type": kind, Authorization: `Bearer ${token}` },
                body: '{"variant":"nim"}',
            }).then(() => null, () => null)""",
            [server.port, token_of(server), kind, mode],
        )
    assert Line(server).ask("list_tables")["tables"] == []


def test_a_page_elsewhere_can_neither_read_nor_frame_the_page(
    elsewhere: Page, server: Server
) -> None:
    address = f"http://127.0.0.1:{server.port}/"
    read = "address => fetch(address).then(said => said.text(), () => null)"
    assert elsewhere.evaluate(read, f"{address}api/tables") is None
    elsewhere.evaluate(
        """address => new Promise(resolve => {
            const frame = document.createElement("iframe");
            frame.src = address;
            frame.onload = resolve;
            document.body.append(frame);
        })""",
        address,
    )
    assert [frame.title() for frame in elsewhere.frames[1:]] != ["Lobby · Rookery"]


def test_scripts_in_the_page_s_own_text_do_not_run(visit: Visit) -> None:
    person = visit()
    page = person.go("/")
    assert page.evaluate("document.querySelectorAll('script:not([src])').length") == 0
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.hacked = 1";
            document.body.append(script);
        }"""
    )
    assert page.evaluate("window.hacked") is None
    assert ["Content Security Policy" in one for one in person.complaints] == [True]
    person.complaints.clear()
