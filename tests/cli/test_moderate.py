"""`rookery moderate`: from the shell, as the organiser."""

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.cli.tours import venue
from tests.server.process import Client

WORDS = "correct horse battery"


def hello(port: int, name: str) -> Client:
    client = Client(port)
    client.say_bytes(f'{{"type":"hello","version":1,"name":"{name}"}}\n'.encode())
    client.next()
    return client


def test_a_player_is_muted_banned_and_let_in_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOKERY_PASSPHRASE", WORDS)
    with venue(tmp_path / "data") as there:
        kept = run("account", "mod", "--at", f"127.0.0.1:{there.port}")
        assert kept.exit_code == 0, kept.stderr
        eve = hello(there.port, "eve")

        def did(*words: str, fails: str = "") -> str:
            done = run("moderate", *words, *there.flags)
            assert done.exit_code == (2 if fails else 0), done.stderr
            assert fails in done.stderr
            return done.stdout

        did("mute", "2", "--for", "2h", "--reason", "Rude")
        did("ban", "2", "--home", fails="this machine's own address")
        did("ban", "2", "--for", "7d")
        did("ban", fails="Say a player's number, or --host")
        did("ban", "2", "--for", "soon", fails="90s, 30m, 2h or 7d")
        did("unban", "2")
        did("unban", "2", fails="Player 2 is not banned.")
        did("unmute", "2")
        did("unmute", "2", fails="Player 2 is not muted.")
        did("unban", "--host", "192.0.2.7", fails="The host 192.0.2.7 is not banned.")
        drawn = did("reset", "mod").removeprefix("The passphrase of mod is now: ").strip()
        gone = run("account", "mod", "--give-up", "--at", f"127.0.0.1:{there.port}")
        assert (gone.exit_code, "no such name" in gone.stderr) == (2, True)
        monkeypatch.setenv("ROOKERY_PASSPHRASE", drawn)
        gone = run("account", "mod", "--give-up", "--at", f"127.0.0.1:{there.port}")
        assert gone.stdout.startswith("mod is kept no more"), gone.stderr
        eve.close()
    assert run("verify", "--data", str(tmp_path / "data")).exit_code == 0
