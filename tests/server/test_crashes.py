"""A server that is killed again and again, while many play on it.

Twelve tables of all games are played over TCP by survivors (`survivors.py`), who check
after every restart what they were told before. When the kill comes is drawn from a
seed: after so many lines, and then some turns of an empty loop more, so that it falls
into deciding, writing and sending alike. `ROOKERY_KILLS=500` in the environment kills
that often, instead of 50 times.
"""

import os
import selectors
from collections import Counter
from pathlib import Path

import pytest

from rookery.core.chance import Chance
from rookery.core.events import Played, PublicEvent, Record, Said, table_events
from rookery.core.ids import MICROS_A_SECOND, Status, TableId
from rookery.core.intents import Play, Show
from rookery.core.messages import Entry
from rookery.hall.tables.replay import replay
from rookery.hall.tables.table import Table
from rookery.store.sqlite import open_for_reading
from rookery.verify.log import check_log
from tests.server.games import sit_down
from tests.server.process import PATIENCE, Server, serving
from tests.server.survivors import Group, Survivor, same

PARTS = 5  # each a test of its own, so that they can be run beside each other
KILLS = int(os.environ.get("ROOKERY_KILLS", "50"))
LINES_A_LIFE = 250  # a server is killed at the latest after so many
SPIN = 30_000  # turns of an empty loop: about a millisecond, several times what a write takes

VARIANTS = (
    ("nim sticks=3,4,5", 2),
    ("nim sticks=9,9 misere=true", 2),
    ("nim sticks=2,2,2", 2),
    ("tictactoe", 2),
    ("tictactoe", 2),
    ("reversi size=4", 2),
    ("reversi size=6", 2),
    ("fish rows=4 cols=6", 2),
    ("fish rows=6 cols=6", 3),
    ("guess high=6", 2),
    ("bughouse plies=30", 4),
    ("bughouse plies=60", 4),
)
PLAYERS = 9


class Siege:
    """The server, those who play on it, and the one who kills it. It mutates."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = Chance(seed)
        self.folder = folder
        groups = [
            Group(variant, f"{n + 1}h", tuple(self.chance.shuffled(range(PLAYERS))[:seats]))
            for n, (variant, seats) in enumerate(VARIANTS)
        ]
        self.survivors = [
            Survivor(
                f"player {n}", [group for group in groups if n in group.members], Chance(seed + n)
            )
            for n in range(PLAYERS)
        ]

    def endure(self, kills: int) -> list[Record]:
        """Play through so many kills, then to the end; the log."""
        for _ in range(kills):
            with serving(self.folder) as server:
                self._live(server, self.chance.below(LINES_A_LIFE))
                for _ in range(self.chance.below(SPIN)):
                    pass
                server.kill()
                for survivor in self.survivors:
                    survivor.bereave()
        for survivor in self.survivors:
            survivor.leaving = True
        with serving(self.folder) as server:
            self._live(server, None)
            assert server.stop() == 0
            log = open_for_reading(server.log_file)
            records = list(log.read())
            log.close()
        return records

    def _live(self, server: Server, lines: int | None) -> None:
        """Play until so many lines were heard, or to the end."""
        with selectors.DefaultSelector() as selector:
            for survivor in self.survivors:
                survivor.arrive(server.call())
                assert survivor.client is not None
                selector.register(survivor.client, selectors.EVENT_READ, survivor)
            while lines is not None or not all(s.finished for s in self.survivors):
                ready = selector.select(PATIENCE)
                assert ready, "somebody always has something to do"
                for key, _ in ready:
                    for told in key.data.client.take():
                        key.data.hear(told)
                        if lines is not None and told.type in ("news", "done"):
                            lines -= 1
                    if lines is not None and lines <= 0:
                        return


@pytest.mark.parametrize("part", range(PARTS))
def test_what_was_told_survives_every_kill_and_all_games_end(part: int, disk: Path) -> None:
    siege = Siege(disk / "log", seed=part)
    records = siege.endure(-(-KILLS // PARTS))
    assert list(check_log(records)) == []
    tables = replayed(records)
    assert {table.status for table in tables.values()} <= {Status.OVER, Status.CLOSED}
    for survivor in siege.survivors:
        check_against(records, survivor)


def replayed(records: list[Record]) -> dict[TableId, Table]:
    """Every table of the log, by its number."""
    streams: dict[str, list[Record]] = {}
    for record in records:
        streams.setdefault(record.stream, []).append(record)
    tables = {}
    for stream, past in streams.items():
        if stream.startswith("table/"):
            number = TableId(int(stream.removeprefix("table/")))
            tables[number] = replay(number, table_events(past))
    return tables


def check_against(records: list[Record], survivor: Survivor) -> None:
    """What a survivor remembers at the very end is what the log has."""
    for table, memory in survivor.tables.items():
        past = [record for record in records if record.stream == f"table/{table}"]
        entries = {
            record.n: Entry(record.n, record.at, record.event)
            for record in past
            if isinstance(record.event, PublicEvent)
        }
        assert all(same(entry, entries[n]) for n, entry in memory.events.items())
        events = [entry.event for entry in entries.values()]
        made = [e.move for e in events if isinstance(e, Played) and e.seat == memory.seat]
        assert made == memory.made
        said = Counter(e.text for e in events if isinstance(e, Said))
        assert all(said[text] == 1 for text in memory.said)


def test_after_a_kill_clocks_stand_where_the_last_event_left_them(disk: Path) -> None:
    with serving(disk) as server:
        ann, bob = server.enter("ann"), server.enter("bob")
        table = sit_down(ann, bob, "nim sticks=3,4,5", "5m+3s")
        ann.done(Play(table, "0,1"))
        bob.done(Play(table, "0,1"))
        before = [ann.news(Played), ann.news(Played)][-1]
    with serving(disk) as server:
        assert server.call().ask(Show(table)).left == before.left
        again = server.call().back(ann)
        again.done(Play(table, "0,1"))
        after = again.news(Played)
        assert before.left is not None
        assert after.left is not None
        assert isinstance(after.event, Played)
        assert after.left[0] == before.left[0] - after.event.spent + 3 * MICROS_A_SECOND
        assert after.left[1] == before.left[1]
