"""Players over a real socket: what they played, whom they beat, and what their ratings did."""

from collections.abc import Iterator

import pytest

from rookery.core.ids import TableId, TourId
from rookery.core.intents import Abort, JoinTour, Open, Play, Resign, Sit
from tests.server.process import Server, serving
from tests.server.web.looking import Json, Player, look, playing, refused, write

ANN, BOB, CID, DOT = 1, 2, 3, 4
TOUR = b'{"plan":{"variant":"nim","name":"Cup"},"code":""}'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Ann beats bob, loses to him, calls a game off; wins in bughouse; and wins a tour of nim."""
    with (
        serving(tmp_path_factory.mktemp("players")) as server,
        playing(server, "ann", "bob", "cid", "dot") as players,
    ):
        ann, bob, cid, _ = players
        bob.ask(Resign(sit_down("reversi", ann, bob)))
        ann.ask(Resign(sit_down("reversi", ann, bob)))
        ann.ask(Abort(sit_down("reversi", ann, bob)))
        table = sit_down("bughouse", *players)
        opponent = games(server, ANN)[0]["opponents"][0]
        players[opponent["seat"]].ask(Resign(table))
        win_a_tour(server, ann, bob)
        ann.ask(Play(sit_down("nim", ann, cid), "0,1"))
        yield server


def sit_down(variant: str, *players: Player) -> TableId:
    """A table where these play."""
    table = TableId(players[0].ask(Open(variant))["table"])
    for player in players[1:]:
        player.ask(Sit(table))
    return table


def win_a_tour(server: Server, winner: Player, loser: Player) -> None:
    write(server, "/api/tours", TOUR)
    winner.ask(JoinTour(TourId(1)))
    loser.ask(JoinTour(TourId(1)))
    write(server, "/api/tours/1/start")
    loser.ask(Resign(TableId(5)))


def games(server: Server, player: int, query: str = "") -> list[Json]:
    return list(look(server, f"/api/players/{player}/games{query}")["games"])


def test_a_player_is_told_of_with_its_ratings(server: Server) -> None:
    found = look(server, f"/api/players/{ANN}")
    assert found["line"] == {"player": ANN, "name": "ann", "dialect": "native"}
    assert found["connected"]
    (rating,) = found["ratings"]
    assert (rating["game"], rating["games"]) == ("nim", 1)
    assert rating["rating"] > 1500 > look(server, f"/api/players/{BOB}")["ratings"][0]["rating"]
    assert look(server, f"/api/players/{DOT}")["ratings"] == []


def test_games_are_listed_with_the_newest_first(server: Server) -> None:
    found = games(server, ANN)
    assert [game["table"] for game in found] == [6, 5, 4, 3, 2, 1]
    assert [game["result"] for game in found] == ["", "win", "win", "none", "loss", "win"]
    assert [game["place"] for game in found] == [None, 1, 1, 2, 2, 1]
    assert [game["tour"] for game in found] == [None, 1, None, None, None, None]
    assert [game["status"] for game in found] == ["playing", *["over"] * 5]
    assert [game["ended_at"] is None for game in found] == [True, *[False] * 5]


def test_a_game_names_partners_and_opponents(server: Server) -> None:
    bughouse = games(server, ANN)[2]
    assert len(bughouse["partners"]) == 1
    assert len(bughouse["opponents"]) == 2
    assert {met["place"] for met in bughouse["opponents"]} == {2}
    others = [*bughouse["partners"], *bughouse["opponents"]]
    assert sorted(met["name"] for met in others) == ["bob", "cid", "dot"]
    assert games(server, ANN)[0]["opponents"] == [
        {
            "seat": 1,
            "seat_name": "away",
            "player": CID,
            "name": "cid",
            "bot": False,
            "place": None,
        }
    ]


def test_games_come_in_pages_and_by_game(server: Server) -> None:
    found: list[int] = []
    after: int | None = 0
    while after is not None:
        page = look(server, f"/api/players/{ANN}/games?limit=4&after={after}")
        found, after = found + [game["table"] for game in page["games"]], page["next"]
    assert found == [6, 5, 4, 3, 2, 1]
    assert [game["table"] for game in games(server, ANN, "?game=nim")] == [6, 5]


def test_results_count_each_opponent(server: Server) -> None:
    found = look(server, f"/api/players/{ANN}/results?game=reversi")
    assert found["opponents"] == [
        {
            "player": BOB,
            "name": "bob",
            "bot": False,
            "games": 2,
            "wins": 1,
            "draws": 0,
            "losses": 1,
        }
    ]
    assert [found[name] for name in ("games", "wins", "draws", "losses")] == [2, 1, 0, 1]
    assert not found["more"]


def test_partners_are_no_opponents(server: Server) -> None:
    found = look(server, f"/api/players/{ANN}/results?game=bughouse")
    assert (found["games"], found["wins"], len(found["opponents"])) == (1, 1, 2)


def test_ratings_are_told_tour_by_tour(server: Server) -> None:
    found = look(server, f"/api/players/{ANN}/ratings")
    assert found["player"] == ANN
    (nim,) = found["games"]
    assert nim["game"] == "nim"
    (after,) = nim["history"]
    assert (after["tour"], after["name"], after["games"]) == (1, "Cup", 1)
    assert after["rating"] == look(server, f"/api/players/{ANN}")["ratings"][0]["rating"]
    assert after["at"] >= look(server, "/api/tables/5/log")["events"][-1]["at"]


def test_a_match_says_whose_it_is_wherever_it_is_listed(server: Server) -> None:
    assert look(server, "/api/tables/5")["line"]["tour"] == 1
    (line,) = look(server, "/api/tables?status=over&tour=1")["tables"]
    assert (line["table"], line["tour"]) == (5, 1)


@pytest.mark.parametrize("part", ["", "/games", "/results", "/ratings"])
def test_a_player_who_never_was_is_missing(server: Server, part: str) -> None:
    assert refused(server, f"/api/players/99{part}") == (404, "not_found")
