"""What the server says of itself, to who wants to connect."""

from pathlib import Path

from rookery import __version__
from tests.server.process import serving
from tests.server.web.looking import look

HERE = Path(__file__).parent.parent


def test_a_server_says_where_it_listens(tmp_path: Path) -> None:
    with serving(tmp_path, "--listen", "othello=0") as server:
        found = look(server, "/api/server")
    first, second = found["listens"]
    assert found["version"] == __version__
    assert first == {
        "host": "127.0.0.1",
        "port": server.port,
        "dialect": "any",
        "tls": False,
        "tour": False,
        "bot_level": None,
    }
    assert second["dialect"] == "othello"
    assert second["port"] != server.port
    assert found["house"] is None


def test_a_server_says_where_it_speaks_tls(tmp_path: Path) -> None:
    flags = ("--tls-cert", str(HERE / "tls-cert.pem"), "--tls-key", str(HERE / "tls-key.pem"))
    with serving(tmp_path, *flags) as server:
        assert look(server, "/api/server")["listens"][0]["tls"]


def test_a_server_says_which_bots_are_at_home(tmp_path: Path) -> None:
    with serving(tmp_path, "--house", "on,games=nim+reversi,level=3,wait=7") as server:
        found = look(server, "/api/server")
    assert found["house"] == {
        "games": ["nim", "reversi"],
        "levels": [1, 2, 3, 4, 5],
        "level": 3,
        "wait": 7_000_000,
    }
