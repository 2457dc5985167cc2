"""Bughouse where a transcript shows it badly: bounds, pacing, options, and the example."""

import runpy
from pathlib import Path

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.ids import PlayerId
from rookery.core.messages import Done, Notice, Refused, Welcome
from rookery.core.policy import Begin
from rookery.dialects import begin, read_options
from rookery.dialects.bughouse import BughouseOptions
from rookery.dialects.bughouse import profile as bughouse_limits
from rookery.dialects.bughouse.broadcasts.lobbynews import LobbyNews
from rookery.dialects.bughouse.pacing import BURST, FIRST_TURN, GAP, PATIENCE, WELCOME, Pace
from rookery.dialects.bughouse.voice import Voice
from rookery.dialects.bughouse.wire import clean_name, echo, good_name, square
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from tests.transcripts.wired_hall import WiredHall

ROOT = Path(__file__).parents[2]
NOBODY = Numbers(PlayerRegistry())


def line_of(length: int) -> str:
    """A broadcast that is so many bytes long on the wire."""
    return "x" * (length - len("BROADCAST:\n"))


# -- the voice


def test_just_as_much_as_a_burst_is_told_at_once() -> None:
    voice = Voice(Pace(welcome=0))
    voice.broadcast(line_of(BURST - 100), 0)
    voice.broadcast(line_of(100), 0)
    assert len(voice.drain()) == BURST
    voice.tick(0)  # it is told when that was sent
    assert voice.deadline() is None


def test_what_is_over_a_burst_waits_for_a_silence() -> None:
    voice = Voice(Pace(welcome=0))
    voice.broadcast(line_of(BURST - 99), 5)
    voice.broadcast(line_of(100), 5)
    assert len(voice.drain()) == BURST - 99
    assert voice.deadline() == 5  # at once, to know when it was sent
    voice.tick(6)
    assert voice.deadline() == 6 + GAP
    voice.tick(5 + GAP)
    assert voice.drain() == b""
    voice.tick(6 + GAP)
    assert len(voice.drain()) == 100


def test_a_request_makes_no_room_and_breaks_the_silence() -> None:
    voice = Voice(Pace(welcome=0))
    voice.broadcast(line_of(BURST), 0)
    voice.broadcast("LATER", 0)
    voice.drain()
    voice.heard(GAP - 1)
    voice.asked()
    voice.answer("YES", GAP - 1)
    assert voice.drain() == b"YES\n"
    voice.tick(GAP - 1)
    assert voice.deadline() == 2 * GAP - 1
    voice.tick(2 * GAP - 1)
    assert voice.drain() == b"BROADCAST:LATER\n"


def test_a_move_proves_that_all_was_read_up_to_the_turn_it_answers() -> None:
    voice = Voice(Pace(welcome=0))
    voice.broadcast(line_of(BURST - 120), 0)
    voice.turn(0)
    voice.broadcast(line_of(98), 0)
    voice.acts()
    voice.broadcast(line_of(BURST - 98), 0)
    assert len(voice.drain()) == 2 * BURST - 120 + len("BROADCAST:YOUR_TURN\n")
    voice.broadcast("LATER", 0)
    voice.acts()  # there was no other turn to read of
    assert voice.drain() == b""


def test_a_short_line_does_not_overtake_a_long_one_that_waits() -> None:
    voice = Voice(Pace(welcome=0))
    voice.broadcast(line_of(BURST - 99), 0)
    voice.broadcast(line_of(100), 0)
    voice.drain()
    voice.broadcast(line_of(20), 0)
    assert voice.drain() == b""


def test_a_line_longer_than_a_burst_goes_alone() -> None:
    voice = Voice(Pace(burst=100, welcome=0))
    for _ in range(2):
        voice.broadcast(line_of(150), 0)
    assert len(voice.drain()) == 150
    voice.tick(0)
    voice.tick(GAP)
    assert len(voice.drain()) == 150


def test_nothing_is_told_while_an_answer_is_owed() -> None:
    voice = Voice(Pace(welcome=0))
    voice.heard(0)
    voice.asked()
    voice.broadcast("LATER", 0)
    assert voice.drain() == b""
    assert voice.deadline() is None
    voice.tick(10 * GAP)
    assert voice.drain() == b""
    voice.answer("YES", 10 * GAP)
    assert voice.drain() == b"YES\nBROADCAST:LATER\n"


def test_a_newcomers_first_broadcast_waits_for_a_longer_silence() -> None:
    voice = Voice(Pace())
    voice.heard(1000)
    voice.asked()
    voice.answer("1", 1000)
    voice.broadcast("NEWS", 1000)
    assert voice.drain() == b"1\n"
    voice.tick(1000)
    assert voice.deadline() == 1000 + WELCOME
    voice.tick(999 + WELCOME)
    assert voice.drain() == b""
    voice.tick(1000 + WELCOME)
    assert voice.drain() == b"BROADCAST:NEWS\n"
    voice.broadcast("NEWS", 1000 + WELCOME)
    assert voice.drain() == b"BROADCAST:NEWS\n"


