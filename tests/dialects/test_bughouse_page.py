"""The page for people who write bughouse clients says what is so, and leaves nothing out."""

import re
from pathlib import Path

import msgspec
import pytest

from rookery.dialects.bughouse import BughouseOptions
from rookery.dialects.bughouse import profile as bughouse_limits
from rookery.dialects.bughouse.pacing import BURST, FIRST_TURN, GAP, PATIENCE, WELCOME
from rookery.dialects.bughouse.speaking import REQUESTS, UNKNOWN
from rookery.hall.limits import PLAYERS_A_SESSION

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dialects" / "bughouse.md").read_text(encoding="utf-8")
TRANSCRIPTS = ROOT / "tests" / "transcripts" / "bughouse"


@pytest.mark.parametrize("name", ["session.txt", "reconnect.txt"])
def test_the_sessions_on_the_page_are_transcripts_that_are_tested(name: str) -> None:
    text = (TRANSCRIPTS / name).read_text(encoding="utf-8")
    assert f"```\n{text}```\n" in PAGE


def test_every_request_is_on_the_page() -> None:
    rows = PAGE.partition("## Requests")[2].partition("## Broadcasts")[0]
    assert set(re.findall(r"^\| `([A-Z_]+):", rows, re.MULTILINE)) == set(REQUESTS)
    assert f"`{UNKNOWN.line}`" in rows


def test_every_broadcast_of_a_transcript_is_on_the_page() -> None:
    said = "".join(path.read_text(encoding="utf-8") for path in TRANSCRIPTS.glob("*.txt"))
    verbs = set(re.findall(r"< BROADCAST:([A-Za-z_]+)", said))
    rows = PAGE.partition("## Broadcasts")[2].partition("## A session")[0]
    assert {"MOVE", "put"} <= verbs <= set(re.findall(r"`([A-Za-z_]+)(?::[^`]+)?`", rows))


def test_every_option_is_on_the_page_with_its_default() -> None:
    for field in msgspec.structs.fields(BughouseOptions):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{field.name}` |"))
        assert row.split("|")[2].strip(" `") == str(field.default).lower()


@pytest.mark.parametrize(
    "bound",
    [
        f"{bughouse_limits.LINE_MAX:,} bytes",
        f"{BURST} bytes",
        f"{GAP // 1000} ms",
        f"{WELCOME // 1000} ms",
        f"{FIRST_TURN // 1000} ms",
        f"{PATIENCE // 1_000_000} seconds",
        f"up to {PLAYERS_A_SESSION}\n  players",
    ],
)
def test_the_limits_are_those_of_the_server(bound: str) -> None:
    assert bound in PAGE
