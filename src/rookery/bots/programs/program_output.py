"""Judges what a program prints: bytes in, answers out, or a reason why the program has lost.

No input or output happens here. Answers come in the order of the questions, so each is given with
the number of its question, by which a caller knows an answer that it no longer waits for. It keeps
the line that is not yet whole, the questions that are open, and how many lines came that answer
nothing.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from rookery.bots.programs.failed import Fault, ProgramFailed
from rookery.bots.programs.words import Answer, Begin, Ready, Turn, read, word

LINE_MAX: Final = 1 << 20  # bytes; no answer is longer, and no flood may fill our memory
UNASKED_MAX: Final = 1000  # lines of no use to us between two answers
_QUOTED: Final = 60  # characters of a bad line that a person is shown


class ProgramAnswer(Struct, frozen=True):
    """An answer of a program, and the number of the question that it answers."""

    number: int
    answer: Answer


class ProgramOutput:
    """Reads what one program prints."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._part = bytearray()
        self._open: deque[tuple[int, Begin | Turn]] = deque()
        self._count = 0  # of all questions ever put
        self._unasked = 0

    def asked(self, question: Begin | Turn) -> int:
        """Note a question that was put to the program; returns its number."""
        self._count += 1
        self._open.append((self._count, question))
        return self._count

    def hear(self, chunk: bytes) -> Iterator[ProgramAnswer]:
        """The answers that are whole with this chunk. Raises ProgramFailed."""
        self._part += chunk
        if b"\n" in chunk:
            *lines, rest = bytes(self._part).split(b"\n")
            self._part = bytearray(rest)
            for line in lines:
                yield from self._read(line)
        if len(self._part) > LINE_MAX:
            raise self._flooded("printed more than a megabyte without an end of line")

    def _read(self, line: bytes) -> Iterator[ProgramAnswer]:
        if len(line) > LINE_MAX:
            raise self._flooded("printed a line of more than a megabyte")
        try:
            answer = read(line) if line.strip() else None
        except (msgspec.DecodeError, UnicodeDecodeError) as bad:
            raise self._rubbish(f"printed {_quote(line)}, which is no answer") from bad
        if answer is not None:
            self._unasked = 0
            yield ProgramAnswer(self._question(answer), answer)
            return
        self._unasked += 1
        if self._unasked > UNASKED_MAX:
            raise self._flooded(f"printed more than {UNASKED_MAX} lines that answer nothing")

    def _question(self, answer: Answer) -> int:
        """The number of the question that this answers."""
        ready = isinstance(answer, Ready)
        # A game may end while a program thinks: who is ready for the next owes no move.
        while ready and self._open and isinstance(self._open[0][1], Turn):
            self._open.popleft()
        if not self._open:
            raise self._rubbish(f"said {word(answer)} when nothing was asked")
        number, question = self._open.popleft()
        if isinstance(question, Begin) != ready:
            raise self._rubbish(f"answered begin with {word(answer)} and not with ready")
        return number

    def _flooded(self, what: str) -> ProgramFailed:
        return ProgramFailed(Fault.FLOODED, f"{self._name} {what}.")

    def _rubbish(self, what: str) -> ProgramFailed:
        return ProgramFailed(Fault.RUBBISH, f"{self._name} {what}.")


def _quote(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "…")