def test_who_talks_on_and_on_is_told_all_the_same() -> None:
    voice = Voice(Pace())
    voice.broadcast("NEWS", 0)
    for now in range(0, PATIENCE, GAP - 1):
        voice.heard(now)
        voice.asked()
        voice.answer("YES", now)
        assert voice.drain() == b"YES\n"
        voice.tick(now)
    assert voice.deadline() == PATIENCE
    voice.tick(PATIENCE)
    assert voice.drain() == b"BROADCAST:NEWS\n"


def test_the_first_turn_of_a_game_comes_when_boards_can_stand() -> None:
    voice = Voice(Pace(welcome=0))
    voice.broadcast("GAME_STARTED:1", 7)
    voice.turn(7)
    assert voice.drain() == b"BROADCAST:GAME_STARTED:1\n"
    assert voice.holds_turn
    voice.tick(90)  # it took so long to be made safe
    assert voice.deadline() == 90 + FIRST_TURN
    voice.tick(90 + FIRST_TURN)
    assert voice.drain() == b"BROADCAST:YOUR_TURN\n"
    voice.turn(91 + FIRST_TURN)
    assert voice.drain() == b"BROADCAST:YOUR_TURN\n"


def test_lobby_news_that_wait_are_dropped_when_a_game_begins() -> None:
    voice = Voice(Pace(welcome=0))
    voice.lobby("1", ("NEW_GAME:1\t1",), 0)
    voice.drop_lobby()
    voice.tick(GAP)
    assert voice.drain() == b""


def test_no_more_lobby_news_wait_than_may() -> None:
    news = LobbyNews()
    for game in range(1, bughouse_limits.LOBBY_MAX + 3):
        news.add(str(game), (f"NEW_GAME:1\t{game}",), held=True)
    assert news.first()[0] == "3"


def test_lobby_news_are_sent_no_faster_than_a_burst_a_request() -> None:
    voice = Voice(Pace())
    for game in range(1, 101):
        voice.lobby(str(game), (f"NEW_GAME:1\t{game}", f"GAME_CHANGED:{game}"), WELCOME - 1)
    told = 0
    now = WELCOME
    while voice.deadline() is not None:
        voice.tick(now)
        said = voice.drain()
        assert 0 < len(said) <= BURST
        told += said.count(b"NEW_GAME")
        voice.tick(now + 10 * PATIENCE)
        assert voice.drain() == b""
        now += 20 * PATIENCE
        voice.heard(now)
        now += GAP
    assert told == 100


def test_news_of_the_lobby_that_wait_when_a_game_begins_are_never_told() -> None:
    hall = WiredHall()
    for name in ("Ann", "Bob", "Cyd", "Dan", "Eve"):
        hall.connect(name, "bughouse")
        hall.send(name, f"ADD_PLAYER:{name}\n".encode())
    hall.send("Ann", b"CREATE_GAME:1\n")
    for name, number, team in (("Bob", 2, 1), ("Cyd", 3, 2), ("Dan", 4, 2)):
        hall.send(name, f"JOIN_GAME:{number}\t1\t{team}\n".encode())
    hall.send("Eve", b"CREATE_GAME:5\n")
    hall.send("Ann", b"START_GAME:1\n")
    hall.advance(10 * PATIENCE)
    hall.send("Dan", b"GET_NAME:4\n")
    hall.advance(10 * PATIENCE)
    told = hall.take("Dan")
    assert b"BROADCAST:GAME_STARTED:1\n" in told
    assert b"BROADCAST:NEW_GAME:5\t2\n" not in told


def test_nothing_that_waits_is_told_of_absence_once_the_game_is_over() -> None:
    voice = Voice(Pace(welcome=0))
    voice.absence(PlayerId(2), "NOTICE:Bob is gone.", 0)
    voice.drop_absences()
    assert voice.deadline() is None
    assert voice.drain() == b""


# -- words


@pytest.mark.parametrize("name", ["a", "x" * 40, "Ann B.", "ж" * 40, "-"])
def test_a_name_may_be(name: str) -> None:
    assert good_name(name)
    assert clean_name(name) == name


@pytest.mark.parametrize("name", ["", "x" * 41, "a\tb", "a:b", "Broadcast", "my broadcast"])
def test_a_name_may_not_be(name: str) -> None:
    assert not good_name(name)


@pytest.mark.parametrize(
    ("name", "told"), [("a:b", "a_b"), ("a\tb", "a_b"), ("", "-"), ("BroadCast 1", "_ 1")]
)
def test_a_name_from_elsewhere_is_made_one_that_may_be(name: str, told: str) -> None:
    assert clean_name(name) == told


def test_squares_are_file_and_rank() -> None:
    assert square(4, 3) == "e4"
    assert square(0, 8) is None
    assert square(-1, 0) is None


def test_not_all_of_a_mistake_is_said_back() -> None:
    assert echo("x" * 100) == "x" * 40
    assert echo("\0") == "-1"


# -- the connection


