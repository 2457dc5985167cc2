"""Frames of a WebSocket: opened the same however they are cut, written as `websockets` writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from rookery.server.web.websocket import Framed

LONGEST = 1000
FRAMES = st.tuples(
    st.sampled_from((*[Opcode.TEXT] * 6, Opcode.CONT, Opcode.BINARY, Opcode.PING, Opcode.CLOSE)),
    st.one_of(st.binary(max_size=4), st.text(max_size=200).map(str.encode), st.just(b"x" * 1001)),
    st.sampled_from((True, True, True, False)),
)


def sent(frames: list[tuple[Opcode, bytes, bool]]) -> list[bytes]:
    return [Frame(op, data[:100] if op > 7 else data, fin or op > 7).serialize(mask=True)
            for op, data, fin in frames]  # fmt: skip


def opened(pieces: list[bytes]) -> tuple[bytes, bytes, bool]:
    """The lines in these, what is to be sent because of them, and whether that is all."""
    framed = Framed(LONGEST)
    lines = said = b""
    for piece in pieces:
        if not framed.ended:
            lines += framed.open(piece)
            said += framed.drain()
    return lines, said, framed.ended


@given(st.lists(FRAMES, max_size=8))
def test_frames_are_opened_the_same_however_they_are_cut(
    frames: list[tuple[Opcode, bytes, bool]],
) -> None:
    each = sent(frames)
    by_frame = opened(each)
    assert opened([bytes([byte]) for one in each for byte in one]) == by_frame


@pytest.mark.parametrize("mask", [b"\x81\x02hi", b"\x81\x05hallo"])
def test_a_frame_that_is_not_masked_is_refused(mask: bytes) -> None:
    lines, said, _ = opened([mask])
    assert lines == b""
    assert said


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_a_line_is_written_as_websockets_writes_it(size: int) -> None:
    line = b"x" * size
    assert Framed(LONGEST).frame(line + b"\n") == Frame(Opcode.TEXT, line).serialize(mask=False)
