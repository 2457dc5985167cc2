"""The lease: one leads; the next leads once it is over; and nobody writes after that."""

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest

from rookery.core.chance import Chance
from rookery.store import StoreFailed, StoreLocked, StoreTaken
from rookery.store.address import HERE, LogAddress, Reach, Round, in_a_thread, read_address
from rookery.store.database import REST, DatabaseLine, make_tables, wait
from rookery.store.lease import AGAIN, RENEWALS, Lease, Led, await_lease, look_at_lease, take_lease
from rookery.store.postgres import open_postgres
from rookery_tools.sim.cluster.database import Database
from rookery_tools.sim.machine.agenda import SECOND, WorldAgenda
from tests.postgres import needs_postgres, server
from tests.store.logs import moves
from tests.store.postgres.proxy import Proxy

pytestmark = needs_postgres

LONG = 60.0
SHORT = 0.6  # for leases that are to run out
USUAL = 6.0  # of which a machine must be slow indeed to miss a renewal


# Whose clock stands looks at a lease once, and again only when it is told to.
STANDS = Reach(clock=lambda: 0.0)


def line_to(address: LogAddress, reach: Reach = HERE) -> DatabaseLine:
    line = DatabaseLine(address, "lease", reach)
    make_tables(line.get(), address)
    return line


def take(address: LogAddress, seconds: float = LONG, reach: Reach = HERE) -> Lease:
    found = take_lease(line_to(address, reach), seconds=seconds)
    assert isinstance(found, Lease)
    return found


class ByHand:
    """What a lease's thread would do is done when a test says so. It mutates."""

    def __init__(self) -> None:
        self.wait = 0.0  # seconds that the thread would wait at first
        self.work: Round = lambda: None

    def beside(self, wait: float, work: Round) -> Callable[[], None]:
        """As a thread would."""
        self.wait, self.work = wait, work
        return lambda: None


def steal(address: LogAddress) -> None:
    """Take a lease that is not over, as when the clock of the database had been set."""
    with psycopg.connect(address.secret, autocommit=True) as other:
        other.execute(
            "UPDATE rookery.halls SET epoch = epoch + 1, holder = 'thief' WHERE hall = %s",
            (address.hall,),
        )


def test_one_has_it_and_another_hears_who() -> None:
    address = server().hall()
    lease = take(address)
    line = line_to(address)
    found = take_lease(line)
    assert isinstance(found, Led)
    assert found.epoch == lease.epoch
    assert LONG - 30 < found.left <= LONG
    assert lease.held()
    lease.release()
    line.close()


def test_given_back_it_can_be_had_at_once_and_counts_on() -> None:
    address = server().hall()
    first = take(address)
    first.release()
    second = take(address)
    assert second.epoch == first.epoch + 1
    second.release()


def test_halls_have_a_lease_each() -> None:
    one, other = take(server().hall()), take(server().hall())
    assert one.held()
    assert other.held()
    one.release()
    other.release()


def test_it_is_renewed_by_itself() -> None:
    address, thread = server().hall(), ByHand()
    lease = take(address, LONG, Reach(beside=thread.beside))
    line = line_to(address)
    before = look_at_lease(line)
    with psycopg.connect(address.secret, autocommit=True) as other:
        other.execute(
            "UPDATE rookery.halls SET until = until - '30 s'::interval WHERE hall = %s",
            (address.hall,),
        )
    assert (thread.wait, thread.work()) == (LONG / RENEWALS, LONG / RENEWALS)
    after = look_at_lease(line)
    assert before is not None
    assert after is not None
    assert (after.epoch, after.left > before.left - 30) == (lease.epoch, True)
    assert lease.held()
    lease.release()
    line.close()


def test_a_thread_renews_it_again_and_again() -> None:
    rounds: list[int] = []
    thrice = threading.Event()

    def work() -> float | None:
        rounds.append(len(rounds))
        if len(rounds) == 3:
            thrice.set()
        return 0.001

    end = in_a_thread(0.001, work)
    assert thrice.wait(30)
    end()


def test_who_cannot_renew_it_knows_before_another_can_have_it() -> None:
    with Proxy(server().port) as proxy:
        address = server().hall(proxy.port)
        direct = LogAddress(server().address(), server().address(), address.hall)
        thread = ByHand()
        lease = take(address, SHORT, Reach(beside=thread.beside))
        proxy.refuse()
        proxy.cut_all()
        held: list[bool] = []
        # Whoever takes it over looks, as the first thing, whether the other thinks it has it.
        line = line_to(direct)
        found = wait(await_lease(line, seconds=LONG))
        held.append(lease.held())
        assert found is not None
        assert held == [False]
        assert found.epoch == lease.epoch + 1
        lost: list[StoreTaken] = []
        lease.when_lost(lost.append)
        proxy.admit()
        assert thread.work() is None, "it need not be tried again"
        assert "has taken over" in str(lost[0])
        assert not lease.held()
        lease.release()
        assert found.renew()  # it was not ours to give back
        found.release()


