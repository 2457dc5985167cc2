"""A disk that is full, for real: the system lets no file of the server grow any more.

"The server stops taking moves, says so, and what was acknowledged is safe."
"""

import socket
import time
from pathlib import Path

from rookery.core.events import Played, Said
from rookery.core.ids import TableId
from rookery.core.intents import History, Play, Say
from rookery.core.messages import Entry
from rookery.server.app import UNSAVED
from tests.server.games import sit_down
from tests.server.process import PATIENCE, Client, serving

ROOM = 200_000  # bytes: some forty writes, and the disk is full


def test_a_full_disk_is_told_to_everyone_and_nothing_is_done(tmp_path: Path) -> None:
    with serving(tmp_path, largest_file=ROOM) as server:
        ann, bob, eve = (server.enter(name) for name in ("ann", "bob", "eve"))
        fill(ann, sit_down(ann, bob))
        assert [ann.told[-1].code, bob.notice().code, eve.notice().code] == ["no_disk"] * 3
        assert ann.told[-2].type != "done", "nothing was done after the last news"


def test_with_a_full_disk_the_server_goes_down_with_an_exit_code_of_its_own(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, largest_file=ROOM) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        fill(ann, sit_down(ann, bob))
        assert server.stop() == UNSAVED
        assert ann.rest()[-1].code == "closing"
        assert "could not be written" in server.complaints()
        assert "Traceback" not in server.complaints()


def test_when_there_is_room_again_everything_acknowledged_is_there(tmp_path: Path) -> None:
    with serving(tmp_path, largest_file=ROOM) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        done = fill(ann, table)
        bob.notice()
    with serving(tmp_path) as server:
        again = server.call().back(ann)
        past = again.ask(History(table)).events
        said = [entry.event.text for entry in past if isinstance(entry.event, Said)]
        assert said == [str(n) for n in range(done)]
        told = [Entry(t.n, t.at, t.event) for t in ann.told + bob.told if t.event is not None]
        assert [entry for entry in told if entry not in past] == []
        again.done(Say(table, "well, well"))


def test_with_a_full_disk_a_ping_behind_a_line_that_cannot_be_done_is_answered(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, largest_file=ROOM) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
            line.sendall(b"@NEW PLAYER\n")
            assert line.recv(100) == b"@PID:1\n"
            fill(ann, sit_down(ann, bob))
            assert line.recv(200).startswith(b"@MESSAGE:The server cannot write its log")
            line.sendall(b"@NAME:Carl\n@PING\n")
            assert line.recv(100) == b"@PONG\n"


def test_while_the_disk_is_full_no_time_passes_for_anyone(tmp_path: Path) -> None:
    with serving(tmp_path, largest_file=ROOM) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        began = time.monotonic()
        table = sit_down(ann, bob, time="10m")
        fill(bob, table)
        ann.notice()
        full = time.monotonic()
        time.sleep(1)  # of which ann must not be charged anything
        late = server.call()
        late.say_bytes(b'{"type":"hello","version":1}\n')
        assert late.notice().code == "no_disk", "who comes now hears why nothing happens"
        room = time.monotonic()
        server.make_room()
        assert ann.notice().code == "resumed"
        ann.done(Play(table, "4"))
        hers = (full - began) + (time.monotonic() - room)  # at the most, however slow all is
        played = [told.event for told in ann.told if isinstance(told.event, Played)]
        assert played[-1].spent < hers * 1_000_000


def fill(client: Client, table: TableId) -> int:
    """Talk until the disk is full; how often it was done."""
    done = 0
    while True:
        client.say(Say(table, str(done)))
        while (told := client.next()).type == "news":
            pass
        if told.type == "notice":
            return done
        assert told.type == "done"
        done += 1
