"""The ordeal of a cluster, by hand: `python -m tests.cluster_ordeal KILLS [SEED]`.

Two halls, two edges, PostgreSQL and NATS, each a process: leaders are killed, stopped and put to
sleep past their lease, engines and an edge die, lines are cut, and the observer of the ordeal
judges what people of all languages heard. It says what was wrong, and is silent else.
"""

import sys
import tempfile
from functools import partial
from pathlib import Path

from rookery.cli.ordeal.cluster.engines import Engines
from rookery.cli.ordeal.cluster.ordeal import run_cluster
from rookery.store.address import read_address
from rookery.store.postgres.reading import PostgresLog
from tests.postgres import Server
from tests.server.cluster import NatsServer


def main(kills: int, seed: int) -> int:
    """Run it; the exit code."""
    database, broker = Server(), NatsServer()
    hall = database.hall().hall

    def address(port: int) -> str:
        return f"{database.address(port=port)}?hall={hall}"

    engines = Engines(
        database, broker, address, partial(PostgresLog, read_address(address(database.port)))
    )
    try:
        with tempfile.TemporaryDirectory() as folder:
            report = run_cluster(kills, seed, Path(folder), engines, lambda _: None)
    finally:
        broker.kill()
        database.remove()
    for failing in report.all_failings:
        sys.stdout.write(f"{failing.judgement}: {failing.sentence}\n")
    return 1 if report.all_failings else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int((sys.argv[2:] or ["1"])[0])))
