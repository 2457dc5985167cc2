"""A port that is a tour's: clients without words for tours are in it by coming there."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from rookery.server.config import BadSetting, load
from tests.server.callers import Caller, Party
from tests.server.process import serving

START = b"400000000000000000000000000021000000120000000000000000000000000001"
PLAN = b'{"variant":"reversi","time":"none"}'


def owner(party: Party) -> Caller:
    """A native player with a tour whose code is CLASS."""
    eve = party.call()
    eve.say(b'{"type":"hello","version":1,"name":"Eve"}')
    eve.say(b'{"type":"open_tour","plan":%b,"code":"CLASS"}' % PLAN)
    eve.until(b'"tour_made"')
    return eve


@contextmanager
def party(folder: Path, *flags: str) -> Iterator[Party]:
    """A server with these flags."""
    with serving(folder, *flags) as server, ExitStack() as calls:
        yield Party(server, calls)


def settings(folder: Path, port: int = 0) -> str:
    """A file with a port for the othello clients of a tour."""
    file = folder / "rookery.toml"
    file.write_text(f'[listen.othello]\nport = {port}\ntour = "CLASS"\n')
    return str(file)


def play_a_match(eve: Caller, ann: Caller, bob: Caller) -> None:
    """Two othello clients sign on, wait for the start, and play until one gives up."""
    for entrant, player in enumerate((ann, bob), 1):
        player.say(b"1")
        assert b'"entrant":%d' % entrant in eve.until(b'"joined"')
    eve.say(b'{"type":"start_tour"}')
    assert [ann.hear(), ann.hear()] == [b"11", START]
    assert [bob.hear(), bob.hear()] == [b"12", START]
    ann.say(b"5")
    assert ann.hear() == b"52"
    assert b'"places":[2,1]' in eve.until(b'"match_ended"')


def test_who_comes_to_the_port_of_a_tour_plays_its_matches(tmp_path: Path) -> None:
    with party(tmp_path, "--config", settings(tmp_path)) as here:
        port = here.port_alone()
        play_a_match(owner(here), here.call(port), here.call(port))


def test_the_one_port_may_be_a_tour_s_too(tmp_path: Path) -> None:
    with party(tmp_path, "--tour", "class") as here:
        play_a_match(owner(here), here.call(), here.call())


def test_who_comes_to_another_port_is_in_no_tour(tmp_path: Path) -> None:
    with party(tmp_path, "--config", settings(tmp_path)) as here:
        owner(here)
        ann = here.call()
        ann.say(b"1")
        assert ann.hear() == b"11"


def test_while_no_tour_has_the_code_one_plays_as_always(tmp_path: Path) -> None:
    with party(tmp_path, "--config", settings(tmp_path)) as here:
        ann = here.call(here.port_alone())
        ann.say(b"1")
        assert ann.hear() == b"11"


def test_a_native_client_says_for_itself_which_tour_it_joins(tmp_path: Path) -> None:
    with party(tmp_path, "--tour", "CLASS") as here:
        owner(here)
        dan = here.call()
        dan.say(b'{"type":"hello","version":1,"name":"Dan"}\n{"type":"show_tour","tour":1}')
        assert b'"entrants":0' in dan.until(b'"tour_shown"')


# -- the setting


def test_a_port_of_one_dialect_has_a_tour_of_its_own(tmp_path: Path) -> None:
    [listen] = load({}, {}, Path(settings(tmp_path, 7351))).ports()
    assert (listen.port, listen.tour) == (7351, "CLASS")


def test_the_tour_of_a_dialect_s_port_holds_on_its_classic_port(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text('classic_ports = true\n[listen.bughouse]\ntour = "CLASS"\n')
    tours = {listen.dialect: listen.tour for listen in load({}, {}, file).ports()}
    assert tours == {"bughouse": "CLASS", "tourney": ""}


@pytest.mark.parametrize("code", ['"A B"', '"ÄÖ"', '"#A"', "5", "true"])
def test_what_cannot_be_a_code_is_one_sentence(code: str, tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text(f"[listen.othello]\nport = 7351\ntour = {code}\n")
    with pytest.raises(BadSetting, match="A tour is given by its code"):
        load({}, {}, file)


def test_the_one_port_s_code_is_looked_at_too() -> None:
    with pytest.raises(BadSetting, match="A tour is given by its code"):
        load({"tour": "A B"}, {}, None)
