"""What is measured of a server, a hall or an edge, and how Prometheus reads it.

Whatever measures gives each sample by its whole name, labels and all; `prometheus` makes the text
format of them, a line a number. A server serves `/healthz` and `/metrics` on its own ports
(`web/api_server.py`); a process that takes no players has a `HealthPort`.
"""

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct

from rookery import __version__
from rookery.core.events import (
    Closed,
    Ended,
    LogEvent,
    Opened,
    Played,
    PlayerMade,
    Record,
    Started,
    TourEnded,
    TourOpened,
)
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.config import BadSetting

PLAIN: Final = "text/plain"
PROMETHEUS: Final = f"{PLAIN}; version=0.0.4"  # of its text format
REQUEST_HEAD_MAX: Final = 8_192  # bytes of a request to a health port
REQUEST_TIMEOUT_S: Final = 5.0

# Upper bounds of the buckets of a histogram: from a commit on a good disk to an outage.
BUCKETS: Final[tuple[Micros, ...]] = (
    *(500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000),
    *(1_000_000, 2_500_000, 5_000_000, 10_000_000, 30_000_000),
)

# What every server counts, what Prometheus calls its kind, and what it means.
ABOUT: Final = {
    "rookery_connections": ("gauge", "Connections of all dialects, HTTP included."),
    "rookery_tables": ("gauge", "Tables by status."),
    "rookery_tours": ("gauge", "Tours that are not over."),
    "rookery_players": ("gauge", "Players there ever were."),
    "rookery_moves_total": ("counter", "Moves since the start."),
    "rookery_records_total": ("counter", "Records written to the log since the start."),
    "rookery_log_bytes": ("gauge", "Size of the log on disk."),
    "rookery_log_failing": ("gauge", "1 while the log cannot be written."),
    "rookery_stalled_seconds_total": ("counter", "How long the event loop stood still."),
    "rookery_uptime_seconds": ("gauge", "How long the server has run."),
}
# And what the parts of a cluster count beside that.
OF_A_CLUSTER: Final = {
    "rookery_leads": ("gauge", "1 where this process leads its hall; 0 where it stands by."),
    "rookery_epoch": ("gauge", "How often the hall was taken over, or when it began."),
    "rookery_edges": ("gauge", "Edges of this hall."),
    "rookery_log_lag_seconds": ("gauge", "How long what is being written has waited."),
    "rookery_commit_seconds": ("histogram", "How long a batch took to be safe."),
    "rookery_edge_has_hall": ("gauge", "1 while the hall is there."),
    "rookery_edge_attached_total": ("counter", "How often this one attached to a hall."),
    "rookery_answer_seconds": ("histogram", "From when a question was read to its answer."),
}
EVERYTHING: Final = ABOUT | OF_A_CLUSTER
_PARTS: Final = ("_bucket", "_sum", "_count")  # of a histogram


def prometheus(samples: Mapping[str, float]) -> str:
    """Write these samples, in the order of the tables above."""
    return "\n".join(_lines(samples)) + "\n"


def measure_of(sample: str) -> str:
    """The name of the measure that this is a sample of."""
    name = sample.partition("{")[0]
    for part in _PARTS:
        base = name.removesuffix(part)
        if EVERYTHING.get(base, ("", ""))[0] == "histogram":
            return base
    return name


def _lines(samples: Mapping[str, float]) -> Iterator[str]:
    known: dict[str, list[str]] = {name: [] for name in EVERYTHING}
    for sample, value in samples.items():
        known[measure_of(sample)].append(f"{sample} {value:.15g}")
    for name, lines in known.items():
        if lines:
            kind, about = EVERYTHING[name]
            yield f"# HELP {name} {about}"
            yield f"# TYPE {name} {kind}"
            yield from lines


