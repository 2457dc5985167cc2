"""How ratings went in a tour, over HTTP: step by step, and as the standing shows them."""

from collections.abc import Iterator

import pytest

from rookery.core.ids import TableId, TourId
from rookery.core.intents import JoinTour, Resign
from tests.server.process import Server, serving
from tests.server.web.looking import Json, Player, look, playing, refused, write

LEGS = b'{"plan":{"variant":"nim","format":"round_robin legs=2"},"code":""}'
THREE = b'{"plan":{"variant":"nim","format":"round_robin legs=3"},"code":""}'
UNRATED = b'{"plan":{"variant":"nim","rated":false},"code":""}'
OVER, AGAIN, RUNS, FREE, CALLED_OFF = 1, 2, 3, 4, 5


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Ann wins tours 1 and 2, and two of three in tour 3; two more tours count for nothing."""
    with (
        serving(tmp_path_factory.mktemp("ratings")) as server,
        playing(server, "ann", "bob") as (ann, bob),
    ):
        begin(server, OVER, LEGS, ann, bob)
        lose(server, OVER, bob, 2)
        begin(server, AGAIN, LEGS, ann, bob)
        lose(server, AGAIN, bob, 2)
        begin(server, RUNS, THREE, ann, bob)
        lose(server, RUNS, bob, 2)
        begin(server, FREE, UNRATED, ann, bob)
        lose(server, FREE, bob, 1)
        begin(server, CALLED_OFF, LEGS, ann, bob)
        lose(server, CALLED_OFF, bob, 1)
        write(server, f"/api/tours/{CALLED_OFF}/cancel")
        yield server


def begin(server: Server, tour: int, plan: bytes, *players: Player) -> None:
    write(server, "/api/tours", plan)
    for player in players:
        player.ask(JoinTour(TourId(tour)))
    write(server, f"/api/tours/{tour}/start")


def lose(server: Server, tour: int, loser: Player, times: int) -> None:
    """This one resigns so many matches, one after the other."""
    for n in range(times):
        table = look(server, f"/api/tours/{tour}/matches")["matches"][n]["table"]
        loser.ask(Resign(TableId(table)))


def steps(server: Server, tour: int) -> Json:
    return look(server, f"/api/tours/{tour}/ratings")["steps"]


def numbers(ratings: Json) -> dict[int, tuple[float, float]]:
    """The rating and the uncertainty of each entrant."""
    return {one["entrant"]: (one["rating"], one["uncertainty"]) for one in ratings}


def test_everybody_begins_as_it_came(server: Server) -> None:
    first = steps(server, OVER)[0]
    assert (first["match"], first["games"]) == (0, 0)
    assert numbers(first["ratings"]) == {1: (1500.0, 250.0), 2: (1500.0, 250.0)}


def test_each_match_has_a_step_in_the_order_they_ended(server: Server) -> None:
    found = steps(server, OVER)
    assert [(step["match"], step["games"]) for step in found] == [(0, 0), (1, 1), (2, 2)]
    anns = [numbers(step["ratings"])[1][0] for step in found]
    assert anns == sorted(anns)


def test_the_next_tour_begins_where_the_one_before_ended_though_more_followed(
    server: Server,
) -> None:
    assert steps(server, AGAIN)[0]["ratings"] == steps(server, OVER)[-1]["ratings"]
    assert steps(server, RUNS)[0]["ratings"] == steps(server, AGAIN)[-1]["ratings"]


def test_the_last_step_is_what_the_standing_of_a_running_tour_shows(server: Server) -> None:
    standing = look(server, f"/api/tours/{RUNS}")["standing"]
    assert numbers(steps(server, RUNS)[-1]["ratings"]) == numbers(standing)


def test_it_ends_where_the_players_own_history_has_it(server: Server) -> None:
    history = look(server, "/api/players/1/ratings")["games"][0]["history"]
    left = {one["tour"]: (one["rating"], one["uncertainty"]) for one in history}
    assert numbers(steps(server, OVER)[-1]["ratings"])[1] == left[OVER]
    assert numbers(steps(server, AGAIN)[-1]["ratings"])[1] == left[AGAIN]


@pytest.mark.parametrize("tour", [FREE, CALLED_OFF])
def test_a_tour_that_counts_for_nothing_has_no_steps(server: Server, tour: int) -> None:
    assert steps(server, tour) == []


def test_a_tour_that_is_not_there_is_missing(server: Server) -> None:
    assert refused(server, "/api/tours/99/ratings") == (404, "no_tour")
