"""What is measured, of a server, a hall or an edge: its name, its kind, what it means.

Who measures gives each sample by its whole name, labels and all; here they become the text
format of Prometheus, which is a line a number.
"""

from collections.abc import Iterator, Mapping
from typing import Final

PLAIN: Final = "text/plain"
PROMETHEUS: Final = f"{PLAIN}; version=0.0.4"  # of its text format

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
    """These, in the order of the tables above."""
    return "\n".join(_lines(samples)) + "\n"


def measure_of(sample: str) -> str:
    """What a sample is one of."""
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
