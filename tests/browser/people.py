"""People at the page: each has a browser of their own, with nothing remembered.

To make such a browser costs more than most people do with it, so who comes later is lent
what somebody has given back (`Rooms`): with a new tab, and all that was kept wiped out.

Nothing here sleeps: playwright waits until what is asked for is there. What the browser
complains of on the way (a script that fails, something the page's own policy forbids) is
kept, and fails the test in the end; so does a request to any other server.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import which
from typing import Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.server.process import Client

# One that never had a window starts and draws with a third less work.
KINDS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM: Final = next(filter(None, map(which, KINDS)), KINDS[0])
PATIENCE: Final = 60_000  # milliseconds until a test says that nothing comes
Size = tuple[int, int]
DESKTOP: Final = (1280, 860)
PHONE: Final = (390, 844)
PICTURES: Final = os.environ.get("ROOKERY_PICTURES")  # where the docs' pictures go, if anywhere

# As root there is no sandbox; a test has nothing to look up elsewhere; and where nobody draws
# for the screen, a process a page and one to draw with are only started, and stopped again.
# No page lives long enough to pay for scripts that are compiled a second time to run faster: a
# fifth of all work.
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--js-flags=--no-opt --no-maglev",
)
# What a browser says of its own accord while the server is gone.
# A board has no box before it is drawn, and another while it grows to its place. An element that
# the page has replaced meanwhile never gets one: null, and whoever asks looks for its successor.
BOX_AT_REST: Final = """element => new Promise((resolve, reject) => {
    let before = "", frames = 0;
    const look = () => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const now = JSON.stringify({ x, y, width, height });
        if (!element.isConnected) resolve(null);
        else if (width > 0 && height > 0 && now === before) resolve({ x, y, width, height });
        else if (++frames > 2000) reject(new Error("It never came to rest: " + now));
        else { before = now; requestAnimationFrame(look); }
    };
    look();
})"""
EXPECTED: Final = (
    "ERR_CONNECTION_",
    "ERR_EMPTY_RESPONSE",
    "ERR_CONTENT_LENGTH_MISMATCH",  # it went in the middle of an answer
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "WebSocket connection to",
)


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser, closed afterwards."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Rooms:
    """Browsers of people's own, for one after the other."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[tuple[Size, str], list[BrowserContext]] = {}

    def take(self, size: Size, scheme: str) -> BrowserContext:
        """One that nobody has, with a blank tab."""
        free = self._free.setdefault((size, scheme), [])
        if free:
            return free.pop()
        width, height = size
        room = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            has_touch=size == PHONE,
            service_workers="block",  # each server is a new one to them; one test has its own
        )
        room.set_default_timeout(PATIENCE)
        room.new_page()
        return room

    def give_back(self, room: BrowserContext, size: Size, scheme: str, origin: str) -> None:
        """Forget all that was done in it, at this origin."""
        before = room.pages
        wire = room.new_cdp_session(room.new_page())
        for page in before:
            page.close()
        room.clear_cookies()
        wire.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        wire.send("Network.clearBrowserCache")
        wire.detach()
        self._free[size, scheme].append(room)


def box_of(place: Locator) -> dict[str, float]:
    """Where it is on the screen, once it is drawn and stays in one place for two frames."""
    box: dict[str, float] | None = None
    while box is None:  # each look waits for the element, and fails where there is none
        box = place.evaluate(BOX_AT_REST)
    return box


