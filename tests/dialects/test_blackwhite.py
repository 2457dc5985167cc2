"""The blackwhite dialect, where transcripts show it badly: long games, races, and crowds."""

import re

import msgspec
import pytest
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.events import Opened, Played, PublicEvent, Sat, Started
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import EnterRoom, History, Play
from rookery.core.messages import (
    Done,
    Entry,
    Happened,
    MemberLine,
    News,
    Notice,
    Past,
    Refused,
    Roomed,
    RoomNews,
    Scene,
)
from rookery.core.policy import Policy
from rookery.dialects import read_options
from rookery.dialects.blackwhite import BlackwhiteDialect
from rookery.dialects.blackwhite import profile as blackwhite_limits
from rookery.dialects.blackwhite.wire import GAME, VARIANT
from rookery.games.reversi.effects import Flipped
from tests.dialects.blackwhite_tie import TIE_GAME
from tests.games import slow_reversi
from tests.laws.blackwhite_speaker import BlackWhiteSpeaker
from tests.transcripts.wired_hall import WiredHall

MARKS = {"BLACK": "X", "WHITE": "O"}
STONE = re.compile(r"(?:PLAY|REVERSETO)(BLACK|WHITE) \[([0-9]),([0-9])\]")
PAST: tuple[PublicEvent, ...] = (
    Opened(VARIANT, 1, 2, "none", Policy(), room="lobby"),
    Sat(Seat(0), PlayerId(1), "ann"),
    Sat(Seat(1), PlayerId(2), "bob"),
    Started(),
    Played(Seat(0), "f7", 0),
    Played(Seat(1), "g7", 0),
)


def lines(hall: WiredHall, who: str) -> list[str]:
    return hall.take(who).decode().splitlines()


def seated(hall: WiredHall, *names: str) -> None:
    for name in names:
        hall.connect(name, "blackwhite")
        hall.send(name, f"ENTERROOM [{name}]\n".encode())


class Viewer:
    """Somebody who draws the board from nothing but what the server says."""

    def __init__(self) -> None:
        self.board = slow_reversi.start_board(10)

    def hear(self, line: str) -> None:
        """Put down or turn over a stone; after an end the board is cleared."""
        stone = STONE.fullmatch(line)
        if stone is not None:
            self.board[int(stone[2]), int(stone[3])] = MARKS[stone[1]]
        elif line.startswith("WIN") or line == "TIE":
            self.board = slow_reversi.start_board(10)


def test_a_full_board_with_as_many_stones_of_each_is_a_tie() -> None:
    hall, viewer = WiredHall(), Viewer()
    seated(hall, "ann", "bob", "cyd")
    board, heard = slow_reversi.start_board(10), lines(hall, "cyd")
    for seat, col, row in TIE_GAME:
        who, colour = (("ann", "BLACK"), ("bob", "WHITE"))[seat]
        hall.send(who, f"PLAY{colour} [{col},{row}]\n".encode())
        board = slow_reversi.place(board, MARKS[colour], col, row)
        heard = lines(hall, "cyd")
        for line in heard[:-1]:
            viewer.hear(line)
        assert viewer.board == board
    assert "." not in board.values()
    assert heard[-1] == "TIE"


def test_who_comes_late_into_a_game_of_many_words_hears_all_its_moves() -> None:
    hall, viewer = WiredHall(), Viewer()
    seated(hall, "ann", "bob")
    hall.connect("nat", "native")
    hall.send("nat", b'{"type":"enter","name":"Nat"}\n{"type":"watch","table":1}\n')
    board = slow_reversi.start_board(10)
    for n, (seat, col, row) in enumerate(TIE_GAME[:20]):
        who, colour = (("ann", "BLACK"), ("bob", "WHITE"))[seat]
        hall.send(who, f"PLAY{colour} [{col},{row}]\n".encode())
        board = slow_reversi.place(board, MARKS[colour], col, row)
        for k in range(30):
            hall.send("nat", f'{{"type":"say","table":1,"text":"{n} {k}"}}\n'.encode())
    seated(hall, "cyd")
    heard = lines(hall, "cyd")
    for line in heard:
        viewer.hear(line)
    assert viewer.board == board
    assert [line for line in heard if line.startswith("TURN")] == ["TURN [ann]"]


def test_who_quits_right_behind_the_last_move_still_hears_who_won() -> None:
    hall = WiredHall()
    seated(hall, "ann", "bob")
    for n, square in enumerate(("4,3", "3,3", "2,3", "5,3", "6,5", "6,4", "6,3", "2,2")):
        who, colour = (("ann", "BLACK"), ("bob", "WHITE"))[n % 2]
        hall.send(who, f"PLAY{colour} [{square}]\n".encode())
    hall.take("ann")
    hall.send("ann", b"PLAYBLACK [1,1]\nQUIT\n")
    assert lines(hall, "ann")[-1] == "WIN [ann]"
    assert lines(hall, "bob")[-2:] == ["WIN [ann]", "QUIT [ann]"]


