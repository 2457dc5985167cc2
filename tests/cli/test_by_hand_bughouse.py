"""Somebody who plays bughouse at a terminal: the lobby, two boards, and coming back."""

import pytest
from msgspec.structs import replace

from rookery.cli.by_hand import PERSONS
from rookery.cli.by_hand.person import Who
from rookery.cli.drawing import Look, draw
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games.bughouse import (
    Bughouse,
    Castled,
    Dropped,
    EnPassant,
    Handed,
    Promoted,
    board_of,
)
from tests.cli.company import Company
from tests.cli.hearing import answered, come, heard, shown

GAME = Bughouse()
NAMES = ("Ann", "Dan", "Cyd", "Bob")  # by seat: Ann and Bob are team 1


@pytest.fixture
def four() -> Company:
    """Four people at the start of a game."""
    company = Company()
    company.come("bughouse", "Ann", "Bob", "Cyd", "Dan")
    company.type("Ann", "create")
    company.type("Bob", "join 1 1")
    company.type("Cyd", "join 1 2")
    company.type("Dan", "join 1 2")
    company.type("Ann", "start")
    return company


def test_a_lobby_is_found_a_game_joined_and_started(four: Company) -> None:
    assert four.sentences("Ann") == [
        "You are player 1.",
        "You created game 1, and are in team 1. Four must join.",
        "Player 2 joined game 1.",
        "Player 3 joined game 1.",
        "Player 4 joined game 1.",
        "Game 1 starts.",
        "You play white on board 1, with Bob, against Dan, Cyd.",
        "It's your turn.",
    ]
    assert four.people["Ann"].prompt() == "Your move, like e2e4 or N@f3: "
    assert four.people["Bob"].prompt() == ""
    assert "You play black on board 2, with Ann, against Dan, Cyd." in four.sentences("Bob")


def test_a_prisoner_is_dropped_by_its_letter(four: Company) -> None:
    for name, move in (("Ann", "e2e4"), ("Dan", "d7d5"), ("Ann", "e4d5"), ("Cyd", "e2e4")):
        four.type(name, move)
    four.sentences("Bob")
    four.type("Bob", "N@e5")
    four.type("Bob", "P@e5")
    assert four.board("Bob").splitlines() == [
        "board 2 (yours)                board 1",
        "1  R N B K Q B N R             8  r n b q k b n r",
        "2  P P P . P P P P             7  p p p . p p p p",
        "3  . . . . . . . .             6  . . . . . . . .",
        "4  . . . P . . . .             5  . . .[P]. . . .",
        "5  . . .[p]. . . .             4  . . . .[.]. . .",
        "6  . . . . . . . .             3  . . . . . . . .",
        "7  p p p p p p p p             2  P P P P . P P P",
        "8  r n b k q b n r             1  R N B Q K B N R",
        "   h g f e d c b a                a b c d e f g h",
        "white Cyd holds -  to move     black Dan holds -  to move",
        "black Bob holds -              white Ann holds -",
    ]
    assert four.sentences("Bob") == ["You do not hold a N.", "Board 2: P@e5"]


def test_a_move_that_cannot_be_made_is_asked_for_again(four: Company) -> None:
    four.sentences("Ann")
    four.type("Ann", "e2e5", "e9", "e2e4")
    assert four.sentences("Ann") == [
        "That move cannot be made.",
        "The pawn on e2 cannot move to e5.",
        "It's your turn.",
        "Type: games, create, join GAME TEAM, start, quit; in a game e2e4, e7e8n or N@f3.",
        "Board 1: e2e4",
    ]
    assert four.sentences("Dan")[-2:] == ["Board 1: e2e4", "It's your turn; you have 15:00."]


