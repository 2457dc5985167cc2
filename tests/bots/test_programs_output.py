"""What a program prints, judged at the bounds, and in pieces of every size."""

import pytest

from rookery.bots.programs.failed import Fault, ProgramFailed
from rookery.bots.programs.program_output import LINE_MAX, UNASKED_MAX, ProgramAnswer, ProgramOutput
from rookery.bots.programs.words import Answer, Begin, Play, Ready, Turn, Wait
from rookery.core.ids import Seat
from rookery.games.nim import NimView

BEGIN = Begin("nim", Seat(0), 2, ("ann", "bob"), "none")
TURN = Turn(Seat(0), NimView((1,), Seat(0), misere=False), ("0,1",), None)
REMARK = b'{"type":"remark"}\n'


def asked(*questions: Begin | Turn) -> ProgramOutput:
    ears = ProgramOutput("ann")
    for question in questions:
        ears.asked(question)
    return ears


def answers(ears: ProgramOutput, text: bytes) -> list[tuple[int, Answer]]:
    return [(heard.number, heard.answer) for heard in ears.hear(text)]


def test_answers_come_with_the_numbers_of_their_questions() -> None:
    said = b'{"type":"ready"}\n{"type":"play","move":"0,1"}\r\n{"type":"wait","why":"so"}\n'
    expected = [(1, Ready()), (2, Play("0,1")), (3, Wait())]
    assert answers(asked(BEGIN, TURN, TURN), said) == expected


def test_bytes_one_at_a_time_say_the_same() -> None:
    said = b'{"type":"ready"}\n\n{"type":"remark"}\n{"type":"play","move":"0,1"}\n'
    slow = asked(BEGIN, TURN)
    heard: list[ProgramAnswer] = []
    for n in range(len(said)):
        heard += slow.hear(said[n : n + 1])
    assert heard == list(asked(BEGIN, TURN).hear(said))


def test_who_is_ready_for_the_next_game_owes_no_move() -> None:
    assert answers(asked(TURN, BEGIN, TURN), b'{"type":"ready"}\n') == [(2, Ready())]


def test_ready_is_no_answer_to_a_turn() -> None:
    with pytest.raises(ProgramFailed, match="said ready when nothing was asked"):
        answers(asked(TURN), b'{"type":"ready"}\n')


def test_a_line_of_a_megabyte_is_heard() -> None:
    frame = len(b'{"type":"play","move":""}')
    said = b'{"type":"play","move":"%b"}\n' % (b"x" * (LINE_MAX - frame))
    assert answers(asked(TURN), said) == [(1, Play("x" * (LINE_MAX - frame)))]


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_byte_more_is_a_flood(end: bytes) -> None:
    ears = asked(TURN)
    assert answers(ears, b" " * LINE_MAX) == []
    with pytest.raises(ProgramFailed) as failed:
        answers(ears, b" " + end)
    assert failed.value.fault is Fault.FLOODED


def test_a_thousand_lines_that_answer_nothing_are_borne() -> None:
    said = REMARK * UNASKED_MAX + b'{"type":"wait"}\n'
    assert answers(asked(TURN, TURN), said * 2) == [(1, Wait()), (2, Wait())]


def test_one_more_is_a_flood() -> None:
    with pytest.raises(ProgramFailed, match=f"more than {UNASKED_MAX} lines that answer nothing"):
        answers(asked(TURN), REMARK * (UNASKED_MAX + 1))