# -- what happens while the hall answers


def entry(n: int) -> Entry:
    return Entry(n, 0, PAST[n - 1])


def news(n: int, event: PublicEvent, to_act: int, *flipped: tuple[int, int]) -> News:
    effects = tuple(Flipped(col, row) for col, row in flipped)
    happened = Happened(TableId(1), n, 0, event, effects, (Seat(to_act),))
    players = (PlayerId(1), PlayerId(2))
    return News(happened, Scene(GAME, None, players, None, ("ann", "bob")))


def newcomer(player: int = 3, name: str = "cyd") -> BlackwhiteDialect:
    """Somebody who has just come into the middle of a game, and asked for its past."""
    dialect = BlackwhiteDialect()
    [asked] = dialect.receive(f"ENTERROOM [{name}]\n".encode(), 0)
    policy = Policy(grace=30_000_000)
    assert asked == EnterRoom("lobby", VARIANT, "10m/move", policy, name, view_only=True)
    members = (MemberLine(PlayerId(1), "ann"), MemberLine(PlayerId(2), "bob"))
    roomed = Roomed(PlayerId(player), name, "", "lobby", VARIANT, members, TableId(1))
    assert list(dialect.tell(roomed)) == [History(TableId(1))]
    dialect.tell(RoomNews("lobby", VARIANT, PlayerId(player), name, here=True))
    dialect.drain()
    return dialect


def test_a_move_made_while_the_past_is_fetched_is_told_once() -> None:
    dialect = newcomer()
    dialect.tell(news(6, PAST[5], 0, (5, 5)))
    dialect.tell(news(7, Played(Seat(0), "g6", 0), 1, (5, 5)))
    assert dialect.drain() == b"", "what happens meanwhile waits"
    dialect.tell(Past(TableId(1), tuple(entry(n) for n in range(1, 7))))
    assert dialect.drain().decode().splitlines() == [
        "PLAYBLACK [5,6]",
        "REVERSETOBLACK [5,5]",
        "PLAYWHITE [6,6]",
        "REVERSETOWHITE [5,5]",
        "TURN [ann]",
        "PLAYBLACK [6,5]",
        "REVERSETOBLACK [5,5]",
        "TURN [bob]",
    ]


def test_who_cannot_be_told_the_past_hears_of_the_next_game() -> None:
    dialect = newcomer()
    dialect.tell(Refused("damaged", "That game cannot be told."))
    dialect.tell(news(7, Played(Seat(0), "g6", 0), 1, (5, 5)))
    assert dialect.drain() == b"ERROR [That game cannot be told.]\n"
    for n, event in enumerate(PAST[:4], 1):
        told = news(n, event, 0)
        dialect.tell(replace(told, happened=replace(told.happened, table=TableId(2))))
    assert dialect.drain() == b"TURN [ann]\n"


def test_a_long_past_comes_in_pages() -> None:
    dialect = newcomer()
    first = Past(TableId(1), tuple(entry(n) for n in range(1, 6)), more=True)
    assert list(dialect.tell(first)) == [History(TableId(1), 5)]
    dialect.tell(Past(TableId(1), (entry(6),)))
    assert dialect.drain().endswith(b"PLAYWHITE [6,6]\nREVERSETOWHITE [5,5]\nTURN [ann]\n")


def test_what_was_sent_meanwhile_is_read_when_the_past_is_told() -> None:
    dialect = newcomer(player=1, name="ann")
    assert list(dialect.receive(b"WHAT\nPLAYBLACK [6,5]\n", 0)) == []
    asked = dialect.tell(Past(TableId(1), tuple(entry(n) for n in range(1, 7))))
    assert list(asked) == [Play(TableId(1), "g6", player=PlayerId(1))]
    assert dialect.drain().decode().splitlines()[-2:] == [
        "TURN [ann]",
        "ERROR [A line is ENTERROOM, PLAYBLACK, PLAYWHITE, RESIGN or QUIT.]",
    ]


def test_the_word_that_was_sent_is_said_back_though_a_new_game_has_begun() -> None:
    dialect = newcomer(player=1, name="ann")
    dialect.tell(Past(TableId(1), tuple(entry(n) for n in range(1, 7))))
    dialect.receive(b"PLAYBLACK [6,5]\n", 0)
    happened = Happened(TableId(2), 1, 0, PAST[0])
    dialect.tell(News(happened, Scene(GAME, None, (None, None), None, ("", ""))))
    dialect.drain()
    dialect.tell(Refused("over", "The game at table 1 is over."))
    assert dialect.drain() == b"PLAYBLACK [INVALID]\n"


