"""The games of `examples/games` at the page: each is drawn as it declares itself, and played."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import PHONE, Person, Visit
from tests.browser.programs import Line
from tests.server.process import Server, serving

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
GAMES = ("connect_four", "agram", "yavalath")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that was given the three files."""
    given = [word for one in GAMES for word in ("--with", str(EXAMPLES / one / f"{one}.py"))]
    folder = tmp_path_factory.mktemp("examples")
    with serving(folder, "--house", "on,wait=3600", *given) as server:
        yield server


def opens(person: Person, game: str, seats: int | None = None, *, bots: int = 0) -> Page:
    """Open a table of this game by the form, with so many seats, and bots of this level."""
    person.press("Open a table")
    form = person.page.get_by_role("dialog", name="Open a table")
    form.locator("select[name=game]").select_option(game)
    if seats is not None:
        form.locator("select[name=seats]").select_option(str(seats))
    form.locator("select[name=house]").select_option(str(bots))
    person.press("Open the table")
    person.page.wait_for_url("**/tables/*")
    return person.page


def plays_to_the_end(person: Person) -> int:
    """Click what can be played, whatever it is, until there is a result; how often."""
    page = person.page
    may, result = page.locator("[aria-label$='can be played']"), page.locator(".result h2")
    clicks = 0
    while True:
        expect(may.or_(result).first).to_be_visible()
        if result.count():
            return clicks
        before = page.locator(".moves-list button").count()
        may.nth(clicks % may.count()).click()
        if person.confirms:
            person.press("Play it")
        expect(page.locator(".moves-list button")).not_to_have_count(before)
        clicks += 1


def test_connect_four_is_played_to_the_end_with_a_bot(visit: Visit) -> None:
    ann = visit()
    ann.enter("Ann")
    page = ann.start("Connect four", "Bot 1")
    board = page.get_by_role("group", name="Connect four board")
    ann.may_play([f"{letter}1" for letter in "abcdefg"])
    expect(board.locator(".hint")).to_have_count(7)
    board.get_by_role("button", name=re.compile("^d5,")).click()  # it falls to the ground
    expect(board.get_by_role("button", name=re.compile("^d1, red"))).to_be_visible()
    board.get_by_role("button", name=re.compile("can be played$")).first.wait_for()
    assert ann.barriers() == []
    for column in "eb":  # bots of level 1 seldom mind
        board.get_by_role("button", name=re.compile(f"^{column}6,")).click()
        board.get_by_role("button", name=re.compile("can be played$")).first.wait_for()
    ann.picture("game-connect-four")
    plays_to_the_end(ann)
    expect(page.locator(".result")).to_contain_text(re.compile("four in a row|board is full"))


def test_what_is_worth_trying_is_offered_at_one_press(visit: Visit) -> None:
    ann = visit(size=PHONE)
    page = ann.enter("Bea")
    ann.press("Open a table")
    form = page.get_by_role("dialog", name="Open a table")
    form.locator("select[name=game]").select_option("connect_four")
    offers = form.get_by_role("group", name="Played as")
    expect(offers.get_by_label("usual")).to_be_checked()
    offers.get_by_text("rows 8, cols 9").click()
    expect(form.locator("input[name=rows]")).to_have_value("8")
    form.locator("input[name=cols]").fill("7")
    expect(offers.get_by_role("radio", checked=True)).to_have_count(0)
    offers.get_by_text("rows 8, cols 9").click()
    assert ann.barriers() == []
    form.locator("select[name=house]").select_option("1")
    ann.press("Open the table")
    expect(ann.playable()).to_have_count(9)
    expect(page.locator(".cell")).to_have_count(72)


def test_a_hand_of_agram_is_seen_by_its_owner_alone(visit: Visit, server: Server) -> None:
    ann, eve = visit(), visit(scheme="dark")
    dan, gus = Line(server, "Dan"), Line(server, "Gus")
    table = dan.ask("open", variant="agram", seats=3, house=0)["table"]
    gus.ask("sit", table=table)
    page = ann.enter("Cyd", f"/tables/{table}")
    page.get_by_role("button", name=re.compile("^Sit here")).click()
    expect(page.locator(".card-face")).to_have_count(6)
    eve.go(f"/tables/{table}")
    expect(eve.page.locator(".thing-card")).to_have_count(18)
    expect(eve.page.locator(".card-face")).to_have_count(0)
    expect(eve.page.get_by_text("Your hand")).to_have_count(0)
    for one in (dan, gus):
        one.ask("play", table=table, move=one.ask("legal_moves", table=table)["moves"][-1])
    expect(eve.page.locator(".card-face")).to_have_count(2)
    expect(page.locator(".card-face")).to_have_count(8)
    cards = page.get_by_role("button", name=re.compile(r"^\w+ of \w+, can be played$"))
    cards.first.wait_for()
    ann.picture("game-agram")
    held = dan.ask("show", table=table)["view"]["hand"]
    theirs = page.locator(".card-face").evaluate_all("all => all.map(one => one.textContent)")
    assert len(held) == 5
    assert len(set(theirs)) == 8
    many = cards.count()
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(min(1, many - 1))).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".card-face")).to_have_count(5)  # the trick is taken
    expect(eve.page.locator(".card-face")).to_have_count(0)
    assert ann.barriers() == []
    assert eve.barriers("color-contrast") == []


def test_agram_is_played_to_the_last_trick_with_three_bots_on_a_phone(visit: Visit) -> None:
    ann = visit(size=PHONE)
    ann.enter("Eva")
    page = opens(ann, "agram", 4, bots=1)
    expect(page.locator(".heap")).to_have_count(6)
    page.locator("button.card-may").first.wait_for()
    high, inside = page.locator(".board-heaps").evaluate(
        "one => [one.clientHeight, one.scrollHeight]"
    )
    assert inside <= high, "all of it is to be seen"
    assert plays_to_the_end(ann) == 6
    expect(page.locator(".result")).to_contain_text("took the last trick")


def test_three_play_yavalath_two_of_them_bots(visit: Visit) -> None:
    ann = visit()
    ann.enter("Fay")
    page = opens(ann, "yavalath", 3, bots=1)
    expect(ann.playable()).to_have_count(61)
    ann.play("5,5")
    expect(page.get_by_role("button", name=re.compile("5,5, red"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile(", (blue|yellow)"))).to_have_count(2)
    assert ann.barriers() == []
    for cell in ("3,3", "7,6"):  # of another colour, or free: nobody made anything yet
        taken = page.get_by_role("button", name=re.compile(f"^{cell}, (blue|yellow)"))
        if not taken.count():
            ann.play(cell)
            expect(page.get_by_role("button", name=re.compile(f"^{cell}, red"))).to_be_visible()
            ann.playable().first.wait_for()
    ann.picture("game-yavalath")
    clicks = plays_to_the_end(ann)
    result = page.locator(".result")
    expect(result.get_by_role("row")).to_have_count(4)  # three places, and what they are
    assert clicks > 0
