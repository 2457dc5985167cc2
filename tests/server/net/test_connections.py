"""Connections that hold something and give nothing: half a word, half a handshake, too many."""

import logging
import resource
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.dialects.native import Ping
from rookery.server.config import Port, Settings
from rookery.server.limits import (
    FILES_RESERVED,
    HANDSHAKE,
    HANDSHAKE_MAX,
    SESSIONS_MAX,
    SILENCE,
    Bounds,
)
from rookery.server.net.connection import Connection
from rookery.server.net.fair import Source
from rookery.server.net.listener import CROWDED, FULL, Listener, raise_limit, sessions_among
from rookery.server.net.tls import TlsLayer, tls_of
from tests.server.desk import turns, until
from tests.server.net.test_door import NUMBERS, PING, PONG, Porch, scene
from tests.server.process import PATIENCE, serving

HERE = Path(__file__).parents[1]
HOME = "2001:db8:0:1::{:x}"
NOBODY = Source("", lambda _: False)


def certificate() -> ssl.SSLContext:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(HERE / "tls-cert.pem", HERE / "tls-key.pem")
    return tls


# To load all that a machine trusts takes longer than a handshake, and nobody here asks for it.
CALLER = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def hello() -> bytes:
    """How a client of TLS begins."""
    out = ssl.MemoryBIO()
    client = CALLER.wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return out.read()


# -- silence


@pytest.mark.parametrize("words", [b"{", b'{"type":"pi', b"EN", b" "])
@pytest.mark.parametrize("port", [Port(), Port("native")])
def test_who_says_half_a_word_and_stops_is_closed_like_a_silent_one(
    words: bytes, port: Port
) -> None:
    async def told(porch: Porch) -> None:
        half, source = await porch.call(port), await porch.call(port)
        await half.says(words)
        assert await source.asks(PING) == PONG
        await turns()
        porch.desk.passes(SILENCE)
        porch.listener.sweep()
        assert await half.hears() == b""
        assert await source.asks(PING) == PONG

    scene(told)


# -- TLS


def test_half_a_handshake_is_closed_after_ten_seconds() -> None:
    async def told(porch: Porch) -> None:
        porch.listener.tls = certificate()
        first, half, plain = [await porch.call(Port()) for _ in range(3)]
        await first.says(hello()[:1])
        await half.says(hello())
        assert await half.hears(), "its hello is answered"
        assert await plain.asks(PING) == PONG
        porch.desk.passes(HANDSHAKE - 1)
        porch.listener.sweep()
        await turns()
        assert len(porch.listener) == 3
        porch.desk.passes(1)
        porch.listener.sweep()
        await until(lambda: len(porch.listener) == 1)
        assert await plain.asks(PING) == PONG

    scene(told)


def test_bytes_before_hands_are_shaken_are_bounded() -> None:
    sealed = TlsLayer(certificate())
    record = b"\x16\x03\x01\x40\x00\x01\x01\xff\xff" + bytes((1 << 14) - 4)  # a hello of 128 kB
    for _ in range(HANDSHAKE_MAX // len(record)):
        sealed.take(record)
        sealed.handshake()
        assert sealed.read() == b""
    assert not sealed.ended
    sealed.take(record)
    assert sealed.read() == b""
    assert sealed.ended


def test_hands_are_shaken_once() -> None:
    cert, key = str(HERE / "tls-cert.pem"), str(HERE / "tls-key.pem")
    tls = tls_of(Settings(tls_cert=cert, tls_key=key))
    assert tls is not None
    assert tls.options & ssl.OP_NO_RENEGOTIATION


# -- how many


def test_all_connections_together_have_a_bound_and_it_is_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def told(porch: Porch) -> None:
        listener = Listener(porch.desk.runner, porch.desk.time, NUMBERS, Bounds(sessions=100))
        nobody = Connection(listener)
        came = [listener.admit(nobody, f"192.0.2.{n}") for n in range(100)]
        with caplog.at_level(logging.WARNING):
            late = [listener.admit(nobody, f"198.51.100.{n}") for n in range(50)]
        assert late == [CROWDED] * 50
        assert [r.getMessage()[:30] for r in caplog.records] == ["all 100 connections of all hos"]
        for n, session in enumerate(came[:11]):
            assert not isinstance(session, bytes)
            listener.leave(session, f"192.0.2.{n}", NOBODY)
        again = [listener.admit(nobody, f"203.0.113.{n}") for n in range(12)]
        assert again[-1] == CROWDED
        assert len(caplog.records) == 2, "it was calm in between"

    scene(told)


def test_one_home_has_three_quarters_at_the_most_and_it_is_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def told(porch: Porch) -> None:
        listener = Listener(porch.desk.runner, porch.desk.time, NUMBERS, Bounds(sessions=100))
        nobody = Connection(listener)
        with caplog.at_level(logging.WARNING):
            came = [listener.admit(nobody, "127.0.0.1") for _ in range(80)]
        assert [r.getMessage()[:34] for r in caplog.records] == [
            "all 75 connections of 127.0.0.1 ar"
        ]
        assert came[75:] == [FULL] * 5
        assert FULL not in came[:75]
        assert listener.admit(nobody, "192.0.2.1") not in (FULL, CROWDED)

    scene(told)


def test_the_addresses_of_one_home_are_counted_together() -> None:
    async def told(porch: Porch) -> None:
        listener = Listener(porch.desk.runner, porch.desk.time, NUMBERS)
        nobody = Connection(listener)
        came = [listener.admit(nobody, HOME.format(n)) for n in range(500)]
        assert FULL not in came
        assert listener.admit(nobody, HOME.format(999)) == FULL
        assert listener.admit(nobody, "2001:db8:0:2::1") != FULL
        assert not isinstance(came[7], bytes)
        listener.leave(came[7], HOME.format(7), NOBODY)
        assert listener.admit(nobody, HOME.format(999)) != FULL

    scene(told)


@pytest.mark.parametrize(
    ("files", "sessions"),
    [(64, 1), (256, 192), (1_024, 768), (8_192, 8_192 - 1_088), (1 << 20, SESSIONS_MAX)],
)
def test_some_files_are_kept_back(files: int, sessions: int) -> None:
    assert sessions_among(files) == sessions
    assert sessions == 1 or sessions <= files - FILES_RESERVED


def test_the_bound_on_files_is_raised_as_far_as_it_may_be() -> None:
    told = (
        "import resource\n"
        "_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
        "hard = 2_000 if hard == resource.RLIM_INFINITY else min(hard, 2_000)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))\n"
        "from rookery.server.net.listener import raise_limit\n"
        "assert raise_limit() == hard\n"
        "assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard\n"
    )
    assert subprocess.run([sys.executable, "-c", told], check=False).returncode == 0
    assert raise_limit() <= resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def test_a_server_with_few_files_refuses_in_words_and_goes_on(tmp_path: Path) -> None:
    """The log says so once; who was there plays on, and what frees makes room."""
    with serving(tmp_path / "few", files=160) as server:
        ann = server.enter("ann")
        crowd = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]
        crowd[-1].settimeout(PATIENCE)
        assert crowd[-1].recv(200) in (FULL, CROWDED)
        assert ann.ask(Ping()).type == "pong"
        for one in crowd:
            one.close()
        assert server.enter("bob").ask(Ping()).type == "pong"
        assert server.stop() == 0
        assert server.complaints().count("and more are refused") == 1
