"""Every caller is known by its first bytes, also when they come one at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.manners import Manners
from rookery.dialects import LANGUAGES
from rookery.dialects.detect import SPACE_MAX, UNKNOWN, recognise
from rookery.dialects.first_bytes import LINE_MAX, WORD_MAX

FIRST_WORDS = [
    (b"@PING\n", "tourney"),
    (b"@", "tourney"),
    (b"ADD_PLAYER:ann\n", "bughouse"),
    (b"get_games:\n", "bughouse"),
    (b"PUT:1\t2\t0\t3\t3\n", "bughouse"),
    (b"GET / HTTP/1.1\r\n", "http"),
    (b"PUT / HTTP/1.1\r\n", "http"),
    (b"HEAD /healthz HTTP/1.0\r\n", "http"),
    (b"ENTERROOM [pl1]\n", "blackwhite"),
    (b"enterroom[pl1]\n", "blackwhite"),
    (b"1\n", "othello"),
    (b"7hello\n", "othello"),
    (b"\x01\x00\x00", "othello"),
    (b"\x07", "othello"),
    (b'"ann"', "fishcom"),
    (b'{"type":"joinGame","age":8,"id":"ann"}\n', "fish"),
    (b'{"Request":"Join","ID":"ann","age":8}\n', "fish"),
    (b'{"Request":null}\n', "fish"),
    (b'{"type":"hello","version":1}\n', "native"),
    (b'{"type":"hello","version":1}\r\n', "native"),
    (b'{"type":7}\n', "native"),
    (b"{not json\n", "native"),
    (b"{\xff}\n", "native"),
    (b"{" + b"x" * LINE_MAX, "native"),
    (b"\x16\x03\x01", "tls"),
    (b"hello there\n", UNKNOWN),
    (b"8\n", UNKNOWN),
    (b"0\n", UNKNOWN),
    (b"\x08", UNKNOWN),
    (b"\x00", UNKNOWN),
    (b"\xff", UNKNOWN),
    (b"[1]", UNKNOWN),
    (b"get / HTTP/1.1\r\n", UNKNOWN),
    (b"GETS / HTTP/1.1\r\n", UNKNOWN),
    (b"x" * (WORD_MAX + 1), UNKNOWN),
]


@pytest.mark.parametrize(("heard", "name"), FIRST_WORDS)
def test_who_begins_so_is_known(heard: bytes, name: str) -> None:
    assert recognise(heard) == name


@pytest.mark.parametrize("manners", tuple(LANGUAGES), ids=lambda manners: manners.name)
def test_who_begins_as_the_page_says_is_known(manners: Manners) -> None:
    assert recognise(manners.hello.encode() + b"\n") == manners.name


@pytest.mark.parametrize(("heard", "name"), FIRST_WORDS)
def test_bytes_one_at_a_time_lead_to_the_same(heard: bytes, name: str) -> None:
    said = [recognise(heard[:n]) for n in range(len(heard) + 1)]
    known = [verdict for verdict in said if verdict is not None]
    assert said[0] is None
    assert set(known) == {name}, "it never changes its mind"


@pytest.mark.parametrize(("heard", "name"), [pair for pair in FIRST_WORDS if pair[1] != "tls"])
def test_white_space_in_front_changes_nothing(heard: bytes, name: str) -> None:
    assert recognise(b" \t\r\n" + heard) == name


def test_white_space_alone_is_held_up_to_its_bound() -> None:
    assert recognise(b" " * SPACE_MAX) is None
    assert recognise(b" " * (SPACE_MAX + 1)) == UNKNOWN


def test_a_long_first_word_waits_no_longer_than_its_bound() -> None:
    assert recognise(b"x" * WORD_MAX) is None
    assert recognise(b"x" * WORD_MAX + b":") == "bughouse"


@given(st.binary(max_size=60))
def test_no_bytes_raise(heard: bytes) -> None:
    recognise(heard)
