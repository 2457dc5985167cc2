"""House bots give people time to see what happened, and programs none of it."""

from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.bots.seat import Tempo, least_s
from rookery.server.config import BotPace

PACE: Final = BotPace(settle=0.6, beside=6.0)
SECOND: Final[Micros] = MICROS_A_SECOND
AT_ONCE: Final[Micros] = SECOND // 100


def test_a_person_sees_their_own_move_before_it_is_answered() -> None:
    assert least_s(PACE, Tempo(answers=2 * SECOND, people=2 * SECOND), None) == 0.6


def test_a_bot_that_moves_again_lets_its_own_move_be_seen() -> None:
    assert least_s(PACE, Tempo(people=2 * SECOND), None) == 0.6


def test_a_program_is_answered_at_once() -> None:
    assert least_s(PACE, Tempo(answers=AT_ONCE, people=AT_ONCE), None) == 0


def test_bots_among_themselves_play_as_slowly_as_the_people_beside_them() -> None:
    def beside(people: Micros | None, *, thinking: bool = False) -> float:
        return least_s(PACE, Tempo(alone=False, people=people, thinking=thinking), None)

    assert beside(3 * SECOND) == 3
    assert beside(90 * SECOND) == PACE.beside
    assert beside(None) == 1
    assert beside(AT_ONCE) == 1
    assert beside(AT_ONCE, thinking=True) == PACE.beside


def test_who_plays_at_a_board_beside_another_is_answered_soon() -> None:
    heard = Tempo(alone=False, answers=4 * SECOND, people=4 * SECOND, thinking=True)
    assert least_s(PACE, heard, None) == 1


def test_a_bot_never_waits_its_own_clock_away() -> None:
    assert least_s(PACE, Tempo(answers=SECOND, people=SECOND), 2 * SECOND) == 0.1
    assert least_s(PACE, Tempo(alone=False, thinking=True), 20 * SECOND) == 1


def test_all_of_it_can_be_switched_off() -> None:
    none = BotPace(0, 0)
    assert least_s(none, Tempo(answers=SECOND, people=SECOND), None) == 0
    assert least_s(none, Tempo(alone=False, thinking=True), None) == 0
