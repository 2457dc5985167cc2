"""People who speak the old languages: what they are shown, and what they send."""

from rookery.cli.persons import PERSONS
from rookery.cli.persons.person import Person


def shown(person: Person, *lines: str) -> list[str]:
    """The sentences these lines lead to, without the boards."""
    said = "".join(f"{line}\n" for line in lines).encode()
    return [words for words in person.hear(said) if isinstance(words, str)]


def board(person: Person, *lines: str) -> list[str]:
    """The last board these lines lead to, row by row."""
    said = "".join(f"{line}\n" for line in lines).encode()
    return [words.plain for words in person.hear(said) if not isinstance(words, str)][-1].split(
        "\n"
    )


# -- blackwhite; seed 001, second session


def test_blackwhite_says_the_sentences_of_the_seed() -> None:
    pl1 = PERSONS["blackwhite"]("pl1")
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
    pl1 = PERSONS["blackwhite"]("pl1")
    pl1.begin()
    drawn = board(pl1, "ASSIGN [BLACK]", "PLAYBLACK [5,6]", "REVERSETOBLACK [5,5]", "TURN [pl2]")
    assert drawn[5:8] == [
        " 5  . . . . O X . . . . 5",
        " 6  . . . . X X . . . . 6",
        " 7  . . . . .[X]. . . . 7",
    ]


def test_blackwhite_reads_joined_messages_and_squares_as_people_write_them() -> None:
    pl2 = PERSONS["blackwhite"]("pl2")
    pl2.begin()
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
    pl3 = PERSONS["blackwhite"]("pl3")
    pl3.begin()
    assert shown(pl3, "RESIGN [pl1]", "WIN [pl2]") == ["pl1 resigned", "pl2 wins"]
    assert shown(pl3, "TIE") == ["it's a tie"]
    assert pl3.say("d3") == "You look on; only the first two in the room play."


# -- othello; seed 003

START = "0" * 27 + "21" + "0" * 6 + "12" + "0" * 27


def test_othello_signs_on_and_plays_on_its_turn() -> None:
    black = PERSONS["othello"]("ann")
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
    drawn = board(PERSONS["othello"]("ann"), f"4{START}1")
    assert drawn[4] == " 4  . . . O X . . . 4"
    assert drawn[5] == " 5  . . . X O . . . 5"


def test_othello_tells_the_end_from_its_own_side() -> None:
    for frame, words in (("51", "You win."), ("52", "White wins."), ("50", "The game is a draw.")):
        black = PERSONS["othello"]("ann")
        assert shown(black, "11", frame)[-1] == words
        assert black.say("again") == b"1\n"


def test_what_the_server_should_not_say_is_shown_and_breaks_nothing() -> None:
    for name, strange in (
        ("othello", "4012"),
        ("othello", "9"),
        ("blackwhite", "PLAYBLACK [99,99]"),
    ):
        person = PERSONS[name]("ann")
        person.begin()
        shown(person, strange, "")
        list(person.hear(b"\xff\xfe\n"))