def test_nothing_is_said_to_who_has_quit() -> None:
    dialect = newcomer(player=1, name="ann")
    dialect.tell(Past(TableId(1), tuple(entry(n) for n in range(1, 7))))
    dialect.drain()
    dialect.receive(b"QUIT\n", 0)
    dialect.tell(news(7, Played(Seat(0), "g6", 0), 1, (5, 5)))
    waited = not dialect.closing
    dialect.tell(Done())
    assert dialect.drain() == b""
    assert waited
    assert dialect.closing


def test_there_are_no_words_for_a_notice() -> None:
    dialect = BlackwhiteDialect()
    dialect.tell(Notice("closing", "The server goes down."))
    assert dialect.drain() == b""


def test_lines_may_wait_up_to_a_bound() -> None:
    dialect = BlackwhiteDialect()
    dialect.receive(b"ENTERROOM [ann]\n" + b"WHAT\n" * blackwhite_limits.WAITING_MAX, 0)
    dialect.tell(Refused("no", "No."))
    assert not dialect.closing
    dialect = BlackwhiteDialect()
    dialect.receive(b"ENTERROOM [ann]\n" + b"WHAT\n" * (blackwhite_limits.WAITING_MAX + 1), 0)
    dialect.tell(Refused("no", "No."))
    assert dialect.closing
    assert dialect.drain().endswith(b"ERROR [At most 5000 lines may wait to be answered.]\n")


# -- options


@pytest.mark.parametrize(
    "given", [{"time": "soon"}, {"grace": -1}, {"grace": "x"}, {"joined": 2}, {"size": 8}]
)
def test_an_option_that_cannot_be_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        read_options("blackwhite", given)


# -- a crowd


class Crowd:
    """People in one room who come, play, go, drop and come back."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)
        self.hall = WiredHall()
        self.viewers: dict[str, Viewer] = {}
        self.moves = 0  # that anybody heard of

    def live(self, steps: int) -> None:
        """Do many things; all that is said is well-formed."""
        for _ in range(steps):
            self._happen()
            for who in list(self.viewers):
                self._hear(who)

    def _happen(self) -> None:
        chance, hall = self.chance, self.hall
        who = chance.choice(("a", "b", "c", "d", "e"))
        here = who in hall.lines
        match chance.below(40):
            case 0 if here:
                hall.hang_up(who)
                del self.viewers[who]
            case 1:
                hall.advance(chance.choice((1, 20, 40)) * 1_000_000)
            case 2 if not chance.below(5):
                hall.restart()
                self.viewers.clear()
            case _ if not here:
                hall.connect(who, "blackwhite")
                self.viewers[who] = Viewer()
                hall.send(who, f"ENTERROOM [{who}]\n".encode())
            case _:
                hall.send(who, self._words(who))

    def _words(self, who: str) -> bytes:
        chance, board = self.chance, self.viewers[who].board
        rare = ("RESIGN", "QUIT", f"ENTERROOM [{who}]", f"ENTERROOM [{who}] [den]", "WHAT")
        if not chance.below(15):
            return f"{chance.choice(rare)}\n".encode()
        said = b""
        for colour, mark in MARKS.items():
            for col, row in slow_reversi.moves(board, mark)[:2]:
                said += f"PLAY{colour} [{col},{row}]\n".encode()
        return said

    def _hear(self, who: str) -> None:
        said = self.hall.take(who) if who in self.hall.lines else b""
        BlackWhiteSpeaker().news(said)
        for line in said.decode().splitlines():
            self.moves += line.startswith("PLAY") and "INVALID" not in line
            self.viewers[who].hear(line)
        if who not in self.hall.lines or self.hall.lines[who].closed:
            self.hall.lines.pop(who, None)
            del self.viewers[who]


@pytest.mark.parametrize("seed", range(5))
def test_whatever_a_crowd_does_everyone_in_the_room_sees_one_board(seed: int) -> None:
    crowd = Crowd(seed)
    for _ in range(10):
        crowd.live(60)
        boards = [viewer.board for viewer in crowd.viewers.values()]
        assert all(board == boards[0] for board in boards)
    assert crowd.moves > 50


def test_the_options_have_the_defaults_of_the_page() -> None:
    assert msgspec.to_builtins(read_options("blackwhite", {})) == {
        "time": "10m/move",
        "grace": 30,
        "joined": False,
        "draft": False,
    }
