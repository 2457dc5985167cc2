"""The othello dialect by itself: what transcripts cannot show, and the bounds."""

import pytest

from rookery.core.errors import BadOption
from rookery.core.events import Played, Started
from rookery.core.game import draw, win
from rookery.core.ids import MICROS_A_SECOND, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent, Enter, Seek, Show, TakeUp
from rookery.core.messages import (
    Done,
    Happened,
    News,
    Notice,
    Refused,
    Scene,
    SeatLine,
    Shown,
    TableLine,
    Welcome,
)
from rookery.core.policy import Errors, Policy
from rookery.dialects import read_options
from rookery.dialects.othello import OthelloDialect, OthelloOptions
from rookery.dialects.othello import profile as othello_limits
from rookery.dialects.othello.wire import (
    BinaryFraming,
    Frame,
    TextFraming,
    board,
    framing_of,
    winner,
)
from rookery.games.reversi import Reversi, State
from tests.transcripts.wired_hall import WiredHall

ANN, BOB = PlayerId(1), PlayerId(2)
BLACK, WHITE = Seat(0), Seat(1)
TABLE = TableId(1)
GAME = Reversi()
POLICY = Policy(grace=30 * MICROS_A_SECOND, errors=Errors(10, in_a_row=False))
SEEK = Seek("reversi", time="60s/move", policy=POLICY, player=ANN)

START = b"4" + b"0" * 24 + b"00021000" + b"00012000" + b"0" * 24 + b"1\n"
LAST = GAME.parse_position(
    "OXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXO X"
)


def news(event: Started | Played, state: State) -> News:
    """Something that happened at Ann's and Bob's table."""
    return News(Happened(TABLE, 9, 0, event), Scene(GAME, state, (ANN, BOB), None))


def shown(state: State) -> Shown:
    """Ann's and Bob's table, as Ann sees it."""
    seats = (
        SeatLine(BLACK, "black", ANN, "guest", connected=True),
        SeatLine(WHITE, "white", BOB, "guest", connected=True),
    )
    outcome = GAME.outcome(state)
    status = "playing" if outcome is None else "over"
    line = TableLine(TABLE, "reversi", "1m/move", status, seats, 9, outcome)
    return Shown(line, POLICY, BLACK, (BLACK,), None, GAME.view(state, BLACK))


def start() -> State:
    return GAME.parse_position(
        "......../......../......../...OX.../...XO.../......../......../........ X"
    )


def test_a_sign_on_asks_for_a_lost_seat_then_for_a_player_then_for_a_game() -> None:
    othello = OthelloDialect()
    asked: list[AnyIntent] = [*othello.receive(b"1\n", 0)]
    asked += othello.tell(Refused("nothing_lost", "No."))
    asked += othello.tell(Welcome(ANN, "guest", "token"))
    assert asked == [TakeUp(), Enter("guest", "othello"), SEEK]
    assert othello.drain() == b""


def test_a_sign_on_that_the_hall_refuses_is_an_error_and_may_be_tried_again() -> None:
    othello = OthelloDialect()
    othello.receive(b"1\n", 0)
    othello.tell(Refused("nothing_lost", "No."))
    othello.tell(Welcome(ANN, "guest", "token"))
    assert list(othello.tell(Refused("too_many", "The hall is full; come back later."))) == []
    assert othello.drain() == b"6The hall is full; come back later.\n"
    assert list(othello.receive(b"1\n", 0)) == [TakeUp()]
    assert list(othello.tell(Refused("nothing_lost", "No."))) == [SEEK]


def test_what_happens_before_a_seat_is_taken_up_is_on_the_board_and_not_told_before() -> None:
    othello = OthelloDialect()
    othello.receive(b"1\n", 0)
    assert list(othello.tell(Welcome(ANN, "guest", "", (TABLE,)))) == [Show(TABLE, player=ANN)]
    othello.tell(news(Played(WHITE, "c3", 0), start()))
    assert othello.drain() == b""
    othello.tell(shown(start()))
    assert othello.drain() == b"11\n" + START


def test_a_game_that_ended_while_it_was_taken_up_is_told_to_its_end() -> None:
    othello = OthelloDialect()
    othello.receive(b"1\n", 0)
    othello.tell(Welcome(ANN, "guest", "", (TABLE,)))
    othello.tell(shown(LAST))
    assert othello.drain() == b"11\n42" + b"1" * 62 + b"20\n51\n"
    assert list(othello.receive(b"1\n", 0)) == [TakeUp()]


def test_without_resume_nobody_takes_up_a_seat_and_gone_is_lost_at_once() -> None:
    options, hall = OthelloOptions(resume=False), WiredHall()
    assert [type(intent) for intent in OthelloDialect(options).receive(b"1\n", 0)] == [Enter]
    for who in ("ann", "bob"):
        hall.connect(who, "othello", options=options)
        hall.send(who, b"1\n")
    hall.hang_up("bob")
    hall.advance(0)
    assert hall.take("ann") == b"11\n" + START + b"51\n"
    hall.connect("bob", "othello", options=options)
    hall.send("bob", b"1\n")
    assert hall.take("bob") == b"11\n"


def test_a_client_that_does_not_wait_for_answers_gets_the_same_ones() -> None:
    hall = WiredHall()
    hall.connect("ann", "othello")
    hall.send("ann", b"1\n5\n1\n232\n5\n5\n")
    assert hall.take("ann").splitlines() == [
        b"11",
        b"50",
        b"11",
        b"6The game has not begun.",
        b"50",
        b"6You are not in a game; sign on first.",
    ]


