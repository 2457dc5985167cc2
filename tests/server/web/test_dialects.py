"""The dialects over HTTP: all there are, each with what it declares."""

from rookery.dialects import DIALECTS, LANGUAGES
from rookery.games import parse_variant
from tests.dialects.by_heart import BY_HEART
from tests.server.process import Server
from tests.server.web.looking import look


def test_every_dialect_is_told_with_what_its_clients_say_first(server: Server) -> None:
    told = look(server, "/api/dialects")["dialects"]
    assert {one["name"]: one["hello"] for one in told} == {
        name: kind.manners.hello for name, kind in DIALECTS.items()
    }


def test_every_dialect_of_the_house_is_told_with_what_it_is_and_a_first_session(
    server: Server,
) -> None:
    told = look(server, "/api/dialects")["dialects"]
    assert [one["name"] for one in told if not (one["about"] and one["hello"])] == []
    assert {one["name"] for one in told if one["first_session"]} >= BY_HEART
    assert {one["docs"] for one in told} == {f"/docs/dialects/{name}" for name in DIALECTS}
    (native,) = (one for one in told if one["name"] == "native")
    first = native["first_session"][0]
    assert first["lines"][0] == '{"type":"hello","version":1,"name":"Ann"}'
    assert "house" in first["lines"][1]
    assert "house" not in first["alone"]["lines"][1]


def test_what_a_websocket_carries_is_told_with_its_path(server: Server) -> None:
    told = look(server, "/api/dialects")["dialects"]
    paths = {one["websocket"] for one in told if one["websocket"]}
    assert paths == {f"/ws/{one.name}" for one in LANGUAGES if one.message_max}


def test_a_dialect_has_words_for_the_variants_it_declares_and_no_others() -> None:
    def sources(variant: str) -> set[str]:
        return set(LANGUAGES.speaking(parse_variant(variant))) & BY_HEART

    assert sources("reversi") == {"native", "othello", "tourney"}
    assert sources("reversi size=8 opening=4") == {"native", "othello", "tourney"}
    assert sources("reversi size=10") == {"native", "blackwhite"}
    assert sources("reversi size=10 opening=4") == {"native"}
    assert sources("reversi size=6") == {"native", "tourney"}
    assert sources("fish rows=5 cols=5") == {"native", "fish", "fishcom"}
    assert sources("bughouse") == {"native", "bughouse"}


def test_of_a_dialect_that_nobody_declares_the_usual_manners_are_assumed() -> None:
    gone = LANGUAGES["gone"]
    assert gone.speaks(parse_variant("bughouse"))
    assert (gone.tokens, gone.several, gone.numbers, gone.binds) == (False,) * 4
