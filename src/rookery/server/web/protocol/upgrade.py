"""How a caller of HTTP comes to speak WebSocket: the handshake, and nothing after it.

uvicorn makes one of these when a request asks for an upgrade, and gives it the request.
If all is well we shake hands, and the connection leaves HTTP for good; else the caller is
told why not. A browser says which page is calling, and only this server's own may.
"""

import asyncio
from http import HTTPStatus
from typing import Any, Final, Protocol, cast

from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from rookery.dialects import LANGUAGES
from rookery.server.web.api.problems import Trouble, missing, respond
from rookery.server.web.guard.admission import Admission
from rookery.server.web.guard.origins import check_origins
from rookery.server.web.protocol.websocket import log
from rookery.server.web.site.headers import HEADERS

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
        except Trouble as wrong:
            way.write(_refusal(wrong).serialize())
            way.close()
            return
        way.write(response.serialize())
        self.dialect = dialect

    def _shake(self, hands: ServerProtocol) -> tuple[str, Response]:
        """Return the dialect that is asked for, and the answer that grants it. Raises Trouble."""
        requests = [event for event in hands.events_received() if isinstance(event, Request)]
        if not requests:
            raise _bad(HTTPStatus.BAD_REQUEST, "The head of that request cannot be read.")
        (request,) = requests
        headers = request.headers
        self._admission.check_name(headers.get_all("Host"))
        dialect = carried(request.path.partition("?")[0])
        if LANGUAGES[dialect].tokens:  # what is said there has tokens in it
            self._admission.check_secret(sealed=self._sealed)
        check_origins(headers.get_all("Origin"), headers.get_all("Host"), "connect")
        if headers.get_all("Sec-WebSocket-Version") not in ([], [VERSION]):
            sentence = f"Version {VERSION} of WebSocket is spoken here."
            answered = {"Sec-WebSocket-Version": VERSION, "Upgrade": "websocket"}
            raise Trouble(HTTPStatus.UPGRADE_REQUIRED, "bad_handshake", sentence, answered)
        response = hands.accept(request)
        response.headers.pop("Date", None)  # as in all our answers; and the time is the machine's
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            sentence = f"That is no handshake of a WebSocket: {hands.handshake_exc}."
            raise _bad(HTTPStatus(response.status_code), sentence)
        return dialect, response


def carried(path: str) -> str:
    """The dialect that is spoken at this path. Raises Trouble."""
    dialect = path.removeprefix(ROOT)
    if not path.startswith(ROOT) or not LANGUAGES[dialect].message_max:
        there = ", ".join(ROOT + one.name for one in LANGUAGES if one.message_max)
        raise missing(f"There is no WebSocket at that address; there are {there}.")
    return dialect


def _legible(head: bytes) -> bytes:
    """The head in ASCII, without cookies: those are of other servers, and may be anything."""
    lines = (line for line in head.split(b"\r\n") if line[:7].lower() != b"cookie:")
    return b"\r\n".join(lines).decode("ascii", "replace").encode("ascii", "replace")


def _bad(status: HTTPStatus, sentence: str) -> Trouble:
    return Trouble(status, "bad_handshake", sentence)


def _refusal(trouble: Trouble) -> Response:
    answer = respond(trouble)
    headers = Headers({**HEADERS, **answer.headers, "Connection": "close"})
    status = HTTPStatus(answer.status_code)
    return Response(status.value, status.phrase, headers, bytes(answer.body))
