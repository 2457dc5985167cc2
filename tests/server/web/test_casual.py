"""Casual ratings over a real socket: as they are, and as game after game left them."""

from pathlib import Path

from rookery.core.ids import TableId
from rookery.core.intents import Open, Play, Resign, Sit
from tests.server.process import serving
from tests.server.web.looking import look, playing


def test_a_rating_is_told_game_by_game_and_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        with playing(server, "ann", "bob") as (ann, bob):
            tables = []
            for _ in range(3):
                table = TableId(ann.ask(Open("tictactoe"))["table"])
                tables.append(table)
                bob.ask(Sit(table))
                ann.ask(Play(table, "4"))
                bob.ask(Play(table, "0"))
                bob.ask(Resign(table))
        told = look(server, "/api/players/1/ratings")
        (casual,) = told["casual"]
        assert casual["game"] == "tictactoe"
        assert [step["table"] for step in casual["history"]] == tables
        assert [step["games"] for step in casual["history"]] == [1, 2, 3]
        now = look(server, "/api/players/1")["casual"][0]
        assert now["rating"] == casual["history"][-1]["rating"] > 1500
        assert now["games"] == 3
    with serving(tmp_path) as server:
        assert look(server, "/api/players/1/ratings") == told
