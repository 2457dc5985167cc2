"""What `/metrics` says is read as Prometheus reads it, and is true, also after a restart."""

import re
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from rookery.core.intents import Leave, Open, Play, Resign
from rookery.server.metrics import ABOUT
from tests.server.games import sit_down
from tests.server.process import Server, serving
from tests.server.web.asking import Entrant, ask, write

NIM = b'{"variant":"nim"}'

# The grammar of the text format, version 0.0.4.
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(\{{{LABEL}(?:,{LABEL})*\}})? ([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)")
HELP = re.compile(rf"# HELP ({NAME}) ((?:[^\\]|\\[\\n])*)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge)")


class Metrics(Struct, frozen=True):
    types: dict[str, str]
    values: dict[str, float]  # by name and labels, as they stand


def read(text: str) -> Metrics:
    """What Prometheus would read, or a failure where it would."""
    assert text.endswith("\n")
    types, values, helped = dict[str, str](), dict[str, float](), set[str]()
    for line in text.removesuffix("\n").split("\n"):
        if found := HELP.fullmatch(line):
            assert found[1] not in helped, "a name is explained once"
            helped.add(found[1])
        elif found := TYPE.fullmatch(line):
            assert found[1] not in types, "a name has one type"
            types[found[1]] = found[2]
        else:
            found = SAMPLE.fullmatch(line)
            assert found, f"neither a comment nor a sample: {line}"
            assert found[1] in types, "its type stands before a sample"
            key = found[1] + (found[2] or "")
            assert key not in values, "a sample stands once"
            values[key] = float(found[3])
    return Metrics(types, values)


def metrics(server: Server) -> Metrics:
    return read(ask(server, "GET", "/metrics").body.decode())


def count(server: Server, *names: str) -> list[float]:
    """These, without what they all begin with."""
    values = metrics(server).values
    return [values[f"rookery_{name}"] for name in names]


TABLES = ('tables{status="open"}', 'tables{status="playing"}')


def test_everything_counted_is_there_with_its_type(server: Server) -> None:
    found = metrics(server)
    assert found.types == {name: kind for name, (kind, _) in ABOUT.items()}
    assert {key.partition("{")[0] for key in found.values} == set(ABOUT)


def test_what_only_grows_is_called_a_total(server: Server) -> None:
    types = metrics(server).types
    assert [n for n, kind in types.items() if kind == "counter"] == [
        n for n in types if n.endswith("_total")
    ]


def test_it_says_which_format_it_is(server: Server) -> None:
    kind = ask(server, "GET", "/metrics").headers["content-type"]
    assert kind == "text/plain; version=0.0.4; charset=utf-8"


def test_counters_never_go_down(server: Server) -> None:
    before = metrics(server)
    after = metrics(server)
    for key, value in before.values.items():
        if before.types.get(key) == "counter":
            assert after.values[key] >= value


def test_the_log_has_bytes_and_can_be_written(server: Server) -> None:
    size, failing = count(server, "log_bytes", "log_failing")
    assert size > 0
    assert failing == 0


def test_tables_are_counted_up_and_down(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        seen = [count(server, *TABLES)]
        ann, bob = server.enter("ann"), server.enter("bob")
        write(server, "/api/tables", NIM)
        seen.append(count(server, *TABLES))
        table = sit_down(ann, bob)
        seen.append(count(server, *TABLES))
        ann.done(Play(table, "4"))
        bob.done(Resign(table))
        seen.append(count(server, *TABLES))
        assert seen == [[0, 0], [1, 0], [1, 1], [1, 0]]
        assert count(server, "moves_total") == [1]


def test_a_table_that_everybody_left_is_open_no_more(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann = server.enter("ann")
        table = ann.done(Open("nim")).table
        assert table is not None
        assert count(server, *TABLES) == [1, 0]
        ann.done(Leave(table))
        assert count(server, *TABLES) == [0, 0]


def test_after_a_restart_what_is_there_is_counted_and_the_totals_begin_anew(
    tmp_path: Path,
) -> None:
    names = (*TABLES, "tours", "players")
    with serving(tmp_path) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        over = sit_down(ann, bob)
        ann.done(Play(over, "4"))
        bob.done(Resign(over))
        sit_down(ann, bob)
        write(server, "/api/tables", NIM)
        write(server, "/api/tours", b'{"plan":{"variant":"nim"}}')
        write(server, "/api/tours", b'{"plan":{"variant":"nim"}}')
        assert write(server, "/api/tours/1/cancel").status == 200
        assert count(server, *names) == [1, 1, 1, 3]  # the third player is the organiser
        server.kill()
    with serving(tmp_path) as server:
        # "A seat in a game not begun is given up when its connection goes, and a restart
        # clears such seats": a table at which nobody sits is closed.
        assert count(server, *names) == [0, 1, 1, 3]
        assert count(server, "moves_total") == [0]
        listed = msgspec.json.decode(ask(server, "GET", "/api/tables").body)["tables"]
        assert [line["status"] for line in listed] == ["playing"]


def test_connections_are_counted_of_every_language(tmp_path: Path) -> None:
    with serving(tmp_path) as server, Entrant(server, "ann"), Entrant(server, "bob"):
        assert count(server, "connections") == [3]  # and the one that asks


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_both_take_no_parameters(server: Server, path: str) -> None:
    assert ask(server, "GET", f"{path}?x=1").problem.code == "bad_option"
