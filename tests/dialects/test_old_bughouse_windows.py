"""The old client's listener builds a window after GAME_STARTED, and nothing freezes meanwhile."""

import pytest

from rookery.core.events import Played
from rookery.core.ids import MICROS_A_SECOND, Micros
from tests.dialects.old_bughouse import EACH, NAMES, OldClient, begun, played, plies
from tests.dialects.test_bughouse_moves import Client
from tests.transcripts.wired_hall import WiredHall

SECOND = MICROS_A_SECOND
TOLD = ("MOVE:", "PASS:", "PUT:")
NUMBERS = {"Ann": "1", "Bob": "2", "Cyd": "3", "Dan": "4"}


def boards(lines: list[str]) -> tuple[str, str]:
    """Both boards as a client shows them that was told these lines."""
    client = Client()
    for line in lines:
        if line.startswith(TOLD):
            client.hear(line)
    return client.fen(1), client.fen(2)


def heard_by(hall: WiredHall, who: str) -> list[str]:
    said = hall.take(who).decode().split("\n")
    return [line.removeprefix("BROADCAST:") for line in said if line.startswith("BROADCAST:")]


def joined(hall: WiredHall, window: OldClient, *, at_once: bool) -> None:
    """The window sits down with three programs, whose owner starts, perhaps without a pause."""
    for name in NUMBERS:
        if name == window.name:
            window.come()
            window.run(SECOND)
        else:
            hall.connect(name, "bughouse")
            hall.send(name, f"ADD_PLAYER:{name}\n".encode())
    hall.send("Ann", b"CREATE_GAME:1\n")
    for name in ("Bob", "Cyd", "Dan") if window.name == "Bob" else ("Cyd", "Dan", "Bob"):
        request = f"JOIN_GAME:{NUMBERS[name]}\t1\t{1 if name == 'Bob' else 2}"
        if name == window.name:
            window.run(SECOND)
            assert window.ask(request) == "GAME_JOINED"
        else:
            hall.send(name, f"{request}\n".encode())
    window.run(0 if at_once else SECOND)
    hall.send("Ann", b"START_GAME:1\n")


# -- a window that is opened again


@pytest.mark.parametrize("building", [400_000, SECOND, 1_900_000, 4 * SECOND])
@pytest.mark.parametrize("count", [40, 70, 100])
@pytest.mark.parametrize("name", NAMES)
def test_a_window_is_opened_again_however_long_it_is_built(
    name: str, count: int, building: Micros
) -> None:
    hall = WiredHall()
    begun(hall)
    played(hall, plies(count))
    hall.hang_up(name)
    hall.advance(SECOND)
    window = OldClient(hall, name, building=building)
    window.come()
    window.run(10 * (SECOND + building))
    assert (window.player, window.frozen, window.lost) == (NUMBERS[name], False, [])
    other = "Ann" if name != "Ann" else "Bob"
    assert boards(window.heard) == boards(heard_by(hall, other))


def test_a_return_is_told_of_its_game_when_it_has_long_been_silent() -> None:
    hall = WiredHall()
    begun(hall)
    hall.hang_up("Bob")
    hall.connect("Bob", "bughouse")
    hall.send("Bob", b"ADD_PLAYER:Bob\nGET_NAME:2\n")
    hall.take("Bob")
    hall.advance(500_000)
    hall.send("Bob", b"GET_GAMES:\n")
    assert hall.take("Bob") == b"\n"
    hall.advance(599_000)
    assert hall.take("Bob") == b""
    hall.advance(1_000)
    assert hall.take("Bob") == b"BROADCAST:GAME_STARTED:1\n"


# -- a window beside programs that race on the other board


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("building", [400_000, SECOND])
@pytest.mark.parametrize("name", ["Bob", "Dan"])
def test_a_black_window_stands_beside_programs_that_race(
    name: str, building: Micros, at_once: bool
) -> None:
    hall = WiredHall()
    window = OldClient(hall, name, building=building)
    joined(hall, window, at_once=at_once)
    moves = plies(60, seed=6, board=2 if name == "Dan" else 1)
    for seat, line in moves:
        hall.send(NAMES[seat], f"{line}\n".encode())
        window.run(EACH)
    assert sum(isinstance(record.event, Played) for record in hall.records) == 60
    window.run(10 * (SECOND + building))
    assert not window.frozen
    assert boards(window.heard) == boards(heard_by(hall, NAMES[moves[0][0]]))


@pytest.mark.parametrize("hiccup", [70_000, 200_000, SECOND])
@pytest.mark.parametrize("name", ["Bob", "Dan"])
def test_a_list_of_who_joined_is_no_sign_that_the_window_stands(name: str, hiccup: Micros) -> None:
    hall = WiredHall()
    window = OldClient(hall, name, building=400_000, hiccup=hiccup)
    joined(hall, window, at_once=True)
    moves = plies(60, seed=6, board=2 if name == "Dan" else 1)
    for seat, line in moves:
        hall.send(NAMES[seat], f"{line}\n".encode())
        window.run(EACH)
    window.run(10 * SECOND)
    assert not window.frozen
    assert boards(window.heard) == boards(heard_by(hall, NAMES[moves[0][0]]))


