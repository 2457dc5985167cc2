"""What may happen to a database: lines that are cut, a server that is killed.

Whatever it is, a batch is there once and whole, or not at all, and whoever appended it is
told the truth; the same batch may be tried again until it is.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial

import psycopg
import pytest

from rookery.core.events import Record
from rookery.store import StoreBroken, StoreFailed
from rookery.store.address import Reach
from rookery.store.database import Pause, wait
from rookery.store.lease import AGAIN, Led
from rookery.store.postgres import PostgresStore, open_postgres, standing_by
from tests.postgres import Server, needs_postgres, server
from tests.store.logs import moves
from tests.store.postgres.proxy import Cut, Proxy

pytestmark = needs_postgres

TRIES = 200
SHORT = 0.4  # seconds


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """Somebody between us and the server."""
    with Proxy(server().port) as found:
        yield found


@pytest.fixture
def own() -> Iterator[Server]:
    """A server that may be killed."""
    found = Server()
    try:
        yield found
    finally:
        found.remove()


def again(work: Callable[[], object]) -> int:
    """Do this until it succeeds, as the keeper does; how often it failed."""
    for tries in range(TRIES):
        try:
            work()
        except (StoreFailed, StoreBroken):
            time.sleep(0.05)
        else:
            return tries
    raise AssertionError("it never succeeds")


def until(true: Callable[[], bool]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline, "it never is"
        time.sleep(0.01)


def staged(store: PostgresStore, records: Sequence[Record]) -> None:
    if store.stage(records):
        store.commit()
    else:
        store.append(records)


@pytest.mark.parametrize("when", Cut)
@pytest.mark.parametrize("append", [PostgresStore.append, staged])
def test_a_line_that_is_cut_loses_nothing_and_doubles_nothing(
    proxy: Proxy, when: Cut, append: Callable[[PostgresStore, Sequence[Record]], None]
) -> None:
    with closing(open_postgres(server().hall(proxy.port))) as store:
        append(store, moves(3))
        proxy.cut_next(b"table/1", when)
        append(store, moves(2, first=4))
        assert proxy.cuts == 1
        append(store, moves(2, first=6))
        assert list(store.read()) == moves(7)


@pytest.mark.parametrize("when", Cut)
def test_a_batch_in_doubt_is_settled_when_the_database_can_be_reached_again(
    proxy: Proxy, when: Cut
) -> None:
    with closing(open_postgres(server().hall(proxy.port))) as store:
        store.append(moves(3))
        proxy.refuse()
        proxy.cut_next(b"table/1", when)
        for _ in range(2):
            with pytest.raises(StoreFailed, match=r"^The database postgresql://.* cannot be .*\.$"):
                store.append(moves(2, first=4))
        proxy.admit()
        assert again(lambda: store.append(moves(2, first=4))) < TRIES
        store.append(moves(1, first=6))
        assert list(store.read()) == moves(6)


def test_another_batch_is_not_taken_while_one_is_in_doubt(proxy: Proxy) -> None:
    with closing(open_postgres(server().hall(proxy.port))) as store:
        proxy.refuse()
        proxy.cut_all()
        with pytest.raises(StoreFailed):
            store.append(moves(2))
        proxy.admit()
        with pytest.raises(AssertionError, match="in doubt"):
            again(lambda: store.append(moves(1)))
        again(lambda: store.append(moves(2)))
        assert list(store.read()) == moves(2)


def test_reading_goes_on_over_a_line_that_was_cut(proxy: Proxy) -> None:
    with closing(open_postgres(server().hall(proxy.port))) as store:
        store.append(moves(5))
        proxy.cut_all()
        assert list(store.read()) == moves(5)


def test_what_cannot_be_read_now_is_said_so(proxy: Proxy) -> None:
    with closing(open_postgres(server().hall(proxy.port))) as store:
        store.append(moves(5))
        proxy.refuse()
        proxy.cut_all()
        with pytest.raises(StoreBroken, match="cannot be"):
            store.read_stream("table/1")
        proxy.admit()
        again(lambda: store.read_stream("table/1"))
        assert store.read_stream("table/1") == moves(5)


def test_a_server_that_is_killed_and_started_again_has_all_that_was_safe(own: Server) -> None:
    with closing(open_postgres(own.hall())) as store:
        store.append(moves(10))
        for first in range(11, 41, 10):
            own.kill()
            with pytest.raises(StoreFailed):
                store.append(moves(10, first=first))
            own.start()
            again(partial(store.append, moves(10, first=first)))
        assert list(store.read()) == moves(40)


def test_a_server_that_is_killed_while_it_writes_loses_nothing_that_was_safe(own: Server) -> None:
    safe = 0
    over = threading.Event()
    written = threading.Condition()
    store = open_postgres(own.hall())

    def write() -> None:
        nonlocal safe
        while not over.is_set():
            batch = moves(5, first=safe + 1)
            again(partial(store.append, batch))
            with written:
                safe = batch[-1].seq
                written.notify_all()

    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(3):
        before = safe
        with written:
            assert written.wait_for(lambda: safe >= before + 50, 60)  # noqa: B023 # at once
        own.kill()
        own.start()
    over.set()
    writer.join()
    with closing(store):
        assert list(store.read()) == moves(safe)


def test_a_table_that_somebody_took_away_is_a_failure_until_it_is_back() -> None:
    with closing(open_postgres(server().hall())) as store:
        store.append(moves(2))
        with psycopg.connect(server().address(), autocommit=True) as other:
            other.execute("ALTER TABLE rookery.records RENAME TO gone")
            try:
                with pytest.raises(StoreFailed, match="does not exist"):
                    store.append(moves(1, first=3))
            finally:
                other.execute("ALTER TABLE rookery.gone RENAME TO records")
        store.append(moves(1, first=3))
        assert list(store.read()) == moves(3)


def test_a_record_that_the_database_cannot_hold_is_our_own_mistake() -> None:
    good, bad = moves(2), moves(1, first=3)[0]
    bad = type(bad)(bad.seq, bad.stream, bad.n, 2**63, bad.event)
    with closing(open_postgres(server().hall())) as store:
        with pytest.raises(psycopg.DataError):
            store.append([*good, bad])
        assert list(store.read()) == []
        store.append(good)
        assert list(store.read()) == good


def test_a_database_that_lost_records_is_not_written_to() -> None:
    address = server().hall()
    with closing(open_postgres(address)) as store:
        store.append(moves(5))
        with psycopg.connect(server().address(), autocommit=True) as other:
            other.execute("UPDATE rookery.halls SET seq = 3 WHERE hall = %s", (address.hall,))
        with pytest.raises(StoreBroken, match="has 3 records, and 5 were safe there"):
            store.append(moves(1, first=6))


def test_a_database_that_hangs_is_waited_for_no_longer_than_for_an_answer(
    own: Server,
) -> None:
    with closing(open_postgres(own.hall(), seconds=SHORT)) as store:
        store.append(moves(3))
        with own.hanging():
            with pytest.raises(StoreFailed, match="does not answer"):
                store.append(moves(2, first=4))
            until(lambda: not store.leads())
        again(lambda: store.append(moves(2, first=4)))
        assert list(store.read()) == moves(5)


def test_at_the_start_a_database_may_be_away_for_as_long_as_was_said() -> None:
    times = iter((0.0, 0.0, 0.1, 0.1, 2.9, 2.9, 3.0, 3.0, 3.1))

    def nobody(*_: object, **__: object) -> None:
        raise psycopg.OperationalError("nobody is there")

    reach = Reach(dial=nobody, clock=lambda: next(times))
    waiting = standing_by(server().hall(), reach, waits=lambda _: True, patience=3)
    assert next(waiting) == next(waiting) == Pause(AGAIN)
    with pytest.raises(StoreFailed, match="cannot be reached"):
        next(waiting)


def test_a_stand_by_waits_for_a_database_that_is_away(own: Server) -> None:
    address = own.hall()
    leader, heard = open_postgres(address, seconds=1), threading.Event()
    found: list[PostgresStore | None] = []

    def waits(_: Led) -> bool:
        heard.set()
        return True

    def stand() -> None:
        found.append(wait(standing_by(address, waits=waits)))

    standing = threading.Thread(target=stand)
    standing.start()
    assert heard.wait(30)
    own.kill()
    own.start()
    leader.close()
    standing.join(30)
    assert found[0] is not None
    assert found[0].epoch == leader.epoch + 1
    found[0].close()