class Histogram:
    """How long something took each time: a histogram as Prometheus has it."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BUCKETS) + 1)
        self._sum: Micros = 0

    def add(self, took: Micros) -> None:
        """Count one more duration."""
        self._counts[bisect_left(BUCKETS, took)] += 1
        self._sum += took

    def samples(self, name: str, labels: str = "") -> dict[str, float]:
        """The histogram as samples of this name, with these labels."""
        before, mark = (f"{labels},", f"{{{labels}}}") if labels else ("", "")
        total, found = 0, dict[str, float]()
        for bound, count in zip(BUCKETS, self._counts, strict=False):
            total += count
            found[f'{name}_bucket{{{before}le="{bound / MICROS_A_SECOND:g}"}}'] = total
        total += self._counts[-1]
        found[f'{name}_bucket{{{before}le="+Inf"}}'] = total
        return found | {
            f"{name}_sum{mark}": self._sum / MICROS_A_SECOND,
            f"{name}_count{mark}": total,
        }


class Counters:
    """Counts what there is, and what was written since the start: one look-up a record.

    How many tables are open or being played follows from the events: what was opened and has
    neither begun nor gone is open. What the log left is counted when it is taken up, what is
    written since when it is safe.
    """

    def __init__(self) -> None:
        self._taken_up: Counter[type[LogEvent]] = Counter()  # of streams that were not over
        self._written: Counter[type[LogEvent]] = Counter()
        self.beside: list[Callable[[], dict[str, float]]] = []  # other samples, for Prometheus

    def taking_up(self, records: Iterable[Record]) -> Iterator[Record]:
        """The same records, counted as they pass; but for moves, of which only new ones count."""
        for record in records:
            kind = type(record.event)
            if kind is not Played:
                self._taken_up[kind] += 1
            yield record

    def wrote(self, records: Iterable[Record]) -> None:
        """Count these records, which are safe."""
        written = self._written
        for record in records:  # a Counter's `update` asks first what it is given: 3 µs
            written[type(record.event)] += 1

    def samples(self) -> dict[str, float]:
        """What is counted here and beside, by the whole name of each sample."""
        there, written = self._there, self._written
        samples: dict[str, float] = {
            'rookery_tables{status="open"}': there(Opened) - there(Started) - there(Closed),
            'rookery_tables{status="playing"}': there(Started) - there(Ended),
            "rookery_tours": there(TourOpened) - there(TourEnded),
            "rookery_players": there(PlayerMade),
            "rookery_moves_total": written[Played],
            "rookery_records_total": written.total(),
        }
        for count in self.beside:
            samples |= count()
        return samples

    def _there(self, kind: type[LogEvent]) -> int:
        return self._taken_up[kind] + self._written[kind]


class Health(Struct, frozen=True):
    """The server is well."""

    status: str
    version: str


class ProcessStatus(Struct, frozen=True):
    """How a process is, in a word."""

    status: str
    sentence: str  # for clients that want something else


class HealthPort:
    """A port for `/healthz` and `/metrics` alone."""

    def __init__(
        self, status: Callable[[], ProcessStatus], samples: Callable[[], dict[str, float]]
    ) -> None:
        self._status = status
        self._samples = samples
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listen; return the port's number. Raises BadSetting."""
        try:
            self._server = await asyncio.start_server(
                self._answer, host, port, limit=REQUEST_HEAD_MAX
            )
        except OSError as wrong:
            raise BadSetting(f"Cannot listen on {host}:{port}: {wrong.strerror}.") from None
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    def close(self) -> None:
        """Stop listening, so that another may listen here."""
        if self._server is not None:
            self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self.answer(head))
                await writer.drain()
        writer.close()

    def answer(self, head: bytes) -> bytes:
        """Return the whole answer to a request with this head."""
        status, kind, body = self._say(head.partition(b" ")[2].partition(b" ")[0])
        words = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {kind}\r\n"
        words += f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        return words.encode() + body

    def _say(self, path: bytes) -> tuple[HTTPStatus, str, bytes]:
        now = self._status()
        if path == b"/healthz":
            body = msgspec.json.encode(Health(now.status, __version__))
            return HTTPStatus.OK, "application/json", body
        if path == b"/metrics":
            return HTTPStatus.OK, PROMETHEUS, prometheus(self._samples()).encode()
        return HTTPStatus.SERVICE_UNAVAILABLE, PLAIN, f"{now.sentence}\n".encode()
