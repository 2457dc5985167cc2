"""Broken games against a real server, in its own loop: it lives, and everyone else plays on."""

import os
import select
import signal
from pathlib import Path

import pytest

from rookery.core.events import Ended, Started, table_stream
from rookery.core.ids import TableId
from rookery.core.intents import Open, Play, Resign, Seek, Show, Sit, Watch
from rookery.store.sqlite import open_for_reading
from tests.plugins.test_broken import LATE
from tests.plugins.test_hurt import first
from tests.plugins.toys import raising, toy
from tests.server.process import Client, Server, serving

ANY_EFFECT = ("    pebbles: int\n\n\nclass Heap", "    pebbles: object\n\n\nclass Heap")
STOPPED = 1.0  # seconds: much longer than a call of rules may take
WORK = """
from time import thread_time

def _work(on):
    until = thread_time() + (0.15 if on else 0)
    while thread_time() < until:
        pass
"""


def begun(server: Server) -> tuple[Client, Client, TableId]:
    ann, bob = server.enter("ann"), server.enter("bob")
    table = ann.done(Open("heap", time="1m")).table
    assert table is not None
    bob.done(Sit(table))
    return ann, bob, table


def others_play(server: Server) -> None:
    """Two others play a game."""
    cid, dot = server.enter("cid"), server.enter("dot")
    cid.done(Seek("nim"))
    table = dot.done(Seek("nim")).table
    assert table is not None
    cid.done(Resign(table))


def processor(server: Server) -> float:
    """Seconds of a processor that the server has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended_by_its_rules(server: Server, table: TableId) -> bool:
    outcomes = [
        record.event.outcome
        for record in open_for_reading(server.log_file).read_stream(table_stream(table))
        if isinstance(record.event, Ended)
    ]
    return [outcome.how for outcome in outcomes] == ["rules_failed"]


@pytest.mark.parametrize(
    "changes",
    [
        (ANY_EFFECT, ("(Clacked(move),)", "(Clacked('\\ud800'),)")),
        (raising("play", when=LATE, what="SystemExit(7)"),),
        (raising("to_act", when=LATE, what="GeneratorExit"),),
        (raising("play", when=LATE, what="RecursionError"),),
    ],
)
def test_the_server_lives_and_its_log_names_the_file(
    tmp_path: Path, changes: tuple[tuple[str, str], ...]
) -> None:
    file = str(toy(tmp_path, *changes))
    with serving(tmp_path / "log", "--with", file) as server:
        ann, bob, table = begun(server)
        for n in range(4):
            (ann, bob)[n % 2].ask(Play(table, "1"))
        others_play(server)
        assert ended_by_its_rules(server, table)
        assert f"the rules of heap, of {file}, failed at table {table}" in server.complaints()
        assert server.stop() == 0
    with serving(tmp_path / "log", "--with", file) as server:
        assert server.enter("eve").ask(Show(table)).type == "shown"
        others_play(server)
        assert server.stop() == 0


STUBBORN = ("try:", "    _spin()", "except BaseException:", "    pass")
ENDLESS = ("pass", "".join(f"\n            {line}" for line in STUBBORN))
SPIN = """
def _spin():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""


@pytest.mark.parametrize("body", ENDLESS)
def test_an_endless_move_costs_everyone_its_processor_time_once(tmp_path: Path, body: str) -> None:
    file = str(toy(tmp_path, first("play", f"while {LATE}: {body}"), more=SPIN))
    with serving(tmp_path / "log", "--with", file, "--rules-timeout", "50") as server:
        ann, bob, table = begun(server)
        eve = server.enter("eve")
        eve.ask(Watch(table))
        ann.done(Play(table, "2"))
        before = processor(server)
        assert bob.ask(Play(table, "1")).code == "rules_failed"
        assert 0.04 < processor(server) - before < 1.0, "of the processor's time, not of ours"
        assert eve.news(Ended).table == table
        others_play(server)
        assert ended_by_its_rules(server, table)
        assert ann.ask(Open("heap")).code == "bad_option", "it is out of use"
        assert f"the rules of heap, of {file}, failed at table {table}" in server.complaints()
        assert server.stop() == 0


def test_a_stopped_server_blames_no_rules(tmp_path: Path) -> None:
    """It is stopped in the middle of a call, for longer than a call may take."""
    slow = first("play", f"_work({LATE})")
    file = str(toy(tmp_path, slow, more=WORK))
    with serving(tmp_path / "log", "--with", file) as server:
        ann, bob, table = begun(server)
        ann.done(Play(table, "2"))
        before = processor(server)
        bob.say(Play(table, "1"))
        while processor(server) < before + 0.05:
            pass
        server.process.send_signal(signal.SIGSTOP)
        select.select((), (), (), STOPPED)
        server.process.send_signal(signal.SIGCONT)
        assert bob.answer().type == "done"
        assert not ended_by_its_rules(server, table)
        assert server.stop() == 0


def test_a_server_starts_on_a_log_that_its_rules_never_read_through(tmp_path: Path) -> None:
    file = toy(tmp_path)
    log = tmp_path / "log"
    with serving(log, "--with", str(file)) as server:
        ann, _, table = begun(server)
        ann.done(Play(table, "1"))
        assert server.stop() == 0
    toy(tmp_path, first("play", "while True: pass"))
    with serving(log, "--with", str(file)) as server:
        again = server.enter("eve")
        assert again.ask(Show(table)).type == "shown"
        others_play(server)
        assert server.stop() == 0


@pytest.mark.parametrize("line", ["while state.heap < 10: pass", "1 / (state.heap == 10)"])
def test_a_table_ends_whose_moves_a_house_bot_cannot_list(tmp_path: Path, line: str) -> None:
    file = str(toy(tmp_path, first("legal_moves", line)))
    house = ("--house", "on,wait=0", "--rules-timeout", "50")
    with serving(tmp_path / "log", "--with", file, *house) as server:
        ann = server.enter("ann")
        table = ann.done(Seek("heap", house=1)).table
        assert table is not None
        ann.news(Started)
        ann.done(Play(table, "1"))
        ann.news(Ended)
        assert ended_by_its_rules(server, table)
        assert server.stop() == 0
