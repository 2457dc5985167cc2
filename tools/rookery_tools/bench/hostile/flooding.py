"""Beside a flood: its process from beginning to end, who comes meanwhile, and a certificate."""

import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns

from rookery_tools.bench.load.load import connect
from rookery_tools.bench.load.processes import STOP_PATIENCE, CannotMeasure

HELLO = b'{"type":"hello","version":1,"name":"newcomer"}\n'


@contextmanager
def flooding(port: int, name: str, lines: int) -> Iterator[Callable[[], float]]:
    """Run a flood; yields a function that ends it and returns its answers a second."""
    command = [
        sys.executable,
        "-m",
        "rookery_tools.bench.hostile.floods",
        str(port),
        name,
        str(lines),
    ]
    process = subprocess.Popen(  # noqa: S603 # our own words, and no shell
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None, "its input is a pipe"
    assert process.stdout is not None, "its output is a pipe"
    hear, tell = process.stdout, process.stdin

    def stop() -> float:
        tell.close()
        answers, seconds = hear.readline().split()
        return int(answers) / float(seconds)

    try:
        if hear.readline() != b"ready\n":
            raise CannotMeasure(f"The flood of {name} did not begin.")
        yield stop
    finally:
        tell.close()
        process.kill()
        process.wait(STOP_PATIENCE)
        hear.close()


def trusting() -> ssl.SSLContext:
    """A TLS context that believes every certificate: the test server's is self-signed."""
    tls = ssl.create_default_context()
    tls.check_hostname = False
    tls.verify_mode = ssl.CERT_NONE
    return tls


def newcomer(port: int, *, sealed: bool) -> int:
    """How many nanoseconds it takes to call, under TLS or not, and be greeted."""
    tls = trusting() if sealed else None
    began = perf_counter_ns()
    with connect(port) as plain:
        line = plain if tls is None else tls.wrap_socket(plain)
        with line:
            line.sendall(HELLO)
            if not line.recv(1 << 16):
                raise CannotMeasure("The server hung up on who came beside a flood.")
            return perf_counter_ns() - began


def certificate(folder: Path) -> tuple[str, ...]:
    """A certificate of our own for the server, as its settings. Raises CannotMeasure."""
    made, key = folder / "cert.pem", folder / "key.pem"
    words = ["-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    files = ["-keyout", str(key), "-out", str(made)]
    try:
        subprocess.run(  # noqa: S603 # our own words, and no shell
            ["openssl", "req", "-x509", *words, *files],  # noqa: S607 # as people run it
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        raise CannotMeasure("openssl makes no certificate here.") from None
    return ("--tls-cert", str(made), "--tls-key", str(key))
