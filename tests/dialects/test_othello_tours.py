"""Othello clients in tours, where transcripts show it badly: lines sent ahead, and races."""

from rookery.core.events import Started, TourClosing, TourPaused, Withdrawn
from rookery.core.ids import PlayerId, TableId, TourId
from rookery.core.intents import AnyIntent, Enter, Seek, TakeUp, Withdraw
from rookery.core.messages import (
    Done,
    Happened,
    News,
    Refused,
    Scene,
    TourJoined,
    TourNews,
    Welcome,
)
from rookery.core.network import Doorway
from rookery.dialects.othello import OthelloDialect
from rookery.games.reversi import Reversi
from tests.transcripts.wired_hall import WiredHall

ANN, BOB = PlayerId(1), PlayerId(2)
TOUR = TourId(1)
JOINED = TourJoined(TOUR, 1, ANN)
GAME = Reversi()
START = b"4" + b"0" * 24 + b"00021000" + b"00012000" + b"0" * 24 + b"1\n"
OPEN = (
    b'{"type":"hello","version":1,"name":"Bob"}\n'
    b'{"type":"open_tour","plan":{"variant":"reversi","time":"none"},"code":"CLASS"}\n'
    b'{"type":"join_tour","code":"CLASS"}\n'
)


def waiting() -> OthelloDialect:
    """Somebody who has signed on, and waits for a match."""
    othello = OthelloDialect()
    othello.receive(b"1\n", 0)
    othello.tell(Refused("nothing_lost", "No."))
    othello.tell(Welcome(ANN, "guest", "token"))
    assert list(othello.tell(JOINED)) == []
    assert othello.drain() == b""
    return othello


def begun(*players: PlayerId) -> News:
    state = GAME.parse_position(
        "......../......../......../...OX.../...XO.../......../......../........ X"
    )
    return News(Happened(TableId(7), 5, 0, Started()), Scene(GAME, state, players, None))


def test_a_move_sent_with_the_sign_on_counts_where_the_match_begins_at_once() -> None:
    hall = WiredHall()
    hall.doors["othello"] = Doorway("CLASS")
    hall.connect("bob", "native")
    hall.send("bob", OPEN.replace(b'"time"', b'"format":"round_robin legs=2","time"'))
    hall.connect("ann", "othello")
    hall.send("ann", b"1\n")
    hall.send("bob", b'{"type":"start_tour"}\n{"type":"resign","table":1}\n')
    hall.take("ann")
    hall.send("ann", b"1\n232\n")
    colour, board, after = hall.take("ann").splitlines(keepends=True)
    assert (colour, board) == (b"11\n", START)
    assert after.endswith(b"2\n")


def test_a_match_of_others_is_none_of_ours() -> None:
    othello = waiting()
    othello.tell(begun(BOB, PlayerId(3)))
    assert othello.drain() == b""
    othello.tell(begun(BOB, ANN))
    assert othello.drain() == b"12\n" + START


def test_who_is_in_a_tour_signs_on_again_without_taking_up_another_s_seat() -> None:
    othello = waiting()
    othello.tell(begun(ANN, BOB))
    assert [type(one) for one in othello.receive(b"5\n", 0)] != []
    othello.tell(Done(TableId(7)))
    asked: list[AnyIntent] = [*othello.receive(b"1\n", 0)]
    assert [type(one) for one in asked] == [Seek]


def test_after_the_tour_a_sign_on_looks_for_a_lost_seat_again() -> None:
    othello = waiting()
    othello.tell(TourNews(TOUR, 9, 0, TourClosing("ended", ())))
    assert othello.drain() == b"50\n"
    assert list(othello.receive(b"1\n", 0)) == [TakeUp()]


def test_a_pause_ends_nobody_s_waiting() -> None:
    othello = waiting()
    othello.tell(TourNews(TOUR, 9, 0, TourPaused()))
    othello.tell(TourNews(TOUR, 10, 0, Withdrawn(2, "removed")))
    othello.tell(TourNews(TourId(2), 10, 0, TourClosing("ended", ())))
    assert othello.drain() == b""


def test_who_is_put_out_of_the_tour_waits_no_more() -> None:
    othello = waiting()
    othello.tell(TourNews(TOUR, 9, 0, Withdrawn(1, "removed")))
    assert othello.drain() == b"50\n"


def test_who_quits_as_the_match_begins_hears_who_won_it() -> None:
    othello = waiting()
    assert list(othello.receive(b"5\n", 0)) == [Withdraw(TOUR, player=ANN)]
    othello.tell(begun(ANN, BOB))
    othello.tell(Done())
    assert othello.drain() == b"11\n" + START  # and the end is news


def test_a_newcomer_whose_tour_takes_nobody_may_try_again() -> None:
    othello = OthelloDialect()
    othello.receive(b"1\n", 0)
    assert list(othello.tell(Refused("nothing_lost", "No."))) == [Enter("guest", "othello")]
    othello.tell(Refused("too_late", "Tour 1 has begun."))
    assert othello.drain() == b"6Tour 1 has begun.\n"
    assert list(othello.receive(b"1\n", 0)) == [TakeUp()]
