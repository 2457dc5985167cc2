"""HTTP as those who look at the wire read it: requests and answers, cut out of bytes.

Nothing of the server's own code is used. Both have a length, or no body at all.
"""

from collections.abc import Iterator
from typing import Final

HEAD_ENDS: Final = b"\r\n\r\n"
LENGTH: Final = b"content-length:"


class Messages:
    """Cuts bytes into HTTP messages, each a head and a body."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, came: bytes) -> Iterator[tuple[str, bytes]]:
        """The first line and the body of each message that is here whole."""
        self._rest += came
        while True:
            head, mark, behind = self._rest.partition(HEAD_ENDS)
            if not mark or len(behind) < (length := _length(head)):
                return
            self._rest = behind[length:]
            yield head.split(b"\r\n")[0].decode("latin-1"), behind[:length]


class ServerAnswers:
    """Cuts bytes of a server into HTTP answers."""

    def __init__(self) -> None:
        self._messages = Messages()

    def feed(self, came: bytes) -> Iterator[tuple[int, bytes]]:
        """The status and body of each answer that these bytes complete; 0: no readable status."""
        for first, body in self._messages.feed(came):
            said = first.split()
            yield int(said[1]) if len(said) > 1 and said[1].isdigit() else 0, body


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        if line.lower().startswith(LENGTH):
            return int(line.partition(b":")[2])
    return 0
