"""A server with its log in a database, both real: each is killed, stopped and taken over from."""

import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rookery.core.events import Played, Said
from rookery.core.ids import TableId
from rookery.core.intents import History, ListTables, Play, Say
from rookery.server.app import TAKEN
from rookery.store.address import LogAddress, read_address
from rookery.store.postgres import open_hall
from tests.postgres import Server, needs_postgres, server
from tests.server.games import sit_down
from tests.server.process import PATIENCE, Client, failed_start, serving

pytestmark = needs_postgres


@pytest.fixture
def own() -> Iterator[Server]:
    """A database that may be killed."""
    found = Server()
    try:
        yield found
    finally:
        found.remove()


def flags(address: LogAddress) -> tuple[str, ...]:
    return ("--data", f"{address.secret}?hall={address.hall}")


def texts(client: Client, table: TableId) -> list[str]:
    past = client.ask(History(table)).events
    return [entry.event.text for entry in past if isinstance(entry.event, Said)]


def test_a_server_that_was_killed_is_followed_by_one_that_knows_everything(tmp_path: Path) -> None:
    where = flags(server().hall())
    with serving(tmp_path / "first", *where) as first:
        ann, bob = first.enter("ann"), first.enter("bob")
        table = sit_down(ann, bob)
        ann.done(Play(table, "0"))
        for n in range(20):
            bob.done(Say(table, str(n)))
        first.kill()
    with serving(tmp_path / "second", *where) as second:
        ann, bob = second.call().back(ann), second.call().back(bob)
        assert texts(ann, table) == [str(n) for n in range(20)]
        bob.done(Play(table, "1"))
        assert second.stop() == 0
    with serving(tmp_path / "third", *where) as third:  # at once: the lease was given back
        past = third.call().back(ann).ask(History(table)).events
        moves = [entry.event.move for entry in past if isinstance(entry.event, Played)]
        assert moves == ["0", "1"]
        assert "waiting for it to end" in second.complaints()
        assert "waiting for it to end" not in third.complaints()


def test_while_the_database_is_away_nothing_is_done_and_no_clock_runs(
    tmp_path: Path, own: Server
) -> None:
    with serving(tmp_path, *flags(own.hall())) as hall:
        ann, bob = hall.enter("ann"), hall.enter("bob")
        table = sit_down(ann, bob, time="5m")
        ann.done(Play(table, "0"))
        bob.news(Played)
        own.kill()
        bob.say(Play(table, "1"))
        assert bob.notice().code == "no_disk"
        assert ann.notice().code == "no_disk"
        with pytest.raises(urllib.error.HTTPError, match="503") as no:
            urllib.request.urlopen(f"http://127.0.0.1:{hall.port}/healthz", timeout=PATIENCE)
        no.value.close()
        stood = time.monotonic()
        time.sleep(3)
        own.start()
        assert bob.notice().code == "resumed"
        stood = time.monotonic() - stood
        assert bob.answer().type == "done"
        ann.done(Say(table, "there"))
        past = ann.ask(History(table)).events
        spent = [entry.event.spent for entry in past if isinstance(entry.event, Played)]
        assert spent[1] < stood * 1_000_000
        assert texts(ann, table) == ["there"]
        assert "Traceback" not in hall.complaints()


def test_a_leader_that_slept_too_long_writes_nothing_and_tells_nobody(tmp_path: Path) -> None:
    address = server().hall()
    with serving(tmp_path / "first", *flags(address)) as first:
        ann, bob = first.enter("ann"), first.enter("bob")
        table = sit_down(ann, bob)
        ann.done(Say(table, "before"))
        ann.told.clear()
        os.kill(first.process.pid, signal.SIGSTOP)
        with serving(tmp_path / "second", *flags(address)) as second:
            ann.say(ListTables())
            bob.say(Say(table, "too late"))
            os.kill(first.process.pid, signal.SIGCONT)
            assert first.gone() == TAKEN
            assert [told for told in ann.rest() if not told.unasked] == []
            assert [told for told in bob.rest() if told.type == "done"][1:] == []
            assert "has taken over" in first.complaints()
            assert "Traceback" not in first.complaints()
            back = second.call().back(ann)
            assert texts(back, table) == ["before"]
            back.done(Say(table, "after"))
    with closing(open_hall(read_address(flags(address)[1]))) as log:
        said = [record.event.text for record in log.read() if isinstance(record.event, Said)]
        assert said == ["before", "after"]


def test_a_second_server_is_refused_with_a_sentence_and_no_password(tmp_path: Path) -> None:
    address = server().hall()
    with serving(tmp_path, *flags(address)) as first:
        secret = first.complaints()
        locked = flags(address)[1].replace("postgres@", "postgres:swordfish@", 1)
        done = failed_start(tmp_path, "--data", locked)
        assert done.returncode == 2
        *_, last = done.stderr.splitlines()
        assert last.startswith("Error: Another process, ")
        assert "is writing to postgresql://postgres@127.0.0.1" in last
        assert "swordfish" not in done.stderr + done.stdout + secret