def test_who_signs_on_right_behind_the_last_move_is_in_a_new_game() -> None:
    hall = WiredHall()
    for who in ("ann", "bob"):
        hall.connect(who, "othello")
        hall.send(who, b"1\n")
    for n, move in enumerate(("45", "53", "42", "55", "64", "35", "46", "54")):
        hall.send("ann" if n % 2 == 0 else "bob", b"2%b\n" % move.encode())
    hall.take("ann")
    hall.send("ann", b"224\n1\n5\n")
    assert hall.take("ann").splitlines()[1:] == [b"51", b"11", b"50"]


def test_who_resigns_and_signs_on_at_once_is_in_a_new_game() -> None:
    hall = WiredHall()
    for who in ("ann", "bob"):
        hall.connect(who, "othello")
        hall.send(who, b"1\n")
    hall.take("ann")
    hall.send("ann", b"5\n1\n")
    assert hall.take("ann") == b"52\n11\n"


def test_what_was_sent_before_the_connection_was_half_closed_is_still_answered() -> None:
    othello = OthelloDialect()
    othello.receive(b"1\n8\n", 0)
    othello.receive(b"", 0)
    othello.tell(Refused("nothing_lost", "No."))
    othello.tell(Refused("too_many", "No."))
    assert othello.drain() == b"6No.\n6A frame is of type 1, 2, 5 or 7.\n"


def test_as_many_frames_as_the_limit_may_wait_and_one_more_ends_the_connection() -> None:
    for extra in (0, 1):
        othello = OthelloDialect()
        othello.receive(b"1\n" + b"8\n" * (othello_limits.WAITING_MAX + extra), 0)
        othello.tell(Refused("nothing_lost", "No."))
        assert not othello.closing
        othello.tell(Refused("too_many", "No."))
        assert othello.closing == bool(extra)
    assert othello.drain().endswith(b"6At most 5000 frames may wait to be answered.\n")


def test_what_the_server_has_to_say_is_an_error() -> None:
    othello = OthelloDialect()
    othello.tell(Notice("going_down", "The server is going down."))
    assert othello.drain() == b"6The server is going down.\n"


def test_a_seat_in_the_hall_is_one_colour() -> None:
    othello = OthelloDialect()
    othello.receive(b"1\n", 0)
    othello.tell(Refused("nothing_lost", "No."))
    othello.tell(Welcome(BOB, "guest", "token"))
    othello.tell(Done(TABLE, WHITE))
    assert othello.drain() == b"12\n"


@pytest.mark.parametrize(
    ("state", "digits"),
    [
        (start(), "0" * 24 + "00021000" + "00012000" + "0" * 24 + "1"),
        (LAST, "2" + "1" * 62 + "2" + "0"),
    ],
)
def test_a_board_is_64_squares_row_by_row_and_whose_turn_it_is(state: State, digits: str) -> None:
    assert board(GAME.view(state, None)) == digits


def test_the_winner_is_1_or_2_and_a_draw_is_0() -> None:
    assert winner(win(2, BLACK, "discs", "")) == "1"
    assert winner(win(2, WHITE, "discs", "")) == "2"
    assert winner(draw(2, "discs", "")) == "0"


def test_the_first_byte_decides_how_frames_are_carried() -> None:
    binary = [first for first in range(256) if isinstance(framing_of(first), BinaryFraming)]
    assert binary == [1, 2, 3, 4, 5, 6, 7]


def test_a_frame_of_just_the_limit_is_read_and_one_more_is_not() -> None:
    most = "x" * othello_limits.FRAME_MAX
    for framing, fits, over in (
        (TextFraming(), f"{most}\n", f"7{most}\n"),
        (BinaryFraming(), f"\x07\x10\x00{most}", f"\x07\x10\x01{most}"),
    ):
        assert len(framing.feed(fits.encode())) == 1
        assert not framing.overflowed
        assert len(framing.feed(over.encode())) == 0
        assert framing.overflowed


@pytest.mark.parametrize("frame", [Frame(1), Frame(4, "0" * 65), Frame(7, "schön, ja")])
def test_every_carrier_reads_what_it_writes(frame: Frame) -> None:
    for framing in (TextFraming(), BinaryFraming()):
        assert list(framing.feed(framing.wrap(frame) * 2)) == [frame, frame]


def test_binary_frames_are_read_the_same_however_they_are_cut() -> None:
    sent = b"\x01\x00\x00\x02\x00\x0232\x07\x00\x05hello\x05\x00\x00"
    whole = BinaryFraming().feed(sent)
    framing = BinaryFraming()
    assert [frame for byte in sent for frame in framing.feed(bytes([byte]))] == list(whole)
    assert [frame.kind for frame in whole] == [1, 2, 7, 5]


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"time": "soon"}, "'soon' is no length of time"),
        ({"grace": -1}, "grace is a whole number"),
        ({"errors": 1001}, "errors is a whole number"),
        ({"bot": "level6"}, "bot is one of level1, level2, level3, level4, level5, or empty"),
        ({"robot": "level2"}, "no option 'robot'"),
    ],
)
def test_nonsense_cannot_be_set(given: dict[str, object], wrong: str) -> None:
    with pytest.raises(BadOption, match=wrong):
        read_options("othello", given)