def test_who_leaves_loses_and_everyone_is_in_the_lobby_again(four: Company) -> None:
    four.type("Cyd", "quit")
    why = "White on board 2 left the game."
    assert four.sentences("Ann")[-3:] == ["Cyd left game 1.", why, "Ann and Bob won."]
    assert four.sentences("Cyd")[-3:] == ["You left.", why, "Ann and Bob won."]
    four.type("Cyd", "create")
    four.type("Ann", "games")
    assert four.sentences("Ann")[-2:] == ["Cyd created game 2.", "Games to join: 2."]
    assert four.people["Ann"].prompt() == "games, create or join GAME TEAM: "


def test_a_mate_is_seen_before_the_result_is_told(four: Company) -> None:
    moves = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
    for n, move in enumerate(moves):
        four.type(("Ann", "Dan")[n % 2], move)
    assert four.board("Dan").splitlines()[7].startswith("7  p p[Q]. p p p p ")
    for name in NAMES:
        why = "Black on board 1 is mated."
        assert four.sentences(name)[-3:] == ["Board 1: h5f7", why, "Ann and Bob won."]
        assert four.people[name].prompt() == "games, create or join GAME TEAM: "


def test_who_comes_back_sees_the_boards_as_they_stand(four: Company) -> None:
    for name, move in (("Ann", "e2e4"), ("Dan", "d7d5"), ("Ann", "e4d5"), ("Cyd", "e2e4")):
        four.type(name, move)
    before = four.board("Bob")
    four.hall.hang_up("Bob")
    del four.people["Bob"]
    four.come("bughouse", "Bob")
    assert four.board("Bob") == before
    assert four.sentences("Bob")[-1] == "It's your turn."
    assert four.people["Bob"].prompt()


