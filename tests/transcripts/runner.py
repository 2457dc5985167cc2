"""Reads and plays transcripts: what clients send, and what the server says to them.

    # a comment quotes the sentence it proves
    ann > a line that ann sends
    ann >> b"bytes that ann sends, as Python writes them"
    ann < a line that the server says to ann
    ann <! the server hangs up on ann
    ann ! hang up
    bob ! call from 10.0.0.7
    bob ! sit at 3
    @ +5s
    restart
    listen fish players=2 wait=5 tour=CLASS return=never

Whoever is heard of first, or again after hanging up, calls by itself. A name may say
its dialect, `bob(native)`; else it is the folder's. `listen` sets the options of a dialect
for all who call after it, the code of the tour they are bound for and how they come back;
`sit at` seats a client's player at a table, as tours do. Between two acts everything said is
written down, each client's lines in order; how the clients' lines are mixed is free.
"""

import ast
import json
import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Final, Protocol

from msgspec import Struct

from rookery.core.clock import parse_length
from rookery.core.ids import TableId
from rookery.core.network import Doorway
from rookery.core.options import split_options
from rookery.core.policy import Return
from rookery.dialects import read_options
from tests.transcripts.wired_hall import HOST, WiredHall

CLOSED: Final = "<!"  # how a transcript writes that the server hung up

_LINE: Final = re.compile(r"(\w+)(?:\((\w+)\))? (>>|>|<!|<|!)(?: (.*))?")


class Line(Struct, frozen=True):
    """One line of a transcript that is no comment."""

    number: int
    who: str  # empty for time and restart
    sign: str
    text: str
    dialect: str


class Act(Struct, frozen=True):
    """Something done, and what everyone is told because of it."""

    deed: Line
    heard: tuple[Line, ...]


class Framing(Protocol):
    """How a dialect puts lines on the wire."""

    def write(self, line: str) -> bytes:
        """The bytes a client sends for this line."""
        ...

    def read(self, said: bytes) -> list[str]:
        """The lines in what the server said."""
        ...


class Newlines:
    """Lines of text, each with a line feed."""

    def write(self, line: str) -> bytes:
        """The line and its end."""
        return f"{line}\n".encode()

    def read(self, said: bytes) -> list[str]:
        """What was said, without the ends; a piece without an end says so."""
        *lines, rest = said.decode().split("\n")
        return [*lines, f"{rest} [no line end]"] if rest else lines


class OthelloFrames:
    """Lines, unless the first byte is the type of a frame with a length."""

    def write(self, line: str) -> bytes:
        """The line and its end."""
        return Newlines().write(line)

    def read(self, said: bytes) -> list[str]:
        """Lines; a frame with a length is `binary`, its type and its payload."""
        if said[:1] not in tuple(bytes([kind]) for kind in range(1, 8)):
            return Newlines().read(said)
        frames = []
        while said:
            end = 3 + int.from_bytes(said[1:3], "big")
            frames.append(f"binary {said[0]} {said[3:end].decode()}".rstrip())
            said = said[end:]
        return frames


class Tabbed:
    r"""Lines of text in which a tab is written `\t`, so that it can be seen."""

    def write(self, line: str) -> bytes:
        """The line and its end."""
        return Newlines().write(line.replace(r"\t", "\t"))

    def read(self, said: bytes) -> list[str]:
        """What was said, without the ends."""
        return [line.replace("\t", r"\t") for line in Newlines().read(said)]


class Bare:
    """JSON values with nothing between them."""

    def write(self, line: str) -> bytes:
        """Just these bytes."""
        return line.encode()

    def read(self, said: bytes) -> list[str]:
        """The values, which have no line ends after them."""
        text, found = said.decode(), []
        while text:
            _, end = json.JSONDecoder().raw_decode(text)
            found.append(text[:end])
            text = text[end:]
        return found


# Of dialects whose messages are no plain lines.
FRAMINGS: Final[Mapping[str, Framing]] = {
    "fishcom": Bare(),
    "bughouse": Tabbed(),
    "othello": OthelloFrames(),
}


