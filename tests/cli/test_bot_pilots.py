"""Pilots in a real hall: what they make of what they are told, and whole games of it."""

import json

import pytest
from msgspec import Struct

from rookery.cli.bot.pilot import DRAWN, LOST, WON, Question
from rookery.core.events import Opened, Parted, Withdrawn
from rookery.core.ids import MICROS_A_SECOND
from rookery.dialects import read_options
from tests.cli.bots import Bots, level_one

SMALL_ICE = {"rows": 5, "cols": 5, "fish": 0}


class Case(Struct, frozen=True):
    """A dialect, a game it can play, and how many play it."""

    dialect: str
    game: str
    players: int = 2

    def __str__(self) -> str:
        return f"{self.dialect}-{self.game}"


CASES = [
    Case("native", "reversi size=4"),
    Case("native", "guess"),
    Case("native", "bughouse plies=120", 4),
    Case("othello", "reversi"),
    Case("blackwhite", "reversi size=10"),
    Case("fish", "fish rows=5 cols=5"),
    Case("bughouse", "bughouse", 4),
]
NAMES = ("ann", "bob", "cyd", "dan")


def played(case: Case, bots: Bots) -> None:
    """A whole game of this."""
    bots.hall.options["fish"] = read_options("fish", {**SMALL_ICE, "players": case.players})
    bots.come(case.dialect, case.game, *NAMES[: case.players])
    bots.settle()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_bots_play_a_whole_game_without_a_wrong_move(case: Case) -> None:
    bots = Bots()
    played(case, bots)
    results = sorted(result for name in bots.pilots for result in bots.results[name])
    assert len(results) == case.players
    assert set(results) <= {WON, LOST, DRAWN}
    assert {words for said in bots.said.values() for words in said} == {"A game begins."}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_a_pilot_rebuilds_is_just_what_its_seat_may_know(case: Case) -> None:
    def choose(question: Question, seed: int) -> str:
        table = bots.table(1)
        assert table.state is not None
        assert question.view == table.game.view(table.state, question.seat)
        legal = table.game.legal_moves(table.state, question.seat)
        assert question.moves == tuple(map(table.game.format_move, legal))
        return level_one(question, seed)

    bots = Bots(choose)
    played(case, bots)
    assert bots.moves.total() > case.players


@pytest.mark.parametrize("case", CASES, ids=str)
def test_after_a_game_they_ask_for_the_next(case: Case) -> None:
    bots = Bots(games=2)
    played(case, bots)
    bots.idle()
    assert [len(results) for results in bots.results.values()] == [2] * case.players


@pytest.mark.parametrize("case", CASES, ids=str)
def test_they_play_on_after_a_restart_of_the_server(case: Case) -> None:
    bots = Bots()
    bots.hall.options["fish"] = read_options("fish", {**SMALL_ICE, "players": case.players})
    bots.come(case.dialect, case.game, *NAMES[: case.players])
    bots.settle(turns=7)
    bots.hall.restart()
    for name in bots.pilots:
        bots.call(name)
    bots.settle()
    assert [len(results) for results in bots.results.values()] == [1] * case.players
    assert bots.table(1).outcome is not None


def test_in_fishcom_they_play_a_tournament() -> None:
    bots = Bots()
    bots.hall.options["fishcom"] = read_options("fishcom", {"least": 2, "most": 2})
    bots.come("fishcom", "fish", "ann", "bob")
    bots.settle()
    assert sorted(bots.results["ann"] + bots.results["bob"]) == [LOST, WON]


def test_a_native_bot_sits_down_with_one_who_speaks_othello() -> None:
    bots = Bots()
    bots.come("native", "reversi", "ann")  # she waits at a table that no othello client finds
    bots.come("othello", "reversi", "bob")
    assert bots.results == {"ann": [], "bob": []}
    bots.idle()
    assert sorted(bots.results["ann"] + bots.results["bob"]) == [LOST, WON]


