"""Events as the text that the log keeps: JSON, a `type` and the event's own fields.

The text of an event is for ever. `core/events.py` may add a field with a default; the
golden texts in the tests say when something else happened to it.
"""

from typing import Final

import msgspec

from rookery.core.events import LogEvent
from rookery.store import StoreBroken

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[LogEvent]] = msgspec.json.Decoder(LogEvent)
decode: Final = _DECODER.decode
# What it raises where a text is no event's.
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeError, TypeError, RecursionError)


def encode_event(event: LogEvent) -> bytes:
    """The text of this event."""
    return _ENCODER.encode(event)


def decode_event(text: str | bytes, seq: int) -> LogEvent:
    """The event that record number `seq` keeps as this text. Raises StoreBroken."""
    try:
        return decode(text)
    except UNREADABLE as error:
        raise StoreBroken(f"Record {seq} of the log cannot be read: {error}.") from error
