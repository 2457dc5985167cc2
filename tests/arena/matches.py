"""Short matches in a folder of the test's own, and programs to play them with."""

import asyncio
import sys
from pathlib import Path

from msgspec.structs import replace

from rookery.arena.match import ArenaMatch, side_names
from rookery.arena.players.levels import THINKER
from rookery.arena.setup import LOG_FILE, Setup, checked
from rookery.arena.summary import Summary, summary_of
from rookery.arena.tally import Tally
from rookery.core.events import Record, TableEvent, table_events, table_stream
from rookery.core.ids import TableId
from rookery.store.sqlite import open_for_reading
from tests.warm import python

NIM = "nim sticks=3,4,5"  # short, and whoever begins can win
CLOCK = "30s"  # more than any machine needs

# A program that does what `on_turn` says when it is asked for a move.
_PROGRAM = """
import json, sys
def say(**words):
    print(json.dumps(words), flush=True)
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "begin":
        say(type="ready")
    elif told["type"] == "turn":
        {on_turn}
    elif told["type"] == "quit":
        break
"""
FIRST_MOVE = 'say(type="play", move=told["moves"][0])'


def setup(*players: str, **changes: object) -> Setup:
    """A match that can be played: four games of short nim, two at once, but for the changes."""
    plain = Setup(players, NIM, games=4, time=CLOCK, jobs=2, seed=5, key="key")
    return checked(replace(plain, **changes))


def program(folder: Path, on_turn: str) -> str:
    """The command of a program that does this when it is asked for a move."""
    file = folder / f"program{len(list(folder.glob('program*')))}.py"
    file.write_text(_PROGRAM.format(on_turn=on_turn), encoding="utf-8")
    return f"{sys.executable} {file}"


def play(match: Setup, folder: Path, *, until: int | None = None) -> Summary:
    """Play it, or until so many games are over, and say how it stands."""
    return asyncio.run(play_on(match, folder, until))


async def play_on(match: Setup, folder: Path, until: int | None = None) -> Summary:
    """The same in a loop that runs already."""
    stop = asyncio.Event()

    def watch(tally: Tally) -> None:
        if until is not None and len(tally.results) >= until:
            stop.set()

    running = ArenaMatch(
        match, folder, thinker=replace(THINKER, command=(python(), *THINKER.command[1:]))
    )
    await running.run(stop, watch)
    return summary_of(match, running.tally, side_names(match), folder)


def log_of(folder: Path) -> list[Record]:
    """Everything that happened."""
    log = open_for_reading(folder / LOG_FILE)
    try:
        return list(log.read())
    finally:
        log.close()


def table_of(folder: Path, table: int) -> list[TableEvent]:
    """Everything that happened at one table."""
    stream = table_stream(TableId(table))
    return table_events(record for record in log_of(folder) if record.stream == stream)
