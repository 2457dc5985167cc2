"""Times of day as people type them: `18:30`, the next there is, or `2026-11-20 18:30`."""

from datetime import datetime, time, timedelta

from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND, Micros


def parse_time_of_day(text: str, now: datetime) -> Micros:
    """The next moment that a typed time means, by this machine's own time. Raises BadOption."""
    try:
        hour = time.fromisoformat(text) if len(text) <= len("18:30") else None
        moment = datetime.fromisoformat(text) if hour is None else datetime.combine(now, hour)
    except ValueError:
        sentence = f"{text!r} is no time to start: write 18:30, or 2026-11-20 18:30."
        raise BadOption(sentence) from None
    if hour is not None and moment <= now.replace(tzinfo=None):
        moment += timedelta(days=1)
    return round(moment.timestamp()) * MICROS_A_SECOND
