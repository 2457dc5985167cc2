"""People who speak the old languages: what they are shown, and what they send."""

import pytest

from rookery.cli.by_hand import PERSONS
from rookery.cli.by_hand.person import Who
from tests.cli.hearing import board, come, shown

# -- blackwhite; seed 001, second session


def test_blackwhite_says_the_sentences_of_the_seed() -> None:
    pl1 = PERSONS["blackwhite"](Who("pl1"))
    assert pl1.begin() == b"ENTERROOM [pl1]\n"
    assert shown(pl1, "ENTERROOM [pl1]", "ENTERROOM [pl2]") == [
        "pl1 entered room",
        "pl2 entered room",
    ]
    assert shown(pl1, "ASSIGN [BLACK]", "TURN [pl1]") == ["you are black", "it's your turn"]
    assert pl1.say("[5,6]") == b"PLAYBLACK [5,6]\n"
    assert shown(pl1, "PLAYBLACK [5,6]", "REVERSETOBLACK [5,5]", "TURN [pl2]") == [
        "play f7 & reverse [5,5]",
        "it's pl2's turn",
    ]
    assert shown(pl1, "PLAYWHITE [INVALID]") == ["your move is not valid, choose another move"]


def test_blackwhite_keeps_its_own_board() -> None:
    pl1 = come("blackwhite", "pl1")
    drawn = board(pl1, "ASSIGN [BLACK]", "PLAYBLACK [5,6]", "REVERSETOBLACK [5,5]", "TURN [pl2]")
    assert drawn[5:8] == [
        " 5  . . . . O X . . . . 5",
        " 6  . . . . X X . . . . 6",
        " 7  . . . . .[X]. . . . 7",
    ]


def test_blackwhite_reads_joined_messages_and_squares_as_people_write_them() -> None:
    pl2 = come("blackwhite", "pl2")
    assert shown(pl2, "ASSIGN [WHITE]", "PLAYBLACK [5,6] & REVERSETOBLACK [5,5]", "TURN [pl2]") == [
        "you are white",
        "play f7 & reverse [5,5]",
        "it's your turn",
    ]
    assert pl2.prompt()
    assert [pl2.say("6,6"), pl2.say("g7"), pl2.say("resign")] == [
        b"PLAYWHITE [6,6]\n",
        b"PLAYWHITE [6,6]\n",
        b"RESIGN\n",
    ]
    assert isinstance(pl2.say("what?"), str)


def test_blackwhite_says_who_has_won() -> None:
    pl3 = come("blackwhite", "pl3")
    assert shown(pl3, "RESIGN [pl1]", "WIN [pl2]") == ["pl1 resigned", "pl2 wins"]
    assert shown(pl3, "TIE") == ["it's a tie"]
    assert pl3.say("d3") == "You look on; only the first two in the room play."


# -- othello; seed 003

START = "0" * 27 + "21" + "0" * 6 + "12" + "0" * 27


def test_othello_signs_on_and_plays_on_its_turn() -> None:
    black = PERSONS["othello"](Who("ann"))
    assert black.begin() == b"1\n"
    assert shown(black, "11", f"4{START}1") == ["You are black.", "It's your turn."]
    assert black.prompt() == "Your move, like d3: "
    assert black.say("d3") == b"232\n"
    assert shown(black, "3", f"4{START}2") == [
        "Your move is not valid, choose another move.",
        "It's white's turn.",
    ]
    assert black.prompt() == ""


def test_othello_draws_the_board_it_is_sent() -> None:
    drawn = board(come("othello"), f"4{START}1")
    assert drawn[4] == " 4  . . . O X . . . 4"
    assert drawn[5] == " 5  . . . X O . . . 5"


def test_othello_tells_the_end_from_its_own_side() -> None:
    for frame, words in (("51", "You win."), ("52", "White wins."), ("50", "The game is a draw.")):
        black = come("othello")
        assert shown(black, "11", frame)[-1] == words
        assert black.say("again") == b"1\n"


# -- all of them


@pytest.mark.parametrize("dialect", PERSONS)
def test_bytes_that_are_no_words_are_shown_and_break_nothing(dialect: str) -> None:
    person = come(dialect)
    assert [str(words) for words in person.hear(b"\xff\xfe:\xff\n")]
    assert isinstance(person.prompt(), str)


@pytest.mark.parametrize(
    ("dialect", "strange"),
    [
        ("othello", "4012"),
        ("othello", "9"),
        ("blackwhite", "GREETINGS"),
        ("fish", "[]"),
        ("fish", '{"type":"SendGameState","state":{"phase":"move","players":[{}],"board":[]}}'),
        ("bughouse", "BROADCAST:JOIN_GAME:x\ty"),
        ("tourney", "@TOUR:DANCE"),
        ("tourney", "@GAME:STATE:"),
        ("tourney", "@GAME:STATE:0,3,1"),
    ],
)
def test_what_a_server_should_not_say_is_shown_and_breaks_nothing(
    dialect: str, strange: str
) -> None:
    person = come(dialect)
    (sentence,) = shown(person, strange)
    assert strange.rpartition(":")[2][1:] in sentence
    assert isinstance(person.prompt(), str)


def test_a_square_that_is_not_on_the_board_changes_nothing() -> None:
    pl1 = come("blackwhite", "pl1")
    before = board(pl1, "TURN [pl2]")
    assert board(pl1, "PLAYBLACK [99,99]", "TURN [pl2]") == before


@pytest.mark.parametrize("dialect", PERSONS)
def test_what_nobody_understands_is_answered_with_what_to_type(dialect: str) -> None:
    said = come(dialect).say("?")
    assert said == b"" or str(said).startswith("Type")


@pytest.mark.parametrize("dialect", PERSONS)
def test_bytes_one_at_a_time_are_the_same_as_all_at_once(dialect: str) -> None:
    said = b"\r\n".join(
        (
            b"1",
            b"@GAME:START:A:Bob",
            b"@GAME:STATE:1,2,3,4",
            b"ASSIGN [BLACK]",
            b'{"type":"AssignColor","color":"red","turn":0,"penguinCount":4}',
            b"BROADCAST:NEW_GAME:2\t1",
            b"",
        )
    )
    whole, slow = come(dialect), come(dialect)
    pieces = [words for n in range(len(said)) for words in slow.hear(said[n : n + 1])]
    assert list(whole.hear(said)) == pieces
    assert whole.prompt() == slow.prompt()
