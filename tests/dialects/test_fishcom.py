"""The dialect fishcom: values, time limits and closing, where transcripts show them badly."""

from collections.abc import Sequence

import pytest

from rookery.core.errors import BadOption
from rookery.core.events import TourEnded, Withdrawn
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.intents import AnyIntent, Enter, SignUp, TakeUp
from rookery.core.messages import Done, Notice, Refused, Welcome
from rookery.core.policy import Errors, Gone, Policy
from rookery.core.tour_values import Plan
from rookery.dialects import begin, read_options
from rookery.dialects.base import Dialect
from rookery.dialects.fishcom import FishcomOptions
from rookery.dialects.fishcom import profile as fishcom_limits
from rookery.dialects.fishcom.wire import Values
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from tests.laws.fishcom_speaker import FishcomSpeaker
from tests.transcripts.wired_hall import WiredHall

ANN = PlayerId(7)
SECOND = MICROS_A_SECOND
NO = Refused("no", "No.")


def alone(options: FishcomOptions | None = None) -> Dialect:
    """A connection whose hall is the test."""
    return begin("fishcom", Numbers(PlayerRegistry()), options)


def values(*pieces: bytes, limit: int = fishcom_limits.KEPT_MAX) -> list[bytes]:
    """The whole values in these bytes."""
    scanner, found = Values(limit), []
    for piece in pieces:
        rest = piece
        while rest and not scanner.overflowed:
            rest = rest[scanner.feed(rest) :]
            while (value := scanner.take()) is not None:
                found.append(value)
    return found


# -- values


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (b'"void"', [b'"void"']),
        (b'  "a"\n"b"[1]{"c":2}', [b'"a"', b'"b"', b"[1]", b'{"c":2}']),
        (b'"a]\\"[b"', [b'"a]\\"[b"']),
        (b'"\\\\""x"', [b'"\\\\"', b'"x"']),
        (b'[[1,2],["]",{}]]', [b'[[1,2],["]",{}]]']),
        (b"[ 1 ,\r\n\t 2 ]", [b"[ 1 , 2 ]"]),
        (b"[1   2]", [b"[1 2]"]),
        (b'["a  b"]', [b'["a  b"]']),
        (b"12 true null", [b"12", b"true"]),  # the last may go on
        (b"12[3]", [b"12", b"[3]"]),
        (b"]}", [b"]", b"}"]),
        (b"[}", [b"[}"]),
        (b" \t\r\n\v\f", []),
        (b'\f"a"\v[1,\f2]', [b'"a"', b"[1, 2]"]),
        (b'"a', []),
    ],
)
def test_values_end_where_they_end(sent: bytes, found: list[bytes]) -> None:
    assert values(sent) == found
    assert values(*(bytes([byte]) for byte in sent)) == found


@pytest.mark.parametrize("limit", range(1, 24))
def test_an_answer_at_once_is_the_same_as_byte_by_byte(limit: int) -> None:
    sent = b'[[1,2],[33,4]]"void"[5,6] "void"'
    one, other = Values(limit), Values(limit)
    rest = sent
    while rest and not one.overflowed:
        rest = rest[one.feed(rest) :]
    for byte in sent:
        if not other.overflowed:
            other.feed(bytes([byte]))
    found = [(two.overflowed, two.take(), two.take(), two.take()) for two in (one, other)]
    assert found[0] == found[1]


def test_so_many_bytes_are_kept_and_one_more_is_too_many() -> None:
    scanner = Values(10)
    for piece in (b'"1234"', b"    ", b"[12"):
        scanner.feed(piece)
    assert not scanner.overflowed
    assert scanner.take() == b'"1234"'
    for piece in (b"3", b"45678"):
        scanner.feed(piece)
    assert not scanner.overflowed
    scanner.feed(b"]")
    full = scanner.overflowed
    scanner.feed(b"x")
    assert (full, scanner.overflowed) == (False, True)


# -- signing up


def sign_up(dialect: Dialect, *replies: Welcome | Done | Refused) -> list[AnyIntent]:
    """What the hall is asked by a name, when it replies so."""
    asked = list(dialect.receive(b'"ann"', 0))
    for reply in replies:
        asked += dialect.tell(reply)
    return asked


