"""House bots at a real server: a newcomer has an opponent, and nothing is left behind."""

import os
import select
import signal
import socket
from pathlib import Path

import pytest

from rookery.core.events import Ended, Played, Started
from rookery.core.ids import TableId
from rookery.core.intents import History, LegalMoves, ListPlayers, Play, Rematch, Seek, Show
from rookery.games import GAMES
from tests.server.process import PATIENCE, Client, Server, serving

AT_ONCE = ("--house", "on,wait=0,level=1")
# Short, so that the test is: the game ends after so many moves, or as soon as it does.
VARIANTS = {"bughouse": "bughouse plies=6", "fish": "fish rows=3 cols=4", "guess": "guess high=5"}


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_finds_an_opponent_and_plays_to_the_end(game: str, tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        ann = server.enter("ann")
        table = ann.done(Seek(VARIANTS.get(game, game))).table
        assert table is not None
        ann.news(Started)
        play_on(ann, table)
        names = [line.name for line in ann.ask(ListPlayers()).players if line.dialect == "bot"]
        assert names[0] == "Bot, level 1"


def play_on(client: Client, table: TableId) -> None:
    """Play the first legal move whenever there is one, until the game is over."""
    client.say(LegalMoves(table))
    while True:
        told = client.next()
        if isinstance(told.event, Ended):
            return
        if told.type == "moves" and told.moves:
            client.say(Play(table, told.moves[0]))
        elif isinstance(told.event, Played) and 0 in told.to_act:
            client.say(LegalMoves(table))


def test_a_bot_is_shown_as_one(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        ann = server.enter("ann")
        table = started(ann, "nim")
        line = server.call()
        line.say(Show(table))
        seats = raw(line).partition(b'"seats":')[2].partition(b"]")[0]
        assert seats.count(b'"bot":true') == 1
        assert b'"player_name":"Bot, level 1","connected":true,"bot":true' in seats


def started(client: Client, variant: str, time: str = "none") -> TableId:
    """A table of this game that a bot has come to."""
    table = client.done(Seek(variant, time=time)).table
    assert table is not None
    client.news(Started)
    return table


def raw(client: Client) -> bytes:
    """The next line as it came."""
    words = b""
    while not words.endswith(b"\n"):
        words += client.socket.recv(1 << 16)
    return words


def test_a_bot_plays_again_when_asked_to(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        ann = server.enter("ann")
        table = started(ann, "nim rows=1 sticks=1")
        ann.done(Play(table, "0,1"))
        ann.news(Ended)
        ann.done(Rematch(table))
        assert ann.news(Started).table == table + 1
        # The seats are exchanged: now it is the bot that takes the last one.
        assert ann.news(Ended).table == table + 1


def test_a_client_that_speaks_othello_finds_an_opponent(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        othello = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        with othello, othello.makefile("rb") as lines:
            othello.sendall(b"1\n")
            assert lines.readline() == b"11\n"
            assert lines.readline().endswith(b"1\n")  # the board, and black's turn
            othello.sendall(b"245\n")
            assert lines.readline().endswith(b"2\n")
            assert lines.readline().endswith(b"1\n")  # white has moved


def test_without_a_house_nobody_comes(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-house") as server:
        ann = server.enter("ann")
        table = ann.done(Seek("nim")).table
        assert table is not None
        server.enter("bob").done(Seek("nim"))
        assert ann.news(Started).table == table
        assert [line.name for line in ann.ask(ListPlayers()).players] == ["ann", "bob"]


# -- going, and coming back


def workers(server: Server) -> list[int]:
    """The processes that the server has started."""
    pid = server.process.pid
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text("ascii").split())
    return found


def wait_for_end(process: int) -> None:
    """Wait until the process with this file descriptor is gone."""
    readable, _, _ = select.select([process], [], [], PATIENCE)
    assert readable, "a worker goes with its server"


def test_a_server_that_is_stopped_leaves_no_process(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        think_once(server)
        watched = [os.pidfd_open(pid) for pid in workers(server)]
        assert watched
        assert server.stop() == 0
        for process in watched:
            wait_for_end(process)
            os.close(process)


def test_a_server_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        think_once(server)
        watched = [os.pidfd_open(pid) for pid in workers(server)]
        assert watched
        server.kill()
        for process in watched:
            wait_for_end(process)
            os.close(process)


def think_once(server: Server) -> TableId:
    """A game in which a bot has moved."""
    ann = server.enter("ann")
    table = started(ann, "nim")
    ann.done(Play(table, "0,1"))
    ann.news(Played)
    ann.news(Played)
    return table


def test_a_worker_that_dies_is_replaced_and_the_game_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        ann = server.enter("ann")
        table = started(ann, "nim sticks=1000,1000,1000")
        for _ in range(3):
            move = ann.ask(LegalMoves(table, some=True)).moves[0]
            ann.done(Play(table, move))
            ann.news(Played)
            assert ann.news(Played).to_act == (0,)
            for pid in workers(server):
                os.kill(pid, signal.SIGKILL)


def test_after_a_restart_the_bots_are_back_in_their_seats(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        ann = server.enter("ann")
        table = started(ann, "nim", "5m")
        server.kill()
    with serving(tmp_path, *AT_ONCE) as server:
        back = server.call().back(ann)
        back.done(Play(table, "0,1"))
        assert back.news(Played).table == table
        bot = back.news(Played)
        assert bot.event is not None
        assert (bot.table, bot.to_act) == (table, (0,))


def test_after_a_restart_a_bot_whose_turn_it_is_moves_by_itself(tmp_path: Path) -> None:
    with serving(tmp_path, *AT_ONCE) as server:
        ann = server.enter("ann")
        table = started(ann, "nim")
        server.kill()
    with serving(tmp_path) as server:  # without bots: its turn waits for it
        ann = server.call().back(ann)
        ann.done(Play(table, "0,1"))
        server.kill()
    with serving(tmp_path, *AT_ONCE) as server:
        ann = server.call().back(ann)
        while not ann.ask(LegalMoves(table)).moves:
            ann.next()
        moves = [
            e.event.seat for e in ann.ask(History(table)).events if isinstance(e.event, Played)
        ]
        assert moves == [0, 1]


def test_a_bot_is_the_same_player_after_a_restart(tmp_path: Path) -> None:
    bots = []
    for _ in range(2):
        with serving(tmp_path, *AT_ONCE) as server:
            ann = server.enter("ann")
            table = started(ann, "nim rows=1 sticks=1")
            ann.done(Play(table, "0,1"))
            ann.news(Ended)
            bots += [
                one.player for one in ann.ask(ListPlayers()).players if one.name == "Bot, level 1"
            ]
            server.stop()
    assert len(bots) == 2
    assert bots[0] == bots[1]
