"""The life of a server process: how it begins, how it ends, and what it says then."""

import signal
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.core.events import Said
from rookery.core.intents import History, Play, Say
from rookery.dialects.native import Ping
from rookery.store.sqlite import open_for_reading
from rookery.verify.log import check_log
from tests.server.games import sit_down
from tests.server.process import PATIENCE, environment, failed_start, serving

HERE = Path(__file__).parent
CERT, KEY = HERE / "tls-cert.pem", HERE / "tls-key.pem"  # for `localhost`, and for nobody else

# A server that is sent a signal by whoever has just read that it listens.
STOPPED_AT_ONCE = """
import os, sys
from rookery.server.config import IN_MEMORY, load
from rookery.server.app import run
def say(line):
    if "listens on" in line:
        os.kill(os.getpid(), int(sys.argv[1]))
sys.exit(run(load({"port": "0", "data": IN_MEMORY, "house": "off"}, {}, None), say))
"""


def failing_start(folder: Path, *flags: str) -> tuple[int, str]:
    """A server that cannot start: its exit code, and what it says."""
    ended = failed_start(folder, *flags)
    assert ended.stdout == ""
    return ended.returncode, ended.stderr


# -- going down in good order


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_tells_everyone_that_it_closes_and_exits_with_0(
    number: signal.Signals, tmp_path: Path
) -> None:
    with serving(tmp_path) as server:
        ann, nobody = server.enter("ann"), server.call()
        nobody.ask(Ping())
        assert server.stop(number) == 0
        assert [told.code for told in ann.rest() + nobody.rest()] == ["closing", "closing"]
        assert "Traceback" not in server.complaints()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_can_be_asked_to_stop_as_soon_as_it_says_that_it_listens(number: signal.Signals) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", STOPPED_AT_ONCE, str(number.value)],
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 0


def test_who_asks_it_to_stop_many_times_does_not_kill_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.enter("ann")
        for number in (signal.SIGTERM, signal.SIGINT) * 5:
            server.process.send_signal(number)
        assert server.gone() == 0


def test_who_began_a_handshake_and_no_more_does_not_disturb_its_end(tmp_path: Path) -> None:
    flags = ("--tls-cert", str(CERT), "--tls-key", str(KEY), "--listen", "native=0")
    with serving(tmp_path, *flags) as server:
        half = socket.create_connection(("127.0.0.1", server.port_alone()), timeout=PATIENCE)
        ann = server.enter("ann")
        half.sendall(b"\x16")
        ann.ask(Ping())
        assert server.stop() == 0
        assert [told.code for told in ann.rest()] == ["closing"]
        half.close()


def test_what_was_done_before_it_closes_is_in_one_file(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        ann.done(Play(sit_down(ann, bob), "4"))
        server.stop()
        assert not server.log_file.with_name(f"{server.log_file.name}-wal").exists()
        log = open_for_reading(server.log_file)
        assert list(check_log(log.read())) == []
        log.close()


def test_all_that_it_did_was_told_before_it_closed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        ann.say(*[Say(table, str(n)) for n in range(400)])
        ann.answer()
        assert server.stop() == 0
        done = 1 + sum(told.type == "done" for told in ann.rest())
    with serving(tmp_path) as server:
        past = server.call().back(ann).ask(History(table)).events
        said = [entry.event.text for entry in past if isinstance(entry.event, Said)]
        assert said == [str(n) for n in range(done)]


def test_a_restart_after_a_good_end_goes_on_where_it_was(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        ann.done(Play(table, "4"))
        server.stop()
    with serving(tmp_path) as server:
        server.call().back(bob).done(Play(table, "0"))


# -- not starting at all


def test_a_second_server_on_the_same_folder_says_so_and_exits_with_2(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        code, said = failing_start(tmp_path)
        assert code == 2
        assert said == f"Error: Another process is writing to {server.log_file}.\n"
        assert server.call().ask(Ping()).type == "pong"


def test_a_port_in_use_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = failing_start(tmp_path, "--port", str(port))
        assert code == 2
        last = said.splitlines()[-1]
        why = "somebody listens there already; --port has another."
        assert last == f"Error: Cannot listen on 127.0.0.1:{port}: {why}"
        assert "Traceback" not in said


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--port", "70000"), "A port is a number from 0 to 65535, not 70000."),
        (("--port", "seven"), "port is a whole number, and "),
        (("--log-level", "loud"), "log_level is debug, info, warning or error, not 'loud'."),
        (("--tls-cert", str(CERT)), "TLS needs both tls_cert and tls_key."),
        (("--host", "no.such.host.invalid"), "Cannot listen on no.such.host.invalid:0: "),
        (("--tls-cert", str(KEY), "--tls-key", str(CERT)), "The TLS certificate or key cannot"),
        (("--data", "/dev/null/log"), "The folder /dev/null/log cannot be made: "),
        (("--config", "/dev/null/rookery.toml"), "The settings file /dev/null/rookery.toml cannot"),
    ],
)
def test_bad_settings_are_one_sentence_and_exit_code_2(
    flags: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    code, said = failing_start(tmp_path, *flags)
    assert code == 2
    assert said.splitlines()[-1].startswith(f"Error: {sentence}")
    assert "Traceback" not in said


# -- TLS


def test_a_game_over_tls(tmp_path: Path) -> None:
    trusting = ssl.create_default_context(cafile=str(CERT))
    with serving(tmp_path, "--tls-cert", str(CERT), "--tls-key", str(KEY)) as server:
        ann = server.call(tls=trusting).enter("ann")
        bob = server.call(tls=trusting).enter("bob")
        table = sit_down(ann, bob)
        for client, move in zip([ann, bob, ann, bob, ann], "40162", strict=True):
            client.done(Play(table, move))
        assert ann.ask(History(table)).events[-1].event == bob.ask(History(table)).events[-1].event
        server.process.terminate()
        for client in (ann, bob):
            assert client.rest()[-1].code == "closing"
            client.close()  # a TLS connection is closed by both
        assert server.gone() == 0
