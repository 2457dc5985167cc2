"""The page for programs: what it says to paste is answered as it says, and it shows its bytes."""

import re
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

from rookery.cli.commands.new import write_package
from tests.browser.contest import token_of
from tests.browser.people import DESKTOP, Person, Rooms, Visit
from tests.browser.programs import Line, Wire
from tests.server.process import Server, serving

# How many have to call until the first of them is answered; bughouse counts its players from 1.
CALLERS: Final = {
    "bughouse": 1,
    "native": 1,
    "othello": 2,
    "blackwhite": 2,
    "fish": 4,
    "fishcom": 10,
    "tourney": 1,
}
NAMES: Final = ("ann", "bob", "cyd", "dan", "eve", "fay", "gil", "hal", "ida", "jon")


class Caller:
    """Somebody at a terminal."""

    def __init__(self, server: Server, name: str) -> None:
        self._wire = Wire(server)
        self._name = name
        self._table = ""

    def paste(self, text: str) -> None:
        """Send this, with one's own name in it, and the number of one's own table."""
        text = text.replace("ann", self._name)
        self._wire.say((text.replace("12", self._table) if self._table else text).encode())

    def hear(self, shown: str) -> None:
        """Wait for words like those that are shown: numbers may differ, `…` is anything."""
        parts = (re.escape(part).replace(r"\ ", r"\s*") for part in shown.strip("…").split("…"))
        wanted = re.compile(re.sub(r"\d+", r"\\d+", ".*".join(parts)).encode())
        while not (found := wanted.search(self._wire.heard)):
            self._wire.more()
        self._wire.heard = self._wire.heard[found.end() :]
        if table := re.search(rb'"table":(\d+)', found[0]):
            self._table = table[1].decode()


def sessions(page: Page, dialect: str) -> list[tuple[str, list[str]]]:
    """What is to be pasted, and the lines that come back, step by step."""
    steps = page.locator(f"#{dialect} .steps > li:not(:first-child)")
    pasted = steps.locator(".paste pre").all_text_contents()
    back = [text.splitlines() for text in steps.locator(".answer pre").all_text_contents()]
    assert len(pasted) == len(back) > 0
    return list(zip(pasted, back, strict=True))


def test_what_is_to_be_pasted_is_answered_as_the_page_says(visit: Visit, server: Server) -> None:
    organiser = Line(server)
    organiser.ask("organise", token=token_of(server))
    page = visit().go("/connect")
    for dialect, many in CALLERS.items():
        expect(page.locator(f"#{dialect}")).to_contain_text(f"nc 127.0.0.1 {server.port}")
        if dialect == "tourney":
            organiser.ask("open_tour", plan={"variant": "nim", "format": "joining"}, code="")
        callers = [Caller(server, name) for name in NAMES[:many]]
        for number, (text, answers) in enumerate(sessions(page, dialect)):
            for caller in callers if number == 0 else callers[:1]:
                caller.paste(text)
            for answer in answers:
                if not answer.startswith("("):
                    callers[0].hear(answer)


def test_a_dialect_from_outside_is_shown_with_its_hello(rooms: Rooms, tmp_path: Path) -> None:
    write_package("dialect", "telegraph", tmp_path)
    file = tmp_path / "telegraph" / "src" / "telegraph" / "__init__.py"
    with serving(tmp_path / "log", "--with", str(file)) as server:
        ann = Person(rooms, server.port, DESKTOP, "light")
        card = ann.go("/connect#telegraph").locator("#telegraph")
        expect(card.get_by_role("heading")).to_have_text("telegraph")
        expect(card).to_be_in_viewport()
        expect(card.locator(".badge")).to_have_text("every game")
        expect(card.locator(".paste pre").last).to_have_text("HELLO ann")
        expect(card.get_by_role("link")).to_have_count(0)  # the house has no page about it
        # What is said of all dialects is true of this one: it has no program among the examples.
        ann.sees("one for each dialect that comes with the server, and starter bots")
        sockets = ann.page.get_by_role("article", name="WebSocket")
        expect(sockets).to_contain_text("One line of othello in each text message")
        assert ann.barriers() == []
        ann.leave()
        assert ann.complaints == []


def test_one_s_own_bytes_are_seen_and_no_token_is(visit: Visit) -> None:
    ann = visit()
    page = ann.introduce("Ann")
    page.get_by_role("link", name="Connect", exact=True).click()
    log = page.get_by_role("log")
    expect(log).to_contain_text('{"type":"enter","name":"Ann"}')
    expect(log).to_contain_text('"token":"…"')
    ann.picture("connect")
    page.get_by_label("Only messages with").fill("welcome")
    expect(log).not_to_contain_text('"type":"enter"')
    token = page.evaluate("JSON.parse(localStorage.getItem('rookery.me')).token")
    assert token not in page.content()


def test_who_has_only_a_browser_reads_the_examples_and_takes_them_along(visit: Visit) -> None:
    ann = visit()
    page = ann.go("/connect")
    with page.expect_download() as coming:
        page.get_by_role("link", name="all in one zip").click()
    assert coming.value.suggested_filename == "rookery-examples.zip"
    page.get_by_role("link", name="programs that play a whole game").click()
    page.get_by_role("link", name="bots/nim_bot.py").click()
    expect(page.get_by_role("heading", name="nim_bot.py")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("import")
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download").click()
    assert coming.value.suggested_filename == "nim_bot.py"
    assert ann.barriers() == []