def test_bots_that_created_two_games_of_bughouse_at_once_meet_in_the_first() -> None:
    bots = Bots()
    bots.come_at_once("bughouse", "bughouse", "ann", "bob")
    assert len([event for event in bots.hall.records if isinstance(event.event, Opened)]) == 2
    bots.come("bughouse", "bughouse", "cyd", "dan")
    bots.idle()
    assert [len(results) for results in bots.results.values()] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("dialect", "game", "players"),
    [
        ("native", "tictactoe", 3),
        ("tourney", "nim rows=3 sticks=5", 3),
        ("tourney", "guess", 3),
        ("tourney", "tictactoe", 3),
        ("tourney", "reversi size=6", 3),
        ("tourney", "nim rows=3 sticks=4 misere=true", 2),
        ("blackwhite", "reversi size=10", 3),
        ("fish", "fish rows=5 cols=3", 3),
        ("fishcom", "fish rows=5 cols=3", 3),
        ("bughouse", "bughouse", 4),
    ],
)
def test_they_join_a_tour_by_its_code_and_play_it(dialect: str, game: str, players: int) -> None:
    form = "rotating" if dialect == "bughouse" else "round_robin"
    bots = with_tour({"variant": game, "format": form, "time": "5m"})
    names = NAMES[:players]
    bots.come(dialect, game, *names, code="DEN")
    tell(bots, {"type": "start_tour", "tour": 1})
    bots.settle()
    bots.hall.advance(20 * MICROS_A_SECOND)  # fish waits so long before an ordinary game
    bots.settle()
    each = 3 if dialect == "bughouse" else players - 1
    assert [len(bots.results[name]) for name in names] == [each] * players
    if dialect != "bughouse":  # which is not told when a tour is over
        assert set(bots.finished) == set(names)


@pytest.mark.parametrize("dialect", ["native", "bughouse"])
def test_two_of_a_team_play_a_tour_of_teams_together(dialect: str) -> None:
    bots = with_tour({"variant": "bughouse", "time": "5m"})
    bots.come(dialect, "bughouse", "ann", "bob", code="DEN", team="owls")
    bots.come(dialect, "bughouse", "cyd", "dan", code="DEN", team="rooks")
    tell(bots, {"type": "start_tour", "tour": 1})
    bots.settle()
    assert bots.results["ann"] == bots.results["bob"]
    assert bots.results["cyd"] == bots.results["dan"]
    assert sorted(bots.results["ann"] + bots.results["cyd"]) in ([LOST, WON], [DRAWN, DRAWN])


def test_native_bots_take_the_end_of_a_tour_that_wants_it_taken() -> None:
    bots = with_tour({"variant": "nim", "time": "5m", "strict": True, "farewell": True})
    bots.come("native", "nim", "ann", "bob", code="DEN")
    tell(bots, {"type": "start_tour", "tour": 1})
    bots.settle()
    events = [record.event for record in bots.hall.records]
    assert [event for event in events if isinstance(event, Withdrawn)] == []
    assert sorted(event.entrant for event in events if isinstance(event, Parted)) == [1, 2]


def test_bots_of_two_languages_play_on_and_on_in_a_room_of_their_own() -> None:
    bots = Bots(games=3)
    bots.come("native", "reversi size=10", "ann", room="den")
    bots.come("blackwhite", "reversi size=10", "bob", room="den")
    bots.come("blackwhite", "reversi size=10", "cyd")
    bots.settle()
    assert [len(bots.results[name]) for name in ("ann", "bob", "cyd")] == [3, 3, 0]


def test_who_looked_on_in_a_room_plays_when_somebody_leaves() -> None:
    bots = Bots()
    bots.come("native", "reversi size=4", "ann", "bob", "cyd", "dan", room="den")
    bots.settle()
    assert [len(bots.results[name]) for name in ("ann", "bob", "cyd", "dan")] == [1, 1, 1, 1]


def with_tour(plan: dict[str, object]) -> Bots:
    """A hall where olga has opened this tour, whose code is DEN."""
    bots = Bots(games=100)
    tell(bots, {"type": "hello", "version": 1}, {"type": "organise", "token": "organiser-token"})
    tell(bots, {"type": "open_tour", "code": "DEN", "plan": plan})
    return bots


# The values are whatever a request has.
def tell(bots: Bots, *requests: dict[str, object]) -> None:
    """The organiser asks for this, in the native dialect."""
    if "olga" not in bots.hall.lines:
        bots.hall.connect("olga", "native")
    for request in requests:
        bots.hall.send("olga", json.dumps(request).encode() + b"\n")
        assert b'"refused"' not in bots.hall.take("olga")
