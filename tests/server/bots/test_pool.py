"""The pool: a process that fails is replaced, a thought that fails twice is given up."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
import uvloop

from rookery.bots.asking import Thought
from rookery.core.chance import Chance
from rookery.core.game import AnyView
from rookery.core.ids import MICROS_A_SECOND, Seat
from rookery.games.nim import Nim
from rookery.server.bots.pool import Pool, budget
from rookery.server.workers import FILES_TO_START, THINKER, AllFailed

PATIENCE = 60.0  # seconds until a test says that nothing comes
GAME = Nim(sticks=(3, 4))
GOOD = 'print(\'{"move":"0,1"}\', flush=True)'

# What a process does with a thought that is in `line`.
BAD = {
    "dies": "sys.exit(1)",
    "hangs": "threading.Event().wait()",
    "writes rubbish": 'print("rubbish", flush=True)',
    "writes no text": "os.write(1, bytes([255, 254, 10]))",
    "floods": 'os.write(1, b"x" * 100000); threading.Event().wait()',
    "answers twice": 'os.write(1, b\'{"move":"0,1"}\\n\' * 2); threading.Event().wait()',
    "closes its output": "os.close(1); threading.Event().wait()",
    "uses too much memory": "resource.setrlimit(resource.RLIMIT_AS, (HALF, HALF)); b'x' * 2 * HALF",
}


def script(each: str) -> tuple[str, ...]:
    """A process that does this with every thought."""
    return (sys.executable, "-c", _SCRIPT.format(each=each))


_SCRIPT = """
import os, resource, sys, threading
HALF = 1 << 28
for line in sys.stdin:
    {each}
"""


def once(folder: Path, bad: str) -> tuple[str, ...]:
    """A process that does this with its second thought, and well with all others.

    Once awake it must answer soon: who hangs is found out, and who starts has time to.
    """
    mark = str(folder / "mark")
    first = f"os.close(os.open({mark!r}, os.O_CREAT | os.O_EXCL | os.O_WRONLY))"
    body = f"""
    thoughts = globals().get("thoughts", 0) + 1
    try:
        assert thoughts == 2
        {first}
    except (AssertionError, FileExistsError):
        {GOOD}
        continue
    {bad}"""
    return script(body.strip())


def thought(seat: int = 0) -> Thought:
    state = GAME.start(2, Chance(1))
    view: AnyView = GAME.view(state, None)
    return Thought("nim", 2, Seat(seat), view, ("0,1", "1,1"), 1, 0)


def with_pool(
    pool: Callable[[], Pool], told: Callable[[Pool], Coroutine[None, None, None]]
) -> None:
    """Run this with a pool, in a loop of its own, as the server's, and close it."""

    async def run() -> None:
        made = pool()
        try:
            await told(made)
        finally:
            await made.close()

    uvloop.run(run())


def test_a_worker_names_a_legal_move() -> None:
    async def told(pool: Pool) -> None:
        assert await pool.think(thought()) in ("0,1", "1,1")

    with_pool(lambda: Pool(THINKER.command, 1), told)


@pytest.mark.parametrize("how", BAD)
def test_a_process_that_fails_is_replaced_and_the_thought_tried_again(
    how: str, tmp_path: Path
) -> None:
    async def told(pool: Pool) -> None:
        for _ in range(4):
            assert await pool.think(thought()) == "0,1"
        assert (tmp_path / "mark").exists()

    command = once(tmp_path, BAD[how])
    with_pool(lambda: Pool(command, 1, grace=0.5, starting=60.0), told)


@pytest.mark.parametrize("how", BAD)
def test_who_fails_twice_has_failed_and_the_next_is_thought_about(how: str) -> None:
    async def told(pool: Pool) -> None:
        for _ in range(2):
            with pytest.raises(AllFailed):
                await pool.think(thought())

    with_pool(lambda: Pool(script(BAD[how]), 1, grace=0.2, starting=0.2), told)


def test_a_program_that_is_not_there_is_a_failure() -> None:
    async def told(pool: Pool) -> None:
        with pytest.raises(AllFailed):
            await pool.think(thought())

    with_pool(lambda: Pool(("no-such-program",), 1), told)


