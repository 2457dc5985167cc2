"""Workers: real processes that think, die and are replaced."""

import asyncio
import os
import resource
import signal
import subprocess
import sys

import pytest
from msgspec.structs import replace

from rookery.arena.players.levels import THINKER, LevelPlayer
from rookery.arena.players.player import PlayerFailed
from rookery.arena.setup import BadMatch
from rookery.bots.asking import Thought, write
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games.nim import Nim
from rookery.server.workers import WorkerPool


def thought() -> Thought:
    """Three sticks and one: the perfect player takes two of the three."""
    game = Nim(sticks=(3, 1))
    view = game.view(game.start(2, Chance(0)), Seat(0))
    return Thought("nim sticks=3,1", 5, Seat(0), view, ("0,1", "0,2", "0,3", "1,1"), 1, 30_000)


def test_a_worker_whose_thought_kills_it_is_replaced() -> None:
    async def story() -> None:
        workers = WorkerPool(THINKER, 1)
        player = LevelPlayer(workers, 5)
        await player.ready()
        with pytest.raises(PlayerFailed, match=r"Level 5 crashed\."):
            await player.choose(replace(thought(), variant="no game at all"))
        await player.ready()
        assert await player.choose(thought()) == "0,2"
        await workers.close()

    asyncio.run(story())


def test_that_no_process_can_be_started_stops_the_match_and_is_no_level_s_fault() -> None:
    async def story() -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))  # no file can be opened any more
        try:
            with pytest.raises(BadMatch, match=r"to think in: Too many open files\.$"):
                await LevelPlayer(WorkerPool(THINKER, 1), 5).ready()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    asyncio.run(story())


def test_a_worker_that_nobody_hears_any_more_goes_without_a_word() -> None:
    reads, writes = os.pipe()
    words = [sys.executable, "-m", "rookery.server.worker_main", "think", "512"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=writes, stderr=subprocess.PIPE
    ) as worker:
        os.close(reads)
        os.close(writes)
        _, complaints = worker.communicate(write(thought()))
    assert (complaints, worker.returncode) == (b"", -signal.SIGPIPE)


def test_a_worker_that_was_not_wanted_any_more_while_it_woke_up_starts_anew() -> None:
    async def story() -> None:
        workers = WorkerPool(THINKER, 1)
        player = LevelPlayer(workers, 5)
        starting = asyncio.create_task(player.ready())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(starting, 0.02)  # less than its imports take
        await player.ready()
        assert await player.choose(thought()) == "0,2"
        await workers.close()

    asyncio.run(story())


def test_a_thought_that_nobody_waits_for_gives_its_worker_back() -> None:
    async def story() -> None:
        workers = WorkerPool(THINKER, 1)
        one, other = LevelPlayer(workers, 1), LevelPlayer(workers, 5)
        await one.ready()
        asking = asyncio.create_task(one.choose(thought()))
        await asyncio.wait({asking}, timeout=0)
        asking.cancel()
        await other.ready()
        assert await other.choose(thought()) == "0,2"
        await workers.close()

    asyncio.run(story())


def test_a_player_that_was_made_ready_for_nothing_gives_its_worker_back() -> None:
    async def story() -> None:
        workers = WorkerPool(THINKER, 1)
        one, other = LevelPlayer(workers, 1), LevelPlayer(workers, 5)
        await one.ready()
        await one.close()
        await other.ready()
        assert await other.choose(thought()) == "0,2"
        await workers.close()

    asyncio.run(story())
