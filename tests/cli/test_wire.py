"""`rookery wire`: every byte of both directions, with its time and direction."""

import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.running import run_process
from tests.warm import ended


def wire(typed: bytes, *words: str, answer: bytes = b"") -> tuple[list[str], bytes, int]:
    """The lines it prints, what the server heard, and the exit code."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            line, _ = listening.accept()
            with line:
                line.sendall(answer)
                while piece := line.recv(1 << 16):
                    heard.append(piece)

        server = threading.Thread(target=serve)
        server.start()
        at = f"127.0.0.1:{listening.getsockname()[1]}"
        ran = ended("wire", "--at", at, *words, typed=typed, env=os.environ)
        server.join(60)
    return ran.stdout.splitlines(), b"".join(heard), ran.returncode


def without_times(lines: list[str]) -> list[str]:
    return [re.sub(r"^\d\d:\d\d:\d\d\.\d\d\d ", "", line) for line in lines]


def test_what_is_typed_goes_out_as_it_is_and_both_directions_are_shown() -> None:
    lines, heard, code = wire(b"@PING\n@GET NAME:1\n", answer=b"@PONG\r\n")
    assert heard == b"@PING\n@GET NAME:1\n"
    assert {"> @PING\\n", "> @GET NAME:1\\n", "< @PONG\\r\\n"} <= set(without_times(lines))
    assert lines[-1] == "The server hung up."
    assert code == 0


def test_what_is_typed_may_come_from_a_file(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_bytes(b"@PING\n")
    with socket.create_server(("127.0.0.1", 0)) as listening, script.open("rb") as typed:
        at = f"127.0.0.1:{listening.getsockname()[1]}"
        command = [sys.executable, "-m", "rookery", "wire", "--at", at]
        with subprocess.Popen(command, stdin=typed, stdout=subprocess.PIPE) as console:
            line, _ = listening.accept()
            with line:
                assert line.recv(100) == b"@PING\n"
            console.communicate(timeout=60)
    assert console.returncode == 0


def test_lines_may_end_in_cr_lf() -> None:
    assert wire(b"one\ntwo\n", "--crlf")[1] == b"one\r\ntwo\r\n"


def test_raw_bytes_are_not_touched() -> None:
    sent = b"\x01\x00\x00\n\xff"
    lines, heard, _ = wire(sent, "--raw", "--crlf")
    assert heard == sent
    assert "> \\x01\\x00\\x00\\n" in without_times(lines)
    assert "> \\xff" in without_times(lines)


@pytest.mark.parametrize("at", ["127.0.0.1:1", "127.0.0.1:no"])
def test_a_server_that_is_not_there_is_one_sentence(at: str) -> None:
    ran = run_process("wire", "--at", at)
    assert ran.returncode == 2
    assert ran.stderr.startswith("Error: ")
    assert ran.stderr.count("\n") == 1