class Followed:
    """A game by the rules, and whether everyone sees it so. Mutates."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._last: dict[int, str] = {}
        self.state = GAME.start(4, Chance(0))
        self.effects: set[type] = set()

    def play(self, text: str) -> None:
        """A move such as `1:e2e4`, after which all four look at their boards."""
        board = int(text[0])
        (seat,) = (seat for seat in GAME.to_act(self.state) if board_of(seat) == board)
        step = GAME.play(self.state, seat, GAME.parse_move(text))
        self.state = step.state
        self._last[board] = text
        self.effects |= {type(effect) for effect in step.effects}
        self._company.type(NAMES[seat], text[2:])
        view = replace(GAME.view(self.state, None), in_check=())  # nobody is told of checks
        last = tuple(self._last.values())
        for viewer, name in enumerate(NAMES):
            drawn = draw(view, Look(viewer=Seat(viewer), last=last, names=NAMES)).plain
            assert self._company.board(name) == drawn, f"{name} after {text}"


def test_everyone_sees_every_position_of_a_random_game(four: Company) -> None:
    followed, chance = Followed(four), Chance(323)
    for _ in range(52):
        state = followed.state
        movers = sorted(s for s in GAME.to_act(state) if any(GAME.legal_moves(state, s)))
        moves = list(GAME.legal_moves(state, chance.choice(movers)))
        followed.play(GAME.format_move(chance.choice(moves)))
    assert followed.effects >= {Castled, Promoted, Dropped, Handed}


def test_a_pawn_taken_in_passing_is_gone(four: Company) -> None:
    followed = Followed(four)
    for text in ("1:e2e4", "1:a7a6", "1:e4e5", "1:d7d5", "1:e5d6"):
        followed.play(text)
    assert EnPassant in followed.effects
    assert [words for words in four.sentences("Dan") if "Board" in words][-1] == "Board 1: e5d6"


# -- without a hall


def test_there_is_one_request_at_a_time_and_what_is_typed_waits() -> None:
    ann = PERSONS["bughouse"](Who("Ann"))
    assert ann.begin() == b"ADD_PLAYER:Ann\n"
    assert [ann.say("games"), ann.say("create")] == [b"", b""]
    assert ann.prompt() == ""
    assert heard(ann, "7") == ["You are player 7.", b"GET_CURRENT_GAME:7\n"]
    assert heard(ann, "-1") == [b"GET_GAMES:\n"]
    assert heard(ann, "BROADCAST:NEW_GAME:3\t1") == ["Player 3 created game 1."]
    assert heard(ann, "1\t4") == ["Games to join: 1, 4.", b"CREATE_GAME:7\n"]
    assert heard(ann, "5") == ["You created game 5, and are in team 1. Four must join."]
    assert ann.prompt() == "start or quit: "


def test_what_cannot_be_done_is_said_in_words() -> None:
    ann = come("bughouse")
    shown(ann, "1", "-1")
    told = []
    for typed, answer in (
        ("games", ""),
        ("create", "-1"),
        ("join 9 1", "GAME_FULL"),
        ("start", "UNAUTHORIZED:-1"),
        ("start", "NOT_READY:1"),
        ("quit", "QUIT_FAILED:1"),
    ):
        ann.say(typed)
        told += shown(ann, answer)
    assert told == [
        "There is no game to join.",
        "You are in a game already.",
        "You cannot join that: no such game, the team is full, or you are in one.",
        "Only who owns a game can start it.",
        "It cannot start before four have joined.",
        "There is nothing to leave.",
    ]
    assert shown(come("bughouse"), "-1") == [
        "The server does not take that name; come again with another."
    ]


def test_a_pawn_becomes_what_is_typed_and_a_queen_is_not_named() -> None:
    ann = come("bughouse")
    answered(ann, "1", "1", "BROADCAST:GAME_STARTED:1", "1\t2", "", "1\t2", "3\t4", *"ABCD")
    assert ann.say("a7a8n") == b"MOVE:1\t0\t6\t0\t7\t2\n"
    assert shown(ann, "MOVE_FAILED:1") == ["That move cannot be made."]
    assert ann.say("a7a8q") == b"MOVE:1\t0\t6\t0\t7\n"


def test_a_short_clock_and_what_the_server_says_are_told() -> None:
    ann = come("bughouse")
    answered(ann, "1", "1", "BROADCAST:GAME_STARTED:1", "1\t2", "", "1\t2", "3\t4", *"ABCD")
    assert shown(
        ann,
        "BROADCAST:CLOCK:1\t30000\t900000",
        "BROADCAST:CLOCK:2\t30000\t10000",
        "BROADCAST:NOTICE:closing\tThe server is going down.",
        "BROADCAST:SOMETHING_NEW:1",
        "BROADCAST:GAME_OVER:1\t-\t-",
    ) == [
        "You have 0:30 left.",
        "The server is going down.",
        "The game is a draw.",
    ]


def test_each_clock_stands_under_the_boards_with_its_name() -> None:
    ann = come("bughouse")
    answered(ann, "1", "1", "BROADCAST:GAME_STARTED:1", "1\t2", "", "1\t2", "3\t4", *"ABCD")
    clocks = ("BROADCAST:CLOCK:1\t290000\t300000", "BROADCAST:CLOCK:2\t61000\t59000")
    *_, drawn = heard(ann, *clocks, "BROADCAST:MOVE:1\t4\t1\t4\t3")
    assert str(drawn).splitlines()[-1] == "Clocks: A 4:50, D 5:00, C 1:01, B 0:59"


@pytest.mark.parametrize(
    "strange", ["MOVE:1\t9\t1\t4\t3", "PUT:1\t1\t0\t4\t4", "PASS:1\t2\t7", "MOVE:1\tx"]
)
def test_news_of_a_game_that_mean_nothing_are_shown_and_break_nothing(strange: str) -> None:
    ann = come("bughouse")
    answered(ann, "1", "1", "BROADCAST:GAME_STARTED:1", "1\t2", "", "1\t2", "3\t4", *"ABCD")
    (sentence,) = shown(ann, f"BROADCAST:{strange}")
    assert sentence == f"The server said something unknown: BROADCAST:{strange}"
