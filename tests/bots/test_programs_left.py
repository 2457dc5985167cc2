"""Nothing is left running: children, grandchildren, the deaf, and those whose starter died."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.bots.programs import ProgramFailed
from rookery.bots.programs.child import start
from tests.bots.test_programs_told import PATIENCE, THOUGHT, alive, begun, bot, members, run

DEAF = "[signal.signal(n, signal.SIG_IGN) for n in (15, 2, 1)]"
CHILD = "[sys.executable, '-c', 'import signal; signal.pause()']"

# Each leaves a process behind and plays its number as a move.
LEAVES = {
    "a child": f"left = subprocess.Popen({CHILD}).pid",
    "a deaf child": f"{DEAF}; left = subprocess.Popen({CHILD}).pid",
    "a child in a session of its own": (
        f"left = subprocess.Popen({CHILD}, start_new_session=True, stdin=-3, stdout=-3).pid"
    ),
    "a daemon": (
        "left = int(subprocess.check_output([sys.executable, '-c', "
        '\'import subprocess as s, sys; print(s.Popen([sys.executable, "-c", "import signal; '
        "signal.pause()\"], start_new_session=True, stdin=-3, stdout=-3, stderr=-3).pid)']))"
    ),
}
TELL = 'say(type="play", move=str(left))'


async def left_by(source: str) -> tuple[int, int]:
    """Play a move, close it; its group and the process that its move named."""
    async with begun(source) as player:
        group, move = player.group, await player.move(THOUGHT, PATIENCE)
        assert group is not None
        assert move is not None
        assert alive(int(move)), "it was there before we closed"
    return group, int(move)


def ended(process: int) -> bool:
    """Whether it ends before we lose patience; it may be killed already, and not yet dead."""
    try:
        watched = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    over, _, _ = select.select([watched], [], [], PATIENCE)
    os.close(watched)
    return bool(over)


@pytest.mark.parametrize("what", LEAVES)
def test_whatever_it_leaves_behind_is_ended_with_it(what: str) -> None:
    group, process = run(left_by(bot(f"{LEAVES[what]}; {TELL}")))
    assert (members(group), alive(process)) == ([], False)


@pytest.mark.parametrize("what", LEAVES)
def test_whatever_a_crash_leaves_behind_is_ended_too(what: str) -> None:
    async def story() -> tuple[int, int]:
        async with begun(bot(f"{LEAVES[what]}; {TELL}; os._exit(1)")) as player:
            group, move = player.group, await player.move(THOUGHT, PATIENCE)
            assert group is not None
            assert move is not None
            with pytest.raises(ProgramFailed, match="exit code 1"):
                await player.move(THOUGHT, PATIENCE)
            return group, int(move)

    group, process = run(story())
    assert (members(group), alive(process)) == ([], False)


def test_who_is_deaf_to_quit_and_to_signals_is_killed() -> None:
    source = bot(f"{DEAF}; left = os.getpid(); {TELL}", quit="hang()")
    group, process = run(left_by(source))
    assert (members(group), alive(process)) == ([], False)


def test_who_kills_its_keeper_is_killed_with_its_group() -> None:
    source = bot(f"os.kill(os.getppid(), 9); left = os.getpid(); {TELL}", quit="hang()")
    group, process = run(left_by(source))
    assert (ended(process), members(group)) == (True, [])


# Begins a program that hangs, says its number, and waits to be killed.
STARTER = """
import asyncio, signal
# A shell may have started the tests deaf to Ctrl-C, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
from tests.bots.test_programs_told import PATIENCE, THOUGHT, begun, bot
async def story():
    source = bot("say(type='play', move=str(os.getpid())); hang()")
    async with begun(source) as player:
        print(await player.move(THOUGHT, PATIENCE), flush=True)
        await player.move(THOUGHT, None)
asyncio.run(story())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_when_we_die_it_dies_too(number: int) -> None:
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", STARTER], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as starter:
        assert starter.stdout is not None
        process = int(starter.stdout.readline())
        starter.send_signal(number)
        starter.communicate(timeout=PATIENCE)
    assert ended(process)


async def cancelled(after: int) -> None:
    """Start a program, and cancel that after so many turns of the event loop."""
    starting = asyncio.ensure_future(start("it", [sys.executable, "-c", "input()"], 100))
    for _ in range(after):
        await asyncio.wait({starting}, timeout=0)
    if not starting.done():
        starting.cancel()
        await asyncio.wait({starting}, timeout=PATIENCE)
        assert starting.cancelled(), f"cancelled after {after} turns it does not end"
    else:
        await starting.result().stop(politely=False)


@pytest.mark.parametrize("after", range(9))
def test_a_start_may_be_cancelled_at_any_moment(after: int) -> None:
    run(cancelled(after))
