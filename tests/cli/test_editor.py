"""A line as it is typed: the keys of every shell, and what of it fits into a row."""

import pytest

from rookery.cli.terminal.editor import ESCAPE_MAX, LINE_MAX, LineEditor

LEFT, RIGHT, UP, DOWN = b"\x1b[D", b"\x1b[C", b"\x1b[A", b"\x1b[B"


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        (b"e2e4", "e2e4", 4),
        (b"e2" + LEFT + b"x", "ex2", 2),
        (b"e2" + LEFT * 5 + b"x", "xe2", 1),
        (b"e2" + LEFT + RIGHT * 5 + b"x", "e2x", 3),
        (b"e2\x7f4", "e4", 2),
        (b"\x7fe", "e", 1),
        (b"e2\x01x", "xe2", 1),
        (b"e2\x1b[Hx\x1b[Fy", "xe2y", 4),
        (b"e2\x01\x1b[3~", "2", 0),
        (b"e2\x01\x04", "2", 0),
        (b"say hello bob\x17\x17", "say ", 4),
        (b"say hello" + LEFT * 5 + b"\x0b", "say ", 4),
        (b"say hello" + LEFT * 5 + b"\x15", "hello", 0),
        ("grüße".encode(), "grüße", 5),
        (b"a\x1b[200~b\x00\x07c", "abc", 3),
        (b"a\x1b" + b"[" + b"1" * (ESCAPE_MAX - 1) + b"b", "ab", 2),
    ],
)
def test_keys_do_what_they_do_in_every_shell(keys: bytes, text: str, at: int) -> None:
    whole, apart = LineEditor(), LineEditor()
    assert whole.feed(keys) == []
    assert (whole.text, whole.at) == (text, at)
    for n in range(len(keys)):
        apart.feed(keys[n : n + 1])
    assert (apart.text, apart.at) == (text, at)


def test_return_gives_the_line_and_begins_a_new_one() -> None:
    editor = LineEditor()
    assert editor.feed(b"d3\rc4\nx") == ["d3", "c4"]
    assert editor.text == "x"


def test_lines_before_are_had_again_and_what_was_begun_comes_back() -> None:
    editor = LineEditor()
    editor.feed(b"one\rtwo\r\rtwo\rnew" + UP)
    assert editor.text == "two"
    editor.feed(UP)
    assert editor.text == "one"
    editor.feed(UP + DOWN + DOWN)
    assert editor.text == "new"


def test_nothing_more_comes_after_control_d_on_an_empty_line() -> None:
    editor = LineEditor()
    editor.feed(b"x\x04")
    assert not editor.ended
    editor.feed(b"\x7f\x04")
    assert editor.ended


def test_a_line_has_a_bound() -> None:
    editor = LineEditor()
    editor.feed(b"x" * (LINE_MAX + 9))
    assert len(editor.text) == LINE_MAX


def test_a_line_that_is_too_long_is_seen_around_the_cursor() -> None:
    editor = LineEditor()
    editor.feed(b"abcdefghij")
    assert editor.shown(11) == ("abcdefghij", 10)
    assert editor.shown(6) == ("fghij", 5)
    editor.feed(b"\x01")
    assert editor.shown(6) == ("abcde", 0)
    editor.feed("\x15日本語".encode())
    assert editor.shown(7)[1] < 7
