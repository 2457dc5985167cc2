"""The layer that makes lines of WebSocket messages: no sockets, any bytes, cut anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Close, Frame, Opcode

from rookery.core.ids import Micros
from rookery.dialects import LANGUAGES
from rookery.dialects.base import Dialect
from rookery.dialects.native import Native
from rookery.dialects.othello import Othello
from rookery.server.web.protocol.websocket import GOING_AWAY, NORMAL, Framed

NOW: Micros = 0
PARTS = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)  # what may come in parts
PING = b'{"type":"ping"}'


LONGEST = LANGUAGES["native"].message_max


def framed(opcode: Opcode, words: bytes, *, fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(opcode, words, fin).serialize(mask=True)


def text(words: str | bytes) -> bytes:
    return framed(Opcode.TEXT, words if isinstance(words, bytes) else words.encode())


def close(code: int = 1000) -> bytes:
    return framed(Opcode.CLOSE, Close(code, "").serialize())


def layer() -> Framed:
    return Framed(LONGEST)


def lines(layer: Framed, words: bytes) -> list[bytes]:
    """The lines these bytes complete; the empty ones, which mean nothing, left out."""
    return [line for line in layer.open(words).split(b"\n") if line]


def code(said: bytes) -> int:
    """The close code that these bytes end with; they are the frames of a server, unmasked."""
    at = said.rindex(b"\x88")
    return int.from_bytes(said[at + 2 : at + 4], "big")


def test_a_message_is_a_line() -> None:
    assert lines(layer(), text(PING) + text("{}")) == [PING, b"{}"]


def test_the_parts_of_a_message_are_one_line() -> None:
    parts = (
        framed(Opcode.TEXT, b'{"type":', fin=False)
        + framed(Opcode.CONT, b"", fin=False)
        + framed(Opcode.PING, b"between")
        + framed(Opcode.CONT, b'"ping"}')
    )
    assert lines(layer(), parts) == [PING]


def test_a_message_is_one_line_whatever_is_in_it() -> None:
    assert lines(layer(), text('{"type":\r\n"ping"}\n{"type":"ping"}\n')) == [
        b'{"type":  "ping"} {"type":"ping"} '
    ]


def test_a_line_said_is_a_message() -> None:
    said = layer().frame(b"one\ntwo\n")
    assert said == b"\x81\x03one\x81\x03two"


def test_what_many_are_told_is_framed_once_and_what_else_waits_goes_before() -> None:
    told = b"the same\n"
    first, second, parted = layer(), layer(), layer()
    assert first.frame(told) is second.frame(told)
    second.open(framed(Opcode.PING, b"?"))
    assert second.frame(told) == b"\x8a\x01?" + first.frame(told)
    parted.part(NORMAL)
    assert parted.frame(told) == b""
    assert first.frame(b"another\n") != first.frame(told)


def test_a_ping_is_answered_with_what_it_said() -> None:
    here = layer()
    assert here.open(framed(Opcode.PING, b"there?")) == b""
    assert here.drain() == b"\x8a\x06there?"
    assert not here.ended


def test_a_pong_that_nobody_asked_for_is_nothing() -> None:
    here = layer()
    assert here.open(framed(Opcode.PONG, b"here")) == b""
    assert here.drain() == b""


def test_a_close_is_answered_and_is_the_end() -> None:
    here = layer()
    assert lines(here, text(PING) + close(1001)) == [PING]  # what was said before it counts
    assert code(here.drain()) == 1001
    assert here.ended
    assert here.frame(b"too late\n") == b""


def test_who_is_left_says_so_too_before_it_is_the_end() -> None:
    here = layer()
    assert code(here.part(GOING_AWAY)) == 1001
    assert here.part(NORMAL) == b""
    assert lines(here, text(PING)) == []
    assert not here.ended
    here.open(close(1001))
    assert here.ended


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (framed(Opcode.BINARY, PING), 1003),
        (text(b"\xff\xfe"), 1007),
        (framed(Opcode.TEXT, b"\xe2", fin=False) + framed(Opcode.CONT, b"\x82"), 1007),
        (text(b"x" * (LONGEST + 1)), 1009),
        (framed(Opcode.TEXT, b"x" * 16_000, fin=False) + framed(Opcode.CONT, b"x" * 400), 1009),
        (framed(Opcode.CONT, b"of nothing"), 1002),
        (Frame(Opcode.TEXT, PING).serialize(mask=False), 1002),
        (b"GET / HTTP/1.1\r\n\r\n", 1002),
    ],
    # Masks are drawn by chance, and a test must be called the same in every process.
    ids=[
        "binary",
        "no UTF-8",
        "half a letter",
        "long",
        "long in parts",
        "of nothing",
        "bare",
        "HTTP",
    ],
)
def test_what_cannot_be_taken_is_the_end_with_a_code(words: bytes, why: int) -> None:
    here = layer()
    assert lines(here, text("first") + words + text("after")) == [b"first"]
    assert code(here.drain()) == why
    assert here.ended


def test_a_character_in_two_parts_is_a_character() -> None:
    parts = framed(Opcode.TEXT, b"\xe2\x99", fin=False) + framed(Opcode.CONT, b"\x9e")
    assert lines(layer(), parts) == ["♞".encode()]


def test_the_longest_message_is_taken() -> None:
    longest = b"x" * LONGEST
    assert lines(layer(), text(longest)) == [longest]


@pytest.mark.parametrize("speaking", [Native(), Othello()])
def test_no_message_turns_a_dialect_to_bytes_that_are_no_text(speaking: Dialect) -> None:
    here = layer()
    for first in range(32):
        speaking.receive(here.open(text(bytes([first, 0, 0]) + b"2")), NOW)
    answers = speaking.drain().decode().splitlines()
    assert len(answers) == 32


frames = st.one_of(
    st.text(max_size=40).map(text),
    st.builds(framed, st.sampled_from(Opcode), st.binary(max_size=60)),
    st.builds(framed, st.sampled_from(PARTS), st.binary(max_size=60), fin=st.booleans()),
    st.binary(max_size=20),
)


@given(st.lists(frames, max_size=8).map(b"".join))
def test_no_bytes_are_too_odd_and_cut_anywhere_they_say_the_same(words: bytes) -> None:
    whole, slowly = layer(), layer()
    said = whole.open(words)
    assert b"".join(slowly.open(words[n : n + 1]) for n in range(len(words))) == said
    assert slowly.ended == whole.ended
    for here in (whole, slowly):
        here.drain()
        here.frame(b"more\n")
        here.part(NORMAL)


@given(st.lists(st.text(st.characters(exclude_characters="\r\n"), min_size=1, max_size=200)))
def test_what_is_said_in_messages_is_read_in_lines(messages: list[str]) -> None:
    words = b"".join(text(message) for message in messages)
    assert lines(layer(), words) == [message.encode() for message in messages]
