"""Clocks that run on between two pieces of news, on a made clock; and on a real terminal."""

import re
from pathlib import Path

from msgspec.structs import replace

from rookery.cli.table.picture import Ticking, clocks, run_on, ticks
from rookery.clients.native.players import Players
from rookery.clients.native.table import KnownTable, heard
from rookery.clients.native.words import Told
from rookery.core.events import Played, Said
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, Seat, Status, TableId
from rookery.games.tictactoe import Tictactoe
from tests.cli.processes import Process, serving
from tests.cli.terminals import Terminal

X = Seat(0)
MINUTE = 60 * MICROS_A_SECOND
FULL = (5 * MINUTE, 5 * MINUTE)
ROOM = KnownTable(
    TableId(3),
    "tictactoe",
    "5m",
    Players(Tictactoe(), ("ann", "bob")),
    status=Status.PLAYING,
    to_act=(X,),
    left=FULL,
)


def left_after(table: KnownTable, seconds: float) -> tuple[Micros, ...]:
    """What is on the clocks so long after the table was told of."""
    left = run_on(table, int(seconds * MICROS_A_SECOND)).left
    assert left is not None
    return left


def test_only_the_clock_of_who_is_to_act_runs() -> None:
    assert left_after(ROOM, 2) == (5 * MINUTE - 2 * MICROS_A_SECOND, 5 * MINUTE)


def test_a_clock_stops_at_nothing() -> None:
    assert left_after(ROOM, 301) == (0, 5 * MINUTE)


def test_no_clock_runs_before_the_start_after_the_end_or_where_nobody_is_to_act() -> None:
    for status in (Status.OPEN, Status.OVER):
        assert not ticks(replace(ROOM, status=status))
    assert not ticks(replace(ROOM, to_act=()))
    assert run_on(replace(ROOM, status=Status.OVER), MINUTE).left == FULL


def test_without_clocks_there_is_nothing_to_run() -> None:
    table = replace(ROOM, time="none", left=None)
    assert not ticks(table)
    assert run_on(table, MINUTE) is table
    assert clocks(table) == ""


def test_what_is_free_of_a_move_is_not_taken_off() -> None:
    table = replace(ROOM, time="5m delay 3s")
    assert left_after(table, 3) == FULL
    assert left_after(table, 4) == (5 * MINUTE - MICROS_A_SECOND, 5 * MINUTE)


def test_what_is_free_is_used_up_when_something_else_is_told_meanwhile() -> None:
    said = Told(TableId(3), 1, 0, Said(PlayerId(2), "bob", "hello"), to_act=(X,), left=FULL)
    table = heard(replace(ROOM, time="5m delay 3s"), said)
    assert left_after(table, 1) == (5 * MINUTE - MICROS_A_SECOND, 5 * MINUTE)


def test_a_second_move_in_a_row_has_what_is_free_again() -> None:
    moved = Told(TableId(3), 1, 0, Played(X, "0", 0), to_act=(X,), left=FULL)
    assert left_after(heard(replace(ROOM, time="5m delay 3s"), moved), 3) == FULL


def test_time_counts_from_when_a_room_was_told_of() -> None:
    ticking = Ticking()
    assert ticking.at(ROOM, 100.0).left == FULL
    assert ticking.at(ROOM, 101.5).left == (5 * MINUTE - 1_500_000, 5 * MINUTE)
    told = replace(ROOM, left=(4 * MINUTE, 5 * MINUTE))
    assert ticking.at(told, 160.0).left == (4 * MINUTE, 5 * MINUTE)


def test_each_clock_has_the_name_of_whose_it_is_and_a_sign_where_it_runs() -> None:
    assert clocks(ROOM) == ">ann 5:00  bob 5:00 "
    assert clocks(replace(ROOM, mine=Seat(1))) == ">ann 5:00  you 5:00 "
    named = Players(Tictactoe(), ("", "bartholomew the second"))
    assert clocks(replace(ROOM, players=named)) == ">X 5:00  bartholomew  5:00 "


# -- on a terminal


def test_who_watches_sees_the_clock_run(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, port):
        at = f"127.0.0.1:{port}"
        game = ("play", "tictactoe", "--time", "5m", "--at", at)
        with (
            Process(*game, "--name", "ann") as ann,
            Process(*game, "--name", "bob") as bob,
        ):
            ann.until("Table 1: tictactoe")
            bob.until("Table 1: tictactoe")
            with Terminal("watch", "1", "--at", at) as watcher:
                pictures = [watcher.until("Table 1") for _ in range(4)]
    shown = [
        found[0] for picture in pictures if (found := re.findall(r"> X .* ([45]:\d\d)", picture))
    ]
    assert shown == sorted(shown, reverse=True)
    assert len(set(shown)) > 1
