"""Lines that go out, or wait, all at once: the same as one after the other, whatever is said."""

from hypothesis import given
from hypothesis import strategies as st

from rookery.core.ids import Micros
from rookery.dialects.bughouse.pacing import Pace
from rookery.dialects.bughouse.voice import TURN_WIRE, UNASKED, Voice

MOVE = "MOVE:1\t4\t1\t4\t3"
BEHIND = "PASS:1\t2\t1"
NEXT = "NEXT_BOARD:1"

# What happens to a connection, and what is told of a move at once: whose turn it is, or not.
DEEDS = st.sampled_from(["asks", "is answered", "acts", "time", "starts", "hears", "is next"])


def told_at_once(voice: Voice, now: Micros, *, turn: bool) -> bool:
    first = f"{UNASKED}{MOVE}\n".encode()
    words = first + TURN_WIRE + f"{UNASKED}{NEXT}\n".encode() if turn else first
    ends = len(first) + len(TURN_WIRE) if turn else 0
    return voice.broadcast_at_once(words + f"{UNASKED}{BEHIND}\n".encode(), ends, now)


def told_line_by_line(voice: Voice, now: Micros, *, turn: bool) -> None:
    voice.broadcast(MOVE, now)
    if turn:
        voice.turn(now)
        voice.broadcast(NEXT, now)
    voice.broadcast(BEHIND, now)


def do(voice: Voice, deed: str, now: Micros, *, at_once: bool) -> tuple[bytes, Micros | None, bool]:
    match deed:
        case "asks":
            voice.heard(now)
            voice.asked()
        case "is answered":
            voice.answer("MOVE_OK:1", now)
        case "acts":
            voice.acts()
        case "time":
            voice.tick(now)
        case "starts":
            voice.broadcast("GAME_STARTED:1", now)
        case _:
            turn = deed == "is next"
            if not (at_once and told_at_once(voice, now, turn=turn)):
                told_line_by_line(voice, now, turn=turn)
    return voice.drain(), voice.deadline(), voice.holds_turn


@given(
    deeds=st.lists(st.tuples(DEEDS, st.sampled_from([0, 1_000, 30_000, 70_000])), max_size=40),
    burst=st.sampled_from([80, 150, 200, 700]),
)
def test_at_once_is_the_same_as_line_by_line(deeds: list[tuple[str, Micros]], burst: int) -> None:
    pace = Pace(burst=burst, welcome=0, first_turn=0)
    quick, plain = Voice(pace), Voice(pace)
    now: Micros = 0
    for deed, later in deeds:
        now += later
        assert do(quick, deed, now, at_once=True) == do(plain, deed, now, at_once=False)


def test_a_move_heard_while_an_answer_is_owed_waits_for_it_at_once() -> None:
    voice = Voice(Pace(welcome=0, first_turn=0))
    voice.broadcast("GAME_STARTED:1", 0)
    voice.tick(1)
    assert voice.drain() == f"{UNASKED}GAME_STARTED:1\n".encode()
    voice.heard(1)
    voice.asked()
    assert told_at_once(voice, 1, turn=False)
    assert voice.drain() == b""
    voice.answer("MOVE_OK:1", 2)
    assert voice.drain() == f"MOVE_OK:1\n{UNASKED}{MOVE}\n{UNASKED}{BEHIND}\n".encode()
