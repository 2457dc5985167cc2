"""Rookery beside what a user could pick instead: the same games, as many tables and clients.

`python bench/peers/run.py [--tables 100] [--repeat 3]`, after `npm install` in this folder. Each
server is a process of its own; they are run in turns, and the medians are printed.
"""

import argparse
import json
import socket
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.load.load import play
from rookery_tools.bench.load.processes import ServerProcess
from rookery_tools.bench.load.scripts import REVERSI, games_of
from rookery_tools.bench.load.seats import parties, seated

HERE = Path(__file__).parent
Run = dict[str, float]


def rookery(tables: int) -> Run:
    """Native over TCP, the log on a disk."""
    bed = BenchSetup(Path(tempfile.gettempdir()))
    with bed.rookery() as server, seated(server.port, parties(REVERSI, tables, 1)) as pairs:
        before = server.cpu()
        course = play(pairs)
        cpu = server.cpu() - before
    return {
        "cpu": cpu / course.moves / 1000,
        "rate": course.moves / course.nanos * 1e9,
        "p50": course.answer(50) / 1000,
        "p99": course.answer(99) / 1000,
    }


def peer(name: str, tables: int) -> Run:
    """A server of this folder, under the load of this folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    words = ["node", f"{name}_server.js", str(port)]
    with subprocess.Popen(words, cwd=HERE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None, "its output is a pipe"
            process.stdout.readline()
            return _driven(ServerProcess(process, port, 0.0), name, tables)
        finally:
            process.kill()


def _driven(server: ServerProcess, name: str, tables: int) -> Run:
    words = ["node", f"{name}_load.js", str(server.port), str(tables)]
    with subprocess.Popen(words, cwd=HERE, stdout=subprocess.PIPE) as load:
        assert load.stdout is not None, "its output is a pipe"
        while load.stdout.readline() != b"ready\n":
            assert load.poll() is None, "the load has begun"
        before = server.cpu()
        came = json.loads(load.stdout.readline())
        cpu = (server.cpu() - before) / came["moves"] / 1000
    return {"cpu": cpu, "rate": came["moves"] / came["seconds"], **came}


def main() -> None:
    """Run all in turns, and print the medians."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--repeat", type=int, default=3)
    told = options.parse_args()
    squares = [
        [[seat, ord(text[0]) - ord("a") + 8 * (int(text[1]) - 1)] for seat, text in moves]
        for moves in games_of(REVERSI)
    ]
    (HERE / "games.json").write_text(json.dumps(squares), "utf-8")
    servers = {
        "Rookery": lambda: rookery(told.tables),
        "boardgame.io": lambda: peer("boardgame", told.tables),
        "Colyseus": lambda: peer("colyseus", told.tables),
    }
    runs: dict[str, list[Run]] = {name: [] for name in servers}
    for _ in range(told.repeat):
        for name, once in servers.items():
            runs[name].append(once())
    print(f"{told.tables} tables of reversi, medians of {told.repeat} runs in turns")
    for name, found in runs.items():
        keys = ("cpu", "rate", "p50", "p99")
        cpu, rate, p50, p99 = (median(one[key] for one in found) for key in keys)
        spread = f"{min(one['cpu'] for one in found):.0f}-{max(one['cpu'] for one in found):.0f}"
        print(f"{name:13} {cpu:6.0f} µs CPU a move ({spread}), {rate:6.0f} moves/s, ", end="")
        print(f"p50 {p50:.1f} ms, p99 {p99:.1f} ms", flush=True)


if __name__ == "__main__":
    main()
