"""Rules that never end are interrupted, and then put out of use; other code never is."""

import sys
import time
from pathlib import Path

import pytest

from rookery.core.events import Ended
from rookery.core.intents import LegalMoves, Open, Play, Resign, Seek, Show
from rookery.core.messages import Refused
from rookery.games import GAMES
from rookery.plugins import load
from rookery.plugins.watchdog import watched
from rookery.verify.log import check_log
from tests.hall.house import House
from tests.plugins.test_broken import LATE, failed, others_go_on, table_of
from tests.plugins.test_hurt import first
from tests.plugins.toys import toy

SPIN = f"while {LATE}: pass"
# Each catches what interrupts it, in another way, and goes on.
STUBBORN = (
    ("try:", "    1 / 0", "except Exception:", "    pass"),
    ("try:", "    len('a')", "except BaseException:", "    pass"),
    ("try:", "    _spin()", "except BaseException:", "    pass"),
    ("with _all():", "    _spin()"),
    ("try:", "    _spin()", "finally:", "    continue"),
)
HELPERS = """
import contextlib

def _spin():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

def _all():
    return contextlib.suppress(BaseException)
"""


WORK = """
from time import thread_time

def _work():
    until = thread_time() + 0.05
    while thread_time() < until:
        pass
"""


def play_to(house: House, tmp_path: Path, *changes: tuple[str, str], more: str = "") -> None:
    """Two play until the rules are in trouble: their table ends, and the game is out of use."""
    load([toy(tmp_path, *changes, more=more)])
    with watched(0.05):
        ann, bob, table = table_of(house)
        _, dot, second = table_of(house)
        for n in range(3):
            house.reply((ann, bob)[n % 2], Play(table, "1"))
        house.reply(bob, LegalMoves(table))
        house.reply(ann, Show(table))
        house.reply(ann, Resign(table))
        house.wait(0.01)
        assert "did not come to an end" in house.last(table, Ended).outcome.reason
        assert "heap" not in GAMES
        assert house.no(house.enter("eve"), Seek("heap")) == "bad_option"
        assert house.no(house.enter("eve"), Open("heap")) == "bad_option"
        assert house.no(dot, Play(second, "1")) == "absent", "its other tables rest"
        before = house.events(second)
        house.wait(300)
        assert house.events(second) == before
        others_go_on(house)


@pytest.mark.parametrize(
    "word", ["play", "to_act", "outcome", "phase", "view", "legal_moves", "forfeit"]
)
def test_whichever_rule_has_no_end_its_table_ends_alone(
    house: House, tmp_path: Path, word: str
) -> None:
    play_to(house, tmp_path, first(word, SPIN))


def test_players_are_told_why_where_the_referee_finds_out(house: House, tmp_path: Path) -> None:
    secret = ("secret_moves: ClassVar = False", "secret_moves: ClassVar = True")
    load([toy(tmp_path, secret, first("to_act", "while SLOW: pass"), more="\nSLOW = False\n")])
    ann, bob, table = table_of(house)
    house.do(ann, Play(table, "1"))
    vars(sys.modules[GAMES["heap"].__module__])["SLOW"] = True
    with watched(0.05):
        assert house.ask(bob, Play(table, "1"), Refused).code == "rules_failed"
    assert "did not come to an end" in house.last(table, Ended).outcome.reason
    assert "heap" not in GAMES


@pytest.mark.parametrize("lines", STUBBORN)
def test_rules_that_catch_all_that_is_raised_are_left_all_the_same(
    house: House, tmp_path: Path, lines: tuple[str, ...]
) -> None:
    loop = "".join(f"\n            {line}" for line in lines)
    play_to(house, tmp_path, first("play", f"while {LATE}:{loop}"), more=HELPERS)


def test_moves_that_are_listed_one_by_one_without_end(house: House, tmp_path: Path) -> None:
    listed = first("legal_moves", "return (n for n in iter(int, 1) if n)")
    load([toy(tmp_path, listed)])
    with watched(0.05):
        ann, _, table = table_of(house)
        assert house.ask(ann, LegalMoves(table), Refused).code == "rules_failed"
    assert failed(house, table)


@pytest.mark.parametrize("word", ["parse_move", "format_move"])
def test_a_move_that_is_never_read_or_written(house: House, tmp_path: Path, word: str) -> None:
    load([toy(tmp_path, first(word, "while True: pass"))])
    with watched(0.05):
        ann, _, table = table_of(house)
        assert house.ask(ann, Play(table, "1"), Refused).code == "rules_failed"
    assert failed(house, table)


@pytest.mark.parametrize("word", ["__post_init__", "start", "teams"])
def test_a_game_that_can_never_be_made_is_not_opened(
    house: House, tmp_path: Path, word: str
) -> None:
    load([toy(tmp_path, first(word, "while SLOW: pass"), more="\nSLOW = False\n")])
    vars(sys.modules[GAMES["heap"].__module__])["SLOW"] = True
    with watched(0.05):
        why = house.no(house.enter("ann"), Open("heap pebbles=7"))
        assert why in ("rules_failed", "bad_option")
        others_go_on(house)


def test_a_call_that_gets_no_processor_is_not_blamed(house: House, tmp_path: Path) -> None:
    slow = first("play", "import threading; threading.Event().wait(0.3)")
    load([toy(tmp_path, slow)])
    with watched(0.05):
        ann, _, table = table_of(house)
        house.do(ann, Play(table, "1"))
        assert house.show(ann, table).line.status == "playing"


def test_rules_that_are_slow_and_come_to_an_end_play_on(house: House, tmp_path: Path) -> None:
    """Each call takes a part of what it may, many of them much more together."""
    words = ("play", "to_act", "view")
    load([toy(tmp_path, *(first(word, "_work()") for word in words), more=WORK)])
    with watched(0.2):
        ann, bob, table = table_of(house)
        for n in range(6):
            house.do((ann, bob)[n % 2], Play(table, "1"))


def test_our_own_code_is_never_interrupted(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path)])
    with watched(0.05):
        until = time.thread_time() + 0.5
        while time.thread_time() < until:
            house.hall.tick(house.now)


def test_a_log_with_rules_that_have_no_end_can_be_judged(house: House, tmp_path: Path) -> None:
    load([toy(tmp_path, first("play", "while SLOW: pass"), more="\nSLOW = False\n")])
    ann, bob, table = table_of(house)
    _, _, second = table_of(house)
    house.do(ann, Play(table, "1"))
    house.do(bob, Play(table, "1"))
    vars(sys.modules[GAMES["heap"].__module__])["SLOW"] = True
    with watched(0.05):
        (problem,) = check_log(house.log)
        assert "TookTooLong" in problem.sentence
        house.restart()
        assert house.show(house.connect(), table).line.status == "playing"
        assert house.show(house.connect(), second).line.status == "playing"
        others_go_on(house)
