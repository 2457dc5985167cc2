"""People on the page: the lobby's chat, blocks, how many look on, and moderating."""

import re

from playwright.sync_api import expect

from tests.browser.people import Person, Visit
from tests.server.process import Server
from tests.server.web.asking import token

MARKUP = "<img src=x onerror=alert(1)><b>boo</b>"
WORDS = "correct horse battery"


def say(person: Person, text: str) -> None:
    person.page.get_by_label("Say something to everybody").fill(text)
    chat = person.page.get_by_role("region", name="Lobby chat")
    chat.get_by_role("button", name="Say").click()


def hears(person: Person, text: str, times: int = 1) -> None:
    lines = person.page.get_by_label("What was said in the lobby").get_by_role("listitem")
    expect(lines.filter(has_text=text)).to_have_count(times)


def organise(person: Person, server: Server) -> None:
    person.go("/moderation")
    person.press("I am the organiser")
    secret = token(server)["Authorization"].removeprefix("Bearer ")
    person.page.get_by_label("Token").fill(secret)
    person.press("That is me")


def number_of(person: Person, name: str) -> str:
    """The number of a player who is there, by the link to their own page."""
    address = person.page.get_by_role("link", name=name, exact=True).first.get_attribute("href")
    assert address is not None
    return address.rpartition("/")[2]


def keep_name(person: Person, name: str) -> None:
    person.enter(name)
    person.press("Keep name")
    person.page.get_by_label("Passphrase").fill(WORDS)
    person.press("Keep it")
    expect(person.page.get_by_role("button", name="Sign out")).to_be_visible()


def block(person: Person, name: str) -> None:
    """Block the author of a line."""
    person.page.get_by_role("button", name=f"Block {name}").first.click()
    dialog = person.page.get_by_role("dialog", name=f"Block {name}?")
    expect(dialog).to_be_visible()
    assert person.barriers() == []
    dialog.get_by_role("button", name="Block").click()


def test_everybody_in_the_lobby_hears_what_is_said_as_it_was_said(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.enter("Ann")
    say(ann, MARKUP)
    bob.go("/")
    hears(bob, MARKUP)  # from before he came
    bob.page.get_by_label("Say something to everybody").fill("hello Ann")
    chat = bob.page.get_by_role("region", name="Lobby chat")
    chat.get_by_role("button", name="Say").click()
    bob.page.get_by_label("Name", exact=True).fill("Bob")
    bob.press("Play")
    hears(ann, "hello Ann")
    assert ann.barriers() == []


def test_who_blocks_somebody_hears_nothing_of_them_until_it_is_taken_back(visit: Visit) -> None:
    ann, eve = visit(), visit()
    ann.enter("Ann")
    eve.enter("Eve")
    say(eve, "one")
    block(ann, "Eve")
    hears(ann, "one", 0)
    say(eve, "two")
    say(ann, "quiet here")
    hears(ann, "quiet here")
    hears(ann, "two", 0)
    ann.press("Settings")
    assert ann.barriers() == []
    ann.page.get_by_role("button", name="Hear Eve again").click()
    expect(ann.page.get_by_text("Blocked", exact=True)).to_have_count(0)
    ann.press("Done")
    say(eve, "three")
    hears(ann, "three")


def test_the_author_of_a_line_is_muted_and_unmuted(visit: Visit, server: Server) -> None:
    ann, eve, boss = visit(), visit(), visit()
    ann.enter("Ann")
    eve.enter("Eve")
    say(eve, MARKUP)
    hears(ann, MARKUP)
    boss.go("/moderation")
    boss.sees("This is for the organiser")
    assert boss.barriers() == []
    organise(boss, server)
    assert boss.barriers() == []
    boss.press("Mute a player")
    boss.page.get_by_label("Number of the player").fill(number_of(eve, "Eve"))
    boss.page.get_by_label("Why").fill("Shouting")
    assert boss.barriers() == []
    boss.press("Do it")
    hears(ann, MARKUP, 0)  # it goes from the lobby
    say(eve, "and yet")
    eve.sees("The organiser has muted you for 60 minutes more: Shouting.")
    boss.press("Unmute a player")
    boss.page.get_by_label("Number of the player").fill(number_of(eve, "Eve"))
    boss.press("Do it")
    expect(boss.page.get_by_role("dialog")).to_have_count(0)
    say(eve, "sorry")
    hears(ann, "sorry")


def test_who_looks_on_is_counted_beside_the_board(visit: Visit) -> None:
    ann, bob, eve, nobody = visit(), visit(), visit(), visit()
    ann.enter("Ann")
    page = ann.start("Tic-tac-toe", "A person")
    address = "/" + page.url.split("/", 3)[3]
    bob.enter("Bob", address)
    bob.sit()
    expect(ann.page.get_by_text("look on")).to_have_count(0)
    eve.enter("Eve", address)
    ann.sees("1 looks on")
    nobody.go(address)
    ann.sees("2 look on")
    nobody.sees("2 look on")
    eve.page.get_by_label("Say something").fill("boo")
    eve.press("Say")
    eve.go("/")
    ann.sees("1 looks on")
    block(ann, "Eve")
    expect(ann.page.get_by_text("boo", exact=True)).to_have_count(0)


def test_the_organiser_closes_a_table_and_bans_who_opened_it(visit: Visit, server: Server) -> None:
    eve, boss = visit(), visit()
    organise(boss, server)
    eve.enter("Eve")
    page = eve.start("Tic-tac-toe", "A person")
    boss.go("/" + page.url.split("/", 3)[3])
    boss.press("Close this table")
    boss.page.get_by_label("Why, for all who are there").fill("Swearing")
    boss.press("Close it")
    eve.sees("The organiser closed the table: Swearing.")
    boss.go("/")
    boss.page.get_by_role("link", name="Moderation").click()
    boss.press("Ban a player")
    boss.page.get_by_label("Number of the player").fill(number_of(eve, "Eve"))
    boss.page.get_by_label("Why").fill("Swearing")
    boss.press("Do it")
    eve.sees("banned")
    boss.press("Lift a ban")
    boss.page.get_by_label("Number of the player").fill("999")
    boss.press("Do it")
    boss.sees("Player 999 is not banned.")
    boss.complaints.clear()  # the browser notes the 409


def test_a_name_is_given_up_with_its_passphrase(visit: Visit) -> None:
    ann = visit()
    keep_name(ann, "Ann")
    ann.press("Sign out")
    ann.press("Give name up")
    dialog = ann.page.get_by_role("dialog", name=re.compile("^Give the name Ann up"))
    dialog.get_by_label("Passphrase").fill("something else")
    assert ann.barriers() == []
    ann.press("Give it up")
    expect(dialog.get_by_role("alert")).to_contain_text("no such name")
    dialog.get_by_label("Passphrase").fill(WORDS)
    ann.press("Give it up")
    expect(ann.page.get_by_role("button", name="Keep name")).to_be_visible()
    ann.complaints.clear()  # the browser notes the 403
