"""A new version rolls through halls and edges under load: only an edge that goes cuts anyone."""

import signal
import threading
from pathlib import Path

from rookery.core.events import Said
from rookery.core.ids import TableId
from rookery.core.intents import History, Open, Say, Sit
from tests.postgres import needs_postgres, server
from tests.server.cluster import Cluster, attachments, clustered, needs_broker
from tests.server.process import Client, Server

pytestmark = [needs_broker, needs_postgres]

PAIRS = 3
LEAST = 5  # words that each says between two steps


class Talker:
    """Says one word after the other at a table, and calls again where it was hung up on."""

    def __init__(self, client: Client, table: TableId) -> None:
        self.client = client
        self.table = table
        self.done: list[str] = []  # what was answered
        self.calls = 0  # how often it had to call again
        self.again: Server | None = None  # where
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        n = 0
        while not self._stop.is_set():
            n += 1
            word = f"{self.client.player}-{n}"
            try:
                self.client.done(Say(self.table, word))
            except (AssertionError, OSError):
                assert self.client.ended, "only who was hung up on calls again"
                assert self.again is not None, "nobody is hung up on but at an edge that goes"
                self.client = self.again.call().back(self.client)
                self.calls += 1
            else:
                self.done.append(word)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(60)

    @property
    def runs(self) -> bool:
        return self._thread.is_alive()


def sit_down(cluster: Cluster) -> list[tuple[Talker, Talker]]:
    """Pairs, of which one is at each edge."""
    found = []
    for n in range(PAIRS):
        ann, bob = cluster.edges[0].enter(f"ann{n}"), cluster.edges[1].enter(f"bob{n}")
        table = ann.done(Open("nim")).table
        assert table is not None
        bob.done(Sit(table))
        found.append((Talker(ann, table), Talker(bob, table)))
    return found


def go_on(talkers: list[Talker]) -> None:
    """Wait until each has said some more."""
    before = [len(one.done) for one in talkers]
    for one, said in zip(talkers, before, strict=True):
        while len(one.done) < said + LEAST:
            assert one.runs, "everybody goes on"
            threading.Event().wait(0.01)


def test_a_new_version_rolls_through_and_cuts_only_an_edge_that_goes(tmp_path: Path) -> None:
    address = server().hall()
    flags = ("--data", f"{address.secret}?hall={address.hall}", "--lease", "600")
    with clustered(tmp_path, hall_flags=flags) as cluster:
        pairs = sit_down(cluster)
        talkers = [one for pair in pairs for one in pair]
        go_on(talkers)
        for _ in range(2):  # there and back: every process is a new one
            old = cluster.hall
            assert old is not None
            before = [attachments(edge.port) for edge in cluster.edges]
            cluster.hall = cluster.start_another("main")
            assert old.stop(signal.SIGTERM) == 0
            for edge, times in zip(cluster.edges, before, strict=True):
                cluster.attached(edge, times + 1)
            go_on(talkers)
        assert [one.calls for one in talkers] == [0] * len(talkers)
        fresh = cluster.start_edge()
        cluster.attached(fresh)
        for ann, _ in pairs:
            ann.again = fresh
        assert cluster.edges[0].stop(signal.SIGTERM) == 0
        go_on(talkers)
        for one in talkers:
            one.stop()
        assert [bob.calls for _, bob in pairs] == [0] * PAIRS
        assert [ann.calls for ann, _ in pairs] == [1] * PAIRS
        for ann, bob in pairs:
            check(ann, bob)
        assert "Traceback" not in cluster.complaints()


def check(ann: Talker, bob: Talker) -> None:
    """Everything that was answered is there, once and in order; and nothing twice."""
    said, more = list[str](), True
    after = 0
    while more:
        past = bob.client.ask(History(bob.table, after))
        said += [one.event.text for one in past.events if isinstance(one.event, Said)]
        more, after = past.more, past.events[-1].n if past.events else after
    assert len(set(said)) == len(said)
    for one in (ann, bob):
        mine = [word for word in said if word.startswith(f"{one.client.player}-")]
        assert [word for word in mine if word in one.done] == one.done
        assert len(mine) <= len(one.done) + one.calls