def middle(place: Locator) -> tuple[float, float]:
    """Where the mouse has to go."""
    box = box_of(place)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Person:
    """Somebody with a browser of their own. It keeps complaints."""

    def __init__(self, rooms: Rooms, port: int, size: Size, scheme: str) -> None:
        self._port, self._home = port, f"http://127.0.0.1:{port}/"
        self._rooms, self._kind = rooms, (size, scheme)
        self.room = rooms.take(size, scheme)
        self.complaints: list[str] = []
        self.page = self._listening(self.room.pages[0])

    @property
    def confirms(self) -> bool:
        """Whether a move with a clock is played only once it was said twice, as on a phone."""
        return self._kind[0] == PHONE

    def leave(self) -> None:
        """Close every tab, and let somebody else have the browser."""
        self._rooms.give_back(self.room, *self._kind, self._home.removesuffix("/"))

    def open(self) -> Page:
        """One more tab."""
        return self._listening(self.room.new_page())

    def _listening(self, page: Page) -> Page:
        page.on("console", self._noted)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)
        return page

    def go(self, address: str) -> Page:
        """Type an address of the server."""
        self.page.goto(self._home + address.removeprefix("/"))
        return self.page

    def enter(self, name: str, address: str = "/") -> Page:
        """Come to the page as somebody whose name the server and the browser know already.

        To say it there is a dialog more for everybody: who is about that does it by hand.
        """
        with closing(Client(self._port).enter(name)) as player:
            self.come_as(name, player)
        page = self.go(address)
        page.get_by_role("link", name=name, exact=True).first.wait_for()
        return page

    def come_as(self, name: str, player: Client) -> None:
        """Have a browser that remembers this player, from the next page on."""
        kept = json.dumps({"player": player.player, "name": name, "token": player.token})
        self.page.add_init_script(
            "if (!sessionStorage.getItem('came')) {"
            f"localStorage.setItem('rookery.me', {json.dumps(kept)});"
            "sessionStorage.setItem('came', 'as somebody'); }"
        )

    def introduce(self, name: str, address: str = "/") -> Page:
        """Come to the page and say one's name there."""
        page = self.go(address)
        page.get_by_role("button", name="Choose a name").click()
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Play", exact=True).click()
        page.get_by_role("link", name=name, exact=True).first.wait_for()
        return page

    def sees(self, text: str) -> None:
        """Wait until these words are on the page."""
        expect(self.page.get_by_text(text).first).to_be_visible()

    def press(self, name: str) -> None:
        """Click the button of this name."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def sit(self, seat: str = "") -> None:
        """Take this free seat at the table, or the one there is, and wait until one has it."""
        name = re.compile(rf"^Sit here.* as {re.escape(seat)}")
        self.page.get_by_role("button", name=name).click()
        expect(self.page.get_by_role("button", name=re.compile("^Sit here"))).to_have_count(0)

    def start(self, game: str, against: str) -> Page:
        """Play this game now, against `A person` or `Bot 1`; sits at the table then."""
        self.page.get_by_role("group", name="Game").get_by_text(game, exact=True).click()
        self.page.get_by_role("group", name="Against").get_by_text(against, exact=True).click()
        now = self.page.get_by_role("region", name="Play now")
        now.get_by_role("button", name=re.compile("^Play ")).click()
        self.page.wait_for_url("**/tables/*")
        return self.page

    def playable(self) -> Locator:
        """What on the board can be played now."""
        return self.page.get_by_role("button", name=re.compile(", can be played$"))

    def may_play(self, cells: list[str]) -> None:
        """Wait until it is one's turn; exactly these cells are then shown as playable."""
        expect(self.playable()).to_have_count(len(cells))
        names = self.playable().evaluate_all("all => all.map(one => one.ariaLabel)")
        assert sorted(name.partition(",")[0] for name in names) == sorted(cells)

    def play(self, cell: str) -> None:
        """Click a cell of the board, once it can be played."""
        name = re.compile(rf"^{re.escape(cell)}, .*can be played$")
        self.page.get_by_role("button", name=name).click()

    def settles(self) -> None:
        """Wait until the page has what it asked for."""
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0)
        expect(self.page.get_by_text(re.compile("^Looking|is coming…$"))).to_have_count(0)

    def barriers(self, *rules: str) -> list[str]:
        """What keeps people out, as axe-core finds it; by all its rules, or by these."""
        options: dict[str, object] = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = {"type": "rule", "values": list(rules)}
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        found = self.page.evaluate("options => axe.run(options)", options)["violations"]
        return [
            f"{one['id']}: {one['help']} at {[node['target'][0] for node in one['nodes'][:3]]}"
            for one in found
        ]

    def picture(self, name: str, *, whole: bool = False) -> None:
        """Take a picture of the page for the docs, where that is asked for."""
        if PICTURES is not None:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            self.page.mouse.move(0, 0)  # nothing is under the pointer
            self.page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=whole)

    def missed(self, addresses: int) -> None:
        """So many addresses had nothing, which the browser has noted, and nothing else."""
        assert ["404" in one for one in self.complaints] == [True] * addresses
        self.complaints.clear()

    def _asked(self, request: Request) -> None:
        """The page asks nobody but its own server; the chess pieces lie in their style sheet."""
        if not request.url.startswith((self._home, "data:")):
            self.complaints.append(f"asked for {request.url}")

    def _noted(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(word in message.text for word in EXPECTED):
            self.complaints.append(message.text)


Visit = Callable[..., Person]
