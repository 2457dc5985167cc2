"""Clocks over HTTP: what a text is taken for, and a sentence where it is none."""

import msgspec
import pytest

from tests.server.process import Server
from tests.server.web.looking import get, look


def test_a_clock_is_shown_as_it_was_understood(server: Server) -> None:
    assert look(server, "/api/clock?text=5%20%2B%203") == {
        "time": "5m+3s",
        "words": "Each player has 5 minutes for the whole game, and 3 seconds more after every "
        "move.",
    }


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("text=40/5m", "write the time of the whole game"),
        ("text=5m%2B", "half a clock"),
        ("text=1s/move%20first%209s%20of%20tea&game=nim", "no phase 'tea' in nim"),
        ("text=5m&game=tennis", "There is no game 'tennis'"),
    ],
)
def test_what_is_no_clock_is_a_problem_with_a_sentence(
    server: Server, query: str, sentence: str
) -> None:
    answer = get(server, f"/api/clock?{query}")
    assert answer.status == 422
    problem = msgspec.json.decode(answer.body)
    assert problem["code"] == "bad_option"
    assert sentence in problem["detail"]
