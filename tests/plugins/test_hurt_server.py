"""Broken games against a real server, in its own loop: it lives, and everyone else plays on."""

import time
from pathlib import Path

import pytest

from rookery.core.events import Ended, table_stream
from rookery.core.ids import TableId
from rookery.core.intents import Open, Play, Resign, Seek, Show, Sit, Watch
from rookery.store.sqlite.reading import open_for_reading
from tests.plugins.test_broken import LATE
from tests.plugins.test_hurt import first
from tests.plugins.toys import raising, toy
from tests.server.process import Client, Server, serving

ANY_EFFECT = ("    pebbles: int\n\n\nclass Heap", "    pebbles: object\n\n\nclass Heap")
PATIENCE = 5.0  # seconds of the watchman


def begun(server: Server) -> tuple[Client, Client, TableId]:
    ann, bob = server.enter("ann"), server.enter("bob")
    table = ann.done(Open("heap", time="1m")).table
    assert table is not None
    bob.done(Sit(table))
    return ann, bob, table


def others_play(server: Server) -> float:
    """How long two others take for a game, in seconds."""
    began = time.monotonic()
    cid, dot = server.enter("cid"), server.enter("dot")
    cid.done(Seek("nim"))
    table = dot.done(Seek("nim")).table
    assert table is not None
    cid.done(Resign(table))
    return time.monotonic() - began


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


def test_an_endless_move_costs_everyone_the_watchmans_patience_once(tmp_path: Path) -> None:
    file = str(toy(tmp_path, first("play", f"while {LATE}: pass")))
    with serving(tmp_path / "log", "--with", file) as server:
        ann, bob, table = begun(server)
        eve = server.enter("eve")
        eve.ask(Watch(table))
        ann.done(Play(table, "2"))
        began = time.monotonic()
        assert bob.ask(Play(table, "1")).code == "rules_failed"
        assert time.monotonic() - began < 1.6 * PATIENCE, "it was waited for once"
        assert eve.news(Ended).table == table
        assert others_play(server) < PATIENCE
        assert ann.ask(Open("heap")).code == "bad_option", "it is out of use"
        assert server.stop() == 0
