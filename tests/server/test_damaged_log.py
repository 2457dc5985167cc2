"""A damaged log under a real server: who asks for what is damaged is told, all else goes on."""

import shutil
from pathlib import Path

import pytest

from rookery.core.ids import TableId
from rookery.core.intents import History, Open, Play, Resign, Say, Show, Watch
from tests.server.games import sit_down
from tests.server.process import Client, failed_start, serving
from tests.server.web.asking import ask
from tests.store.damage import change

DAMAGED = "The record of table 1 is damaged and cannot be read; others can."


def played(folder: Path) -> tuple[Client, Client]:
    """Two who finished table 1, and play on at tables 2 and 3."""
    with serving(folder) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        for _ in range(3):
            sit_down(ann, bob)
        ann.done(Resign(TableId(1)))
        assert server.stop() == 0
    return ann, bob


def spoil(folder: Path, stream: str, n: int) -> None:
    """Flip a bit in the time of this record."""
    sql = f"UPDATE records SET at = at + 1 WHERE stream = '{stream}' AND n = {n}"
    change(folder / "rookery.db", sql)


def test_who_asks_for_a_damaged_table_is_told_and_the_server_lives(tmp_path: Path) -> None:
    ann, bob = played(tmp_path)
    spoil(tmp_path, "table/1", 3)
    with serving(tmp_path) as server:
        again, other = server.call().back(ann), server.call().back(bob)
        for intent in (History(TableId(1)), Show(TableId(1)), Watch(TableId(1))):
            told = again.ask(intent)
            assert (told.type, told.code, told.sentence) == ("refused", "damaged", DAMAGED)
        assert again.ask(Say(TableId(1), "well")).code == "damaged"
        for path in ("", "/log", "/moments", "/state", "/file"):
            problem = ask(server, "GET", f"/api/tables/1{path}").problem
            assert (problem.status, problem.code) == (500, "damaged")
            assert str(tmp_path) not in problem.detail
        assert ask(server, "GET", "/api/tables?status=over").status == 200
        assert ask(server, "GET", f"/api/players/{ann.player}/games").status == 200
        again.done(Play(TableId(2), "0"))
        other.done(Play(TableId(2), "1"))
        assert server.stop() == 0
        assert "Traceback" not in server.complaints()
        assert server.complaints().count("table/1 cannot be read back") == 1


def test_a_page_that_cannot_be_read_is_no_end_of_the_server(tmp_path: Path) -> None:
    ann, _ = played(tmp_path)
    with serving(tmp_path) as server:
        again = server.call().back(ann)
        table = again.done(Open("nim")).table
        assert table is not None
        for n in range(300):  # until there are pages of its own
            again.done(Say(table, f"{n} {'word ' * 30}"))
        again.done(Resign(TableId(2)))
        server.stop()
    content = bytearray((tmp_path / "rookery.db").read_bytes())
    middle = content.index(b"150 word") // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    (tmp_path / "rookery.db").write_bytes(content)
    with serving(tmp_path) as server:
        again = server.call().back(ann)
        assert again.ask(History(table)).code == "damaged"
        assert f"table/{table} is damaged and set aside; all others go on." in server.complaints()
        assert again.ask(History(TableId(2))).type == "past"
        again.done(Play(TableId(3), "0"))


def test_a_running_table_that_is_damaged_is_set_aside_at_the_start(tmp_path: Path) -> None:
    ann, bob = played(tmp_path)
    spoil(tmp_path, "table/2", 4)
    with serving(tmp_path) as server:
        again = server.call().back(ann)
        assert again.ask(Play(TableId(2), "0")).sentence == DAMAGED.replace("1", "2")
        again.done(Play(TableId(3), "0"))
        assert "table/2 is damaged and set aside; all others go on. Record" in server.complaints()
        assert sit_down(again, server.call().back(bob)) == 4


def test_a_damaged_record_of_the_hall_is_a_sentence_that_names_the_way_out(
    tmp_path: Path,
) -> None:
    played(tmp_path)
    spoil(tmp_path, "hall", 1)
    said = failed_start(tmp_path)
    assert said.returncode == 2
    assert said.stderr.startswith("Error: The log's record of who the players are is damaged: ")
    assert "`rookery salvage`" in said.stderr
    assert said.stderr.count("\n") == 1


@pytest.mark.parametrize("length", [0, 1, 100, 4096, 10_000])
def test_a_log_that_was_cut_off_is_a_sentence(length: int, tmp_path: Path) -> None:
    played(tmp_path)
    file = tmp_path / "rookery.db"
    file.write_bytes(file.read_bytes()[:length])
    said = failed_start(tmp_path)
    assert said.returncode == 2
    assert said.stderr.startswith("Error: ")
    assert "Traceback" not in said.stderr


def test_a_deleted_folder_is_noticed_and_nothing_is_acknowledged(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with serving(folder) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        ann.done(Say(table, "before"))
        shutil.rmtree(folder)
        ann.say(Say(table, "after"))
        assert ann.notice().code == "no_disk"
        assert bob.notice().code == "no_disk"
        assert ask(server, "GET", "/healthz").problem.code == "no_disk"
        assert server.stop() == 74
        assert not [told for told in ann.rest() if told.type == "done"]
    assert not (folder / "rookery.db").exists()


def test_a_folder_that_comes_back_is_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with serving(folder) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob)
        folder.rename(tmp_path / "elsewhere")
        ann.say(Say(table, "after"))
        assert ann.notice().code == "no_disk"
        (tmp_path / "elsewhere").rename(folder)
        assert ann.notice().code == "resumed"
        assert ann.answer().type == "done"
        assert ask(server, "GET", "/healthz").status == 200
        assert "was deleted or moved away under the server" in server.complaints()
