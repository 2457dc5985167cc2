"""A name kept by a passphrase, and the same player in another browser."""

from playwright.sync_api import expect

from tests.browser.people import Visit

WORDS = "correct horse battery"


def test_who_keeps_a_name_is_the_same_in_another_browser(visit: Visit) -> None:
    ann, other, eve = visit(), visit(), visit()
    ann.enter("Ann")
    ann.press("Keep name")
    dialog = ann.page.get_by_role("dialog", name="Keep the name Ann")
    dialog.get_by_label("Passphrase").fill(WORDS)
    assert ann.barriers() == []
    dialog.get_by_role("button", name="Keep it").click()
    expect(ann.page.get_by_role("button", name="Sign out")).to_be_visible()

    other.go("/")
    other.press("Sign in")
    dialog = other.page.get_by_role("dialog", name="Sign in")
    dialog.get_by_label("Name").fill("ann")
    dialog.get_by_label("Passphrase").fill(WORDS)
    assert other.barriers() == []
    dialog.get_by_role("button", name="Sign in").click()
    expect(other.page.get_by_role("link", name="Ann", exact=True)).to_have_attribute(
        "href", "/players/1"
    )
    expect(other.page.get_by_role("button", name="Sign out")).to_be_visible()

    eve.go("/")
    eve.press("Choose a name")
    eve.page.get_by_label("Name", exact=True).fill("Ann")
    eve.press("Play")
    expect(eve.page.get_by_role("link", name="Ann²")).to_be_visible()
    eve.go("/players")
    eve.sees("Leaderboard")
