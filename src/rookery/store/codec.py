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
# What `decode` raises if a text is no event's.
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeError, TypeError, RecursionError)


def encode_event(event: LogEvent) -> bytes:
    """Write this event as the text that the log keeps."""
    return _ENCODER.encode(event)


def decode_event(text: str | bytes, seq: int) -> LogEvent:
    """Read the event in the text of record number `seq`. Raises StoreBroken."""
    try:
        return decode(text)
    except UNREADABLE as error:
        raise StoreBroken(f"Record {seq} of the log cannot be read: {error}.") from error