def test_a_last_line_needs_no_end() -> None:
    dialect = begin("bughouse", NOBODY)
    dialect.receive(b"HELLO\nGET_NAME:9", 0)
    assert dialect.drain() == b"ERROR: no such request\n"
    dialect.receive(b"", 0)
    assert dialect.drain() == b"ERROR: player with id 9 does not exist\n"
    dialect.receive(b"GET_NAME:9\n", 0)
    assert dialect.drain() == b""


def test_a_name_that_is_no_utf_8_is_refused_like_any_bad_name() -> None:
    dialect = begin("bughouse", NOBODY)
    assert list(dialect.receive(b"ADD_PLAYER:\xff\xfe\n", 0)) == []
    assert dialect.drain() == b"-1\n"


def test_a_line_may_be_just_so_long() -> None:
    dialect = begin("bughouse", NOBODY)
    dialect.receive(b"x" * bughouse_limits.LINE_MAX + b"\n", 0)
    assert dialect.drain() == b"ERROR: no such request\n"
    assert not dialect.closing


def test_only_so_many_requests_may_wait_for_the_hall() -> None:
    dialect = begin("bughouse", NOBODY)
    asked = list(dialect.receive(b"GET_GAMES:\n" * (bughouse_limits.WAITING_MAX + 1), 0))
    assert len(asked) == 1
    dialect.receive(b"GET_GAMES:\n", 0)
    assert not dialect.closing
    for intent in asked:
        asked += dialect.tell(Refused("no", f"No, {intent}."))
    answers = dialect.drain().splitlines()
    assert len(answers) == bughouse_limits.WAITING_MAX + 3
    assert answers[-1].startswith(b"ERROR: at most")
    assert dialect.closing


def test_the_server_speaks_only_to_who_has_a_player() -> None:
    dialect = begin("bughouse", NOBODY)
    notice = Notice("closing", "The server goes down.")
    dialect.tell(notice)
    assert dialect.drain() == b""
    dialect.receive(b"ADD_PLAYER:Ann\n", 0)
    dialect.tell(Refused("nothing_lost", "No."))
    dialect.tell(Welcome(PlayerId(1), "Ann", ""))
    dialect.tell(Done())
    dialect.drain()
    dialect.tick(0)
    dialect.tick(WELCOME)
    dialect.tell(notice)
    assert dialect.drain() == b"BROADCAST:NOTICE:closing\tThe server goes down.\n"


def test_between_a_request_and_its_answer_nothing_is_told() -> None:
    dialect = begin("bughouse", NOBODY)
    dialect.receive(b"ADD_PLAYER:Ann\n", 0)
    dialect.tell(Refused("nothing_lost", "No."))
    dialect.tell(Welcome(PlayerId(1), "Ann", ""))
    dialect.tell(Notice("closing", "The server goes down."))
    assert dialect.drain() == b""
    dialect.tell(Done())
    assert dialect.drain() == b"-1\n"
    dialect.tick(0)
    dialect.tick(WELCOME)
    assert dialect.drain() == b"BROADCAST:NOTICE:closing\tThe server goes down.\n"


# -- options


def test_a_game_is_opened_as_the_page_says() -> None:
    opening = BughouseOptions().open(PlayerId(3))
    assert (opening.variant, opening.time, opening.player) == ("bughouse", "15m", 3)
    assert opening.policy.begin is Begin.OWNER
    assert opening.policy.grace == 60_000_000
    assert BughouseOptions(plies=60).open(PlayerId(3)).variant == "bughouse plies=60"


@pytest.mark.parametrize(
    "wrong",
    [
        {"time": "soon"},
        {"grace": -1},
        {"plies": 0},
        {"seats": 2},
        {"burst": 0},
        {"gap": 10_001},
    ],
)
def test_an_option_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        read_options("bughouse", wrong)


@pytest.mark.parametrize("most", [{"grace": 0}, {"plies": 1}, {"burst": 1}, {"gap": 10_000}])
def test_an_option_at_its_bound_is_taken(most: dict[str, object]) -> None:
    assert isinstance(read_options("bughouse", most), BughouseOptions)


# -- the example


def test_four_of_the_example_play_a_game_to_its_end() -> None:
    player = runpy.run_path(str(ROOT / "examples" / "bughouse_client.py"))["Player"]
    chance, hall = Chance(1), WiredHall()
    players = {}
    for name in ("Ann", "Bob", "Cyd", "Dan"):
        players[name] = player(name, chance.choice)
        hall.connect(name, "bughouse", options=BughouseOptions(plies=40))
        hall.send(name, f"{players[name].hear()}\n".encode())
        while any(connection.said for connection in hall.lines.values()):
            for who, one in players.items():
                for line in hall.take(who).decode().split("\n")[:-1]:
                    request = one.hear(line)
                    if request is not None:
                        hall.send(who, f"{request}\n".encode())
            hall.advance(FIRST_TURN)  # what waits comes after a silence
    assert players["Ann"].winners is not None
    assert {tuple(one.winners) for one in players.values()} == {tuple(players["Ann"].winners)}
