"""The tables in a database: made once, and refused where another version made them."""

import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count

import psycopg
import pytest

from rookery.store import StoreFailed, StoreForeign, StoreLocked
from rookery.store.address import BadAddress, LogAddress, read_address
from rookery.store.database import connect, make_tables
from rookery.store.postgres import open_hall, open_postgres
from tests.postgres import needs_postgres, server
from tests.store.logs import moves

pytestmark = needs_postgres

_numbers = count(1)


@pytest.fixture
def database() -> Iterator[LogAddress]:
    """A database of its own, with nothing in it."""
    name = f"own{next(_numbers)}"
    with psycopg.connect(server().address("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield read_address(server().address(name))
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def test_a_database_with_other_things_in_it_keeps_them(database: LogAddress) -> None:
    with psycopg.connect(database.secret, autocommit=True) as other:
        other.execute("CREATE TABLE records (mine text)")
        with closing(open_postgres(database)) as store:
            store.append(moves(2))
        assert other.execute("SELECT count(*) FROM records").fetchone() == (0,)


@pytest.mark.parametrize("number", [0, 2])
def test_tables_of_another_version_are_refused_with_a_sentence(
    number: int, database: LogAddress
) -> None:
    open_postgres(database).close()
    with psycopg.connect(database.secret, autocommit=True) as other:
        other.execute("UPDATE rookery.version SET version = %s", (number,))
    said = rf"^Another version of Rookery wrote .*: its schema is {number}, .* knows 1\.$"
    for opening in (open_postgres, open_hall):
        with pytest.raises(StoreForeign, match=said):
            opening(database)


def test_making_that_fails_leaves_nothing(database: LogAddress) -> None:
    with psycopg.connect(database.secret, autocommit=True) as other:
        other.execute("CREATE SCHEMA rookery")
        other.execute("CREATE TABLE rookery.standbys (mine text)")
        with closing(connect(database, "test")) as connection, pytest.raises(psycopg.Error):
            make_tables(connection, database)
        other.execute("DROP TABLE rookery.standbys")
    open_postgres(database).close()


def test_two_halls_in_one_database_know_nothing_of_each_other(database: LogAddress) -> None:
    other = read_address(f"{database.secret}?hall=cs4500")
    with closing(open_postgres(database)) as one, closing(open_postgres(other)) as two:
        one.append(moves(3))
        two.append(moves(2, table=7))
        assert (one.last_seq(), one.last_table(), two.last_seq(), two.last_table()) == (3, 1, 2, 7)
        assert list(one.read()) == moves(3)
        assert list(two.unfinished()) == moves(2, table=7)
    assert str(other).endswith("?hall=cs4500")


def test_a_server_that_says_it_is_safe_before_it_is_is_told_not_to(database: LogAddress) -> None:
    name = database.secret.rpartition("/")[2]
    with psycopg.connect(database.secret, autocommit=True) as other:
        other.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    with closing(connect(database, "test")) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


def test_a_user_who_may_not_is_told_so(database: LogAddress) -> None:
    with psycopg.connect(database.secret, autocommit=True) as other:
        other.execute("DROP ROLE IF EXISTS guest")
        other.execute("CREATE ROLE guest LOGIN")
    guest = read_address(database.secret.replace("postgres@", "guest@", 1))
    with pytest.raises(StoreFailed, match="its user may not: permission denied for database"):
        open_postgres(guest)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ann:sword/fish@db/rookery",
        "postgresql://ann:sword#fish@db/rookery",
        "postgresql://ann:sword?fish@db/rookery",
        "postgresql://ann:swordfish:x/rookery",
    ],
)
def test_an_address_that_would_show_its_password_is_refused(text: str) -> None:
    with pytest.raises(BadAddress) as refused:
        read_address(text)
    assert "fish" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://ann:sword%2Ffish@db:5433/rookery", "postgresql://ann@db:5433/rookery"),
        ("postgres://ann@a:1,b:2/rookery?sslmode=require", "postgres://ann@a:1,b:2/rookery"),
        ("postgresql:///rookery?password=swordfish&hall=x", "postgresql:///rookery?hall=x"),
        ("postgresql://[::1]:5432/rookery", "postgresql://[::1]:5432/rookery"),
        ("postgresql:///rookery?host=/run/postgresql", "postgresql:///rookery"),
    ],
)
def test_an_address_is_shown_without_its_password(text: str, shown: str) -> None:
    address = read_address(text)
    assert str(address) == shown
    assert "fish" not in repr(address)


def test_words_of_others_are_shown_without_the_password() -> None:
    address = read_address("postgresql://ann:sword%2Ffish@db/rookery")
    assert address.scrubbed("no host sword%2Ffish, or sword/fish") == "no host ***, or ***"


def test_who_is_refused_for_another_waits_no_longer_than_it_must(database: LogAddress) -> None:
    with closing(open_postgres(database)), pytest.raises(StoreLocked):
        open_postgres(database)


def test_servers_that_begin_together_make_the_tables_once(database: LogAddress) -> None:
    together, wrong = threading.Barrier(6), list[Exception]()

    def begin() -> None:
        try:
            with closing(connect(database, "test")) as connection:
                together.wait(30)
                make_tables(connection, database)
        except (StoreFailed, psycopg.Error) as mistake:
            wrong.append(mistake)

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert wrong == []
