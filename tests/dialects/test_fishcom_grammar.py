"""JSON, byte by byte: what is wrong is so from its first wrong byte on, and nothing else is."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.dialects.fishcom.grammar import Grammar

SIGNS = '[]{}",:0123456789.eE-+ntfrualse\\ \t'

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def spoilt_at(text: bytes) -> int | None:
    """The place of the byte after which nothing could follow; None if something could."""
    grammar = Grammar()
    for n, byte in enumerate(text):
        grammar.feed(byte)
        if grammar.wrong:
            return n
    return None


@given(value=values)
def test_json_is_never_spoilt(value: object) -> None:
    assert spoilt_at(msgspec.json.encode(value)) is None


@given(value=values)
def test_json_with_escapes_and_spaces_is_never_spoilt(value: object) -> None:
    assert spoilt_at(json.dumps(value, ensure_ascii=True).encode()) is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (b"void", 0),
        (b"nul ", 3),
        (b"nulx", 3),
        (b"01", 1),
        (b"1.e", 2),
        (b"--", 1),
        (b"+1", 0),
        (b'"a\n', 2),
        (b'"\xff', 1),
        (b'"\xc3(', 2),
        (b'"\\x', 2),
        (b'"\\u12g', 5),
        (b"[,", 1),
        (b"[1,]", 3),
        (b"[1 2", 3),
        (b"[1}", 2),
        (b"[-]", 2),
        (b"{1", 1),
        (b'{"a",', 4),
        (b'{"a":}', 5),
        (b'{"a":1,}', 7),
        (b"]", 0),
    ],
)
def test_it_is_spoilt_where_it_is(text: bytes, at: int) -> None:
    assert spoilt_at(text) == at


@given(
    text=st.binary(max_size=6)
    | st.text('[]{}",:0123456789.eE-+ntfrualse\\', max_size=8).map(str.encode)
)
def test_whatever_is_spoilt_is_no_json_however_it_ends(text: bytes) -> None:
    """If a text is JSON, no beginning of it was spoilt."""
    try:
        text.decode()
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    assert spoilt_at(text) is None
