"""Transcripts: what one player said and was told in native, read again from the wire.

The client that played is not asked: bytes are cut into lines here, each with the moment its
last byte lay at the server's socket, or was written there.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from rookery.clients.native.words import Answer, Greeting, Request, Told, Unasked
from rookery.core.ids import PlayerId
from rookery.games.views import read_part
from rookery_tools.sim.clients.person import WorldPerson
from rookery_tools.sim.frames import read_messages
from rookery_tools.sim.machine.agenda import Nanos
from rookery_tools.sim.machine.wires import WorldLine

_REQUESTS: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)
_MESSAGES: Final[msgspec.json.Decoder[Answer | Unasked]] = msgspec.json.Decoder(
    Answer | Unasked, dec_hook=read_part
)


Pieces = Iterable[tuple[Nanos, bytes]]


class Exchange(Struct):
    """A request, when it came, and its answer, if there was one."""

    line: int
    came: Nanos
    request: Request
    answered: Nanos | None = None
    answer: Answer | None = None


class ToldUnasked(Struct, frozen=True):
    """A message that the server sent unasked, and when."""

    line: int
    at: Nanos
    message: Unasked


class Transcript(Struct):
    """All that one player said and was told."""

    name: str
    player: PlayerId | None = None
    token: str = ""
    players: list[PlayerId] = []  # all that it was greeted as; the last of them is it now
    exchanges: list[Exchange] = []
    heard: list[ToldUnasked] = []
    strange: list[str] = []  # what could not be read

    def news(self) -> Iterator[tuple[ToldUnasked, Told]]:
        """The news of tables among the messages sent unasked."""
        for one in self.heard:
            if isinstance(one.message, Told):
                yield one, one.message


def cut_lines(pieces: Pieces) -> Iterator[tuple[Nanos, bytes]]:
    """Whole lines, and when the last byte of each was there."""
    rest = b""
    for at, piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield at, line


def read_person(person: WorldPerson) -> Transcript:
    """Read what this person said and was told, over all its lines."""
    read = Transcript(person.name)
    for line in person.lines:
        if person.habits.framed:
            _read_line(read, line, read_messages(line.up), read_messages(line.down))
        else:
            _read_line(read, line, line.up, line.down)
    return read


def _read_line(read: Transcript, line: WorldLine, up: Pieces, down: Pieces) -> None:
    asked = [Exchange(line.number, at, _REQUESTS.decode(words)) for at, words in cut_lines(up)]
    read.exchanges += asked
    waiting = iter(asked)
    for at, words in cut_lines(down):
        try:
            message = _MESSAGES.decode(words)
        except msgspec.DecodeError:
            read.strange.append(words.decode(errors="replace"))
            continue
        if isinstance(message, Unasked):
            read.heard.append(ToldUnasked(line.number, at, message))
            continue
        exchange = next(waiting, None)
        if exchange is None:
            read.strange.append(f"an answer to nothing: {message}")
            continue
        exchange.answered, exchange.answer = at, message
        if isinstance(message, Greeting) and message.player is not None:
            read.player, read.token = message.player, message.token or ""
            read.players.append(message.player)
