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


def test_who_is_here_when_the_passphrase_is_changed_elsewhere_signs_in_with_the_new_one(
    visit: Visit,
) -> None:
    ann = visit()
    ann.enter("Bea")
    ann.press("Keep name")
    dialog = ann.page.get_by_role("dialog", name="Keep the name Bea")
    dialog.get_by_label("Passphrase").fill(WORDS)
    dialog.get_by_role("button", name="Keep it").click()
    expect(ann.page.get_by_role("button", name="Sign out")).to_be_visible()
    new, origin = f"{WORDS} staple", ann.page.evaluate("location.origin")
    said = {"name": "Bea", "passphrase": WORDS, "new": new}
    changed = ann.page.request.post(f"{origin}/api/accounts/sign-in", data=said)
    assert changed.ok, changed.text()
    expect(ann.page.get_by_text("The passphrase of your name was changed")).to_be_visible()
    ann.press("Sign in")
    dialog = ann.page.get_by_role("dialog", name="Sign in")
    dialog.get_by_label("Name").fill("Bea")
    dialog.get_by_label("Passphrase").fill(new)
    dialog.get_by_role("button", name="Sign in").click()
    expect(ann.page.get_by_role("link", name="Bea", exact=True)).to_be_visible()
