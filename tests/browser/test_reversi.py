"""Reversi by mouse: two people at one table, and a person against a program with a socket."""

from playwright.sync_api import expect

from tests.browser.edges import over_an_edge_too
from tests.browser.lines import first_moves
from tests.browser.people import Person, Visit
from tests.browser.programs import Wire
from tests.server.process import Server

SMALL = "reversi size=4"
BLACK, WHITE = b"1", b"2"  # othello's words for them


def open_small_table(person: Person) -> None:
    """Open a table of the shortest reversi there is, as the lobby lets one."""
    person.press("Open a table")
    dialog = person.page.get_by_role("dialog", name="Open a table")
    dialog.get_by_label("Size", exact=True).fill("4")
    dialog.get_by_role("button", name="Open the table").click()
    person.page.wait_for_url("**/tables/1")


@over_an_edge_too
def test_two_people_play_reversi_to_the_end_and_again(visit: Visit) -> None:
    ann, bob = visit(), visit()
    turns, outcome = first_moves(SMALL)
    winner = ("Ann", "Bob")[outcome.winners[0]]
    seat, _, rest = outcome.reason.partition(" ")
    ann.enter("Ann")
    open_small_table(ann)
    bob.enter("Bob")
    bob.press("Sit at table 1, Reversi · size 4")
    for turn in turns:
        mover = (ann, bob)[turn.seat]
        mover.may_play(turn.legal)
        mover.play(turn.move)
    for person in (ann, bob):
        result = person.page.get_by_role("region", name=f"{winner} won.")
        expect(result).to_contain_text(f"{seat} ({winner}) {rest}")
        expect(person.playable()).to_have_count(0)
    ann.press("Rematch")
    bob.sees("Ann would play again.")
    bob.press("Rematch")
    for person in (ann, bob):
        person.page.wait_for_url("**/tables/2")
        person.sees("being played")


@over_an_edge_too
def test_a_person_plays_against_an_othello_client(visit: Visit, server: Server) -> None:
    program, ann = Wire(server), visit()
    program.say(b"1")
    assert program.line() == b"11"  # it is black
    ann.enter("Ann")
    ann.press("Sit at table 1, Reversi")
    assert program.line().endswith(BLACK)
    program.say(b"245")  # e6
    assert program.line().endswith(WHITE)
    ann.may_play(["d6", "f4", "f6"])
    ann.sees("othello")  # what the other speaks
    ann.play("f6")
    board = program.line()
    assert board.endswith(BLACK)
    assert board[1:][5 * 8 + 5 :].startswith(WHITE)
    program.say(b"7good move")
    ann.sees("good move")
    ann.picture("table-reversi")
    ann.press("Resign")
    ann.press("Yes, resign")
    assert program.line() == b"51"  # black has won
    ann.sees("White (Ann) resigned.")
