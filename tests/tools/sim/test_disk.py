"""The disk of a world: what of a write that was cut off counts as safe."""

from collections import Counter
from pathlib import Path

import pytest

from rookery.core.chance import Chance
from rookery.core.events import Played, Record
from rookery.core.ids import Micros, Seat
from rookery_tools.sim.machine.agenda import SECOND, WorldAgenda
from rookery_tools.sim.machine.disk import SimLogWriter, WorldDisk
from rookery_tools.sim.machine.loop import SimLoop


@pytest.mark.parametrize("seed", range(12))
def test_what_the_power_cut_takes_was_never_safe(tmp_path: Path, seed: int) -> None:
    agenda = WorldAgenda()
    disk = WorldDisk(agenda, Chance(seed), tmp_path, Counter())
    store = disk.open(20_000)
    loop = SimLoop(agenda, Chance(seed))
    writer = SimLogWriter(disk, loop, lambda: 0, store, lambda _, __: None)
    record = Record(1, "table/1", 1, Micros(1), Played(Seat(0), "a1" * 900, Micros(1)), ends=False)
    writer.write([record], alone=True)
    disk.cut_power()
    writer.finish()
    loop.dead = True
    disk.die(store)
    agenda.now = SECOND
    store = disk.open(20_000)
    assert len(disk.safe) == len(list(store.read()))
    disk.let_go(store)


@pytest.mark.parametrize("writes", range(1, 25))
def test_a_log_opens_whichever_write_the_power_cut_off(tmp_path: Path, writes: int) -> None:
    """Also one with which SQLite begins the file beside the log anew."""
    agenda = WorldAgenda()
    disk = WorldDisk(agenda, Chance(writes), tmp_path, Counter())
    disk.checkpoint_every = 4
    for _ in range(6):
        store = disk.open(20_000)
        there = store.last_seq()
        for seq in range(there + 1, there + writes + 1):
            if seq == there + writes:
                disk.cut_power()
            move = Played(Seat(0), "a1" * 300, Micros(1))
            store.append([Record(seq, "table/1", seq, Micros(seq), move, ends=False)])
        disk.die(store)
        assert disk.open(20_000).last_seq() >= there + writes - 1, "what was safe is there"
        disk.let_go(None)
