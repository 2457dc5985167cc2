"""The two clocks of the machine, and what to say when they and the log do not agree."""

import time
from datetime import UTC, datetime
from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros

AHEAD: Final[Micros] = 2 * MICROS_A_SECOND  # a clock that is set right may jump by so much
NANOS: Final = 1_000  # in a microsecond


def monotonic() -> Micros:
    """The monotonic clock in whole microseconds."""
    return time.monotonic_ns() // NANOS


def wall() -> Micros:
    """The time of day, in whole microseconds since 1970."""
    return time.time_ns() // NANOS


def ahead(last: Micros, now: Micros) -> str | None:
    """A warning if the last record of a log is dated later than it is now; else None."""
    if last <= now + AHEAD:
        return None
    return (
        f"The log's last record is dated {_said(last)}, and it is {_said(now)} by this machine's "
        "clock: one of the two is wrong. New records get the time that it is now; what is "
        "written keeps its dates, and its order is that of its numbers."
    )


def _said(moment: Micros) -> str:
    try:
        said = datetime.fromtimestamp(moment / MICROS_A_SECOND, UTC)
    except (ValueError, OverflowError, OSError):
        return "beyond all calendars"
    return f"{said:%Y-%m-%d %H:%M:%S} UTC"
