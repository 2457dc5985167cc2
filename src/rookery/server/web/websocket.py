"""WebSockets: the handshake, and a layer of bytes with frames on one side and lines on the other.

One text message is one line of a dialect, without its end. A client that speaks so has a
session like any other, and this layer is all that is between; it needs no socket. Pings and
the end of a connection are answered here. One connection owns it.

Nearly all that comes is a short message in one frame, read in one piece: such a message is
opened here, and `websockets` sees all else. The tests send the same whole and byte by byte.
"""

import asyncio
import logging
from http import HTTPStatus
from typing import Any, Final, Protocol, cast

from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from rookery.dialects import LANGUAGES
from rookery.server.web.guard import Admission, check_host, check_origins
from rookery.server.web.problems import HEADERS, HttpProblem, missing, respond

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


# -- How a caller of HTTP comes to speak WebSocket: the handshake, and nothing after it.
#
# uvicorn makes one of these when a request asks for an upgrade, and gives it the request.
# If all is well we shake hands, and the connection leaves HTTP for good; else the caller is
# told why not. A browser says which page is calling, and only this server's own may.

ROOT: Final = "/ws/"
VERSION: Final = "13"  # of WebSocket, the only one there is


class Way(Protocol):
    """The transport, as a handshake needs it."""

    def write(self, data: bytes) -> None:
        """Send these bytes."""
        ...

    def close(self) -> None:
        """Hang up once everything has been sent."""
        ...


class Upgrade(asyncio.Protocol):
    """One request for an upgrade. `dialect` is what to speak from now on, if it was granted."""

    def __init__(self, admission: Admission, **_: Any) -> None:  # Any: uvicorn's configuration
        self.dialect = ""
        self._admission = admission
        self._way: Way | None = None
        self._sealed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the transport, which is one of ours, and whether it is sealed."""
        self._way = cast("Way", transport)
        self._sealed = bool(transport.get_extra_info("sslcontext"))

    def data_received(self, data: bytes) -> None:
        """Take the whole head of the request; grant the upgrade or refuse it."""
        way = self._way
        assert way is not None, "a request comes over a connection"
        hands = ServerProtocol(logger=log)
        hands.receive_data(_legible(data))
        try:
            dialect, response = self._shake(hands)
        except HttpProblem as wrong:
            way.write(_refusal(wrong).serialize())
            way.close()
            return
        way.write(response.serialize())
        self.dialect = dialect

    def _shake(self, hands: ServerProtocol) -> tuple[str, Response]:
        """Return the dialect asked for, and the answer that grants it. Raises HttpProblem."""
        requests = [event for event in hands.events_received() if isinstance(event, Request)]
        if not requests:
            raise _bad(HTTPStatus.BAD_REQUEST, "The head of that request cannot be read.")
        (request,) = requests
        headers = request.headers
        check_host(headers.get_all("Host"))
        self._admission.check_name(headers.get_all("Host"))
        dialect = carried(request.path.partition("?")[0])
        if LANGUAGES[dialect].tokens:  # what is said there has tokens in it
            self._admission.check_secret(sealed=self._sealed)
        check_origins(headers.get_all("Origin"), headers.get_all("Host"), "connect")
        if headers.get_all("Sec-WebSocket-Version") not in ([], [VERSION]):
            sentence = f"Version {VERSION} of WebSocket is spoken here."
            answered = {"Sec-WebSocket-Version": VERSION, "Upgrade": "websocket"}
            raise HttpProblem(HTTPStatus.UPGRADE_REQUIRED, "bad_handshake", sentence, answered)
        response = hands.accept(request)
        response.headers.pop("Date", None)  # as in all our answers; and the time is the machine's
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            sentence = f"That is no handshake of a WebSocket: {hands.handshake_exc}."
            raise _bad(HTTPStatus(response.status_code), sentence)
        return dialect, response


def carried(path: str) -> str:
    """The dialect that is spoken at this path. Raises HttpProblem."""
    dialect = path.removeprefix(ROOT)
    if not path.startswith(ROOT) or not LANGUAGES[dialect].message_max:
        there = ", ".join(ROOT + one.name for one in LANGUAGES if one.message_max)
        raise missing(f"There is no WebSocket at that address; there are {there}.")
    return dialect


def _legible(head: bytes) -> bytes:
    """The head in ASCII, without cookies: those are of other servers, and may be anything."""
    lines = (line for line in head.split(b"\r\n") if line[:7].lower() != b"cookie:")
    return b"\r\n".join(lines).decode("ascii", "replace").encode("ascii", "replace")


def _bad(status: HTTPStatus, sentence: str) -> HttpProblem:
    return HttpProblem(status, "bad_handshake", sentence)


def _refusal(trouble: HttpProblem) -> Response:
    answer = respond(trouble)
    headers = Headers({**HEADERS, **answer.headers, "Connection": "close"})
    status = HTTPStatus(answer.status_code)
    return Response(status.value, status.phrase, headers, bytes(answer.body))
