"""Standing by: whoever waits has all but the lease before it is its turn."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
import pytest

from rookery.store.address import LogAddress, Reach
from rookery.store.database import PatientConnection, Waiting
from rookery.store.postgres import PostgresStore, open_postgres, standing_by
from tests.postgres import needs_postgres, server
from tests.store.logs import moves

pytestmark = needs_postgres

TOLD = True


class Dialling:
    """Notes for what connections are made, and makes only some. It mutates."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.connections: list[PatientConnection] = []
        self.refuses: tuple[str, ...] = ()

    def __call__(self, secret: str, **how: Any) -> PatientConnection:  # Any: as psycopg has them
        name = how["application_name"].split()[1]
        if name in self.refuses:
            raise psycopg.OperationalError("too many clients already")
        self.made.append(name)
        made = PatientConnection.connect(secret, **how)
        assert isinstance(made, PatientConnection)
        self.connections.append(made)
        return made


def led(waiting: Waiting[PostgresStore | None]) -> PostgresStore:
    """The store of who is told that it need not wait any more."""
    with pytest.raises(StopIteration) as end:
        waiting.send(TOLD)
    store = end.value.value
    assert isinstance(store, PostgresStore)
    return store


def waits_behind(
    leader: PostgresStore, address: LogAddress, dial: Callable[..., Any]
) -> Waiting[PostgresStore | None]:
    """Somebody who stands by, and has looked."""
    waiting = standing_by(address, Reach(dial=dial), waits=lambda _: True)
    next(waiting)
    next(waiting)
    leader.append(moves(3))
    return waiting


def test_who_takes_over_has_called_the_database_before() -> None:
    address, dialling = server().hall(), Dialling()
    leader = open_postgres(address)
    waiting = waits_behind(leader, address, dialling)
    assert sorted(dialling.made) == ["lease", "reading", "writing"]
    leader.close()
    with closing(led(waiting)) as store:
        assert list(store.read()) == moves(3)
        store.append(moves(1, first=4))
        assert store.organiser("first") == store.organiser("second")
        assert len(dialling.made) == 3


def test_connections_that_were_cut_meanwhile_are_made_anew() -> None:
    address, dialling = server().hall(), Dialling()
    leader = open_postgres(address)
    waiting = waits_behind(leader, address, dialling)
    with psycopg.connect(server().address(), autocommit=True) as other:
        for one in dialling.connections:
            other.execute("SELECT pg_terminate_backend(%s, 10000)", (one.info.backend_pid,))
    leader.close()
    with closing(led(waiting)) as store:
        assert list(store.read()) == moves(3)
        store.append(moves(1, first=4))


def test_who_has_only_a_connection_for_the_lease_takes_over_with_others_later() -> None:
    address, dialling = server().hall(), Dialling()
    leader = open_postgres(address)
    dialling.refuses = ("reading", "writing")
    waiting = waits_behind(leader, address, dialling)
    assert dialling.made == ["lease"]
    leader.close()
    dialling.refuses = ()
    with closing(led(waiting)) as store:
        assert list(store.read()) == moves(3)


def test_who_goes_before_its_turn_leaves_no_connection_behind() -> None:
    address, dialling = server().hall(), Dialling()
    leader = open_postgres(address)
    waiting = waits_behind(leader, address, dialling)
    waiting.close()
    assert [one.closed for one in dialling.connections] == [True, True, True]
    leader.close()
