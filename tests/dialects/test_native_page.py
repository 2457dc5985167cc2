"""The page about the native dialect says what is so, and leaves nothing out."""

import runpy
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from rookery.core.chance import Chance
from rookery.core.events import PublicEvent, PublicTourEvent
from rookery.core.game import Effect, View
from rookery.core.intents import PlainIntent
from rookery.core.messages import (
    EntrantLine,
    MatchLine,
    MemberOf,
    Noted,
    Notice,
    RatingLine,
    Reply,
    RoomNews,
    Surveyed,
    TourNews,
)
from rookery.core.policy import Policy
from rookery.core.tags import kinds_of
from rookery.core.tour_values import Fixture, Plan, Result, Row, TourLine
from rookery.dialects.native import REQUESTS, Greeting, Hello, Pong
from rookery.dialects.native import profile as native_limits
from rookery.hall import limits as hall
from rookery.server import limits as server
from tests.dialects.refusals import codes
from tests.transcripts.wired_hall import WiredHall

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dialects" / "native.md").read_text(encoding="utf-8")
GAME_PAGES = "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "games").glob("*.md")
)
TRANSCRIPTS = ROOT / "tests" / "transcripts" / "native"

# Any: the members of a union, and what the example has, are looked at by name alone.
EVENTS: tuple[Any, ...] = (*PublicEvent.__args__, *PublicTourEvent.__args__)
SPOKEN = set(kinds_of(Reply)) - {Surveyed, Noted}  # those are for dialects alone
REPLIES: tuple[Any, ...] = (*SPOKEN, RoomNews, TourNews, Notice, Greeting, Pong)
IN_TOURS: tuple[Any, ...] = (
    TourLine,
    EntrantLine,
    MemberOf,
    Row,
    MatchLine,
    RatingLine,
    Result,
    Fixture,
)
ASKED: tuple[Any, ...] = (*get_args(PlainIntent), Hello)


def missing(words: set[str], page: str = PAGE) -> list[str]:
    """Those that do not stand in the page as code."""
    return sorted(word for word in words if f"`{word}`" not in page)


def fields(*kinds: Any) -> set[str]:
    return {field for kind in kinds for field in kind.__struct_fields__}


def tags(*kinds: Any) -> set[str]:
    return {kind.__struct_config__.tag for kind in kinds}


@pytest.mark.parametrize("name", ["session.txt", "reconnect.txt", "tour.txt"])
def test_the_sessions_on_the_page_are_transcripts_that_are_tested(name: str) -> None:
    text = (TRANSCRIPTS / name).read_text(encoding="utf-8")
    assert f"```\n{text}```\n" in PAGE


def test_every_request_and_every_field_of_one_is_there() -> None:
    assert missing(set(REQUESTS) | fields(*ASKED, Policy, Plan)) == []


def test_every_answer_and_every_field_of_one_is_there() -> None:
    assert missing(tags(*REPLIES) | fields(*REPLIES)) == []


def test_everything_that_a_tour_is_told_in_is_there() -> None:
    tours = PAGE.partition("## Tours")[2]
    assert missing(fields(*IN_TOURS, Plan), tours) == []


def test_every_event_and_every_field_of_one_is_there() -> None:
    assert missing(tags(*EVENTS) | fields(*EVENTS)) == []


def test_every_effect_and_view_of_a_game_is_there() -> None:
    kinds = [kind for base in (Effect, View) for kind in base.__subclasses__()]
    ours = [kind for kind in kinds if kind.__module__.startswith("rookery.games.")]
    assert ours
    assert missing(tags(*ours)) == []


def test_every_code_of_the_server_is_there() -> None:
    found = codes("core", "hall", "dialects/native", "server")
    assert "not_seated" in found
    assert [f"{code} of {found[code]}" for code in missing(set(found))] == []


def test_every_code_of_a_game_is_on_a_games_page() -> None:
    found = codes("games")
    assert "flips_nothing" in found
    shared = {code for code in found if f"`{code}`" in PAGE}
    absent = missing(set(found) - shared, GAME_PAGES)
    assert [f"{code} of {found[code]}" for code in absent] == []


@pytest.mark.parametrize(
    "bound",
    [
        native_limits.LINE_MAX,
        hall.NAME_MAX,
        hall.CHAT_MAX,
        hall.CHATS_A_TABLE,
        hall.ASIDES_A_TABLE,
        hall.KEPT_MAX // 60_000_000,
        hall.PLAYERS_A_SESSION,
        hall.WATCHED_A_SESSION,
        hall.TABLES_A_PLAYER,
        hall.MEMBERS_A_ROOM,
        hall.PAST_PAGE,
        hall.LIST_PAGE,
        hall.MATCH_PAGE,
        hall.TOURS_MAX,
        hall.TOURS_A_PLAYER,
        hall.TOUR_NAME_MAX,
        hall.CODE_MAX,
        hall.MOVES_MAX,
        server.PENDING_MAX,
        server.SILENCE // 60_000_000,
        server.BACKLOG_MAX >> 20,
    ],
)
def test_the_limits_are_those_of_the_server(bound: int) -> None:
    table = PAGE.partition("## Limits")[2]
    numbers = table.replace(",", " ").replace(";", " ").split()
    assert str(bound) in numbers


@pytest.mark.parametrize(
    "variant", ["tictactoe", "nim", "reversi size=4", "guess high=9", "fish rows=4 cols=4"]
)
def test_two_of_the_example_play_a_game_to_its_end(variant: str) -> None:
    player = runpy.run_path(str(ROOT / "examples" / "native_client.py"))["Player"]
    chance, stage = Chance(1), WiredHall()
    players = {name: player(name, variant, chance.choice) for name in ("Ann", "Bob")}
    for name, one in players.items():
        stage.connect(name, "native")
        stage.send(name, msgspec.json.encode(one.hello) + b"\n")
    talking = True
    while talking:
        talking = False
        for name, one in players.items():
            for line in stage.take(name).splitlines():
                request = one.hear(msgspec.json.decode(line))
                if request is not None:
                    stage.send(name, msgspec.json.encode(request) + b"\n")
                    talking = True
    assert players["Ann"].reason == players["Bob"].reason is not None
