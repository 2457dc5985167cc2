"""WebSocket as a layer of bytes: frames in, lines out, and the other way round.

One text message is one line of a dialect, without its end. A client that speaks so has a
session like any other, and this layer is all that is between; it needs no socket. Pings and
the end of a connection are answered here. It mutates, and one connection owns it.

Nearly all that comes is a short message in one frame, read in one piece: such a message is
opened here, and `websockets` sees all else. The tests send the same whole and byte by byte.
"""

import logging
from typing import Final

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

NORMAL: Final = int(CloseCode.NORMAL_CLOSURE)  # the dialect has nothing more to say
GOING_AWAY: Final = int(CloseCode.GOING_AWAY)  # the server goes down: come again

_TEXT: Final = 0x81  # the first byte of a text message in one frame
_MASKED: Final = 0x80  # of the second
_SHORT: Final = 126  # bytes: from so many on a frame's second byte does not hold the length
_ENDS: Final = bytes.maketrans(b"\r\n", b"  ")

log: Final = logging.getLogger("websockets.server")
log.setLevel(logging.WARNING)  # it logs every connection: anybody could fill the disk so


class Framed:
    """The server's side of one WebSocket, once hands are shaken."""

    __slots__ = ("_between", "_deaf", "_message", "_protocol", "_short", "_silent", "_spoke")

    def __init__(self, message_max: int) -> None:
        # Nothing is compressed: messages are short, and zlib's usual windows take 300 kB.
        self._protocol = ServerProtocol(state=OPEN, max_size=message_max, logger=log)
        self._short = min(_SHORT, message_max + 1)  # messages below it are opened here
        self._between = True  # all frames that came are here whole, each a whole message
        self._message = bytearray()  # the parts of a message that have come
        self._silent = True  # nothing has been read yet
        self._deaf = False  # we hear no more of the client
        self._spoke = True  # the protocol may have something to send; after a short message not

    @property
    def ended(self) -> bool:
        """Whether the WebSocket is over, in good order or not, so that we may hang up."""
        return self._protocol.eof_sent

    def open(self, framed: bytes) -> bytes:
        """Return the lines that these bytes complete; `drain` has what to send because of them."""
        if self._between:
            if len(framed) > 5 and framed[0] == _TEXT and self._is_short(framed):
                return self._whole(_unmasked(framed[6:], framed[2:6]))
            self._between = _are_whole(framed)
        self._spoke = True
        self._protocol.receive_data(framed)
        events = self._protocol.events_received()
        return b"".join(self._line(event) for event in events if isinstance(event, Frame))

    def frame(self, lines: bytes) -> bytes:
        """Return the bytes to send for these lines, a message each; none once we have parted."""
        if self._protocol.state is not OPEN:
            return self.drain()
        framed = _wrapped.frames(lines)
        before = self.drain()
        return before + framed if before else framed

    def part(self, code: int) -> bytes:
        """Return our goodbye, as bytes to send; `ended` is True once the client says so too."""
        if self._protocol.state is OPEN:
            self._protocol.send_close(code)
        self._deaf = self._spoke = True
        return self.drain()

    def drain(self) -> bytes:
        """Take out what is to be sent besides lines, such as answers to pings."""
        if not self._spoke:
            return b""
        self._spoke = False
        return b"".join(self._protocol.data_to_send())

    def _line(self, frame: Frame) -> bytes:
        """The line that this frame completes; empty if it completes none."""
        if self._deaf:
            return b""
        match frame.opcode:
            case Opcode.BINARY:
                return self._fail(CloseCode.UNSUPPORTED_DATA, "Messages are text here.")
            case Opcode.TEXT | Opcode.CONT:
                self._message += frame.data
                if not frame.fin:
                    return b""
                message, self._message = bytes(self._message), bytearray()
                return self._whole(message)
            case Opcode.PING | Opcode.PONG | Opcode.CLOSE:
                return b""  # the protocol has answered

    def _is_short(self, framed: bytes) -> bool:
        """Whether these bytes are one short frame, and neither side has parted."""
        size = framed[1] - _MASKED
        whole = 0 <= size < self._short and len(framed) == 6 + size
        return whole and not self._deaf and self._protocol.state is OPEN

    def _whole(self, message: bytes) -> bytes:
        """The line that a whole message is; empty if it is no UTF-8, which ends all."""
        if not message.isascii():
            try:
                message.decode()
            except UnicodeDecodeError:
                return self._fail(CloseCode.INVALID_DATA, "That is no UTF-8.")
        # A message is one line, whatever is in it: one message, one answer.
        line = message.translate(_ENDS) + b"\n"
        if not self._silent:
            return line
        # An empty line means nothing, and says that those after it are lines: in othello
        # the first byte tells them from frames with a length.
        self._silent = False
        return b"\n" + line

    def _fail(self, code: CloseCode, why: str) -> bytes:
        self._deaf = self._spoke = True
        self._protocol.fail(code, why)
        return b""


class _Wrapped:
    """Puts lines into frames, and remembers the last: many clients are told the same in a row.

    What a server sends is not masked, so the same lines are the same bytes to everyone.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last = (b"", b"")

    def frames(self, lines: bytes) -> bytes:
        """Return these lines as frames, a message each."""
        last = self._last
        if last[0] is not lines:
            texts = lines.removesuffix(b"\n").split(b"\n")
            wrapped = b"".join(_text(text) for text in texts)
            self._last = last = (lines, wrapped)
        return last[1]


def _unmasked(data: bytes, mask: bytes) -> bytes:
    """Unmask a few bytes: as one number, which costs less than byte by byte."""
    size = len(data)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


def _are_whole(framed: bytes) -> bool:
    """Whether these bytes are whole frames, each a whole message."""
    at, end = 0, len(framed)
    while at + 1 < end and framed[at] & 0x80:  # "the final fragment in a message"
        size = framed[at + 1] & 0x7F
        head = 2 + (4 if framed[at + 1] & _MASKED else 0)
        if size >= _SHORT:
            more = 2 if size == _SHORT else 8
            size = int.from_bytes(framed[at + 2 : at + 2 + more], "big")
            head += more
        at += head + size
    return at == end


def _text(line: bytes) -> bytes:
    """Return a message in one frame, not masked: what `websockets` writes, without its detours."""
    size = len(line)
    if size < _SHORT:  # "the payload length"; RFC 6455, 5.2
        return b"\x81%c%b" % (size, line)
    if size < 1 << 16:  # "the following 2 bytes interpreted as a 16-bit unsigned integer"
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), line)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), line)


_wrapped: Final = _Wrapped()  # one for all connections, which is the point of it