def listed(me: str) -> list[str]:
    """What the thread asks that builds the room of a window that has just joined, as traced."""
    lists = [(f"GET_PLAYERS:1\t{team}", names) for team, names in ((1, "1122"), (2, "3344"))]
    asked = [[f"GET_NAME:{me}", f"GET_CURRENT_GAME:{me}", one, *names] for one, names in lists]
    return [ask if len(ask) > 1 else f"GET_NAME:{ask}" for asks in asked for ask in asks]


@pytest.mark.parametrize("after", range(9))
def test_a_room_built_meanwhile_is_no_sign_that_the_window_stands(after: int) -> None:
    hall = WiredHall()
    just_begun(hall)
    current, board = "GET_CURRENT_GAME:4", "GET_CURRENT_BOARD:4"
    builds = [current, current, "GET_BOARDS:1", board, board]
    builds += ["GET_PLAYERS:1\t1", "GET_PLAYERS:1\t2", board]
    race(hall)
    for request in [*builds[:after], *listed("4"), *builds[after:]]:
        hall.send("Dan", f"{request}\n".encode())
        hall.advance(MICROS_A_SECOND // 500)
    hall.advance(1_900_000)
    assert sum(len(f"BROADCAST:{line}\n") for line in heard_by(hall, "Dan")) <= 700


# -- the window that starts the game, which is built twice


def asks(hall: WiredHall, who: str, *requests: str) -> None:
    for request in requests:
        hall.send(who, f"{request}\n".encode())
        hall.advance(MICROS_A_SECOND // 500)


@pytest.mark.parametrize("building", [SECOND, 2_700_000, 5 * SECOND])
def test_the_first_turn_waits_for_both_windows_of_the_player_who_starts(building: Micros) -> None:
    hall = WiredHall()
    just_begun(hall)
    current, board = "GET_CURRENT_GAME:1", "GET_CURRENT_BOARD:1"
    teams = [f"GET_PLAYERS:1\t{team}" for team in (1, 2)]
    first = [current, current, "GET_BOARDS:1", board, board, *teams, board, board]
    asks(hall, "Ann", *first)
    hall.advance(building)
    # As traced: the window whose turn it is said to be is replaced by the other.
    asks(hall, "Ann", current, current, teams[0], teams[0], current, teams[1])
    asks(hall, "Ann", "GET_NAME:1", "GET_NAME:4", current, teams[1], "GET_NAME:1", "GET_NAME:4")
    asks(hall, "Ann", "GET_NAME:3", "GET_NAME:2", "GET_NAME:3")
    assert "YOUR_TURN" not in heard_by(hall, "Ann")
    asks(hall, "Ann", "GET_NAME:2")
    hall.advance(SECOND + building)
    assert heard_by(hall, "Ann").count("YOUR_TURN") == 1


def test_a_program_that_starts_and_asks_nothing_is_on_turn_after_600_ms() -> None:
    hall = WiredHall()
    just_begun(hall)
    hall.advance(600_000)
    assert heard_by(hall, "Ann")[-2:] == ["GAME_STARTED:1", "YOUR_TURN"]


# -- programs, which build no window


def race(hall: WiredHall, count: int = 60) -> None:
    """Programs play on board 2 without a pause."""
    for seat, line in plies(count, seed=6, board=2):
        hall.send(NAMES[seat], f"{line}\n".encode())


def just_begun(hall: WiredHall) -> Micros:
    """A game has just started, and Dan was told so; when."""
    begun(hall, wait=200_000)
    assert heard_by(hall, "Dan")[-1] == "GAME_STARTED:1"
    return hall.now


def test_who_asks_nothing_for_two_seconds_builds_no_window() -> None:
    hall = WiredHall()
    start = just_begun(hall)
    race(hall)
    told = heard_by(hall, "Dan")
    assert 500 < sum(len(f"BROADCAST:{line}\n") for line in told) <= 700
    hall.advance(start + 2 * SECOND - 1 - hall.now)
    assert heard_by(hall, "Dan") == []
    hall.advance(400_000)
    told += heard_by(hall, "Dan")
    assert boards(told) == boards(heard_by(hall, "Cyd"))


def test_who_asks_on_and_on_is_told_more_after_ten_seconds_all_the_same() -> None:
    hall = WiredHall()
    start = just_begun(hall)
    race(hall)
    hall.take("Dan")
    while not heard_by(hall, "Dan") and hall.now < start + 20 * SECOND:
        hall.send("Dan", b"GET_TEAM:4\n")
        hall.advance(20_000)
    assert 10 * SECOND <= hall.now - start <= 12.1 * SECOND


def test_who_moves_builds_no_window() -> None:
    hall = WiredHall()
    just_begun(hall)
    hall.send("Ann", b"MOVE:1\t4\t1\t4\t3\n")
    hall.send("Dan", b"MOVE:1\t4\t6\t4\t4\n")
    race(hall)
    hall.advance(400_000)
    assert boards(heard_by(hall, "Dan")) == boards(heard_by(hall, "Cyd"))
