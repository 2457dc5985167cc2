"""Cutting bytes into lines: every kind of end, every kind of cut, and the bound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.dialects.base import Lines

LIMIT = 10


def fed(*pieces: bytes, bare_cr: bool = False) -> list[bytes]:
    lines = Lines(LIMIT, bare_cr=bare_cr)
    return [line for piece in pieces for line in lines.feed(piece)]


@pytest.mark.parametrize(
    "pieces",
    [
        (b"one\ntwo\n",),
        (b"one\r\ntwo\r\n",),
        (b"one\r", b"\ntwo\n"),
        (b"on", b"e\r\ntw", b"o", b"\n"),
        (b"one\n", b"two\nthr"),
    ],
)
def test_lines_end_in_lf_or_crlf_however_they_come(pieces: tuple[bytes, ...]) -> None:
    assert fed(*pieces) == [b"one", b"two"]


def test_a_bare_cr_is_part_of_the_line() -> None:
    assert fed(b"a\rb\n") == [b"a\rb"]


def test_a_cr_before_the_end_is_part_of_the_line_but_for_the_last() -> None:
    assert fed(b"a\r\r\n") == [b"a\r"]


@pytest.mark.parametrize(
    "pieces",
    [
        (b"one\rtwo\r",),
        (b"one\r", b"\ntwo\r", b"\n"),
        (b"one\r\ntwo\n",),
        (b"one\n", b"two\r\n"),
    ],
)
def test_where_a_bare_cr_counts_every_end_is_one_end(pieces: tuple[bytes, ...]) -> None:
    assert fed(*pieces, bare_cr=True) == [b"one", b"two"]


def test_where_a_bare_cr_counts_its_line_is_there_before_the_lf_comes() -> None:
    lines = Lines(LIMIT, bare_cr=True)
    assert lines.feed(b"one\r") == [b"one"]
    assert lines.feed(b"\n") == []
    assert lines.feed(b"\n") == [b""]


def test_two_crs_are_two_ends() -> None:
    assert fed(b"one\r\r", bare_cr=True) == [b"one", b""]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_of_just_the_limit_is_read(end: bytes) -> None:
    line = b"x" * LIMIT
    assert fed(line + end) == [line]
    assert fed(*(bytes([byte]) for byte in line + end)) == [line]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_one_byte_longer_overflows(end: bytes) -> None:
    for pieces in ([b"x" * (LIMIT + 1) + end], [b"x"] * (LIMIT + 1) + [end]):
        lines = Lines(LIMIT)
        assert [line for piece in pieces for line in lines.feed(piece)] == []
        assert lines.overflowed


def test_what_came_before_an_overflow_is_read_and_nothing_after() -> None:
    lines = Lines(LIMIT)
    assert lines.feed(b"one\n" + b"x" * 99 + b"\ntwo\n") == [b"one"]
    assert list(lines.feed(b"three\n")) == []


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n"]), max_size=40), st.booleans())
def test_any_cut_gives_the_same_lines(pieces: list[bytes], bare_cr: bool) -> None:
    whole, cut = Lines(LIMIT, bare_cr=bare_cr), Lines(LIMIT, bare_cr=bare_cr)
    assert [line for piece in pieces for line in cut.feed(piece)] == list(
        whole.feed(b"".join(pieces))
    )
    assert cut.overflowed == whole.overflowed
