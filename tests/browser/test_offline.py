"""The page as an app: it can be installed, and without a server it says so, and comes back."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.people import PATIENCE
from tests.ports import spare_port
from tests.server.process import serving


def test_without_a_server_the_app_says_so_and_never_shows_an_old_page(
    browser: Browser, tmp_path: Path
) -> None:
    room = browser.new_context(service_workers="allow")
    room.set_default_timeout(PATIENCE)
    page = room.new_page()
    with serving(tmp_path, "--port", str(spare_port())) as before:
        home = f"http://127.0.0.1:{before.port}"
        page.goto(home)
        page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        wire = room.new_cdp_session(page)
        assert wire.send("Page.getAppManifest")["errors"] == []
        wrong = wire.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # Nothing else keeps it from being installed than that some browsers here forget all.
        assert {one["errorId"] for one in wrong} <= {"in-incognito"}
        before.kill()
        page.goto(f"{home}/tours")
        expect(page.get_by_role("heading", name="The server cannot be reached")).to_be_visible()
        assert page.locator("h1").evaluate("h => getComputedStyle(h).lineHeight") != "normal"
        with serving(tmp_path, "--port", str(before.port)):
            # It tries again by itself.
            expect(page.get_by_role("heading", name="Tours", exact=True)).to_be_visible()
    room.close()
