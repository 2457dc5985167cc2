"""Somebody among the bots: registering, owning a tournament, and playing matches."""

import json

import pytest

from rookery.cli.by_hand import PERSONS
from rookery.cli.by_hand.person import Who
from rookery.core.ids import TableId
from tests.cli.company import Company
from tests.cli.hearing import answered, board, come, heard, shown

OTHELLO = "0,4,4," + ",".join("     OX  XO     ")
HOST = {
    "open": {"policy": {"gone": "hold", "errors": {"limit": 7, "out_of_turn": True}}, "sit": False},
    "hello": {"version": 1, "name": "Host"},
}


def match(variant: str) -> Company:
    """Ann, who is home, and Bob at a table, as a tournament seats them."""
    company = Company()
    company.come("tourney", "Ann", "Bob")
    company.hall.connect("host", "native")
    for kind, fields in (("hello", {}), ("open", {"variant": variant})):
        request = {"type": kind, **HOST[kind], **fields}
        company.hall.send("host", json.dumps(request).encode() + b"\n")
    company.hall.sit("Ann", TableId(1))
    company.hall.sit("Bob", TableId(1))
    company.settle()
    return company


def test_a_person_registers_under_a_name() -> None:
    ann = PERSONS["tourney"](Who("Ann"))
    assert ann.begin() == b"@NEW PLAYER\n@NAME:Ann\n"
    (sentence,) = shown(ann, "@PID:3")
    assert sentence.startswith("You are player 3. Type: join [ID] [CODE], create TYPE,")
    assert ann.prompt() == ""


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("join", b"@TOUR:JOIN\n"),
        ("join 2", b"@TOUR:JOIN:2\n"),
        ("join KXQTW", b"@TOUR:JOIN:KXQTW\n"),
        ("join 2 KXQTW", b"@TOUR:JOIN:2:KXQTW\n"),
        ("create NIM", b"@TOUR:CREATE:NIM\n"),
        ("start", b"@TOUR:START\n"),
        ("Pause", b"@TOUR:PAUSE\n"),
        ("end", b"@TOUR:END\n"),
        ("report", b"@TOUR:REPORT\n"),
        ("left", b"@TOUR:MATCHES LEFT\n"),
        ("who 2", b"@GET NAME:2\n"),
        ("back 2", b"@PLAYER:2\n"),
    ],
)
def test_every_command_is_a_word(typed: str, line: bytes) -> None:
    assert come("tourney").say(typed) == line


def test_what_the_server_says_of_a_tournament_is_told() -> None:
    assert shown(
        come("tourney"),
        "@TID:4",
        "@MESSAGE:Tournament 4 successfully joined.",
        "@ERROR:Player is not the owner of the tournament.",
        "@NAME:Bob:2",
        "@REPORT:2/3/A,3/2/I,2/4/N",
        "@REPORT:",
        "@TOUR:END",
    ) == [
        "You own tournament 4: start when enough have joined, and end it.",
        "The server says: Tournament 4 successfully joined.",
        "The server says: Player is not the owner of the tournament.",
        "Player 2 is Bob.",
        "2 against 3: away won\n3 against 2: in progress\n2 against 4: not started",
        "No matches yet.",
        "The tournament is over.",
    ]


def test_a_ping_is_answered_and_not_shown() -> None:
    assert heard(come("tourney"), "@PING") == [b"@PONG\n"]
    assert answered(come("tourney"), "@PONG") == []
    assert shown(come("tourney"), "@PONG") == []


def test_people_create_a_tournament_join_it_and_play_it() -> None:
    company = Company()
    company.come("tourney", "Olga", "Ann", "Bob")
    company.type("Olga", "create TTT")
    company.type("Ann", "join")
    company.type("Bob", "join 1")
    company.type("Olga", "start")
    for name, slot in (("Ann", "0"), ("Bob", "3"), ("Ann", "1"), ("Bob", "4"), ("Ann", "2")):
        company.type(name, slot)
    company.type("Olga", "report", "left", "end")
    assert company.sentences("Olga")[2:] == [
        "2 against 3: home won\n3 against 2: in progress",
        "The server says: There are 1 matches left to complete.",
    ]
    assert company.sentences("Bob")[1:3] == [
        "The server says: Tournament 1 successfully joined.",
        "A match against Ann: you are away.",
    ]
    assert company.sentences("Ann")[-4:] == [
        "You win.",
        "A match against Bob: you are away.",
        "It's Bob's turn.",
        "The tournament is over.",
    ]
    company.type("Bob", "4")  # a match that runs is played out
    assert company.sentences("Ann") == ["It's your turn."]


