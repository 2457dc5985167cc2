"""The laws of dialects: what every wire language must do, whatever its grammar.

They know no grammar. What clients say is given, whole messages with their ends, or made of
the one hello that a dialect declares; the laws send it whole, cut, changed, and amid rubbish.
"""

import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.intents import AnyIntent
from rookery.core.messages import Refused
from rookery.dialects.base import Dialect, Kind
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from rookery.testing.cases import PATIENCE, USUAL, Effort
from rookery.testing.law import Broken, Law

WORDS: Final = 8  # messages in one speech
PIECES: Final = 6  # that a speech is cut into
FLOOD: Final = 8 << 20  # bytes of a message without an end
LINES: Final = 1 << 19  # bytes of messages without a pause: these take longer to read
CHUNK: Final = 1 << 16
KEPT_MAX: Final = 4 << 20  # bytes that a dialect may hold for one connection
NOT_TO_ECHO: Final = (b"\x1b", b"\xff", b"\x07")  # what a terminal would obey, or no text has
RUBBISH: Final = (b"\0", b"\r", b"\n", b"\r\n", b" ", b"\xff\xfe", b"\x1b[2J", b"{", b"[", b'"')


class DialectCase:
    """A dialect, and what its clients say."""

    def __init__(
        self,
        kind: Kind,
        says: Sequence[bytes] = (),
        *,
        seed: int = 1,
        effort: Effort = USUAL,
    ) -> None:
        self.kind = kind
        hello = kind.manners.hello.encode() + b"\n"
        self.says = tuple(says) or (hello, hello.upper(), b"\n")
        self.seed = seed
        self.effort = effort
        self.patience = PATIENCE

    def __str__(self) -> str:
        return f"the dialect {self.kind.manners.name}"

    def begin(self) -> Dialect:
        """A connection that has just begun, in a house where nobody is known."""
        return self.kind.begin(self.kind.options(), Numbers(PlayerRegistry()))

    def speeches(self) -> Iterator["Speech"]:
        """What clients might say, and rubbish; each by chance, and the same each time."""
        chance = Chance(self.seed)
        for _ in range(self.effort.texts):
            words = [self._word(chance) for _ in range(chance.below(WORDS) + 1)]
            cuts = sorted(chance.below(len(b"".join(words)) + 1) for _ in range(PIECES))
            yield Speech(tuple(words), tuple(cuts))

    def _word(self, chance: Chance) -> bytes:
        said = chance.choice(self.says)
        match chance.below(5):
            case 0:
                return bytes(chance.below(256) for _ in range(chance.below(20)))
            case 1:
                at = chance.below(len(said) + 1)
                return said[:at] + chance.choice(RUBBISH) + said[at + chance.below(3) :]
            case _:
                return said


class Speech(Struct, frozen=True):
    """What one client sends, message by message, and where it is cut on its way."""

    words: tuple[bytes, ...]
    cuts: tuple[int, ...]

    @property
    def whole(self) -> bytes:
        """All of it."""
        return b"".join(self.words)

    @property
    def pieces(self) -> list[bytes]:
        """As it arrives."""
        return cut(self.whole, self.cuts)

    def smaller(self) -> Iterator["Speech"]:
        """With fewer messages, or in fewer pieces."""
        for n in range(len(self.words)):
            words = (*self.words[:n], *self.words[n + 1 :])
            most = len(b"".join(words))
            yield Speech(words, tuple(min(at, most) for at in self.cuts))
        for n in range(len(self.cuts)):
            yield Speech(self.words, (*self.cuts[:n], *self.cuts[n + 1 :]))

    def told(self) -> Iterator[tuple[str, str]]:
        """The pieces."""
        yield "sent", " then ".join(map(repr, self.pieces)) or "nothing"


def no_bytes_make_it_raise(case: DialectCase, speech: Speech) -> None:
    """Whatever they are; and what it says is bytes."""
    dialect = case.begin()
    _, said = converse(dialect, speech.pieces)
    if not isinstance(said, bytes):
        raise Broken("bytes", repr(said))
    dialect.tick(10**12)
    dialect.receive(b"", 10**12)
    dialect.drain()


def input_is_read_the_same_however_it_is_cut(case: DialectCase, speech: Speech) -> None:
    """In pieces, byte by byte, or at once."""
    whole = converse(case.begin(), [speech.whole])
    for pieces in (speech.pieces, [bytes([byte]) for byte in speech.whole]):
        found = converse(case.begin(), pieces)
        if found != whole:
            raise Broken(f"{whole}, as when it comes at once", found)


