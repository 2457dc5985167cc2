"""What few choose: the terms of one's own table, and those of a tour, under "More options"."""

from playwright.sync_api import Locator, expect

from tests.browser.contest import token_of
from tests.browser.people import Person, Visit
from tests.browser.programs import Line, Told
from tests.server.process import Server


def opening(person: Person, game: str) -> Locator:
    """The dialog for a table of this game, with all there is to choose."""
    person.press("Open a table")
    dialog = person.page.get_by_role("dialog", name="Open a table")
    dialog.get_by_role("combobox", name="Game", exact=True).select_option(game)
    dialog.get_by_text("More options").click()
    return dialog


def organising(person: Person, token: str) -> Locator:
    """The organiser's dialog for a tour of nim, with all there is to choose."""
    page = person.go("/tours")
    person.press("Open a tour")
    page.get_by_label("Token").fill(token)
    person.press("That is me")
    dialog = page.get_by_role("dialog", name="Open a tour")
    dialog.get_by_role("combobox", name="Game").select_option("nim")
    dialog.get_by_label("Who may join").select_option("anyone, without a code")
    dialog.get_by_text("More options").click()
    return dialog


def opened(person: Person, dialog: Locator, server: Server) -> Told:
    """The plan of the tour that the dialog asks for."""
    dialog.get_by_role("button", name="Open the tour").click()
    person.page.wait_for_url("**/tours/1")
    plan: Told = Line(server).ask("show_tour", tour=1)["plan"]
    return plan


def test_one_chooses_one_s_own_seat(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.enter("Ann")
    dialog = opening(ann, "reversi")
    dialog.get_by_label("Your seat").select_option("White")
    dialog.get_by_role("combobox", name="Bots").select_option("1")
    dialog.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_url("**/tables/1")
    expect(ann.page.locator(".strip[data-seat='1']")).to_contain_text("you")
    expect(ann.playable().first).to_be_visible()


def test_who_opens_a_table_without_sitting_at_it_starts_the_game(
    visit: Visit, server: Server
) -> None:
    ann = visit()
    ann.enter("Ann")
    dialog = opening(ann, "tictactoe")
    dialog.get_by_label("Your seat").select_option("None, I only look on")
    dialog.get_by_label("The game starts").select_option("owner")
    dialog.get_by_role("button", name="Open the table").click()
    ann.sees("Waiting for 2 players")
    for name in ("Bob", "Cyd"):
        Line(server, name).ask("sit", table=1)
    ann.press("Start the game")
    ann.sees("being played")


def test_a_table_may_be_for_clients_of_one_dialect(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.enter("Ann")
    dialog = opening(ann, "bughouse")
    dialog.get_by_label("Who may sit down").select_option("bughouse")
    expect(dialog.get_by_label("Your seat")).to_be_disabled()
    expect(dialog.get_by_role("combobox", name="Bots")).to_be_disabled()
    dialog.get_by_role("button", name="Open the table").click()
    ann.sees("This table is for players of the bughouse dialect; you can watch.")
    ann.sees("No bots come to this table.")
    assert Line(server).ask("show", table=1)["policy"]["only"] == "bughouse"


def test_a_tour_is_opened_with_tie_breaks_and_policies_of_one_s_own(
    visit: Visit, server: Server
) -> None:
    eve = visit()
    dialog = organising(eve, token_of(server))
    assert eve.barriers() == []
    lift = dialog.get_by_role("button", name="Wins before the one above")
    for _ in range(3):
        lift.press("Enter")  # which keeps the focus, though its line moves
    dialog.get_by_role("checkbox", name="Buchholz points of all one met", exact=True).uncheck()
    dialog.get_by_label("Who may play").select_option("tourney")
    dialog.get_by_label("When somebody is gone").select_option("at_once")
    dialog.get_by_label("Illegal moves that lose").fill("3")
    plan = opened(eve, dialog, server)
    assert plan["ties"] == ["wins", "head_to_head", "sonneborn_berger", "fewest_forfeits"]
    assert plan["policy"]["only"] == "tourney"
    assert plan["policy"]["gone"] == "at_once"
    assert plan["policy"]["errors"]["limit"] == 3
    eve.sees("This tour is for players of the tourney dialect; you can watch.")


def test_where_a_tour_asks_for_it_one_says_goodbye_in_the_page(
    visit: Visit, server: Server
) -> None:
    eve = visit()
    eve.enter("Eve")
    dialog = organising(eve, token_of(server))
    goodbye = dialog.get_by_label("says no goodbye")
    expect(goodbye).to_be_disabled()
    dialog.get_by_label("Who is out of a game is out of the tour").check()
    goodbye.check()
    assert opened(eve, dialog, server)["farewell"]
    eve.press("Join the tour")
    bob = Line(server, "Bob")
    bob.ask("join_tour", tour=1)
    eve.press("Start")
    eve.sees("To your match, table 1")
    bob.ask("resign", table=1)
    eve.sees("No match begins any more.")
    eve.press("Say goodbye")
    eve.sees("Eve won the tour.")


def test_a_reason_names_who_sat_there(visit: Visit, server: Server) -> None:
    ann, bob = Line(server, "white"), Line(server, "<b>Bob</b> $&")
    table = ann.ask("open", variant="reversi", house=0)["table"]
    bob.ask("sit", table=table)
    bob.ask("resign", table=table)
    viewer = visit()
    page = viewer.go(f"/tables/{table}")
    result = page.get_by_role("region", name="white won.")
    expect(result).to_contain_text("White (<b>Bob</b> $&) resigned.")