def test_a_name_looks_for_its_old_place_then_is_somebody_then_waits() -> None:
    policy = Policy(gone=Gone.AT_ONCE, grace=60 * SECOND, errors=Errors(limit=1))
    plan = Plan(
        "fish rows=5 cols=5 fish=2",
        "groups",
        "fishcom",
        4,
        "20s/move",
        policy,
        late=False,
        absent=60 * SECOND,
        strict=True,
        farewell=True,
    )
    wish = SignUp(plan, 5, 10, 30 * SECOND, 1, player=ANN)
    dialect = alone()
    asked = sign_up(dialect, NO, Welcome(ANN, "ann", "secret"), Done())
    assert asked == [TakeUp("ann", restarted=True), Enter("ann", "fishcom"), wish]
    assert (dialect.drain(), dialect.closing, dialect.deadline()) == (b"", False, None)


@pytest.mark.parametrize("replies", [(NO, NO), (NO, Welcome(ANN, "ann", ""), NO)])
def test_who_cannot_sign_up_is_closed_untold(replies: Sequence[Welcome | Refused]) -> None:
    dialect = alone()
    sign_up(dialect, *replies)
    assert (dialect.drain(), dialect.closing) == (b"", True)


def test_who_was_closed_while_signing_up_does_not_wait_with_the_others() -> None:
    dialect = alone()
    dialect.receive(b'"ann"', 0)
    dialect.receive(FishcomSpeaker.too_long, 0)
    assert list(dialect.tell(NO)) == [Enter("ann", "fishcom")]
    assert list(dialect.tell(Welcome(ANN, "ann", ""))) == []
    assert dialect.closing


def test_too_much_is_closed_untold() -> None:
    dialect = alone()
    assert list(dialect.receive(FishcomSpeaker.too_long, 0)) == []
    assert (dialect.drain(), dialect.closing) == (b"", True)


def test_the_time_for_a_name_runs_from_when_the_dialect_is_first_told_it() -> None:
    dialect = alone()
    assert dialect.deadline() == 0
    dialect.tick(5 * SECOND)
    assert dialect.deadline() == 15 * SECOND


def test_a_name_that_comes_too_late_is_too_late_though_nobody_looked() -> None:
    dialect = alone()
    dialect.tick(0)
    assert list(dialect.receive(b'"ann"', 10 * SECOND)) == []
    assert dialect.closing


def test_silence_after_a_bare_word_makes_a_name_though_nobody_looked() -> None:
    dialect = alone()
    dialect.receive(b"ann", 0)
    assert list(dialect.receive(b'"void"', SECOND)) == [TakeUp("ann", restarted=True)]


def test_a_bare_word_is_no_name_where_that_is_set() -> None:
    dialect = alone(FishcomOptions(bare_names=False))
    dialect.receive(b"ann\n", 0)
    assert dialect.closing


# -- calls


def game(options: FishcomOptions | None = None) -> WiredHall:
    """Ann and Bob, who have been called to start."""
    hall = WiredHall()
    hall.options["fishcom"] = options or FishcomOptions(least=2, most=2)
    for who in ("ann", "bob"):
        hall.connect(who, "fishcom")
        hall.send(who, b'"%b"' % who.encode())
    assert hall.take("ann") == hall.take("bob") == b'["start",[true]]'
    return hall


def test_nothing_the_server_sends_has_a_line_end() -> None:
    hall = game()
    for _ in range(3):
        hall.send("bob", b'"void"')
        hall.send("ann", b'"void"')
    assert b"\n" not in hall.take("ann")


def test_an_answer_that_comes_too_late_is_too_late_though_nobody_looked() -> None:
    hall = game()
    ann = hall.lines["ann"].dialect
    ann.tick(hall.now)
    hall.now += 3 * SECOND
    hall.send("ann", b'"void"')
    assert hall.lines["ann"].closed
    assert hall.take("ann") == b""


# -- how it comes out


def result(hall: WiredHall) -> tuple[dict[int, str], tuple[int, ...]]:
    """Who was removed and why, and who won, as the log has it."""
    events = [record.event for record in hall.records]
    removed = {event.entrant: event.why for event in events if isinstance(event, Withdrawn)}
    (ended,) = (event for event in events if isinstance(event, TourEnded))
    return removed, ended.winners


def drawn() -> WiredHall:
    """Ann and Bob, who have filled the ice, and are called to take the end as winners."""
    hall = game(FishcomOptions(least=2, most=2, rows=4, cols=2))
    for who in ("ann", "bob"):
        for _ in range(3):
            hall.send(who, b'"void"')
    for tile in range(8):
        hall.send("bob" if tile % 2 else "ann", b"[%d,%d]" % divmod(tile, 2))
    for who in ("ann", "bob"):
        assert hall.take(who).endswith(b'["end",[true]]')
    return hall


def test_who_has_taken_the_end_and_hangs_up_has_won() -> None:
    hall = drawn()
    for who in ("ann", "bob"):
        hall.send(who, b'"void"')
        assert hall.lines[who].closed
    assert result(hall) == ({}, (1, 2))