def answers_are_the_same_however_late_the_hall_replies(case: DialectCase, speech: Speech) -> None:
    """A client that does not wait is answered as one that does."""
    prompt = converse(case.begin(), speech.pieces)
    late = converse(case.begin(), speech.pieces, late=True)
    if late != prompt:
        raise Broken(f"{prompt}, as when the hall replies at once", late)


def it_reads_nothing_after_the_other_side_hung_up(case: DialectCase, speech: Speech) -> None:
    """Nor says anything."""
    dialect = case.begin()
    dialect.receive(b"", 0)
    dialect.drain()
    asked = list(dialect.receive(speech.whole, 0))
    said = dialect.drain()
    if asked or said:
        raise Broken("nothing asked and nothing said", (asked, said))


def what_is_drained_is_given_out_once(case: DialectCase, speech: Speech) -> None:
    """The second time there is nothing."""
    dialect = case.begin()
    for piece in speech.pieces:
        asked = list(dialect.receive(piece, 0))
        for _ in asked:
            asked += dialect.tell(Refused("no", "No."))
        dialect.drain()
        again = dialect.drain()
        if again:
            raise Broken("nothing more", again)


def it_never_says_back_what_a_terminal_would_obey(case: DialectCase, speech: Speech) -> None:
    """Rubbish is refused without repeating it."""
    dirty = b"".join(b"%b\x1b[31m\xff\x07%b" % (word[:1], word[1:]) for word in speech.words)
    _, said = converse(case.begin(), [dirty])
    for byte in NOT_TO_ECHO:
        if byte in said:
            raise Broken(f"no {byte!r} in what it says", said)


def it_keeps_little_of_what_never_ends(case: DialectCase, _: Speech) -> None:
    """It hangs up, is full, or throws away: whatever comes without an end, or without a pause."""
    line = case.says[0] * (CHUNK // len(case.says[0]))
    for flood, times in ((b"x" * CHUNK, FLOOD // CHUNK), (line, LINES // CHUNK)):
        kept = _kept(case.begin(), flood, times)
        if kept > KEPT_MAX:
            raise Broken(
                f"less than {KEPT_MAX:,} bytes kept of {times * CHUNK:,}",
                f"{kept:,} bytes after much of {flood[:20]!r}",
            )


def converse(
    dialect: Dialect, pieces: Iterable[bytes], *, late: bool = False
) -> tuple[list[AnyIntent], bytes]:
    """What is asked and said when the hall says no to everything, at once or at the end."""
    asked: list[AnyIntent] = []
    said, answered = b"", 0
    for piece in pieces:
        if not piece:
            continue
        asked += dialect.receive(piece, 0)
        while answered < len(asked) and not late:
            asked += dialect.tell(Refused("no", f"No to {answered}."))
            answered += 1
        said += dialect.drain()
    while answered < len(asked):
        asked += dialect.tell(Refused("no", f"No to {answered}."))
        answered += 1
    return asked, said + dialect.drain()


def cut(sent: bytes, places: Iterable[int]) -> list[bytes]:
    """The same bytes in pieces."""
    ends = sorted({0, len(sent), *places})
    return [sent[start:end] for start, end in pairwise(ends)]


def _kept(dialect: Dialect, flood: bytes, times: int) -> int:
    """How much more memory there is in use after this was sent so often."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(times):
            if dialect.closing or dialect.full:
                break
            asked = list(dialect.receive(flood, 0))
            for _ in asked:  # it grows: a reply may lead to another question
                asked += dialect.tell(Refused("no", "No."))
            dialect.drain()
            if tracemalloc.get_traced_memory()[0] - before > KEPT_MAX:
                break
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def _speeches(case: DialectCase) -> Iterator[Speech]:
    return case.speeches()


def _once(_: DialectCase) -> tuple[Speech]:
    return (Speech((), ()),)


_ONCE = what_is_drained_is_given_out_once
_LATE = answers_are_the_same_however_late_the_hall_replies
_CUT = input_is_read_the_same_however_it_is_cut
_GONE = it_reads_nothing_after_the_other_side_hung_up
_ECHO = it_never_says_back_what_a_terminal_would_obey

DIALECT_LAWS: Final[tuple[Law[DialectCase], ...]] = (
    Law("No bytes make it raise.", _speeches, no_bytes_make_it_raise, "speech"),
    Law("Input is read the same however it is cut.", _speeches, _CUT, "speech"),
    Law("Answers are the same however late the hall replies.", _speeches, _LATE, "speech"),
    Law("It reads nothing after the other side hung up.", _speeches, _GONE, "speech"),
    Law(
        "What is drained is given out once.", _speeches, what_is_drained_is_given_out_once, "speech"
    ),
    Law("It never says back what a terminal would obey.", _speeches, _ECHO, "speech"),
    Law("It keeps little of what never ends.", _once, it_keeps_little_of_what_never_ends, "flood"),
)
