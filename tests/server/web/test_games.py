"""The games over HTTP: what a page is told of each is what the hall does."""

import pytest

from rookery.core.intents import OfferDraw, Open, Sit
from rookery.games import GAMES
from tests.server.process import Server
from tests.server.web.looking import Json, look


def game(server: Server, name: str) -> Json:
    (found,) = (line for line in look(server, "/api/games")["games"] if line["name"] == name)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_game_says_whether_a_draw_can_be_offered_there(server: Server, name: str) -> None:
    least = min(GAMES[name].seat_counts)
    first, *others = (server.enter(f"{name}{n}") for n in range(least))
    table = first.done(Open(name, least)).table
    assert table is not None
    for one in others:
        one.done(Sit(table))
    told = first.ask(OfferDraw(table))
    assert game(server, name)["draws"] == (told.type == "done")
    assert (told.type, told.code) in (("done", ""), ("refused", "no_draws"))


@pytest.mark.parametrize(("name", "teams"), [("bughouse", True), ("reversi", False)])
def test_a_game_says_whether_its_players_are_partners(
    server: Server, name: str, teams: bool
) -> None:
    assert game(server, name)["teams"] is teams


def test_a_game_says_what_it_says_to_native_players_too(server: Server) -> None:
    fish = game(server, "fish")
    assert fish["seats"] == [2, 3, 4]
    assert [option["name"] for option in fish["options"]]
    assert fish["about"].endswith(".")


def test_a_game_says_how_its_bots_think(server: Server) -> None:
    assert {game(server, name)["thinking"] for name in GAMES} == {"own"}
