"""The page about the API is true: each of its requests does what it says, in its order."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import Struct

from rookery.server.metrics import EVERYTHING
from rookery.server.web.app import CALLS
from rookery.server.web.guard import Rates
from tests.server.process import Server
from tests.server.web.asking import ask, token

PAGE = (Path(__file__).parents[3] / "docs" / "api.md").read_text("utf-8")
HERE = "http://127.0.0.1:7350"


class Curl(Struct, frozen=True):
    """A line of the page."""

    method: str
    path: str
    body: bytes | None
    signed: bool  # whether it has the token
    status: int


def curls() -> list[Curl]:
    lines = re.findall(r"^(curl .*?)(?:  # (\d+))?$", PAGE, re.MULTILINE)
    return [_curl(shlex.split(line), int(status or 200)) for line, status in lines]


def _curl(words: list[str], status: int) -> Curl:
    said = dict(pairwise(words))
    body = said["-d"].encode() if "-d" in said else None
    method = said.get("-X", "GET" if body is None else "POST")
    assert words[-1].startswith(HERE)
    signed = said.get("-H") == "Authorization: Bearer $TOKEN"
    return Curl(method, words[-1].removeprefix(HERE), body, signed, status)


def test_every_request_on_the_page_is_answered_as_it_says(server: Server) -> None:
    asked = curls()
    assert len(asked) > 15
    for curl in asked:
        headers = token(server) if curl.signed else {}
        said = ask(server, curl.method, curl.path, curl.body, headers)
        assert said.status == curl.status, f"{curl} is answered by {said.body!r}"


@pytest.mark.parametrize("topic", ["tables", "players", "ratings", "health"])
def test_every_question_is_on_the_page(topic: str) -> None:
    asked = [curl.path.partition("?")[0] for curl in curls() if curl.method == "GET"]
    for call in CALLS:
        if call.topic == topic and call.method == "GET":
            address = re.compile(re.sub(r"\{\w+\}", "[^/]+", call.path))
            assert any(map(address.fullmatch, asked)), call.path


def test_the_problem_on_the_page_is_the_one_that_comes(server: Server) -> None:
    assert ask(server, "GET", "/api/tables/99").body.decode() in PAGE


def test_every_metric_is_on_the_page_with_its_type() -> None:
    for name, (kind, about) in EVERYTHING.items():
        assert re.search(rf"^\| `{name}` \| {kind} \| .+ \|$", PAGE, re.MULTILINE), about


def test_the_rates_on_the_page_are_those_of_the_server() -> None:
    second, ours = 1_000_000, Rates()
    for rate, loopback in (
        (ours.reads, ours.reads_loopback),
        (ours.writes, ours.writes_loopback),
        (ours.pages, ours.pages_loopback),
    ):
        assert f"| {rate.burst:,} at once, and {second // rate.every} a second after that |" in PAGE
        assert (loopback.burst, rate.every) == (10 * rate.burst, 10 * loopback.every)
