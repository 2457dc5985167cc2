"""How the server is: `/healthz` for whoever restarts it, `/metrics` for whoever watches.

Neither asks the hall, so both answer while the log cannot be written. Metrics are in the
text format of Prometheus, which is a line a number.
"""

from http import HTTPStatus
from typing import Final

from msgspec import Struct

from rookery import __version__
from rookery.server.web.api.calls import Asked, Call, Nothing, Text
from rookery.server.web.api.problems import Trouble

PLAIN: Final = "text/plain"
PROMETHEUS: Final = f"{PLAIN}; version=0.0.4"  # of its text format

# What is counted, what Prometheus calls its kind, and what it means.
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


class Health(Struct, frozen=True):
    """The server is well."""

    status: str
    version: str


async def health(asked: Asked) -> Health:
    """Whether the server can take moves."""
    asked.query(Nothing)
    if asked.sources.failing():
        sentence = "The server cannot write its log, and takes no moves."
        raise Trouble(HTTPStatus.SERVICE_UNAVAILABLE, "no_disk", sentence)
    return Health("ok", __version__)


async def metrics(asked: Asked) -> Text:
    """Numbers, for Prometheus."""
    asked.query(Nothing)
    tally = asked.sources.tally
    values: dict[str, dict[str, float]] = {
        "rookery_tables": {'{status="open"}': tally.open, '{status="playing"}': tally.playing},
        "rookery_tours": {"": tally.tours},
        "rookery_players": {"": tally.players},
        "rookery_moves_total": {"": tally.moves},
        "rookery_records_total": {"": tally.records},
        "rookery_log_failing": {"": int(asked.sources.failing())},
    }
    values |= {name: {"": value} for name, value in asked.sources.gauges().items()}
    lines = []
    for name, (kind, about) in ABOUT.items():
        lines += [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{labels} {value:.15g}" for labels, value in values[name].items()]
    return Text("\n".join(lines) + "\n", PROMETHEUS)


CALLS: Final = (
    Call(
        "GET",
        "/healthz",
        "Whether the server can take moves",
        "health",
        health,
        Health,
        query=Nothing,
    ),
    Call(
        "GET",
        "/metrics",
        "Numbers for Prometheus",
        "health",
        metrics,
        query=Nothing,
        kinds=(PLAIN,),
    ),
)