def test_in_doubt_it_is_renewed_if_nobody_took_it() -> None:
    with Proxy(server().port) as proxy:
        thread, now = ByHand(), [0.0]
        reach = Reach(clock=lambda: now[0], beside=thread.beside)
        lease = take(server().hall(proxy.port), LONG, reach)
        proxy.refuse()
        proxy.cut_all()
        assert thread.work() == AGAIN
        assert lease.held(), "it is not over yet"
        now[0] = LONG
        assert not lease.held()
        with pytest.raises(StoreFailed):
            lease.renew()
        proxy.admit()
        now[0] += REST
        assert thread.work() == LONG / RENEWALS
        assert lease.held()
        lease.release()


def led_by(line: DatabaseLine, then: Callable[[], object]) -> Lease:
    """The lease of who waits, without ever looking by itself, and does this when it has begun."""
    found: list[Lease | None] = []
    begun = threading.Event()

    def waits(_: Led) -> bool:
        begun.set()
        return True

    waiting = threading.Thread(target=lambda: found.append(wait(await_lease(line, waits=waits))))
    waiting.start()
    assert begun.wait(30)
    then()
    waiting.join(30)
    (lease,) = found
    assert lease is not None
    return lease


def test_a_stand_by_is_told_by_the_database_when_the_leader_gives_it_back() -> None:
    address = server().hall()
    leader = take(address)
    led_by(line_to(address, STANDS), leader.release).release()


def test_a_stand_by_whose_line_was_cut_listens_on_another() -> None:
    address = server().hall()
    leader = take(address)
    with Proxy(server().port) as proxy:
        by_proxy = LogAddress(
            server().address(port=proxy.port), server().address(port=proxy.port), address.hall
        )

        def cut_and_give_back() -> None:
            proxy.cut_all()
            leader.release()

        led_by(line_to(by_proxy, STANDS), cut_and_give_back).release()


def test_who_waits_asks_the_database_seldom_and_others_often_whether_it_still_does() -> None:
    address = server().hall()
    leader = take(address)
    line = line_to(address, STANDS)
    asked: list[Led] = []

    def waits(led: Led) -> bool:
        asked.append(led)
        return len(asked) < 5

    assert wait(await_lease(line, waits=waits)) is None
    assert len({led.left for led in asked}) == 1, "as it was found at one look"
    line.close()
    leader.release()


def test_who_waits_for_the_last_moment_of_a_lease_pauses_too() -> None:
    agenda = WorldAgenda()
    made_up = Database(agenda, Chance(11), Counter())
    reach = Reach(dial=made_up.dial, clock=lambda: 90_000 + agenda.now / SECOND)
    address = read_address("postgresql://database/worlds?hall=main")
    agenda.now = 123_333_332
    assert isinstance(take_lease(DatabaseLine(address, "lease", reach), seconds=USUAL), Lease)
    agenda.now += round(USUAL * SECOND)
    asked: list[Led] = []

    def waits(led: Led) -> bool:
        asked.append(led)
        return len(asked) < 10

    pause = next(await_lease(DatabaseLine(address, "next", reach), seconds=USUAL, waits=waits))
    assert pause.seconds > 0
    assert 0 < asked[0].left < 1e-11, "our own clock does not tell it from nothing"


def test_a_second_server_is_refused_with_a_sentence() -> None:
    address = server().hall()
    said = pytest.raises(StoreLocked, match=r"^Another process, .+:\d+, is writing to postgres")
    with closing(open_postgres(address, seconds=USUAL)), said:
        open_postgres(address, seconds=USUAL)


def test_a_leader_that_died_is_followed_when_its_lease_is_over() -> None:
    address = server().hall()
    with psycopg.connect(address.secret, autocommit=True) as other:
        open_postgres(address).close()
        other.execute(
            "UPDATE rookery.halls SET holder = 'dead', until = now() + '0.3 s' WHERE hall = %s",
            (address.hall,),
        )
        with closing(open_postgres(address)) as store:
            assert store.lease.epoch == 2
            store.append(moves(1))


def test_who_was_followed_writes_nothing() -> None:
    address = server().hall()
    with closing(open_postgres(address, seconds=LONG)) as store:
        store.append(moves(3))
        steal(address)
        with pytest.raises(StoreTaken, match=r"^thief has taken over"):
            store.append(moves(2, first=4))
        assert list(store.read()) == moves(3)


def test_who_was_followed_finds_out_without_a_record() -> None:
    address = server().hall()
    with closing(open_postgres(address, seconds=LONG)) as store:
        store.append([])
        assert store.leads()
        steal(address)
        with pytest.raises(StoreTaken):
            store.append([])
        assert not store.leads()


def test_who_was_followed_gives_nothing_back() -> None:
    address = server().hall()
    store = open_postgres(address, seconds=LONG)
    steal(address)
    store.close()
    line = line_to(address)
    found = take_lease(line)
    assert isinstance(found, Led)
    assert found.holder == "thief"
    line.close()


def test_a_hall_that_was_deleted_is_not_written_to() -> None:
    address = server().hall()
    with closing(open_postgres(address, seconds=LONG)) as store:
        with psycopg.connect(address.secret, autocommit=True) as other:
            other.execute("DELETE FROM rookery.halls WHERE hall = %s", (address.hall,))
        with pytest.raises(StoreTaken, match="was deleted"):
            store.append(moves(1))