def test_a_winner_who_answers_the_end_wrongly_late_or_not_at_all_is_no_winner() -> None:
    hall = drawn()
    hall.send("ann", b'"thanks"')
    assert hall.lines["ann"].closed
    hall.advance(SECOND)
    assert hall.lines["bob"].closed
    assert result(hall) == ({1: "cheated", 2: "late"}, ())
    hall = drawn()
    hall.hang_up("ann")
    hall.send("bob", b'"void"')
    assert result(hall) == ({1: "gone"}, (2,))


def test_nobody_wins_in_the_place_of_a_winner_who_does_not_take_the_end() -> None:
    hall = game(FishcomOptions(least=2, most=2, rows=5, cols=2))
    for who in ("ann", "bob"):
        for _ in range(3):
            hall.send(who, b'"void"')
    for tile in range(8):
        hall.send("bob" if tile % 2 else "ann", b"[%d,%d]" % divmod(tile, 2))
    for move in (b"[[3,0],[4,1]]", b"[[2,0],[4,0]]"):
        hall.send("ann", move)
    assert hall.take("ann").endswith(b'["end",[true]]')
    hall.send("bob", b'"void"')
    hall.send("ann", b"null ")
    assert result(hall) == ({1: "cheated"}, ())


def test_nobody_wins_because_all_who_went_on_were_removed() -> None:
    options = FishcomOptions(least=4, most=4, table=2, rows=5, cols=2)
    names = ("ann", "bob", "cyd", "dan")
    hall = WiredHall()
    hall.options["fishcom"] = options
    for who in names:
        hall.connect(who, "fishcom")
        hall.send(who, b'"%b"' % who.encode())
    for first, second in (names[:2], names[2:]):
        for who in (first, second):
            for _ in range(3):
                hall.send(who, b'"void"')
        for tile in range(8):
            hall.send(second if tile % 2 else first, b"[%d,%d]" % divmod(tile, 2))
        for move in (b"[[3,0],[4,1]]", b"[[2,0],[4,0]]"):
            hall.send(first, move)
    hall.send("ann", b'"no"')
    hall.send("cyd", b'"no"')
    for who in ("bob", "dan"):
        assert hall.take(who).endswith(b'["end",[false]]')
        hall.send(who, b'"void"')
    assert result(hall) == ({1: "cheated", 3: "cheated"}, ())


def test_the_reason_is_that_of_the_first_failure_though_the_game_goes_on() -> None:
    hall = game(FishcomOptions(least=2, most=2, grace=1))
    for who in ("ann", "bob"):
        for _ in range(3):
            hall.send(who, b'"void"')
    hall.send("ann", b"[9,9]")
    assert hall.lines["ann"].closed
    hall.advance(SECOND)  # Bob does not place
    assert result(hall) == ({1: "cheated", 2: "late"}, ())


def test_notices_have_no_word_in_this_dialect() -> None:
    dialect = alone()
    assert list(dialect.tell(Notice("closing", "The server goes down."))) == []
    assert dialect.drain() == b""


def test_who_is_sent_home_is_closed_untold() -> None:
    dialect = alone()
    sign_up(dialect, NO, Welcome(ANN, "ann", ""), Done())
    assert list(dialect.tell(Notice("sent_home", "Too few.", ANN))) == []
    assert (dialect.drain(), dialect.closing) == (b"", True)


# -- what can be set


@pytest.mark.parametrize(
    "given",
    [
        {"least": 1},
        {"least": 11},
        {"least": 2, "most": 1},
        {"most": 101},
        {"window": 0},
        {"again": -1},
        {"table": 1},
        {"table": 5},
        {"grace": -1},
        {"sign_up": 0},
        {"silence": 0},
        {"first_byte": 0},
        {"first_byte": 3001},
        {"answer": 3_600_001},
        {"first_byte_of_first_turn": 5001},
        {"time": "none"},
        {"rows": 2, "cols": 4},  # eight tiles, and three players need nine
        {"rows": 2, "cols": 4, "most": 3, "least": 3},
        {"strict_names": 7},
        {"rounds": 3},
    ],
)
def test_nonsense_is_refused_with_a_sentence(given: dict[str, object]) -> None:
    with pytest.raises(BadOption, match=r"\.$"):
        read_options("fishcom", given)


def test_a_settings_file_can_change_the_times() -> None:
    options = read_options("fishcom", {"first_byte": "50", "answer": 100, "bare_names": "false"})
    assert isinstance(options, FishcomOptions)
    patience = options.patience()
    assert (patience.first, patience.whole, options.bare_names) == (50_000, 100_000, False)
