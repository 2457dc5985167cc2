"""Bytes that once killed the server, or froze it: what a library below HTTP takes badly."""

import socket
import ssl
from pathlib import Path

from rookery.dialects.native import Ping
from tests.server.process import PATIENCE, serving

HERE = Path(__file__).parents[1]
ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_nonsense_behind_an_answer_that_came_early_ends_that_connection_alone(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        bystander = server.enter("bystander")
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
            line.sendall(
                b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n"
            )
            heard = line.makefile("rb")
            assert heard.readline().startswith(b"HTTP/1.1 401 ")
            line.sendall(b"nonsense\r\n")
            assert heard.read().endswith(b"}")
        assert bystander.ask(Ping()).type == "pong"
        assert server.stop() == 0, server.complaints()


def test_half_a_record_of_tls_is_waited_for(tmp_path: Path) -> None:
    cert, key = HERE / "tls-cert.pem", HERE / "tls-key.pem"
    with serving(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key)) as server:
        bystander = server.enter("bystander")
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            seal = Seal(line, cert)
            assert seal.ask(ASK).startswith(b"HTTP/1.1 200 ")
            record = seal.sealed(ASK)
            line.sendall(record[:7])
            assert bystander.ask(Ping()).type == "pong"  # the half has been read by now
            line.sendall(record[7:])
            assert seal.heard().startswith(b"HTTP/1.1 200 ")
        assert server.stop() == 0, server.complaints()


class Seal:
    """The other end of TLS, whose bytes are at hand. It mutates."""

    def __init__(self, line: socket.socket, cert: Path) -> None:
        self._line = line
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        trust = ssl.create_default_context(cafile=str(cert))
        self._tls = trust.wrap_bio(self._in, self._out, server_hostname="localhost")
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                line.sendall(self._out.read())
                self._in.write(line.recv(1 << 16))
            else:
                break
        line.sendall(self._out.read())

    def sealed(self, words: bytes) -> bytes:
        """These, as one record."""
        self._tls.write(words)
        return self._out.read()

    def heard(self) -> bytes:
        """An answer, whose body is an object."""
        heard = b""
        while not heard.endswith(b"}"):
            try:
                heard += self._tls.read(1 << 16)
            except ssl.SSLWantReadError:
                words = self._line.recv(1 << 16)
                assert words, "the server hung up"
                self._in.write(words)
        return heard

    def ask(self, words: bytes) -> bytes:
        """What is answered to these."""
        self._line.sendall(self.sealed(words))
        return self.heard()
