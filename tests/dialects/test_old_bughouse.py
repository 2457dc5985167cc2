"""The old client neither freezes nor loses what it needs, whatever goes on around it."""

import json

import pytest

from rookery.core.events import Played
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.dialects.bughouse import BughouseOptions
from tests.dialects.old_bughouse import EACH, NAMES, OldClient, begun, played, plies
from tests.dialects.test_bughouse_moves import Client
from tests.transcripts.wired_hall import WiredHall

SECOND = MICROS_A_SECOND
UNPACED = BughouseOptions(gap=0)


def returned(hall: WiredHall, count: int, seed: int = 5) -> OldClient:
    """Bob drops out of a game after so many plies, and his old client comes back to it."""
    begun(hall)
    played(hall, plies(count, seed))
    assert sum(isinstance(record.event, Played) for record in hall.records) == count
    hall.hang_up("Bob")
    hall.advance(SECOND)
    bob = OldClient(hall, "Bob")
    bob.come()
    bob.run(10 * SECOND)
    return bob


@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize("count", [10, 60, 100, 200])
def test_it_comes_back_to_a_game_of_any_length(count: int, seed: int) -> None:
    bob = returned(WiredHall(), count, seed)
    assert (bob.player, bob.frozen, bob.lost) == ("2", False, [])
    assert bob.heard[0] == "GAME_STARTED:1"


@pytest.mark.parametrize("count", [60, 100])
def test_without_a_pace_it_would_freeze(count: int) -> None:
    hall = WiredHall()
    hall.options["bughouse"] = UNPACED
    assert returned(hall, count).frozen


def test_it_has_both_boards_and_all_prisoners_again() -> None:
    hall = WiredHall()
    bob = returned(hall, 100)
    client = Client()
    for line in bob.heard:
        if line.startswith(("MOVE:", "PASS:", "PUT:")):
            client.hear(line)
    follower = Client()  # who was there all the time
    for line in hall.take("Ann").decode().split("\n"):
        if line.startswith(("BROADCAST:MOVE:", "BROADCAST:PASS:", "BROADCAST:PUT:")):
            follower.hear(line.removeprefix("BROADCAST:"))
    assert (client.fen(1), client.fen(2)) == (follower.fen(1), follower.fen(2))
    assert client.prisoners == follower.prisoners


def test_moves_that_are_made_while_it_comes_back_come_in_their_order() -> None:
    hall = WiredHall()
    begun(hall)
    moves = plies(90)
    played(hall, moves[:80])
    hall.hang_up("Bob")
    bob = OldClient(hall, "Bob")
    bob.come()
    for seat, line in moves[80:]:
        if seat == 3:
            break  # his own turn; nobody moves for him
        hall.send(("Ann", "Dan", "Cyd", "Bob")[seat], f"{line}\n".encode())
        bob.run(100_000)
    bob.run(10 * SECOND)
    client = Client()
    for line in bob.heard:
        if line.startswith(("MOVE:", "PASS:", "PUT:")):
            client.hear(line)  # fails where a piece is moved that is not there
    assert not bob.frozen


def test_in_play_nothing_waits_however_fast() -> None:
    hall = WiredHall()
    begun(hall)
    for seat, line in plies(60, seed=4, in_turns=True):
        hall.send(NAMES[seat], f"{line}\n".encode())
        hall.now += 1_000  # nobody ever leaves 60 ms
        assert [one.dialect.deadline() for one in hall.lines.values()] == [None] * 4


def test_nobody_talks_their_clock_still() -> None:
    hall = WiredHall()
    begun(hall)
    moves = plies(2)
    hall.send(NAMES[moves[0][0]], f"{moves[0][1]}\n".encode())
    slow = NAMES[moves[0][0] ^ 1]
    hall.send(slow, b"QUIT:99\n" * 40)  # and what it is told of the game waits
    for _ in range(400):
        hall.send(slow, b"MOVE:1\t0\t0\t0\t0\nGET_NAME:1\n")
        hall.advance(50_000)
    hall.connect("judge", "native")
    hall.send("judge", b'{"type":"hello","version":1}\n{"type":"show","table":1}\n')
    left = json.loads(hall.take("judge").splitlines()[-1])["left"]
    assert left[NAMES.index(slow)] <= 900 * SECOND - 20 * SECOND + 2 * SECOND


# -- the lobby


def create_and_quit(hall: WiredHall, times: int, each: Micros, looking: OldClient) -> None:
    """Somebody creates games and leaves them again."""
    hall.connect("Eve", "bughouse")
    hall.send("Eve", b"ADD_PLAYER:Eve\n")
    number = hall.take("Eve").decode().strip()
    for _ in range(times):
        for request in ("CREATE_GAME", "QUIT"):
            hall.send("Eve", f"{request}:{number}\n".encode())
            looking.run(each) if each else None


@pytest.mark.parametrize("each", [0, EACH, 10_000, 70_000])
@pytest.mark.parametrize("times", [16, 24, 40])
def test_its_window_outlives_games_that_come_and_go(times: int, each: Micros) -> None:
    hall = WiredHall()
    bob = OldClient(hall, "Bob")
    bob.come()
    bob.run(SECOND)
    create_and_quit(hall, times, each, bob)
    bob.run(5 * SECOND)
    assert not bob.frozen
    assert bob.ask("GET_GAMES:") == ""


@pytest.mark.parametrize("each", [0, SECOND])
@pytest.mark.parametrize("times", [12, 40])
def test_its_dialog_at_the_end_of_a_game_may_stay_open(times: int, each: Micros) -> None:
    hall = WiredHall()
    begun(hall)
    played(hall, plies(10))
    hall.hang_up("Bob")
    bob = OldClient(hall, "Bob")
    bob.come()
    bob.run(2 * SECOND)
    hall.send("Ann", b"QUIT:1\n")
    bob.run(SECOND)
    assert bob.dialog
    create_and_quit(hall, times, each, bob)
    hall.send("Eve", b"CREATE_GAME:5\n")
    bob.run(SECOND)
    bob.close_dialog(1)
    bob.run(SECOND)
    assert not bob.frozen
    assert bob.heard[-2:] == [f"NEW_GAME:5\t{times + 2}", f"GAME_CHANGED:{times + 2}"]


# -- the first turn


def test_the_owners_first_turn_comes_when_its_boards_stand_and_its_clock_starts_then() -> None:
    hall = WiredHall()
    ann = OldClient(hall, "Ann")
    ann.come()
    ann.run(SECOND)
    assert ann.ask("CREATE_GAME:1") == "1"
    for number, (name, team) in enumerate((("Bob", 1), ("Cyd", 2), ("Dan", 2)), 2):
        hall.connect(name, "bughouse")
        hall.send(name, f"ADD_PLAYER:{name}\nJOIN_GAME:{number}\t1\t{team}\n".encode())
    ann.run(SECOND)
    started = hall.now
    assert ann.ask("START_GAME:1") == "GAME_STARTED:1"
    while "YOUR_TURN" not in ann.heard:
        ann.run(EACH)
    assert hall.now - started >= 600_000
    assert ann.lost == []
    told = hall.now
    ann.run(3 * SECOND)
    assert ann.ask("MOVE:1\t4\t1\t4\t3") == "MOVE_OK:1"
    played = [record.event for record in hall.records if isinstance(record.event, Played)]
    assert 0 <= played[0].spent - (hall.now - told) <= 2 * EACH
