"""One port for every language, and ports of one dialect beside it; over real sockets."""

import socket
import ssl
from pathlib import Path

import pytest

from rookery.dialects import DIALECTS
from rookery.server.config import BadSetting, load
from tests.server.process import PATIENCE, Server, serving


def session(server: Server, words: bytes, *, port: int | None = None) -> bytes:
    """What the server says to someone who says this and no more."""
    with socket.create_connection(("127.0.0.1", port or server.port), timeout=PATIENCE) as line:
        line.sendall(words)
        line.shutdown(socket.SHUT_WR)
        said = b""
        while piece := line.recv(1 << 16):
            said += piece
        return said


def test_a_browser_and_a_program_call_the_same_port(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert session(server, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 OK\r\n")
        assert b'"type":"hello"' in session(server, b'{"type":"hello","version":1}\n')
        assert b'"type":"hello"' in session(server, b'\r\n \t{"type":"hello","version":1}\n')


def test_a_stranger_gets_one_helpful_line_and_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        said = session(server, b"hello?\n").decode()
        assert said.startswith("This is Rookery, and it does not know that language")
        assert "native" in said
        assert said.count("\n") == 1


@pytest.mark.parametrize("words", [b"hello", b"  hel", b"enterroo"])
def test_a_stranger_who_ends_no_line_gets_it_too(tmp_path: Path, words: bytes) -> None:
    with serving(tmp_path) as server:
        assert session(server, words).startswith(b"This is Rookery")


@pytest.mark.parametrize("words", [b"", b" \n", b'{"type":"ping"}', b"ENTERROOM"])
def test_a_line_cut_short_is_no_strange_language(tmp_path: Path, words: bytes) -> None:
    with serving(tmp_path) as server:
        assert session(server, words) == b""


def test_bytes_one_at_a_time_are_recognised_too(tmp_path: Path) -> None:
    with (
        serving(tmp_path) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line,
    ):
        for byte in b'  {"type":"ping"}\n':
            line.sendall(bytes([byte]))
        assert line.recv(100) == b'{"type":"pong"}\n'


def test_a_port_of_one_dialect_speaks_nothing_else(tmp_path: Path) -> None:
    with serving(tmp_path, "--listen", "native=0") as server:
        port = server.port_alone()
        assert session(server, b'{"type":"ping"}\n', port=port) == b'{"type":"pong"}\n'
        assert b'"unreadable"' in session(server, b"hello?\n", port=port)


@pytest.mark.parametrize(
    ("listen", "sentence"),
    [
        ("klingon=1", "There is no dialect 'klingon'"),
        ("native", "is written DIALECT=PORT"),
        ("native=x", "The port of native is a number"),
        ("native=1,native=2", "more than one port for 'native'"),
    ],
)
def test_a_wrong_port_is_one_sentence(listen: str, sentence: str) -> None:
    with pytest.raises((BadSetting, ValueError), match=sentence):
        load({"listen": listen}, {}, None)


def test_a_dialect_s_options_come_from_its_table_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text("[listen.native]\nport = 7351\nloud = true\n")
    with pytest.raises(ValueError, match="The dialect native has no option 'loud'; it has none"):
        load({}, {}, file)


def test_with_tls_on_sealed_and_plain_callers_share_the_port(tmp_path: Path) -> None:
    here = Path(__file__).parents[1]
    cert, key = here / "tls-cert.pem", here / "tls-key.pem"
    trusting = ssl.create_default_context(cafile=cert)
    with serving(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key)) as server:
        assert session(server, b'{"type":"ping"}\n') == b'{"type":"pong"}\n'
        with (
            socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line,
            trusting.wrap_socket(line, server_hostname="localhost") as sealed,
        ):
            sealed.sendall(b'{"type":"ping"}\n{"type":"list_games"}\n')
            said = b""
            while said.count(b"\n") < 2:
                said += sealed.recv(1 << 16)
            assert said.startswith(b'{"type":"pong"}\n{"type":"games"')


def test_who_only_seems_to_speak_tls_is_hung_up_on_and_nobody_else(tmp_path: Path) -> None:
    here = Path(__file__).parents[1]
    cert, key = str(here / "tls-cert.pem"), str(here / "tls-key.pem")
    with serving(tmp_path, "--tls-cert", cert, "--tls-key", key) as server:
        session(server, b"\x16\x03\x01nonsense that is no handshake")
        assert session(server, b'{"type":"ping"}\n') == b'{"type":"pong"}\n'
        assert server.stop() == 0


def test_without_tls_a_sealed_caller_is_a_stranger(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert session(server, b"\x16\x03\x01").startswith(b"This is Rookery")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_browser_at_a_port_of_one_dialect_is_told_so_in_its_own_words(
    tmp_path: Path, dialect: str
) -> None:
    with serving(tmp_path, "--listen", f"{dialect}=0") as server:
        port = server.port_alone()
        said = session(server, b"GET / HTTP/1.0\r\n\r\n", port=port).decode()
        assert said.startswith("HTTP/1.0 421 ")
        assert f"This port of Rookery speaks {dialect} alone" in said
        assert f"page is at port {server.port}." in said
        assert session(server, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200 OK\r\n")