def framing_of(dialect: str) -> Framing:
    """How it puts lines on the wire: as most do, if nothing else is known of it."""
    return FRAMINGS.get(dialect) or Newlines()


class Differs(AssertionError):
    """The server said something else; the message shows both side by side."""


def play(text: str, dialect: str) -> None:
    """Play this transcript. Raises Differs where the server says something else."""
    played(text, dialect)


def played(text: str, dialect: str) -> WiredHall:
    """Play this transcript; the hall as it is then. Raises Differs as `play` does."""
    hall = WiredHall()
    speaks: dict[str, str] = {}
    for act in acts(text, dialect):
        _do(hall, act.deed, speaks)
        if act.deed.who:
            speaks[act.deed.who] = act.deed.dialect
        _compare(act, _heard(hall, speaks))
    return hall


def acts(text: str, dialect: str) -> list[Act]:
    """A transcript, cut at everything that is done."""
    found: list[Act] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if not raw.strip() or raw.startswith("#"):
            continue
        line = _parse(number, raw, dialect)
        if line.sign in ("<", CLOSED):
            assert found, f"line {number}: nothing was done that this could follow"
            last = found.pop()
            found.append(Act(last.deed, (*last.heard, line)))
        else:
            found.append(Act(line, ()))
    return found


def _parse(number: int, raw: str, dialect: str) -> Line:
    if raw == "restart" or raw.startswith("@ +"):
        return Line(number, "", raw[0], raw[3:], dialect)
    if raw.startswith("listen "):
        return Line(number, "", raw[0], raw.removeprefix("listen "), dialect)
    read = _LINE.fullmatch(raw)
    assert read, f"line {number} is no line of a transcript: {raw}"
    return Line(number, read[1], read[3], read[4] or "", read[2] or dialect)


def _do(hall: WiredHall, deed: Line, speaks: dict[str, str]) -> None:
    who, text = deed.who, deed.text
    if deed.sign == "@":
        hall.advance(parse_length(text))
        return
    if deed.sign == "r":
        hall.restart()
        return
    if deed.sign == "l":
        name, *words = text.split()
        given = split_options(words)
        hall.doors[name] = Doorway(given.pop("tour", ""), Return(given.pop("return", "host")))
        hall.options[name] = read_options(name, given)
        return
    if deed.sign == "!" and text == "hang up":
        hall.hang_up(who)
        return
    if deed.sign == "!" and text.startswith("sit at "):
        hall.sit(who, TableId(int(text.removeprefix("sit at "))))
        return
    if deed.sign == "!":
        assert text.startswith("call from "), f"line {deed.number}: {text} is nothing one can do"
        hall.connect(who, deed.dialect, text.removeprefix("call from "))
        return
    if who not in hall.lines:
        hall.connect(who, deed.dialect, HOST)
    framing = framing_of(speaks.get(who, deed.dialect))
    sent = framing.write(text) if deed.sign == ">" else ast.literal_eval(text)
    hall.send(who, sent)


def _heard(hall: WiredHall, speaks: dict[str, str]) -> dict[str, list[str]]:
    """What was said to everyone since the last time; whom the server hung up on is gone."""
    heard: dict[str, list[str]] = {}
    for who in list(hall.lines):
        said = framing_of(speaks[who]).read(hall.take(who))
        if hall.lines[who].closed:
            del hall.lines[who]
            said.append(CLOSED)
        if said:
            heard[who] = said
    return heard


def _compare(act: Act, heard: dict[str, list[str]]) -> None:
    expected: dict[str, list[str]] = {}
    for line in act.heard:
        said = CLOSED if line.sign == CLOSED else line.text
        expected.setdefault(line.who, []).append(said)
    if expected == heard:
        return
    deed = act.deed
    report = [f"line {deed.number}: {deed.who} {deed.sign} {deed.text}".rstrip()]
    for who in sorted(expected.keys() | heard.keys()):
        pairs = zip_longest(expected.get(who, []), heard.get(who, []), fillvalue="(nothing)")
        for wanted, got in pairs:
            sign = "  " if wanted == got else "! "
            report += [f"{sign}{who} should hear {wanted}", f"{sign}{who} does hear  {got}"]
    raise Differs("\n".join(report))
