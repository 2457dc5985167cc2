"""`rookery close`: the organiser ends a table from the shell."""

from pathlib import Path

from tests.cli.running import run
from tests.cli.tours import venue
from tests.server.process import Client


def test_a_table_is_closed_with_its_reason_and_only_once(tmp_path: Path) -> None:
    with venue(tmp_path / "data") as there:
        ann = Client(there.port)
        ann.say_bytes(
            b'{"type":"hello","version":1,"name":"ann"}\n{"type":"open","variant":"nim"}\n'
        )
        while ann.next().type != "done":
            pass
        done = run("close", "1", "--reason", "Nobody came", *there.flags)
        assert (done.stdout, done.exit_code) == ("Table 1 is closed.\n", 0), done.stderr
        assert "Nobody came." in ann.notice().sentence
        again = run("close", "1", *there.flags)
        assert (again.stdout, again.exit_code) == ("", 2)
        assert again.stderr == "Error: Table 1 is over already.\n"
        ann.close()
    told = run("log", "1", "--data", str(tmp_path / "data")).stdout
    assert "The organiser closed the table: Nobody came." in told
    assert run("verify", "--data", str(tmp_path / "data")).exit_code == 0


def test_who_has_no_token_closes_nothing(tmp_path: Path) -> None:
    with venue(tmp_path / "data") as there:
        done = run("close", "1", "--at", f"127.0.0.1:{there.port}", "--token", "a guess")
        assert done.exit_code == 2
        assert "is not the organiser's" in done.stderr
