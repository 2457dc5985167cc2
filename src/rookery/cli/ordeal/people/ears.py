"""What is said in native, read a second time beside the client: every word of it is a claim."""

from collections import deque
from typing import Final

import msgspec

from rookery.cli.ordeal.observer.claims import Asked, Claims, Heard
from rookery.cli.ordeal.people.calling import now
from rookery.clients.native.words import Answer, Request, Told, Unasked
from rookery.core.intents import Play, Say
from rookery.core.messages import Done, Notice
from rookery.games.views import read_part

_REQUESTS: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)
_MESSAGES: Final[msgspec.json.Decoder[Answer | Unasked]] = msgspec.json.Decoder(
    Answer | Unasked, dec_hook=read_part
)


class Ear:
    """One connection, listened in to. It mutates."""

    def __init__(self, claims: Claims, who: str, line: int) -> None:
        self._claims, self._who, self._line = claims, who, line
        self._owed: deque[Asked | None] = deque()
        self._rest = b""

    def said(self, words: bytes) -> None:
        """The client said this, in whole lines."""
        for line in words.splitlines():
            request = _REQUESTS.decode(line)
            asked = None
            if isinstance(request, Play):
                asked = Asked(self._who, request.table, request.move)
            elif isinstance(request, Say):
                asked = Asked(self._who, request.table, request.text, chat=True)
            if asked is not None:
                self._claims.asked.append(asked)
            self._owed.append(asked)

    def told(self, came: bytes) -> None:
        """The server said this, cut anywhere."""
        *lines, self._rest = (self._rest + came).split(b"\n")
        for line in lines:
            try:
                message = _MESSAGES.decode(line)
            except msgspec.DecodeError as wrong:
                self._claims.strange.append(f"{self._who} cannot read {line!r}: {wrong}")
                continue
            if isinstance(message, Told):
                claim = Heard(now(), self._who, self._line, message.table, message.n, message.event)
                self._claims.heard.append(claim)
            elif isinstance(message, Notice):
                self._claims.notices.append((now(), self._line, message.code))
            elif not isinstance(message, Unasked):
                self._answered(message)

    def _answered(self, message: Answer) -> None:
        if not self._owed:
            self._claims.strange.append(f"{self._who} was answered without asking: {message}")
            return
        asked = self._owed.popleft()
        if asked is not None:
            asked.done = isinstance(message, Done)
