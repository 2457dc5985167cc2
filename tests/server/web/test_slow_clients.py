"""Clients that are slow on purpose: each is hung up on in time, and nobody else notices."""

import pytest

from rookery.server.limits import PIECE
from tests.server.web.inhouse import LONG, Inhouse, story

SOON = 0.1  # seconds, in place of those that the server waits

HEAD = b"GET /short HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = HEAD + b"\r\n"
LAST = HEAD + b"Connection: close\r\n\r\n"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(b"GET /sh", id="in the first line"),
        pytest.param(HEAD, id="before the head ends"),
        pytest.param(
            b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nshort",
            id="in a body shorter than it said",
        ),
        pytest.param(
            b"POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nsho",
            id="in a chunk",
        ),
    ],
)
def test_who_stops_in_the_middle_of_a_request_is_hung_up_on(words: bytes) -> None:
    async def told(inhouse: Inhouse) -> None:
        reader, _ = await inhouse.call(words)
        assert await reader.read() == b""

    story(told, request_timeout=SOON)


def test_a_byte_now_and_then_gains_no_time() -> None:
    async def told(inhouse: Inhouse) -> None:
        reader, writer = await inhouse.call(b"GET /short HTTP/1.1\r\nHost: localhost\r\nX: ")
        while not reader.at_eof() and len(inhouse.listener) > 1:
            writer.write(b"x")
            await inhouse.ping()

    story(told, request_timeout=SOON)


def test_who_stops_in_the_middle_of_its_second_request_is_hung_up_on_too() -> None:
    async def told(inhouse: Inhouse) -> None:
        reader, writer = await inhouse.call(WHOLE)
        assert b"200 OK" in await reader.readuntil(b"short")
        writer.write(HEAD)
        assert await reader.read() == b""

    story(told, request_timeout=SOON)


def test_who_stops_in_a_request_that_came_with_the_one_before_is_hung_up_on_too() -> None:
    async def told(inhouse: Inhouse) -> None:
        half = b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nshort"
        reader, _ = await inhouse.call(WHOLE + half)
        assert b"200 OK" in await reader.readuntil(b"short")
        assert await reader.read() == b""

    story(told, request_timeout=SOON)


def test_an_empty_line_before_a_request_is_nothing() -> None:
    async def told(inhouse: Inhouse) -> None:
        reader, writer = await inhouse.call(WHOLE)
        assert b"200 OK" in await reader.readuntil(b"short")
        writer.write(b"\r\n")
        await inhouse.ping()
        writer.write(b"\r\n" + LAST)
        assert b"200 OK" in await reader.read()

    story(told)


def test_a_long_body_and_what_comes_behind_it_are_read_to_the_end() -> None:
    async def told(inhouse: Inhouse) -> None:
        many = 50 * PIECE + 7
        post = b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % many
        reader, _ = await inhouse.call((post + b"x" * many) * 2 + LAST)
        for _ in range(2):
            assert b"200 OK" in await reader.readuntil(b"\r\n\r\n%d" % many)
        assert b"200 OK" in await reader.read()

    story(told)


def test_who_asked_whole_is_answered_however_long_that_takes() -> None:
    async def told(inhouse: Inhouse) -> None:
        waits, _ = await inhouse.call(b"GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n")
        later, _ = await inhouse.call(HEAD)
        assert await later.read() == b""  # the time for a request is over
        inhouse.held.set()
        assert b"200 OK" in await waits.readuntil(b"held")

    story(told, request_timeout=SOON)


def test_who_does_not_read_its_answer_is_cut_off() -> None:
    async def told(inhouse: Inhouse) -> None:
        reader, _ = await inhouse.call(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await inhouse.alone()
        heard = 0
        try:
            while piece := await reader.read(1 << 20):
                heard += len(piece)
        except ConnectionError:
            pass
        assert heard < LONG

    story(told, reading_timeout=SOON)


def test_who_reads_a_long_answer_has_all_of_it() -> None:
    async def told(inhouse: Inhouse) -> None:
        ask = b"GET /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        reader, _ = await inhouse.call(ask)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"200 OK" in head
        heard = 0
        while piece := await reader.read(1 << 20):
            heard += len(piece)
        assert heard == LONG

    story(told)


def test_many_slow_clients_at_once_are_all_hung_up_on() -> None:
    async def told(inhouse: Inhouse) -> None:
        for words in (
            b"GET /sh",
            HEAD,
            b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
        ):
            for _ in range(50):
                await inhouse.call(words)
        await inhouse.alone()

    story(told, request_timeout=SOON)


def test_beside_slow_clients_others_are_answered() -> None:
    async def told(inhouse: Inhouse) -> None:
        for words in (b"P", HEAD, b"GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            for _ in range(50):
                await inhouse.call(words)
        await inhouse.call(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")  # and does not read it
        for _ in range(20):
            reader, _writer = await inhouse.call(LAST)
            assert (await reader.read()).endswith(b"short")
            await inhouse.ping()

    story(told)


def test_who_goes_away_while_it_is_answered_leaves_nothing_behind() -> None:
    async def told(inhouse: Inhouse) -> None:
        for path in (b"held", b"long"):
            _, writer = await inhouse.call(b"GET /%b HTTP/1.1\r\nHost: localhost\r\n\r\n" % path)
            await inhouse.ping()
            writer.transport.abort()
        inhouse.held.set()
        await inhouse.alone()

    story(told)


def test_a_hundred_requests_in_one_piece_are_answered_in_order() -> None:
    async def told(inhouse: Inhouse) -> None:
        asked = [
            b"GET /short%b HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"" if n % 2 else b"er")
            for n in range(100)
        ]
        reader, _ = await inhouse.call(b"".join(asked) + LAST)
        lines = [line for line in (await reader.read()).split(b"\r\n") if b"HTTP/1.1 " in line]
        statuses = [line.rpartition(b"HTTP/1.1 ")[2][:3] for line in lines]
        assert statuses == [b"404", b"200"] * 50 + [b"200"]

    story(told)