# Where only so many more files can be opened: whether a process was started, and what stays.
_FEW_FILES = """
import asyncio, os, resource, sys, uvloop
from rookery.server.workers import WorkerFailed, WorkerKind, start

def opened():
    return len(os.listdir("/proc/self/fd"))

async def try_one():
    try:
        worker = await start(WorkerKind((sys.executable, "-c", "input()"), "think", 1.0, 4096))
    except WorkerFailed as failure:
        return failure
    worker.kill()
    await worker.gone.wait()
    return "started"

async def story():
    await try_one()  # after the first the loop keeps some
    before, files = opened(), []
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    try:
        while True:
            files.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        for _ in range(int(sys.argv[1])):
            os.close(files.pop())
    print(await try_one())
    for file in files:
        os.close(file)
    while opened() > before:
        await asyncio.sleep(0)

uvloop.run(story())
"""


@pytest.mark.parametrize("files", [2, 4, 6, FILES_TO_START - 1, FILES_TO_START])
def test_where_no_more_files_can_be_opened_none_stays_open(files: int) -> None:
    command = [sys.executable, "-c", _FEW_FILES, str(files)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    said = "could not be started: Too many open files" if files < FILES_TO_START else "started"
    assert (ran.stdout.strip(), ran.stderr) == (said, "")


def test_thoughts_are_taken_up_in_the_order_they_were_asked_for() -> None:
    async def told(pool: Pool) -> None:
        order: list[int] = []

        async def ask(n: int) -> None:
            await pool.think(thought())
            order.append(n)

        await asyncio.gather(*(ask(n) for n in range(10)))
        assert order == list(range(10))

    with_pool(lambda: Pool(script(GOOD), 1), told)


def test_a_process_that_died_while_it_was_idle_is_replaced_unseen() -> None:
    async def told(pool: Pool) -> None:
        assert await pool.think(thought()) == "0,1"
        assert await pool.think(thought()) == "0,1"

    # Its output is closed after its answer: the next thought finds another process.
    with_pool(lambda: Pool(script(f"{GOOD}; sys.exit()"), 1), told)


def test_a_thought_that_comes_while_its_process_goes_is_given_to_another(tmp_path: Path) -> None:
    """The event loop learns of it in several turns; a thought may come between any two."""
    fifo = tmp_path / "gone"
    os.mkfifo(fifo)
    deaf = "os.close(0); os.closerange(3, 99)"  # libuv leaves a second end of the pipe open
    hang_up = f"{deaf}; open({str(fifo)!r}, 'w').close(); threading.Event().wait()"

    async def told(pool: Pool) -> None:
        for turns in range(6):
            assert await pool.think(thought()) == "0,1"
            fifo.read_bytes()  # now it hears us no more, and the event loop does not know it
            for _ in range(turns):
                await asyncio.sleep(0)

    with_pool(lambda: Pool(script(f"{GOOD}; {hang_up}"), 1), told)


def test_a_closed_pool_has_left_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    note = f"open({str(pids)!r}, 'a').write(str(os.getpid()) + chr(10)); "

    async def told(pool: Pool) -> None:
        await asyncio.gather(*(pool.think(thought()) for _ in range(3)))

    with_pool(lambda: Pool(script(note + GOOD), 3), told)
    started = {int(pid) for pid in pids.read_text().split()}
    assert started
    assert not [pid for pid in started if runs(pid)]


def test_who_closes_in_mid_thought_leaves_no_process(tmp_path: Path) -> None:
    fifo = tmp_path / "pid"
    os.mkfifo(fifo)
    note = f"open({str(fifo)!r}, 'w').write(str(os.getpid())); threading.Event().wait()"

    async def told(pool: Pool) -> None:
        thinking = asyncio.create_task(pool.think(thought()))
        pid = int(await asyncio.to_thread(fifo.read_text))
        assert runs(pid)
        await pool.close()
        assert not runs(pid)
        with pytest.raises(AllFailed):
            await thinking

    with_pool(lambda: Pool(script(note), 1), told)


def runs(pid: int) -> bool:
    """Whether there is such a process, and it is not only waited for."""
    try:
        return "(zombie)" not in Path(f"/proc/{pid}/status").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize(
    ("level", "left", "millis"),
    [
        (1, None, 200),
        (3, None, 200),
        (4, None, 500),
        (5, None, 1000),
        (5, 20 * MICROS_A_SECOND, 1000),
        (5, 10 * MICROS_A_SECOND, 500),
        (3, MICROS_A_SECOND, 50),
        (3, 1000, 10),
        (3, -MICROS_A_SECOND, 10),
    ],
)
def test_a_thought_has_a_twentieth_of_the_clock_at_most(
    level: int, left: int | None, millis: int
) -> None:
    assert budget(level, left) == millis
