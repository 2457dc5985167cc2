"""Reads what goes over a native connection a second time, beside the client, into a transcript.

Made-up worlds (`sim`) are judged by such transcripts, so the same judges can read these.
"""

from collections import deque
from typing import Final

import msgspec

from rookery.clients.native.words import Answer, Greeting, Request, Told, Unasked
from rookery.core.messages import Notice
from rookery.games.views import read_part
from rookery_tools.crashtest.clients.calling import now
from rookery_tools.crashtest.observer.claims import Claims, EventHeard
from rookery_tools.sim.machine.agenda import MICRO
from rookery_tools.sim.observer import transcript
from rookery_tools.sim.observer.transcript import Exchange, Transcript

_REQUESTS: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)
_MESSAGES: Final[msgspec.json.Decoder[Answer | Unasked]] = msgspec.json.Decoder(
    Answer | Unasked, dec_hook=read_part
)


class Transcriber:
    """Writes the transcript of one native connection."""

    def __init__(self, claims: Claims, who: str, line: int) -> None:
        self._claims, self._who, self._line = claims, who, line
        self._read = claims.transcripts.setdefault(who, Transcript(who))
        self._owed: deque[Exchange] = deque()
        self._rest = b""

    def said(self, words: bytes) -> None:
        """Take in whole lines that the client sent."""
        for line in words.splitlines():
            asked = Exchange(self._line, now() * MICRO, _REQUESTS.decode(line))
            self._read.exchanges.append(asked)
            self._owed.append(asked)

    def told(self, came: bytes) -> None:
        """Take in bytes that the server sent, cut anywhere."""
        *lines, self._rest = (self._rest + came).split(b"\n")
        at = now()
        for line in lines:
            try:
                message = _MESSAGES.decode(line)
            except msgspec.DecodeError as wrong:
                self._read.strange.append(f"{line!r}: {wrong}")
                continue
            if isinstance(message, Unasked):
                self._read.heard.append(transcript.ToldUnasked(self._line, at * MICRO, message))
            match message:
                case Told(table, n, event=event):
                    self._claims.heard.append(EventHeard(at, self._who, table, n, event))
                case Notice(code):
                    self._claims.notices.append((at, self._line, code))
                case _ if not isinstance(message, Unasked):
                    self._answered(message, at * MICRO)
                case _:
                    pass

    def _answered(self, message: Answer, at: int) -> None:
        if not self._owed:
            self._read.strange.append(f"an answer to nothing: {message}")
            return
        asked = self._owed.popleft()
        asked.answered, asked.answer = at, message
        if isinstance(message, Greeting) and message.player is not None:
            self._read.player, self._read.token = message.player, message.token or ""
