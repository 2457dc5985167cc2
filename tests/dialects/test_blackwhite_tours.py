"""Blackwhite clients in tours, where transcripts show it badly: names, and lines sent ahead."""

import msgspec

from rookery.core.events import Opened, Played, PublicEvent, Sat, Started
from rookery.core.ids import PlayerId, Seat, TableId, TourId
from rookery.core.intents import History, Survey
from rookery.core.messages import Entry, Past, Surveyed, SurveyedTable, TourJoined
from rookery.core.policy import Policy
from rookery.dialects.blackwhite import BlackwhiteDialect
from rookery.dialects.blackwhite.wire import VARIANT
from tests.transcripts.wired_hall import WiredHall

TABLE, ANN, BOB = TableId(1), PlayerId(1), PlayerId(2)
PAST: tuple[PublicEvent, ...] = (
    Opened(VARIANT, 1, 2, "none", Policy(), tour=TourId(1)),
    Sat(Seat(0), BOB, "bob"),
    Sat(Seat(1), ANN, "ann"),
    Started(),
    Played(Seat(0), "f7", 0),
)


def lines(hall: WiredHall, who: str) -> list[str]:
    return hall.take(who).decode().splitlines()


def open_tour(hall: WiredHall) -> None:
    plan = {"variant": VARIANT, "time": "none", "format": "round_robin legs=2"}
    hall.connect("eve", "native")
    hall.send("eve", b'{"type":"hello","version":1,"name":"Eve"}\n')
    wish = {"type": "open_tour", "plan": plan, "code": "CLASS"}
    hall.send("eve", msgspec.json.encode(wish) + b"\n")


def test_two_of_one_name_can_tell_whose_turn_it_is() -> None:
    hall = WiredHall()
    open_tour(hall)
    for who, host in (("ann", "10.0.0.1"), ("too", "10.0.0.2")):
        hall.connect(who, "blackwhite", host)
        hall.send(who, b"ENTERROOM [ann] [CLASS]\n")
    hall.send("eve", b'{"type":"start_tour"}\n')
    assert lines(hall, "ann")[-3:] == ["ENTERROOM [ann (2)]", "ASSIGN [BLACK]", "TURN [ann]"]
    assert lines(hall, "too")[-3:] == ["ENTERROOM [ann (2)]", "ASSIGN [WHITE]", "TURN [ann (2)]"]


def test_a_move_sent_with_enterroom_counts_where_the_match_begins_at_once() -> None:
    hall = WiredHall()
    open_tour(hall)
    for who in ("ann", "bob"):
        hall.connect(who, "blackwhite")
        hall.send(who, f"ENTERROOM [{who}] [CLASS]\n".encode())
    hall.send("eve", b'{"type":"start_tour"}\n')
    hall.send("ann", b"RESIGN\n")
    hall.send("ann", b"ENTERROOM [ann]\n")
    hall.take("bob")
    hall.send("bob", b"ENTERROOM [bob]\nPLAYBLACK [5,6]\n")
    assert "PLAYBLACK [5,6]" in lines(hall, "bob")


def test_who_comes_back_to_a_match_is_told_the_game_so_far() -> None:
    dialect = BlackwhiteDialect()
    dialect.receive(b"ENTERROOM [ann#CLASS]\n", 0)
    assert list(dialect.tell(TourJoined(TourId(1), 2, ANN))) == [Survey("reversi", player=ANN)]
    match = SurveyedTable(TABLE, "playing", (BOB, ANN), (BOB, ANN), None)
    assert list(dialect.tell(Surveyed((match,)))) == [History(TABLE)]
    entries = tuple(Entry(n, 0, event) for n, event in enumerate(PAST, 1))
    dialect.tell(Past(TABLE, entries))
    assert dialect.drain().decode().splitlines() == [
        "ENTERROOM [ann#CLASS]",
        "ENTERROOM [bob]",
        "ASSIGN [WHITE]",
        "PLAYBLACK [5,6]",
        "REVERSETOBLACK [5,5]",
        "TURN [ann#CLASS]",
    ]


def test_who_quits_while_waiting_is_hung_up_on() -> None:
    hall = WiredHall()
    open_tour(hall)
    hall.connect("ann", "blackwhite")
    hall.send("ann", b"ENTERROOM [ann] [CLASS]\nQUIT\n")
    assert lines(hall, "ann") == ["ENTERROOM [ann]"]
    assert hall.lines["ann"].closed