def test_a_whole_match_of_nim() -> None:
    company = match("nim sticks=3,4")
    assert company.sentences("Ann")[1:] == [
        "A match against Bob: you are home, and move first.",
        "It's your turn.",
    ]
    company.type("Ann", "0,3")
    assert company.board("Bob").splitlines()[:2] == [
        "row  0  -        0   3 taken",
        "row  1  ||||     4",
    ]
    company.type("Bob", "0,1", "1,4")
    assert company.sentences("Bob")[1:] == [
        "A match against Ann: you are away.",
        "It's Ann's turn.",
        "It's your turn.",
        "The server says: That row does not have that many sticks.",
        "It's your turn.",
        "Away won!",
        "You win.",
    ]
    assert company.sentences("Ann")[-1] == "Bob wins."
    assert [person.prompt() for person in company.people.values()] == ["", ""]


def test_a_whole_match_of_guessing_remembers_what_was_tried() -> None:
    company = match("guess high=1")
    company.type("Ann", "50")
    assert company.board("Ann").splitlines() == [
        "A number from 1 to 100; round 1.",
        "home  too high",
        "away  no guess yet",
        "You tried 50 too high.",
        "It is from 1 to 49.",
    ]
    company.type("Bob", "zero", "0")
    assert company.board("Ann").splitlines()[0] == "A number from 1 to 100; round 2."
    assert company.board("Bob").splitlines()[3:] == ["You tried 0 too low.", "It is from 1 to 100."]
    company.type("Ann", "1")
    company.type("Bob", "1")
    assert company.sentences("Bob")[-2:] == ["Bingo!", "The match is a tie."]


def test_a_match_of_tictactoe() -> None:
    company = match("tictactoe")
    assert company.people["Ann"].prompt() == "Your slot, 0 to 8: "
    company.type("Ann", "4")
    assert company.board("Bob").splitlines()[2] == " 3 |[X]| 5"
    assert company.people["Ann"].say("5") == (
        "It is not your turn, and a move now would count as an illegal one."
    )


def test_a_match_of_othello_takes_squares_as_they_are_drawn_and_as_the_wire_has_them() -> None:
    company = match("reversi size=4")
    company.type("Ann", "b1")
    assert company.board("Bob").splitlines()[1:5] == [
        " 1  .[X]. . 1",
        " 2  . X X . 2",
        " 3  . X O . 3",
        " 4  . . . . 4",
    ]
    company.type("Bob", "0a")
    assert company.board("Ann").splitlines()[1] == " 1 [O]X . . 1"


@pytest.mark.parametrize(
    ("state", "prompt"),
    [
        ("0,2,3,4", "Row and sticks, like 0,3: "),
        ("0,2,3,4,", "Row and sticks, like 0,3: "),  # as the seed writes it
        ("0,8,1,2,3,4,5,6,7,8", "Row and sticks, like 0,3: "),
        ("0,-,H", "Your guess: "),
        ("0, , , , ,X,O, , , ", "Your slot, 0 to 8: "),
        (OTHELLO, "Your square, like d3: "),
    ],
)
def test_which_game_it_is_shows_in_the_state(state: str, prompt: str) -> None:
    ann = come("tourney")
    assert board(ann, "@GAME:START:H:Bob", f"@GAME:STATE:{state}")
    assert ann.prompt() == prompt
    shown(ann, f"@GAME:STATE:1{state[1:]}")
    assert ann.prompt() == ""


@pytest.mark.parametrize(
    "state", ["2,2,3,4", "0", "0,2,3", "0,1,x", "0,99,99", "0,2,2,X,O,X,Z", "0,-,Z", "0,0,0"]
)
def test_a_state_of_no_game_is_shown_as_it_is(state: str) -> None:
    ann = come("tourney")
    assert shown(ann, "@GAME:START:H:Bob", f"@GAME:STATE:{state}")[1] == (
        f"The server sent a state of no game we know: {state}"
    )
    assert ann.prompt() == ""


def test_who_comes_back_is_told_how_the_match_stands() -> None:
    company = match("nim sticks=3,4")
    company.type("Ann", "0,3")
    company.hall.hang_up("Bob")
    del company.people["Bob"]
    company.come("tourney", "Bob")
    company.type("Bob", "back 2")
    assert company.sentences("Bob")[-2:] == [
        "A match against Ann: you are away.",
        "It's your turn.",
    ]
