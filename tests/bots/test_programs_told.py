"""What a program is told and how it answers; and the programs for all tests about them.

Each is a Python process, written as what it does at `begin` and at `turn`. The tests look
for processes with `ps`, as a person would.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest
from msgspec.structs import replace

from rookery.bots.asking import Thought
from rookery.bots.programs import Program, ProgramFailed
from rookery.core.game import Outcome
from rookery.core.ids import MICROS_A_SECOND, Seat
from rookery.games.nim import NimView

T = TypeVar("T")

HOME, AWAY = Seat(0), Seat(1)
PATIENCE = 60.0  # seconds that no test here needs
THOUGHT = Thought(
    "nim", 1, HOME, NimView((1, 2), HOME, misere=False), ("0,1", "1,1", "1,2"), 1, 1000
)

READY = 'say(type="ready")'
PLAY = 'say(type="play", move=told["moves"][0])'
ECHO = 'say(type="play", move=json.dumps(told))'

WON = Outcome((1, 2), "last_stick", "Home took the last stick.")

_BOT = """
import json, os, select, signal, subprocess, sys
def say(**words):
    print(json.dumps(words), flush=True)
def hang():
    while True:
        signal.pause()
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "begin":
        {begin}
    if told["type"] == "turn":
        {turn}
    if told["type"] == "end":
        {end}
    if told["type"] == "quit":
        {quit}
"""


def bot(turn: str = PLAY, *, begin: str = READY, end: str = "pass", quit: str = "break") -> str:  # noqa: A002 # it is the word
    """The text of a program that does this when it is told that; statements on one line."""
    return _BOT.format(begin=begin, turn=turn, end=end, quit=quit)


def program(source: str, memory: int = 512, start_seconds: float = PATIENCE) -> Program:
    """A player that runs this text."""
    command = (sys.executable, "-c", source)
    return Program(command, name="ann", memory=memory, start_seconds=start_seconds)


@asynccontextmanager
async def begun(source: str, memory: int = 512) -> AsyncIterator[Program]:
    """The same, sitting at a game of nim, and closed in the end."""
    player = program(source, memory)
    try:
        await begin(player)
        yield player
    finally:
        await player.close()


async def begin(player: Program) -> None:
    """Let it sit down to a game of nim."""
    await player.begin("nim", HOME, ("ann", "bob"), "1s+0.1s")


def run(story: Coroutine[None, None, T]) -> T:
    """Play this to its end, in a loop of its own."""
    return asyncio.run(story)


def failure(source: str, *, seconds: float = PATIENCE, memory: int = 512) -> ProgramFailed:
    """How this program fails when it is asked for two moves; nothing of it is left then."""

    async def story() -> ProgramFailed:
        async with begun(source, memory) as player:
            group = player.group
            assert group is not None
            with pytest.raises(ProgramFailed) as failed:
                await two_moves(player, seconds)
            assert members(group) == []
            return failed.value

    return run(story())


async def two_moves(player: Program, seconds: float) -> None:
    """Ask it twice."""
    await player.move(THOUGHT, seconds)
    await player.move(THOUGHT, seconds)


def failure_at_start(source: str, start_seconds: float = PATIENCE) -> ProgramFailed:
    """How this program fails when a game begins."""
    with pytest.raises(ProgramFailed) as failed:
        run(begin(program(source, start_seconds=start_seconds)))
    return failed.value


def members(group: int) -> list[str]:
    """The processes of this group, not counting the dead."""
    asked = ["ps", "-e", "-o", "pgid=,stat=,pid=,args="]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    return [row[2] for row in rows if row[0] == str(group) and not row[1].startswith("Z")]


def alive(process: int) -> bool:
    """Whether there is such a process, not counting the dead."""
    asked = ["ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return bool(state) and not state.startswith("Z")


async def first_move(source: str) -> str | None:
    async with begun(source) as player:
        return await player.move(THOUGHT, PATIENCE)


def test_it_plays_what_it_says() -> None:
    assert run(first_move(bot())) == "0,1"


def test_a_turn_has_view_moves_and_clocks() -> None:
    async def story() -> str | None:
        async with begun(bot(ECHO)) as player:
            left = (MICROS_A_SECOND, 2 * MICROS_A_SECOND)
            return await player.move(replace(THOUGHT, left=left), PATIENCE)

    assert json.loads(run(story()) or "") == {
        "type": "turn",
        "seat": 0,
        "view": {"type": "nim_view", "rows": [1, 2], "turn": 0, "misere": False},
        "moves": ["0,1", "1,1", "1,2"],
        "left": [1000000, 2000000],
        "played": None,
    }


def test_begin_says_which_game_and_who_plays() -> None:
    source = bot('say(type="play", move=json.dumps(said))', begin=f"said = told; {READY}")
    said = run(first_move(source))
    assert json.loads(said or "") == {
        "type": "begin",
        "variant": "nim",
        "seat": 0,
        "seats": 2,
        "names": ["ann", "bob"],
        "time": "1s+0.1s",
    }


def test_end_says_how_it_ended() -> None:
    async def story() -> str | None:
        source = bot('say(type="play", move=json.dumps(said))', end="said = told")
        async with begun(source) as player:
            await player.end(WON)
            await begin(player)
            return await player.move(THOUGHT, PATIENCE)

    assert json.loads(run(story()) or "") == {
        "type": "end",
        "outcome": {
            "places": [1, 2],
            "how": "last_stick",
            "reason": "Home took the last stick.",
            "scores": None,
        },
    }


def test_one_process_plays_game_after_game() -> None:
    async def story() -> list[str | None]:
        async with begun(bot('say(type="play", move=str(os.getpid()))')) as player:
            first = await player.move(THOUGHT, PATIENCE)
            await player.end(WON)
            await begin(player)
            return [first, await player.move(THOUGHT, PATIENCE)]

    first, second = run(story())
    assert first == second
